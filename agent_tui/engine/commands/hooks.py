"""``/hooks``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.hooks.configured import CommandHook, Registered
from agent_tui.hooks.matcher import Matcher
from agent_tui.view.decisions import short_source


class Command:
    """Show the hooks: at which moment which command runs, and which file says so."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """List them by event."""
        found = context.premises.hooks()
        home = str(context.premises.base.env.home)
        rows: list[str] = []
        event = ""
        for one in found.hooks:
            if one.event != event:
                event = one.event
                rows.append(event)
            rows.append(f"  {_hook(one, home)}")
        if context.premises.base.layers.settings.disable_hooks:
            rows.append("disableAllHooks is set: only the administrator's hooks run.")
        rows += found.problems
        await context.output(
            "\n".join(rows) or "There are no hooks. The README tells how to add one."
        )


def _hook(one: Registered, home: str) -> str:
    hook, only = one.hook, _fits(one.matcher)
    if not isinstance(hook, CommandHook):
        return f"a function of the program{only}"
    about = [f"if {hook.rule}"] if hook.rule else []
    about += ["in the background"] if hook.background else []
    about.append(short_source(hook.path, home) if hook.path else hook.source)
    return f"{hook.shown}{only}  ({', '.join(about)})"


def _fits(matcher: Matcher) -> str:
    if matcher.names is not None:
        return f"  for {', '.join(sorted(matcher.names))}"
    return f"  for {matcher.pattern.pattern}" if matcher.pattern is not None else ""
