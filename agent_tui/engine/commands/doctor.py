"""``/doctor``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.engine.health import Check, State, examine

MARKS: dict[State, str] = {"ok": "ok", "note": "--", "wrong": "!!"}


class Command:
    """Check terminal, programs, folders, settings, key and server, and say what to do about what is wrong."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """Say what was found, what is wrong last."""
        checks = await examine(context.premises.base, context.requests.model)
        wrong = [check for check in checks if check.state == "wrong"]
        rows = [_row(check) for check in checks]
        count = len(wrong)
        rows.append(
            f"{count} thing{'s are' if count != 1 else ' is'} wrong."
            if count
            else "Nothing is wrong."
        )
        await context.output("\n".join(rows), "warning" if wrong else "info")


def _row(check: Check) -> str:
    return f"{MARKS[check.state]}  {check.about.ljust(12)}{check.found}"
