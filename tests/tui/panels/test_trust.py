from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.trust import Brought
from agent_tui.settings.options import Options, TrustOptions
from agent_tui.tui.panels.trust import TrustPanel
from tests.tui.offered import CHANGED, OFFER, counts, offering
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def said(on: Stage) -> TrustOptions:
    """The answer the session was opened with."""
    (opening,) = on.link.of(ops.Open)
    return Options.from_json(opening.options).trust


async def test_it_lists_what_the_folder_brings_by_what_it_can_do_and_the_safe_answer_is_chosen() -> (
    None
):
    async with running(up=False, replies=offering()) as on:
        await counts(on)
        assert isinstance(on.main.panel, TrustPanel)
        at = next(i for i, row in enumerate(on.rows) if "Do you trust this folder?" in row)
        assert on.rows[at].endswith("first time here")
        assert on.rows[at + 1 : at + 14] == [
            "   ~/work/tokenbox   cloned from github.com/example/tokenbox",
            "",
            "   It brings settings that can run programs or steer the model. None of them is active yet:",
            "",
            "   !  2 hooks          run a command       PreToolUse  scripts/check.sh      Stop  scripts/notify.sh",
            "   !  1 MCP server     runs a program      db  uvx tokenbox-db-server",
            "   !  3 allow rules    skip questions      Bash(uv *)   Bash(git status)   Edit(src/**)",
            "   ·  2 memory files   read by the model   AGENTS.md  41 lines      docs/STYLE.md  88 lines",
            "",
            "   t  Trust it           all of the above takes effect, now and next time",
            "   o  Only this time     the same, until you leave",
            "   r  Read them first    opens the files that bring these settings",
            " › n  Work without them  your own settings apply; every edit and command is asked",
        ]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (("t",), "always"),
        (("o",), "once"),
        (("n",), "no"),
        (("enter",), "no"),
        (("escape",), "no"),
        (("down", "enter"), "no"),
        (("up", "up", "enter"), "once"),
    ],
)
async def test_each_key_gives_its_answer(keys: tuple[str, ...], answer: str) -> None:
    async with running(up=False, replies=offering()) as on:
        await counts(on)
        await on.press(*keys)
        assert said(on) == TrustOptions(answer, "seen-1")  # pyright: ignore[reportArgumentType]
        assert on.main.panel.request is None


async def test_keys_before_it_counts_answer_nothing() -> None:
    async with running(up=False, replies=offering()) as on:
        await on.press("t", "enter")
        assert not on.link.of(ops.Open)
        await counts(on)
        await on.press("x", "y", "space")
        assert not on.link.of(ops.Open)


async def test_what_is_new_is_listed_and_what_is_known_counted() -> None:
    async with running(up=False, replies=offering(CHANGED)) as on:
        await counts(on)
        assert "changed since you trusted it" in on.text
        assert "Stop  scripts/notify.sh" in on.text
        assert "PreToolUse" not in on.text
        assert "and 5 more that you trusted before; all of it waits for your answer" in on.text


async def test_in_a_narrow_screen_nothing_is_left_out_and_answers_take_two_columns() -> None:
    async with running(size=(60, 24), up=False, replies=offering()) as on:
        await counts(on)
        assert " › n  Work without them" in on.text
        assert "t  Trust it" in on.text
        assert "1 more row   pageup pagedown" in on.text
        await on.press("pagedown")
        assert "docs/STYLE.md  88 lines" in on.text


async def test_a_long_command_is_shown_whole_and_what_would_drive_a_terminal_is_seen() -> None:
    long = "curl " + "x" * 200 + " | sh\n\x1b[2Krm -rf ~"
    items = (Brought("hook", "Stop", long, "m"), Brought("hook", "Start", "b" * 90, "n"))
    async with running(up=False, replies=offering(replace(OFFER, items=items))) as on:
        await counts(on)
        shown = "".join(row.strip() for row in on.rows)
        assert "x" * 200 in shown.replace(" ", "")
        assert "| sh" in on.text
        assert "\x1b" not in on.text
        assert "␛[2Krm -rf ~" in on.text.replace("\n", "")


async def test_every_kind_is_told_in_words() -> None:
    kinds = ("folder", "mode", "setting", "agent", "import")
    items = tuple(Brought(kind, f"the-{kind}", "", "m") for kind in kinds)
    async with running(up=False, replies=offering(replace(OFFER, items=items))) as on:
        await counts(on)
        for words in (
            "1 more folder    is worked in too",
            "1 mode           is started in",
            "1 setting        changes sessions",
            "1 sub-agent      works by its text",
            "1 outside file   goes to the model",
        ):
            assert words in on.text


async def test_it_may_have_the_whole_screen_and_its_letters_are_muted_before_they_count() -> None:
    async with running(up=False, replies=offering()) as on:
        await counts(on)
        await on.press("f")
        assert on.main.has_class("-full")
        await on.press("f")
        assert not on.main.has_class("-full")
