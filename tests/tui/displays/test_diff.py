from __future__ import annotations

import time
from dataclasses import replace

from agent_tui.protocol.display import DiffDisplay, Hunk
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from agent_tui.tui.lines import Line
from tests.fakes.conversation_host import HUNK, page, texts

EDIT = DiffDisplay("/w/src/auth.py", (HUNK,), 2, 1)
TWO = replace(
    EDIT,
    hunks=(
        HUNK,
        Hunk(118, 1, 119, 2, ("-        token = 1", "+        token = 2", "+        more"), "tick"),
    ),
)


def grounds(line: Line) -> dict[str, str]:
    return {
        s.text.strip(): str(s.style.bgcolor and s.style.bgcolor.name)
        for s in line.strip
        if s.style and s.text.strip()
    }


def test_the_head_counts() -> None:
    head = render_head(EDIT, page())
    assert "".join(text for text, _ in head.argument) == "src/auth.py"
    assert "".join(text for text, _ in head.facts[0]) == "+2 −1"
    created = render_head(replace(EDIT, created=True, removed=0), page())
    assert created.argument[1][0] == " new"
    assert "".join(text for text, _ in created.facts[0]) == "+2"


def test_u11_numbers_and_signs_tell_the_sides() -> None:
    assert texts(render_display(EDIT, page(80))) == [
        "     41       def refresh(self) -> Token:",
        "     42 −         if self._token is None:",
        "     42 +         if self.expired(early=30):",
        "     43               self._token = self._fetch()",
        "     44 +             self._renewed_at = now()",
        "     45           return self._token",
    ]


def test_changed_words_stand_on_a_stronger_ground() -> None:
    rows = list(render_display(EDIT, page(80)))
    found = grounds(rows[2])
    assert found["expired"] == "#1f4b31" and found["42 +"] == "#15291d"
    assert grounds(rows[0])["refresh"] == "#15171c"
    edges = [s.style.bgcolor.name for s in rows[2].strip if s.style and s.style.bgcolor]
    assert edges[0] == "#15171c" and edges[-2:] == ["#15291d", "#15171c"]


def test_u11_without_tints_lines_take_the_colour_of_their_sign() -> None:
    sheet = page(80, "sixteen")
    rows = list(render_display(EDIT, sheet))
    assert {
        s.style.color.name for s in rows[4].strip if s.style and s.text.strip() and s.style.color
    } == {"bright_green"}
    reverse = [s.text for s in rows[1].strip if s.style and s.style.reverse]
    assert "".join(reverse) == "_token is None"
    plain = list(render_display(EDIT, page(80, "no-colour")))
    assert all(
        s.style is not None and s.style.color is None and s.style.bgcolor is None
        for line in plain
        for s in line.strip
    )
    assert (
        "".join(s.text for s in plain[2].strip if s.style and s.style.reverse)
        == "expired(early=30)"
    )


def test_unchanged_lines_between_hunks_are_counted() -> None:
    rows = texts(render_display(TWO, page(80)))
    assert rows[6] == "      ⋮   73 unchanged lines"
    assert rows[7] == "    118 −         token = 1"


def test_hunks_can_be_chosen() -> None:
    rows = texts(render_display(TWO, page(60), Options(chosen=frozenset({0}), current=1)))
    assert rows[0] == "   [x] 1  class Session · refresh" + " " * 20 + "+2 −1"
    assert rows[7] == ""
    assert rows[8].startswith(" › [ ] 2  tick")
    (first, *rest) = texts(render_display(TWO, page(60), Options(only=1)))
    assert first.startswith("    118 −") and len(rest) == 2


def test_side_by_side() -> None:
    rows = texts(render_display(EDIT, page(160), Options(side_by_side=True)))
    assert rows[0][:45].rstrip() == "     41       def refresh(self) -> Token:"
    assert all(row[80] == "│" for row in rows)
    assert rows[1][3:79].strip().startswith("42 −") and rows[1][82:].strip().startswith("42 +")
    assert rows[3][3:79].strip() == "" and rows[3][82:].strip().startswith("44 +")
    assert rows[4][3:79].strip().startswith("44  ") and rows[4][82:].strip().startswith("45  ")
    two = texts(render_display(TWO, page(160), Options(side_by_side=True, chosen=frozenset())))
    assert all(row[80] == "│" for row in two) and two[7].count("⋮") == 2
    gap = list(render_display(EDIT, page(160), Options(side_by_side=True)))[3]
    assert any(s.style and s.style.bgcolor and s.style.bgcolor.name == "#1b1e25" for s in gap.strip)


def test_long_lines_are_cut_or_wrapped_and_copied_whole() -> None:
    long = DiffDisplay("a.py", (Hunk(1, 1, 1, 1, ("+" + "x = 1; " * 20,)),), 1, 0)
    (row,) = render_display(long, page(60))
    assert row.strip.text.rstrip().endswith("…") and row.source == "x = 1; " * 20
    rows = list(render_display(long, page(60), Options(wrap=True)))
    assert len(rows) == 3
    assert "".join(line.source or "" for line in rows) == "x = 1; " * 20
    assert [line.glue for line in rows] == ["", "", None]


def test_a_long_diff_is_folded_and_drawn_only_where_it_is_looked_at() -> None:
    lines = tuple(f"+line {n} = {n}" for n in range(2000))
    display = DiffDisplay(
        "/w/a.py", (Hunk(0, 0, 1, 2000, lines),), 2000, 0, created=True, truncated=7
    )
    folded = render_display(display, page(120))
    assert len(folded) == 21 and texts(folded)[20] == "   ▸ 1981 more lines"
    begun = time.process_time()
    rows = render_display(display, page(120), Options(expanded=True))
    shown = texts(rows[:40])
    spent = time.process_time() - begun
    assert len(rows) == 2001 and shown[39] == "     40 + line 39 = 39"
    assert texts(rows[-1:]) == ["      ⋮   7 lines left out"]
    assert spent < 0.1
