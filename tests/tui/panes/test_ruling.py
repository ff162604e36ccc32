from __future__ import annotations

import pytest

from agent_tui.protocol.explanations import ExplainedRule, PermissionsInForce
from agent_tui.tui.panes.ruling import Ruling
from tests.tui.host import Host, screen_rows
from tests.tui.look import look

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def rules(count: int) -> tuple[ExplainedRule, ...]:
    return tuple(
        ExplainedRule("allow", f"Bash(x{n})", "the session rules", "session", removable="session")
        for n in range(count)
    )


def ruling(*found: ExplainedRule, **more: object) -> Ruling:
    pane = Ruling(look())
    pane.show(PermissionsInForce("default", found, **more))  # pyright: ignore[reportArgumentType]
    return pane


def drawn(pane: Ruling, width: int = 100) -> list[str]:
    return [" ".join(row.strip.text.split()) for row in pane.rows(width)]


async def test_the_chosen_rule_is_kept_in_sight() -> None:
    pane = ruling(*rules(30))
    app = Host(pane.look, pane)
    pane.styles.height = "100%"
    async with app.run_test(size=(60, 8)) as pilot:
        pane.move(20)
        await pilot.pause()
        assert any("› Bash(x20)" in row for row in screen_rows(app))
        pane.move(100)
        await pilot.pause()
        assert pane.current is not None and pane.current.text == "Bash(x29)"
        assert any("› Bash(x29)" in row for row in screen_rows(app))
        pane.move(-100)
        await pilot.pause()
        assert "Allow  30 rules" in screen_rows(app)[0]


async def test_a_click_beside_the_rules_chooses_none() -> None:
    pane = ruling(*rules(3))
    app = Host(pane.look, pane)
    async with app.run_test(size=(60, 8)):
        assert not pane.clicked(0)
        assert pane.clicked(3)
        assert pane.at == 1


def test_without_rules_it_says_how_to_add_one() -> None:
    assert drawn(ruling()) == ["There are no rules yet: a adds one."]


def test_before_the_answer_it_is_looking() -> None:
    assert drawn(Ruling(look())) == ["looking"]


def test_a_rule_of_a_file_that_is_not_ours_to_write_says_so() -> None:
    theirs = ExplainedRule("deny", "Bash(rm *)", "/p/.claude/settings.json:3", "project")
    assert "the project's, shared with it; it is removed in its file" in drawn(ruling(theirs))


def test_what_a_rule_holds_is_drawn_as_text() -> None:
    odd = ExplainedRule("deny", "Bash(\x1b[31m\n*)", "x\x07.json", "project")
    text = "".join(row.strip.text for row in ruling(odd, problems=("y\x1b",)).rows(80))
    assert not any(char in text for char in "\x1b\x07\n")


def test_the_search_looks_at_rule_place_and_behaviour() -> None:
    here = ExplainedRule("ask", "Bash(git *)", "/a/b.json:1", "user")
    pane = ruling(here, *rules(2))
    for needle, count in (("git", 1), ("B.JSON", 1), ("ask", 1), ("session", 2), ("zz", 0)):
        pane.search(needle)
        assert len(pane.found) == count
    assert drawn(pane) == ["nothing found"]
