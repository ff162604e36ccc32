from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.usage import ModelUsage, Usage

API = {
    "input_tokens": 3,
    "output_tokens": 1059,
    "cache_creation_input_tokens": 2124,
    "cache_read_input_tokens": 73030,
    "cache_creation": {"ephemeral_5m_input_tokens": 2000, "ephemeral_1h_input_tokens": 124},
    "server_tool_use": {"web_search_requests": 2},
}


def test_reads_and_writes_the_api_shape() -> None:
    usage = Usage.from_api(API)
    assert usage == Usage(3, 1059, 2124, 73030, 124, 2)
    assert usage.prompt_tokens == 75157
    assert usage.total_tokens == 76216
    assert usage.to_api() == API


def test_missing_null_and_nonsense_count_as_nothing() -> None:
    assert Usage.from_api(None) == Usage()
    assert (
        Usage.from_api({"input_tokens": None, "output_tokens": "x", "cache_creation": 5}) == Usage()
    )


def test_sums_and_an_unknown_price_stays_unknown() -> None:
    one = Usage(1, 2, 3, 4, 5, 6)
    assert one + one == Usage(2, 4, 6, 8, 10, 12)
    known = ModelUsage().plus(one, 0.5).plus(one, 0.25)
    assert (known.cost_usd, known.usage.input_tokens) == (0.75, 2)
    assert known.plus(one, None).cost_usd is None


@pytest.mark.parametrize("raw", [[1], "many", 5])
def test_a_usage_that_is_no_object_counts_nothing(raw: Any) -> None:
    assert Usage.from_api(raw) == Usage()
