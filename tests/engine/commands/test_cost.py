from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.engine.sessions import Place
from tests.fakes.api_server import ModelFacts, reply

pytestmark = pytest.mark.anyio


async def cost(place: Place, *prompts: str) -> str:
    talk = await place.talk(*prompts, "/cost")
    return str(talk.system("local_command_output")[-1].data["content"])


def priced(place: Place, **models: object) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"prices": models}))


def serving(place: Place, name: str) -> None:
    """Have the server know this model, and the sessions ask for it."""
    place.api.settings = replace(place.api.settings, models={name: ModelFacts(name)})
    place.variables["ANTHROPIC_MODEL"] = name


async def test_c5_the_four_counts_are_told_apart_and_the_sum_is_right(place: Place) -> None:
    priced(
        place,
        mine={
            "input": 3, "output": 15, "read": 0.3, "write_5m": 3.75,
            "window": 200_000, "max_output": 32_000,
        },
    )  # fmt: skip
    serving(place, "mine")
    place.api.enqueue(
        reply(
            "ok",
            usage={
                "input_tokens": 3, "cache_read_input_tokens": 73_030,
                "cache_creation_input_tokens": 2_124, "output_tokens": 1_059,
            },
        )
    )  # fmt: skip
    text = await cost(place, "hi")
    assert "mine: 3 input, 73,030 cache read, 2,124 cache write, 1,059 output, $0.0458" in text
    assert text.endswith("Total: $0.0458")


async def test_a_model_without_a_price_makes_the_total_unknown(place: Place) -> None:
    serving(place, "house-model-7b")
    place.api.enqueue("ok")
    text = await cost(place, "hi")
    assert "house-model-7b: " in text
    assert "price unknown" in text
    assert text.endswith("Total: unknown")


async def test_models_are_told_apart(place: Place) -> None:
    place.api.enqueue("one", "two")
    text = await cost(place, "a", "/model opus", "b")
    assert len(text.splitlines()) == 3
    assert "opus" in text


async def test_at_the_beginning_nothing_was_spent(place: Place) -> None:
    assert await cost(place) == "Total: $0.0000"
