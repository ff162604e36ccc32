from __future__ import annotations

from agent_tui.protocol.reviews import RewindFile, RewindPlan, RewindPoint
from agent_tui.tui.panes.rewindlist import PlanSheet, RewindList
from tests.tui.look import look, page, texts

AT = "2020-03-01T12:00:00.000Z"
PROMPT = RewindPoint("u1", "prompt", "fix the\ntests", AT, 2)
BACK = RewindPoint("u2", "rewind", "", AT)
FILES = (
    RewindFile("/w/a", "src/a.py", "restore", 1, 2),
    RewindFile("/w/n", "n.py", "remove", 0, 3),
    RewindFile("/w/b", "b.py", "restore", 1, 1, "changed since", seen="s"),
    RewindFile("/w/c", "c.bin", problem="what it was is not kept"),
)


def test_moments_have_their_time_and_files() -> None:
    shown = RewindList(look())
    assert "reading" in texts(shown.draw(page(56)))[1]
    shown.show((BACK, PROMPT), "none")
    rows = texts(shown.draw(page(56)))
    assert rows[1].startswith(" › before you went back")
    assert rows[2].startswith("   fix the tests")
    assert "2 files   01 Mar" in rows[2]
    assert shown.current == BACK
    assert not shown.choose(5)
    shown.show((), "none yet")
    assert texts(shown.draw(page(56)))[1] == "   none yet"


def test_the_plan_names_what_would_change_and_what_would_not() -> None:
    sheet = PlanSheet(look())
    sheet.show(PROMPT, None, "looking")
    assert "looking" in "\n".join(texts(sheet.draw(page(64))))
    sheet.show(PROMPT, RewindPlan(FILES, 2))
    rows = texts(sheet.draw(page(64)))
    assert rows[1:4] == [" fix the", " tests", ""]
    assert rows[4] == " 2 prompts and what came of them leave the conversation"
    text = "\n".join(rows)
    assert "● src/a.py" in text
    assert "put back   +1 −2" in text
    assert "removed   −3" in text
    assert "Changed by others, too: stay as they are" in text
    assert "⊘ b.py" in text
    assert "what it was is not kept" in text
    assert sheet.changes_files
    sheet.also = True
    assert "● b.py" in "\n".join(texts(sheet.draw(page(64))))
    sheet.show(BACK, RewindPlan())
    assert not sheet.also
    assert not sheet.changes_files
    assert "No file would change." in "\n".join(texts(sheet.draw(page(64))))
    sheet.show(BACK, RewindPlan(kept=False))
    assert "not kept in this session" in "\n".join(texts(sheet.draw(page(64))))
    sheet.show(None, None)
    assert len(sheet.draw(page(64))) == 1
