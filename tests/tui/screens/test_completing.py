from __future__ import annotations

import pytest

from agent_tui.protocol.queries import Complete, Completion, Completions, Failed
from agent_tui.tui.screens import completing
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_while_files_are_listed_the_question_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(completing, "AGAIN", 0)
    count = 0

    def slow(_query: Complete) -> Completions:
        nonlocal count
        count += 1
        if count < 3:
            return Completions((Completion("first.py"),), partial=True)
        return Completions((Completion("first.py"), Completion("second.py")))

    async with running(replies={Complete: slow}) as on:
        await on.type("@")
        await on.settle()
        assert count == 3
        assert on.rows_of(on.main.popup) == [" › first.py", "   second.py"]


async def test_nothing_is_asked_for_a_word_no_longer_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(completing, "AGAIN", 0)
    async with running(replies={Complete: Completions(partial=True)}) as on:
        await on.type("@a")
        await on.press("space")
        asked = len(on.link.asked)
        await on.settle()
        assert len(on.link.asked) == asked


async def test_the_screens_own_commands_need_no_engine() -> None:
    async with running(up=False, replies={Complete: Failed("the engine is not running")}) as on:
        await on.type("/the")
        assert on.rows_of(on.main.popup)[0].startswith(" › /theme  [name]  Change the colours")


async def test_what_is_typed_is_marked_in_commands_of_both() -> None:
    reply = Completions((Completion("compact", "Summarise", (0, 1, 2)),))
    async with running(replies={Complete: reply}) as on:
        await on.type("/com")
        (proposal,) = on.main.popup.proposals
        assert (proposal.text, proposal.matched) == ("/compact", (1, 2, 3))
