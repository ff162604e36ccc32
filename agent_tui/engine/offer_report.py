"""What a session offers: commands, models, sub-agents, in the documented shape of the answer to ``initialize``."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.engine.command import infos
from agent_tui.model.aliases import ALIASES, resolve
from agent_tui.model.prices import ModelTable
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.paths import Environment

STYLE = "default"
"""The only output style there is."""


def offer(agents: Iterable[AgentDefinition], table: ModelTable, env: Environment) -> JsonObject:
    """Describe what can be chosen."""
    return {
        "commands": [
            {"name": one.name, "description": one.summary, "argumentHint": one.hint}
            for one in infos()
        ],
        "agents": [_agent(one) for one in agents],
        "output_style": STYLE,
        "available_output_styles": [STYLE],
        "models": models(table, env),
        "account": {},
    }


def models(table: ModelTable, env: Environment) -> list[JsonObject]:
    """List the names a model can be asked for by: the short ones, and what the settings add."""
    names = [*ALIASES, *(name for name in table.overrides if name not in ALIASES)]
    return [_model(name, table, env) for name in names]


def _model(name: str, table: ModelTable, env: Environment) -> JsonObject:
    model = resolve(name, env)
    facts = table.facts(model)
    window = f"{facts.window:,} tokens of context"
    price = facts.prices
    cost = "" if price is None else f", ${price.input:g} in and ${price.output:g} out per million"
    return {
        "value": name,
        "displayName": model if name == model else f"{name} ({model})",
        "description": f"{window}{cost}",
        "supportedEffortLevels": list(facts.efforts),
    }


def _agent(agent: AgentDefinition) -> JsonObject:
    shown: JsonObject = {"name": agent.name, "description": agent.description}
    return {**shown, "model": agent.model} if agent.model else shown
