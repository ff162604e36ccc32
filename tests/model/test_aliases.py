from __future__ import annotations

import pytest

from agent_tui.model.aliases import ALIASES, resolve
from agent_tui.model.prices import MODELS
from tests.model.asking import environment


@pytest.mark.parametrize(
    ("name", "model"),
    [
        (None, "claude-sonnet-5-5"),
        ("", "claude-sonnet-5-5"),
        ("default", "claude-sonnet-5-5"),
        ("sonnet", "claude-sonnet-5-5"),
        ("Opus", "claude-opus-5-5"),
        ("haiku", "claude-haiku-5-5"),
        ("fable", "claude-fable-5-2"),
        ("best", "claude-opus-5-5"),
        ("opus[1m]", "claude-opus-5-5"),
        ("sonnet[1M]", "claude-sonnet-5-5"),
        ("opusplan", "claude-sonnet-5-5"),
        ("claude-opus-4-5-20251101", "claude-opus-4-5-20251101"),
        ("claude-sonnet-4-6[1m]", "claude-sonnet-4-6"),
        (" My-Model ", "My-Model"),
    ],
)
def test_what_a_name_stands_for(name: str | None, model: str) -> None:
    assert resolve(name, environment()) == model


def test_opusplan_is_opus_while_planning() -> None:
    assert resolve("opusplan", environment(), plan=True) == "claude-opus-5-5"


def test_best_is_fable_where_the_server_lists_it() -> None:
    listed = ("claude-opus-5-5", "claude-fable-5-1", "claude-fable-5")
    assert resolve("best", environment(), available=listed) == "claude-fable-5-1"
    all_of_them = (*listed, "claude-fable-5-2")
    assert resolve("best", environment(), available=all_of_them) == "claude-fable-5-2"
    moved = environment(ANTHROPIC_DEFAULT_FABLE_MODEL="my-fable")
    assert resolve("best", moved, available=listed) == "my-fable"


def test_the_environment_moves_an_alias() -> None:
    env = environment(
        ANTHROPIC_DEFAULT_OPUS_MODEL="my-opus",
        ANTHROPIC_DEFAULT_SONNET_MODEL="my-sonnet",
        ANTHROPIC_DEFAULT_HAIKU_MODEL="my-haiku",
        ANTHROPIC_DEFAULT_FABLE_MODEL="my-fable",
    )
    assert [resolve(name, env) for name in ("opus", "sonnet", "haiku", "fable", "best", None)] == [
        "my-opus",
        "my-sonnet",
        "my-haiku",
        "my-fable",
        "my-opus",
        "my-sonnet",
    ]
    assert resolve("opusplan", env, plan=True) == "my-opus"


def test_the_default_may_be_moved_to_an_id_or_an_alias() -> None:
    assert resolve(None, environment(ANTHROPIC_DEFAULT_MODEL="my-model")) == "my-model"
    assert resolve("default", environment(ANTHROPIC_DEFAULT_MODEL="haiku")) == "claude-haiku-5-5"
    assert resolve("sonnet", environment(ANTHROPIC_DEFAULT_MODEL="x")) == "claude-sonnet-5-5"


def test_every_alias_stands_for_a_model_we_know() -> None:
    assert all(resolve(name, environment()) in MODELS for name in ALIASES)
