"""What going on with a stored session costs at first: the window is sent anew once the cache has forgotten it."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Protocol

from agent_tui.engine.foundation import Foundation
from agent_tui.model.prices import ModelTable
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.queries import SessionList, SessionRow
from agent_tui.protocol.usage import Usage
from agent_tui.settings.layers import load
from agent_tui.settings.paths import Environment

CACHED = 300.0
"""Seconds for which the API keeps what was written into its cache."""


class Open(Protocol):
    """What is needed of an open session."""

    @property
    def base(self) -> Foundation:
        """What it stands on."""
        ...


def with_prices(found: SessionList, opened: Open | None, env: Environment) -> SessionList:
    """Tell for each session what it costs to send its window again. Blocks on the person's settings file."""
    if not found.rows:
        return found
    table = opened.base.table if opened is not None else _table(env)
    now = time.time()
    return replace(found, rows=tuple(_priced(row, table, now) for row in found.rows))


def _priced(row: SessionRow, table: ModelTable, now: float) -> SessionRow:
    if not row.context_tokens or not row.model or now - row.modified < CACHED:
        return row
    usage = Usage(cache_creation_input_tokens=row.context_tokens)
    return replace(row, resend_usd=table.cost(row.model, usage))


def _table(env: Environment) -> ModelTable:
    """Make the table by the person's own settings; before a session is open no project's count."""
    try:
        return ModelTable.of(load(env, env.home, ("user",)).settings.prices)
    except SettingsError:
        return ModelTable.of({})
