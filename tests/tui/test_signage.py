from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.settings.paths import Environment
from agent_tui.settings.schema import Settings
from agent_tui.tui.signage import NO_TITLE, Signage
from agent_tui.tui.title import KEEP, RESTORE
from agent_tui.view.status import Status
from tests.tui import scenes

IDLE = Status(session=scenes.status(), title="Tidy up")
BUSY = Status(session=scenes.busy(), title="Tidy up")


def signage(settings: Settings | None = None, **variables: str) -> tuple[Signage, list[str]]:
    env = Environment({"TERM": "xterm-256color", **variables}, Path("/"))
    made = Signage.of(settings or Settings(), env, "/a/shop", lambda: 0.0)
    written: list[str] = []
    made.write = written.append
    return made, written


def test_the_title_is_written_when_it_changes_and_only_then() -> None:
    signs, written = signage()
    signs.begin()
    assert written == [f"{KEEP}\x1b]2;agent-tui\x07"]
    for status in (IDLE, IDLE, BUSY, BUSY, IDLE):
        signs.note(status, status, scenes.status())
    assert written[1:] == [
        "\x1b]2;agent-tui: Tidy up\x07",
        "\x1b]2;◐ working: Tidy up\x07",
        "\x1b]2;agent-tui: Tidy up\x07",
    ]
    signs.end()
    assert written[-1] == RESTORE == signs.restoring
    signs.begin()  # as after Ctrl+Z and fg
    assert written[-1] == f"{KEEP}\x1b]2;agent-tui: Tidy up\x07"


@pytest.mark.parametrize(
    ("settings", "variables"),
    [
        (Settings(terminal_title=False), {}),
        (Settings(), {NO_TITLE: "1"}),
        (Settings(), {"TERM": "linux"}),
    ],
)
def test_a_title_that_is_not_wanted_or_not_possible_is_left_alone(
    settings: Settings, variables: dict[str, str]
) -> None:
    signs, written = signage(settings, **variables)
    signs.begin()
    signs.note(IDLE, BUSY, scenes.busy())
    signs.end()
    assert written == [] and signs.restoring == ""


def test_the_person_is_called_as_the_settings_say() -> None:
    signs, written = signage(Settings(notifications="osc9", terminal_title=False))
    signs.focus(False)
    signs.wanted("Trust this folder?")
    assert written == ["\x1b]9;agent-tui: Trust this folder?\x07"]
    signs.focus(True)
    signs.wanted("Trust this folder?")
    assert len(written) == 1


def test_without_a_terminal_nothing_happens() -> None:
    signs = Signage()
    signs.begin()
    signs.note(IDLE, BUSY, scenes.busy())
    signs.wanted("x")
    signs.touched()
    signs.end()
    assert signs.restoring == ""
