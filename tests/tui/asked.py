"""Helpers for tests of permission questions."""

from __future__ import annotations

from agent_tui.link.base import Incoming
from agent_tui.protocol import ops
from agent_tui.protocol.requests import Allow, Deny
from agent_tui.tui.panels.pace import AFTER_ANSWER, GRACE, TYPING_PAUSE
from tests.tui.scenes import busy
from tests.tui.stage import Stage


async def asked(on: Stage, *requests: Incoming) -> None:
    """Have requests come, and let the panel's grace pass."""
    await on.say(busy(), *requests)
    await on.pass_time(TYPING_PAUSE)
    await on.pass_time(GRACE)
    assert on.main.panel.armed


async def meant(on: Stage, key: str = "y") -> None:
    """Give an answer that lets something dangerous run: choose it, wait, take it."""
    await on.press(key)
    assert not on.link.of(ops.Answer)
    await on.pass_time(AFTER_ANSWER)
    await on.press("enter")


def answer(on: Stage) -> Allow | Deny:
    """Give the one answer that was sent."""
    (sent,) = on.link.of(ops.Answer)
    return sent.answer
