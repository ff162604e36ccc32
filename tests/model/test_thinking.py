from __future__ import annotations

from typing import Any

import pytest

from agent_tui.model.prices import MODELS, facts
from agent_tui.model.thinking import EFFORTS, TASK_BUDGETS, Wishes, generation, read_effort
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.options import ModelOptions
from tests.fakes.api_server import check
from tests.model.asking import environment

SHOWN = {"type": "adaptive", "display": "summarized"}


@pytest.mark.parametrize(
    ("model", "max_tokens", "extra"),
    [
        ("claude-opus-5-5", 128_000, {"thinking": SHOWN}),
        ("claude-sonnet-5-5", 128_000, {"thinking": SHOWN}),
        ("claude-haiku-5-5", 128_000, {"thinking": SHOWN}),
        ("claude-fable-5-2", 128_000, {"thinking": SHOWN}),
        ("claude-opus-4-8", 128_000, {"thinking": SHOWN}),
        ("claude-sonnet-4-6", 128_000, {"thinking": {"type": "adaptive"}}),
        ("claude-opus-4-5", 32_000, {}),
        ("claude-haiku-4-5-20251001", 32_000, {}),
        ("some-other-model", 32_000, {}),
    ],
)
def test_without_wishes_a_model_thinks_as_it_can_and_no_effort_is_sent(
    model: str, max_tokens: int, extra: dict[str, object]
) -> None:
    found = generation(facts(model), Wishes())
    assert (found.max_tokens, found.extra) == (max_tokens, extra)
    assert (found.effort, found.notes) == (None, ())


@pytest.mark.parametrize(
    ("model", "asked", "sent"),
    [
        ("claude-opus-5-5", "max", "max"),
        ("claude-sonnet-5-5", "low", "low"),
        ("claude-sonnet-4-6", "xhigh", "high"),
        ("claude-sonnet-4-6", "max", "max"),
        ("claude-opus-4-5", "max", "high"),
        ("claude-opus-4-5", "xhigh", "high"),
        ("claude-haiku-4-5", "high", None),
        ("some-other-model", "low", None),
    ],
)
def test_a_level_the_model_lacks_is_lowered_and_told(
    model: str, asked: str, sent: str | None
) -> None:
    found = generation(facts(model), Wishes(effort=asked))
    assert found.effort == sent
    assert found.extra.get("output_config") == ({"effort": sent} if sent else None)
    assert bool(found.notes) == (sent != asked)
    assert all(asked in note and model in note for note in found.notes)


@pytest.mark.parametrize(
    ("model", "asked", "max_tokens"),
    [
        ("claude-sonnet-5-5", 5000, 5000),
        ("claude-sonnet-5-5", 999_999, 128_000),
        ("claude-opus-4-5", 64_000, 64_000),
        ("some-other-model", 100_000, 32_000),
    ],
)
def test_max_tokens_is_never_more_than_the_model_can(
    model: str, asked: int, max_tokens: int
) -> None:
    assert generation(facts(model), Wishes(max_tokens=asked)).max_tokens == max_tokens


def test_models_that_think_by_budget_think_when_one_is_given() -> None:
    found = generation(facts("claude-sonnet-4-5"), Wishes(budget=10_000))
    assert found.extra["thinking"] == {"type": "enabled", "budget_tokens": 10_000}
    small = generation(facts("claude-sonnet-4-5"), Wishes(budget=10, max_tokens=4000))
    assert small.extra["thinking"] == {"type": "enabled", "budget_tokens": 1024}
    large = generation(facts("claude-sonnet-4-5"), Wishes(budget=50_000, max_tokens=4000))
    assert large.extra["thinking"] == {"type": "enabled", "budget_tokens": 3999}
    assert generation(facts("claude-sonnet-4-5"), Wishes(budget=5000, max_tokens=900)).extra == {}
    assert generation(facts("claude-sonnet-5-5"), Wishes(budget=5000)).extra == {"thinking": SHOWN}


@pytest.mark.parametrize(
    ("model", "effort", "type_"),
    [
        ("claude-opus-5", None, "disabled"),
        ("claude-opus-5", "max", "adaptive"),
        ("claude-opus-5-5", None, "adaptive"),
        ("claude-haiku-5-5", None, "disabled"),
        ("claude-sonnet-4-6", "max", "disabled"),
    ],
)
def test_thinking_is_turned_off_where_the_model_allows_it(
    model: str, effort: str | None, type_: str
) -> None:
    found = generation(facts(model), Wishes(effort=effort, no_thinking=True))
    assert found.extra["thinking"]["type"] == type_
    assert bool(found.notes) == (type_ == "adaptive")


def test_wishes_of_the_environment_give_way_to_those_of_the_options() -> None:
    env = environment(
        CLAUDE_CODE_EFFORT_LEVEL="LOW",
        CLAUDE_CODE_MAX_OUTPUT_TOKENS="4000",
        MAX_THINKING_TOKENS="2048",
        CLAUDE_CODE_DISABLE_THINKING="1",
    )
    assert Wishes.of(env) == Wishes("low", 4000, 2048, no_thinking=True)
    said = ModelOptions(effort="max", max_output_tokens=9)
    assert Wishes.of(env, said, "high") == Wishes("max", 9, 2048, no_thinking=True)
    assert Wishes.of(env, effort="high").effort == "high"
    assert Wishes.of(environment()) == Wishes()
    assert Wishes.of(environment(MAX_THINKING_TOKENS="0")) == Wishes(no_thinking=True)
    asked = ModelOptions(thinking={"type": "adaptive"})
    assert Wishes.of(environment(MAX_THINKING_TOKENS="0"), asked) == Wishes(thinking="adaptive")


