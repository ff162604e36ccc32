from __future__ import annotations

from typing import Any

import pytest

from agent_tui.model.prices import MODELS, UNKNOWN, ModelTable, bare_id, cost, facts
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.usage import Usage
from tests.fakes.api_server import MODELS as SERVED

MILLION = 1_000_000


def near(found: float | None, expected: float) -> bool:
    """Whether a cost is known and right to a millionth of a cent."""
    return found is not None and abs(found - expected) < 1e-8


@pytest.mark.parametrize(
    ("model", "per_million"),
    [
        ("claude-fable-5-2", (8, 40, 10, 16, 0.20)),
        ("claude-fable-5-1", (10, 50, 12.50, 20, 0.25)),
        ("claude-fable-5", (10, 50, 12.50, 20, 1.00)),
        ("claude-opus-5-5", (4, 20, 5, 8, 0.20)),
        ("claude-opus-5", (5, 25, 6.25, 10, 0.50)),
        ("claude-opus-4-5-20251101", (5, 25, 6.25, 10, 0.50)),
        ("claude-sonnet-5-5", (2, 10, 2.50, 4, 0.10)),
        ("claude-sonnet-5", (2, 10, 2.50, 4, 0.20)),
        ("claude-sonnet-4-6", (3, 15, 3.75, 6, 0.30)),
        ("claude-haiku-4-5", (1, 5, 1.25, 2, 0.10)),
    ],
)
def test_each_kind_of_token_has_its_own_price(model: str, per_million: tuple[float, ...]) -> None:
    kinds = (
        Usage(input_tokens=MILLION),
        Usage(output_tokens=MILLION),
        Usage(cache_creation_input_tokens=MILLION),
        Usage(cache_creation_input_tokens=MILLION, cache_creation_1h_tokens=MILLION),
        Usage(cache_read_input_tokens=MILLION),
    )
    assert tuple(cost(model, usage) for usage in kinds) == per_million


def test_a_response_costs_the_sum_of_its_parts_and_its_searches() -> None:
    usage = Usage(1000, 2000, 3000, 4000, 1000, 5)
    expected = (1000 * 2 + 2000 * 10 + 2000 * 2.5 + 1000 * 4 + 4000 * 0.10) / MILLION + 5 * 0.01
    assert near(cost("claude-sonnet-5-5", usage), expected)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(input_tokens=100_000, output_tokens=1000), 0.01 + 0.0005),
        (Usage(input_tokens=100_001, output_tokens=1000), 0.0500005 + 0.0025),
        (Usage(input_tokens=1, cache_read_input_tokens=100_000), 0.0000005 + 0.005),
    ],
)
def test_a_long_prompt_to_haiku_is_charged_at_the_higher_rate_as_a_whole(
    usage: Usage, expected: float
) -> None:
    assert near(cost("claude-haiku-5-5", usage), expected)


@pytest.mark.parametrize("model", ["gpt-9", "claude-mythos-5-2", "claude-opus-7", ""])
def test_an_unknown_price_is_none_and_not_zero(model: str) -> None:
    assert cost(model, Usage(input_tokens=5)) is None


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("claude-sonnet-5-5[1m]", "claude-sonnet-5-5"),
        ("claude-haiku-4-5@20251001", "claude-haiku-4-5"),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"),
        ("anthropic.claude-opus-5-5", "claude-opus-5-5"),
        ("anthropic/claude-sonnet-5-5", "claude-sonnet-5-5"),
        ("openrouter/anthropic/claude-sonnet-5-5", "claude-sonnet-5-5"),
        ("claude-haiku-4-5-latest", "claude-haiku-4-5"),
        ("Claude-Opus-5", "claude-opus-5"),
        ("my-model-v2", "my-model"),
    ],
)
def test_an_id_is_found_under_its_bare_form(name: str, bare: str) -> None:
    assert bare_id(name) == bare


def test_an_unknown_model_is_assumed_to_take_little() -> None:
    found = facts("local-llm")
    assert (found.id, found.window, found.max_output) == ("local-llm", 200_000, 32_000)
    assert (found.thinking, found.efforts, found.prices) == ("none", (), None)


def test_settings_override_and_add_prices() -> None:
    table = ModelTable.of(
        {
            "claude-sonnet-5-5-20260928": {"input": 1, "output": 2, "read": 0.5},
            "local-llm": {"input": 0, "output": 0, "window": 32_768, "max_output": 4096},
            "claude-haiku-5-5": {"input": 1, "output": 5},
        }
    )
    usage = Usage(MILLION, MILLION, MILLION, MILLION)
    assert near(table.cost("claude-sonnet-5-5", usage), 1 + 2 + 1.25 + 0.5)
    assert table.cost("local-llm", usage) == 0
    assert (table.facts("local-llm").window, table.facts("local-llm").max_output) == (32_768, 4096)
    assert near(table.cost("claude-haiku-5-5", Usage(MILLION)), 1)
    assert near(table.cost("claude-opus-5-5", Usage(MILLION)), 4)


def test_settings_may_change_the_window_alone() -> None:
    table = ModelTable.of({"claude-sonnet-5-5": {"window": 200_000}})
    assert table.facts("claude-sonnet-5-5").window == 200_000
    assert near(table.cost("claude-sonnet-5-5", Usage(MILLION)), 2)


@pytest.mark.parametrize(
    "row",
    [
        3,
        {"input": 1},
        {"input": "1", "output": 2},
        {"price": 1},
        {"window": -1},
        {"window": float("inf")},
        {"max_output": float("nan")},
        {"read": True},
    ],
)
def test_settings_that_make_no_sense_are_refused_with_the_model_named(row: Any) -> None:
    with pytest.raises(SettingsError, match="my-model"):
        ModelTable.of({"my-model": row})


@pytest.mark.parametrize("model", sorted(MODELS))
def test_rows_make_sense(model: str) -> None:
    row = MODELS[model]
    assert row.max_output < row.window and row.cache_minimum >= 512
    if row.prices is not None:
        prices = row.prices
        assert prices.read < prices.input < prices.write_5m < prices.write_1h < prices.output
    if row.efforts:
        assert row.default_effort in row.efforts
        assert set(row.can_stop_thinking) <= set(row.efforts)


@pytest.mark.parametrize("model", sorted(MODELS))
def test_rows_agree_with_the_server(model: str) -> None:
    row, served = MODELS[model], SERVED[model]
    assert (row.window, row.max_output) == (served.window, served.max_output)
    assert (set(row.efforts), row.default_effort) == (served.efforts, served.default_effort)
    assert row.cache_minimum == served.cache_minimum
    assert ("adaptive" in served.thinking) == row.thinking.startswith("adaptive")


def test_the_unknown_row_is_no_model() -> None:
    assert UNKNOWN.id not in MODELS
