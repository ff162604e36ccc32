"""``/config``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.engine.preferring import row_text
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.described import read_value


class Command:
    """Show the settings, what holds and who says so, or change one in your own file."""

    hint = "[key=value]"

    async def run(self, args: str, context: CommandContext) -> None:
        """List them, or those whose name or meaning holds ``args``; ``key=value`` stores, ``key=`` takes out."""
        preferring = context.premises.preferring
        try:
            listed = await preferring.listed()
            key, equals, text = args.partition("=")
            if not equals:
                wanted = args.strip().lower()
                rows = [row for row in listed.rows if wanted in f"{row.key} {row.about}".lower()]
                await context.output(
                    "\n".join(map(row_text, rows)) or f"No setting has {wanted!r}."
                )
                return
            row = next((row for row in listed.rows if row.key == key.strip()), None)
            if row is None:
                raise UsageError(f"There is no setting {key.strip()!r}; /config lists them.")
            value = read_value(row, text)
            await preferring.put(row.key, value)
        except (SettingsError, ValueError) as error:
            raise UsageError(f"{error}".rstrip(".") + ".") from error
        said = "is no longer set" if value is None else f"is {value}"
        when = "" if row.at_once else " from the next session on"
        await context.output(f"{row.key} {said}{when}. It stands in {listed.file}.")
