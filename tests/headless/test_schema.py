from __future__ import annotations

import pytest

from agent_tui.headless.schema import check_schema
from agent_tui.protocol.errors import SettingsError


def test_a_schema_that_can_be_used_is_fine() -> None:
    check_schema(None)
    check_schema({"type": "object", "properties": {"n": {"type": "integer"}}})


def test_one_that_can_not_is_told_with_the_flag() -> None:
    with pytest.raises(SettingsError, match=r"^--json-schema: "):
        check_schema({"type": "nonsense"})
