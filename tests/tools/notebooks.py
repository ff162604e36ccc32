"""Notebooks for tests."""

from __future__ import annotations

import json
from typing import Any

from agent_tui.protocol.content import JsonObject


def code(source: str, cell_id: str | None = None, **more: Any) -> JsonObject:
    """A code cell, as Jupyter orders its keys."""
    cell: JsonObject = {"cell_type": "code", "execution_count": 3}
    if cell_id:
        cell["id"] = cell_id
    return {
        **cell,
        "metadata": {},
        "outputs": [{"name": "stdout", "output_type": "stream", "text": ["hi\n"]}],
        "source": source.splitlines(keepends=True),
        **more,
    }


def markdown(source: str, cell_id: str | None = None) -> JsonObject:
    """A text cell."""
    cell: JsonObject = {"cell_type": "markdown"}
    if cell_id:
        cell["id"] = cell_id
    return {**cell, "metadata": {}, "source": source.splitlines(keepends=True)}


def notebook(*cells: JsonObject, minor: int = 5) -> JsonObject:
    """A notebook of these cells."""
    return {
        "cells": list(cells),
        "metadata": {"language_info": {"name": "python"}, "zoom": 1.50},
        "nbformat": 4,
        "nbformat_minor": minor,
    }


def jupyter(data: JsonObject) -> str:
    """The text as Jupyter writes it."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
