"""What a session offers."""

from __future__ import annotations

from agent_tui.engine.command import names
from agent_tui.engine.offer_report import models, offer
from agent_tui.model.prices import ModelTable
from agent_tui.protocol.agents import AgentDefinition
from tests.model.asking import environment


def test_it_has_the_documented_shape() -> None:
    agents = (
        AgentDefinition("scout", "Looks.", "p", model="haiku"),
        AgentDefinition("b", "B.", "p"),
    )
    offered = offer(agents, ModelTable(), environment())
    assert [one["name"] for one in offered["commands"]] == list(names())
    assert all({"description", "argumentHint"} <= one.keys() for one in offered["commands"])
    assert offered["agents"] == [
        {"name": "scout", "description": "Looks.", "model": "haiku"},
        {"name": "b", "description": "B."},
    ]
    assert (offered["output_style"], offered["available_output_styles"]) == ("default", ["default"])
    assert offered["account"] == {}


def test_models_are_those_that_can_be_asked_for() -> None:
    table = ModelTable.of({"llama": {"window": 8000, "input": 1, "output": 2}})
    rows = {row["value"]: row for row in models(table, environment())}
    assert {"default", "opus", "haiku", "llama"} <= rows.keys()
    assert rows["opus"]["displayName"] == "opus (claude-opus-5-5)"
    assert "$4 in and $20 out" in rows["opus"]["description"]
    assert rows["llama"]["description"].startswith("8,000 tokens")
    moved = models(table, environment(ANTHROPIC_DEFAULT_OPUS_MODEL="mine"))
    assert "opus (mine)" in [row["displayName"] for row in moved]
