"""``docs/secrets.md`` says what is so: every name of the tables, every variable that is kept back."""

from __future__ import annotations

import pytest

from agent_tui.permissions.secrets import (
    HOME_PLACES,
    SECRET_BEGINNINGS,
    SECRET_ENDINGS,
    SECRET_FILES,
    SECRET_FOLDERS,
)
from agent_tui.settings.credentials import VARIABLES
from tests.house.tree import ROOT

TEXT = (ROOT / "docs" / "secrets.md").read_text()
NAMES = (
    *SECRET_FILES,
    *(f"*{ending}" for ending in SECRET_ENDINGS),
    *(f"{beginning.removesuffix('.')}" for beginning in SECRET_BEGINNINGS),
    *SECRET_FOLDERS,
    *HOME_PLACES,
    *VARIABLES,
)


@pytest.mark.parametrize("name", sorted(set(NAMES)))
def test_each_name_is_told(name: str) -> None:
    assert f"`{name}" in TEXT
