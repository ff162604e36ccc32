"""Calling a hook of the program itself. Whatever it does, the run goes on: what goes wrong is a Failure."""

from __future__ import annotations

import copy
import logging
from typing import Any

import anyio

from agent_tui.hooks.configured import CallbackHook
from agent_tui.hooks.failure import Failure
from agent_tui.hooks.output import BadOutputError, Said, read_output
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import NobodyThereError
from agent_tui.protocol.hooks import HookEvent

_log = logging.getLogger(__name__)


async def run_callback(
    event: HookEvent, hook: CallbackHook, given: JsonObject, seconds: float
) -> Said | Failure:
    """Call it with a copy of the input, for at most ``seconds``."""
    tool_use_id = given.get("tool_use_id")
    answer: Any = None
    with anyio.move_on_after(seconds) as limit:
        try:
            answer = await hook.callback(
                copy.deepcopy(given), None if tool_use_id is None else str(tool_use_id)
            )
        except NobodyThereError as error:
            return Failure("start", f"could not be asked: {error}.")
        except (
            Exception
        ) as error:  # boundary: a fault of the program's own hook is the hook's failure
            _log.exception("a %s hook of the program failed", event)
            text = f"{type(error).__name__}: {error}".rstrip(": ")
            return Failure("raised", f"failed: {text}.")
    if limit.cancelled_caught:
        return Failure("timeout", f"ran out of time ({seconds:g} s).")
    try:
        return read_output(event, answer, hook.source, str(given.get("tool_name") or ""))
    except BadOutputError as error:
        what = "returned nothing" if answer is None else f"returned what can't be used: {error}"
        return Failure("output", f"{what}.")
