from __future__ import annotations

from agent_tui.permissions.tables import names


def test_a_text_is_a_set_of_its_words() -> None:
    assert names("a b\n c a") == {"a", "b", "c"}
