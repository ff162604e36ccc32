"""``/agents``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.view.decisions import short_source


class Command:
    """Show the sub-agents the model can give work to, and where they are defined."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """List them, and what was left out."""
        base, home = context.premises.base, str(context.premises.base.env.home)
        rows = [_agent(one, home) for one in context.premises.agents()]
        rows = rows or ["The model has no tool to start sub-agents here."]
        rows += base.kinds.notices
        rows.append("More of them: Markdown files in ~/.agent-tui/agents; the README tells how.")
        await context.output("\n".join(rows))


def _agent(one: AgentDefinition, home: str) -> str:
    tools = "all tools" if one.tools is None else ", ".join(one.tools) or "no tools"
    facts = [short_source(one.path, home) if one.path else one.source, tools]
    facts += [one.model] if one.model and one.model != "inherit" else []
    about = " ".join(one.description.split())
    return f"{one.name}: {about}\n  {'; '.join(facts)}"
