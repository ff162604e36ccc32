"""How full the window is and when it is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.context.window import (
    CompactPolicy,
    can_compact,
    fullness,
    kept_from,
    must_compact,
    parts,
    refills,
)
from agent_tui.protocol.usage import Usage
from agent_tui.settings.paths import Environment
from tests.journal.story import Story, call, text


def filled(tokens: int) -> Story:
    story = Story()
    story.prompt("long ago")
    story.answer("m0", text("yes"))
    story.prompt("go")
    story.answer("m1", text("done"), usage=Usage(input_tokens=tokens))
    return story


def policy(
    enabled: bool | None = None, window: int | None = None, **variables: str
) -> CompactPolicy:
    return CompactPolicy.of(
        Environment(variables, Path("/nowhere")), enabled=enabled, window=window
    )


@pytest.mark.parametrize(
    ("window", "limit"),
    [(1_000_000, 967_000), (200_000, 167_000), (128_000, 106_667), (20_000, 16_667), (0, 167_000)],
)
def test_the_window_is_cut_a_buffer_before_its_end(window: int, limit: int) -> None:
    assert fullness(filled(0).conversation, window).limit == limit
    assert must_compact(filled(limit).conversation, window)
    assert not must_compact(filled(limit - 1).conversation, window)


def test_c3_a_turn_of_many_cached_calls_does_not_fill_the_window() -> None:
    story = Story()
    story.prompt("go")
    for number in range(12):
        usage = Usage(2, 50, 100, 150_000)
        story.answer(f"m{number}", call(f"c{number}"), usage=usage)
        if number < 11:
            story.result(f"c{number}")
    full = fullness(story.conversation, 200_000)
    assert full.tokens == 150_152
    assert round(full.share * 100) == 75
    assert not full.over


def test_what_came_since_is_estimated_by_its_bytes() -> None:
    story = filled(1000)
    story.prompt("x" * 4000)
    assert fullness(story.conversation, 200_000).tokens == 2000
    assert fullness(Story().conversation, 200_000, fixed_tokens=777).tokens == 777


def test_c4_another_model_has_another_limit() -> None:
    story = filled(180_000)
    assert not must_compact(story.conversation, 1_000_000)
    assert must_compact(story.conversation, 128_000)
    assert not must_compact(story.conversation, 1_000_000)


def test_settings_and_environment_say_whether_and_where() -> None:
    assert policy() == CompactPolicy()
    assert policy(enabled=False) == CompactPolicy(auto=False)
    assert policy(DISABLE_AUTO_COMPACT="1") == CompactPolicy(auto=False)
    assert policy(DISABLE_COMPACT="true") == CompactPolicy(manual=False, auto=False)
    assert policy(DISABLE_COMPACT="0") == CompactPolicy()
    assert policy(window=400_000).window == 400_000
    assert policy(window=5).window == 100_000
    assert policy(window=400_000, CLAUDE_CODE_AUTO_COMPACT_WINDOW="500000").window == 500_000
    assert policy(CLAUDE_CODE_AUTO_COMPACT_WINDOW="many").window is None
    assert policy(CLAUDE_AUTOCOMPACT_PCT_OVERRIDE="50").percent == 50
    assert policy(CLAUDE_AUTOCOMPACT_PCT_OVERRIDE="500").percent is None
    at_half = policy(CLAUDE_AUTOCOMPACT_PCT_OVERRIDE="50")
    assert fullness(filled(0).conversation, 200_000, at_half).limit == 100_000
    at_99 = policy(CLAUDE_AUTOCOMPACT_PCT_OVERRIDE="99")
    assert fullness(filled(0).conversation, 200_000, at_99).limit == 167_000, "it only lowers"
    narrow = policy(window=100_000)
    assert fullness(filled(0).conversation, 1_000_000, narrow).limit == 83_334
    assert not must_compact(filled(999_999).conversation, 1_000_000, policy(enabled=False))


def test_c1_nothing_to_summarise_means_no_compaction() -> None:
    story = Story()
    story.context("c" * 4000)
    story.prompt("hi")
    assert not can_compact(story.conversation)
    assert fullness(story.conversation, 20_000, fixed_tokens=19_000).over
    assert not must_compact(story.conversation, 20_000, fixed_tokens=19_000)
    story.answer("m1", text("hello"), usage=Usage(19_900))
    assert can_compact(story.conversation), "the server says that it is full"
    assert kept_from(story.conversation) is None, "or there would be nothing to summarise"
    assert can_compact(filled(1).conversation)
    long = Story()
    long.prompt("x" * 100_000)
    assert not can_compact(long.conversation)
    long.answer("m1", call("a"))
    assert can_compact(long.conversation), "the prompt is what fills the window"


def test_c1_a_window_that_fills_at_once_is_cut_twice_at_most() -> None:
    story = Story()
    story.prompt("hi")
    cuts = 0
    for number in range(10):
        story.answer(f"a{number}", call(f"a{number}"), usage=Usage(19_900))
        story.result(f"a{number}")
        if must_compact(story.conversation, 20_000):
            story.compacted(kept_from(story.conversation))
            cuts += 1
    assert cuts == 2
    assert refills(story.conversation)
    story.prompt("the person acted")
    assert not refills(story.conversation)


def test_the_last_exchange_is_kept_if_it_is_small() -> None:
    story = filled(1000)
    lines = story.conversation.lines
    assert kept_from(story.conversation) == lines[3].uuid
    [_, line] = story.answer("m2", text("I look"), call("a"))
    first = story.header_of(-3).uuid
    story.result("a", "small", source=line)
    assert kept_from(story.conversation) == first
    assert kept_from(story.conversation, room=1) is None


def test_a_prompt_that_waits_for_its_answer_is_always_kept() -> None:
    story = filled(1000)
    story.answer("m2", text("x" * 200_000))
    prompt = story.prompt("y" * 200_000)
    assert kept_from(story.conversation) == prompt.header.uuid
    only = Story()
    first = only.prompt("hi")
    assert kept_from(only.conversation) == first.header.uuid
    assert kept_from(Story().conversation) is None


def test_what_fills_the_window_is_told() -> None:
    story = Story()
    story.context("c" * 400)
    story.prompt("p" * 800)
    tools = ({"name": "Bash", "input_schema": {"type": "object"}},)
    told = parts(story.conversation, ("s" * 4000,), tools)
    assert (told.system, told.context, told.conversation) == (1000, 100, 200)
    assert told.tools > 10
    assert told.fixed == 1100 + told.tools
    assert "system prompt 1,000" in told.sentence()