@pytest.mark.parametrize(
    ("options", "wishes"),
    [
        (ModelOptions(max_thinking_tokens=0), Wishes(no_thinking=True)),
        (ModelOptions(max_thinking_tokens=2048), Wishes(budget=2048)),
        (ModelOptions(thinking={"type": "disabled"}), Wishes(no_thinking=True)),
        (
            ModelOptions(thinking={"type": "enabled", "budget_tokens": 5}, max_thinking_tokens=0),
            Wishes(budget=5, thinking="enabled"),
        ),
        (
            ModelOptions(thinking={"type": "adaptive", "display": "omitted"}),
            Wishes(thinking="adaptive", display="omitted"),
        ),
        (ModelOptions(task_budget=9, user="me"), Wishes(task_budget=9, user="me")),
    ],
)
def test_what_the_options_say_of_thinking(options: ModelOptions, wishes: Wishes) -> None:
    assert Wishes.of(environment(), options) == wishes


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (ModelOptions(thinking={"type": "hard"}), "'hard'"),
        (ModelOptions(thinking={"type": "enabled"}), "budget_tokens"),
        (ModelOptions(thinking={"type": "adaptive", "display": "loud"}), "'loud'"),
        (ModelOptions(user="x" * 257), "256"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: ModelOptions, word: str) -> None:
    with pytest.raises(UsageError, match=word):
        Wishes.of(environment(), options)


@pytest.mark.parametrize(
    ("model", "wishes", "thinking", "note"),
    [
        ("claude-opus-5-5", Wishes(budget=2048), SHOWN, ""),
        ("claude-opus-5-5", Wishes(budget=2048, thinking="enabled"), SHOWN, "2,048 tokens is not"),
        ("claude-opus-5-5", Wishes(thinking="adaptive"), SHOWN, ""),
        (
            "claude-sonnet-4-6",
            Wishes(display="omitted"),
            {"type": "adaptive", "display": "omitted"},
            "",
        ),
        (
            "claude-sonnet-4-5",
            Wishes(budget=2048, thinking="enabled", display="omitted"),
            {"type": "enabled", "budget_tokens": 2048, "display": "omitted"},
            "",
        ),
        (
            "claude-sonnet-4-5",
            Wishes(thinking="adaptive"),
            {"type": "enabled", "budget_tokens": 16_000},
            "budget only",
        ),
        (
            "claude-haiku-4-5",
            Wishes(budget=10),
            {"type": "enabled", "budget_tokens": 1024},
            "1,024 tokens",
        ),
        ("claude-haiku-4-5", Wishes(budget=2048, max_tokens=900), None, "can't think"),
        ("some-other-model", Wishes(thinking="adaptive"), None, "not known to think"),
        ("some-other-model", Wishes(budget=2048), None, ""),
    ],
)
def test_thinking_that_was_asked_for_is_sent_as_the_model_takes_it(
    model: str, wishes: Wishes, thinking: dict[str, object] | None, note: str
) -> None:
    found = generation(facts(model), wishes)
    assert found.extra.get("thinking") == thinking
    assert bool(found.notes) == bool(note)
    assert note in "".join(found.notes)


def test_tokens_to_think_with_take_the_place_of_what_was_said_before() -> None:
    before = Wishes(effort="high", thinking="enabled", budget=9000, display="omitted")
    assert before.with_budget(4000) == Wishes(effort="high", budget=4000, display="omitted")
    off = before.with_budget(0)
    assert (off.budget, off.no_thinking, off.thinking) == (None, True, None)
    assert not off.with_budget(2000).no_thinking


def test_a_task_budget_and_a_user_go_into_the_body() -> None:
    wishes = Wishes(effort="low", task_budget=9000, user="me")
    assert generation(facts("claude-opus-5-5"), wishes).extra == {
        "thinking": SHOWN,
        "output_config": {"effort": "low", "task_budget": {"type": "tokens", "total": 9000}},
        "metadata": {"user_id": "me"},
    }
    assert (wishes.betas, Wishes().betas) == ((TASK_BUDGETS,), ())


def test_words_for_no_level_and_words_that_are_none() -> None:
    assert [read_effort(word) for word in (None, "", "auto", " High ")] == [
        None,
        None,
        None,
        "high",
    ]
    with pytest.raises(UsageError, match="extreme"):
        read_effort("extreme")


@pytest.mark.parametrize("model", sorted(MODELS))
@pytest.mark.parametrize("effort", [None, *EFFORTS])
@pytest.mark.parametrize("thinking", [None, "adaptive", "enabled", "disabled"])
@pytest.mark.parametrize("more", [{}, {"display": "omitted", "task_budget": 9000, "user": "me"}])
def test_the_server_takes_whatever_is_sent(
    model: str, effort: str | None, thinking: str | None, more: dict[str, Any]
) -> None:
    off = thinking == "disabled"
    kind = None if off else thinking
    wishes = Wishes(effort, budget=2048, no_thinking=off, thinking=kind, **more)
    found = generation(facts(model), wishes)
    body: dict[str, object] = {
        "model": model,
        "max_tokens": found.max_tokens,
        "stream": True,
        "messages": [{"role": "user", "content": "hi"}],
        **found.extra,
    }
    headers = {
        "x-api-key": "k",
        "anthropic-version": "2026-10-21",
        "anthropic-beta": ",".join(wishes.betas),
    }
    assert [str(problem) for problem in check(body, headers)] == []
