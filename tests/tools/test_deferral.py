"""Whether tools are deferred."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.settings.paths import Environment
from agent_tui.tools.deferral import Deferral


def deferral(word: str | None, *, own: bool = True) -> Deferral:
    variables = {} if word is None else {"ENABLE_TOOL_SEARCH": word}
    return Deferral.of(Environment(variables, Path("/")), own_server=own)


@pytest.mark.parametrize(
    ("word", "own", "enabled"),
    [
        (None, True, True),
        (None, False, False),
        ("true", False, True),
        ("1", False, True),
        ("false", True, False),
        ("auto", True, True),
        ("auto", False, False),
        ("nonsense", True, True),
        ("nonsense", False, False),
    ],
)
def test_the_variable_and_the_server_decide(word: str | None, own: bool, enabled: bool) -> None:
    assert deferral(word, own=own).enabled is enabled


def test_old_and_small_models_get_every_definition() -> None:
    assert deferral(None).works_with("claude-opus-5-5")
    assert not deferral("true").works_with("claude-haiku-4-5")
    assert not deferral("false").works_with("claude-opus-5-5")


def test_a_model_nobody_knows_can_it_if_the_person_says_so() -> None:
    assert not deferral(None).works_with(None)
    assert not deferral("auto").works_with(None)
    assert deferral("true").works_with(None)


def test_auto_weighs_the_definitions_against_the_window() -> None:
    assert deferral(None).worth(1, 200_000)
    assert not deferral("auto").worth(19_999, 200_000)
    assert deferral("auto").worth(20_000, 200_000)
    assert not deferral("auto:50").worth(99_999, 200_000)
    assert deferral("auto:50%").worth(100_000, 200_000)
