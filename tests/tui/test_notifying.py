from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import QueuedPrompt, ResultMessage, StatusChanged
from agent_tui.settings.schema import NOTIFICATIONS
from agent_tui.tui.notifying import CHANNELS, SILENT_FOR, Channel, Notifier, channels_of
from agent_tui.tui.surroundings import Surroundings
from agent_tui.view.status import Status
from tests.tui import scenes

SECRET = "sk-very-secret-value-1234"
IDLE = Status(session=scenes.status(), title="Fix the login test")
BUSY = replace(IDLE, session=scenes.busy())


def result(**changes: Any) -> ResultMessage:
    usual = ResultMessage("success", 1, 1, False, 1, scenes.SESSION)
    return replace(usual, **changes)


class Desk:
    """A notifier with a clock, and what it wrote."""

    def __init__(self, *channels: Channel, around: Surroundings | None = None) -> None:
        self.time = 100.0
        self.written: list[str] = []
        self.notifier = Notifier(
            channels or ("bell",),
            around or Surroundings(),
            lambda: self.time,
            self.written.append,
            Masker.knowing([SECRET]),
            focused=False,
            last_key=100.0,
        )

    def run(self, seconds: float, end: Status = BUSY, **changes: Any) -> None:
        """Let a run go for so long and end."""
        busy = BUSY.session
        assert isinstance(busy, StatusChanged)
        self.notifier.note(IDLE, BUSY, busy)
        self.time += seconds
        self.notifier.note(end, end, result(**changes))


def test_the_settings_words_are_those_that_are_understood() -> None:
    assert set(NOTIFICATIONS) == {"auto", *CHANNELS}


@pytest.mark.parametrize(
    ("setting", "around", "channels"),
    [
        (None, Surroundings("kitty"), ("osc99",)),
        ("auto", Surroundings("iterm"), ("osc9",)),
        (None, Surroundings("ghostty"), ("osc777",)),
        (None, Surroundings(), ("bell",)),
        (None, Surroundings("kitty", "tmux"), ("bell",)),
        (None, Surroundings("iterm", "screen"), ("bell",)),
        ("terminal_bell", Surroundings("kitty"), ("bell",)),
        ("iterm2_with_bell", Surroundings(), ("osc9", "bell")),
        ("osc9", Surroundings("iterm", "tmux"), ("osc9", "bell")),
        ("notifications_disabled", Surroundings("kitty", "tmux"), ()),
        ("none", Surroundings("kitty"), ()),
    ],
)
def test_how_a_person_is_called(
    setting: str | None, around: Surroundings, channels: tuple[Channel, ...]
) -> None:
    assert channels_of(setting, around) == channels


def test_a_question_calls_once() -> None:
    desk = Desk("osc9")
    asked = replace(BUSY, requests=(scenes.edit_question(),))
    desk.notifier.note(BUSY, asked, scenes.edit_question())
    [written] = desk.written
    assert written.startswith("\x1b]9;agent-tui: ") and written.endswith("\x07")
    assert scenes.edit_question().title in written
    desk.notifier.note(asked, asked, scenes.busy())
    assert len(desk.written) == 1


def test_a_long_run_calls_a_short_one_does_not() -> None:
    desk = Desk("osc777")
    desk.run(9)
    assert desk.written == []
    desk.run(75)
    assert desk.written == ["\x1b]777;notify;agent-tui;Done after 1:15: Fix the login test\x07"]


def test_an_error_is_told_as_one_and_a_stop_by_the_person_not_at_all() -> None:
    desk = Desk("osc9")
    desk.run(20, is_error=True, subtype="error_during_execution", terminal_reason="aborted_tools")
    assert desk.written == []
    desk.run(20, is_error=True, subtype="error_during_execution")
    assert "Stopped on an error after 20 s" in desk.written[0]


def test_while_prompts_wait_nothing_is_over_and_each_run_is_timed_by_itself() -> None:
    desk = Desk()
    queued = replace(BUSY, queue=(QueuedPrompt("q", "next"),))
    desk.run(60, end=queued)
    assert desk.written == []
    desk.time += 3
    desk.notifier.note(BUSY, BUSY, result())
    assert desk.written == []


def test_nobody_is_called_who_looks() -> None:
    desk = Desk()
    desk.notifier.focused = True
    desk.run(60)
    assert desk.written == []
    desk.notifier.focused = False
    desk.run(60)
    assert desk.written == ["\x07"]


def test_a_terminal_that_never_tells_is_looked_at_while_keys_come() -> None:
    desk = Desk()
    desk.notifier.focused = None
    desk.run(SILENT_FOR - 1)
    assert desk.written == []
    desk.run(2)  # too short
    desk.run(11)
    assert desk.written == ["\x07"]


def test_u2_what_is_said_is_clean_masked_and_short() -> None:
    for channel in ("osc9", "osc777", "osc99"):
        desk = Desk(channel)
        desk.notifier.call(f"run \x1b]52;c;eA==\x07 \x9c; {SECRET}\nnow " + "x" * 300)
        [written] = desk.written
        assert SECRET not in written and "eA==" not in written and "\n" not in written
        assert "\x9c" not in written and len(written) < 220
        if channel == "osc777":
            assert written.count(";") == 3
        strings = written.replace("\x1b\\", "\x07").split("\x07")
        assert strings.pop() == ""
        assert all(one.startswith("\x1b]") and "\x1b" not in one[1:] for one in strings)


def test_inside_tmux_only_what_is_wrapped_and_the_bell_is_written() -> None:
    around = Surroundings("iterm", "tmux")
    desk = Desk(*channels_of("osc9", around), around=around)
    desk.notifier.call("hello")
    assert desk.written == ["\x1bPtmux;\x1b\x1b]9;agent-tui: hello\x07\x1b\\", "\x07"]
