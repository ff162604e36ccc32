"""What going on with a stored session costs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from agent_tui.engine.pricing import CACHED, with_prices
from agent_tui.protocol.queries import SessionList, SessionRow
from agent_tui.settings.paths import Environment


def row(age: float, tokens: int = 118_000, model: str = "claude-sonnet-5-5") -> SessionRow:
    when = time.time() - age
    return SessionRow("s", "t", "p", "/w", when, 10, model=model, context_tokens=tokens)


@pytest.mark.parametrize(
    ("age", "more", "usd"),
    [
        (CACHED + 60, {}, 0.295),
        (CACHED - 60, {}, None),
        (CACHED + 60, {"tokens": 0}, None),
        (CACHED + 60, {"model": "house-7b"}, None),
    ],
)
def test_a_cold_cache_costs_its_writing(
    age: float, more: dict[str, Any], usd: float | None, tmp_path: Path
) -> None:
    asked = row(age, **more)
    (found,) = with_prices(SessionList((asked,)), None, Environment({}, tmp_path)).rows
    assert found.resend_usd == (None if usd is None else pytest.approx(usd))  # pyright: ignore[reportUnknownMemberType]


def test_prices_of_the_persons_own_settings_count(tmp_path: Path) -> None:
    (tmp_path / ".agent-tui").mkdir()
    prices = {"house-7b": {"input": 1, "output": 1, "write_5m": 10}}
    (tmp_path / ".agent-tui" / "settings.json").write_text(json.dumps({"prices": prices}))
    asked = SessionList((row(CACHED + 60, model="house-7b"),))
    (found,) = with_prices(asked, None, Environment({}, tmp_path)).rows
    assert found.resend_usd == pytest.approx(1.18)  # pyright: ignore[reportUnknownMemberType]
