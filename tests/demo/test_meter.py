from __future__ import annotations

from typing import Any

from agent_tui.demo.meter import LIFETIME, Meter, count_tokens
from agent_tui.demo.script import Reply
from agent_tui.protocol.content import TextBlock

ANSWER = Reply((TextBlock("x" * 400),))
MARK = {"cache_control": {"type": "ephemeral"}}


def block(text: str, *, marked: bool = False) -> dict[str, Any]:
    return {"type": "text", "text": text, **(MARK if marked else {})}


def body(*blocks: dict[str, Any], model: str = "demo") -> dict[str, Any]:
    system = [block("s" * 4000, marked=True)]
    return {"model": model, "system": system, "messages": [{"role": "user", "content": [*blocks]}]}


def test_the_first_request_writes_what_is_marked_and_the_second_reads_it() -> None:
    meter = Meter()
    first = meter.usage(body(block("a" * 800, marked=True)), ANSWER)
    assert first.input_tokens == 0
    assert first.cache_read_input_tokens == 0
    assert first.cache_creation_input_tokens == first.prompt_tokens > 1200
    grown = body(block("a" * 800), block("b" * 400, marked=True))
    second = meter.usage(grown, ANSWER)
    assert second.cache_read_input_tokens == first.prompt_tokens
    assert second.input_tokens == 0
    assert 100 <= second.cache_creation_input_tokens < 130


def test_what_follows_the_last_mark_is_input() -> None:
    usage = Meter().usage(body(block("a" * 800)), ANSWER)
    assert usage.input_tokens >= 200
    assert usage.cache_creation_input_tokens >= 1000


def test_another_model_or_a_changed_prefix_reads_nothing() -> None:
    meter = Meter()
    meter.usage(body(block("a", marked=True)), ANSWER)
    other = meter.usage(body(block("a", marked=True), model="else"), ANSWER)
    assert other.cache_read_input_tokens == 0
    changed = body(block("a", marked=True)) | {"system": [block("t" * 4000, marked=True)]}
    assert meter.usage(changed, ANSWER).cache_read_input_tokens == 0


def test_an_entry_ends_five_minutes_after_its_last_use() -> None:
    now = [0.0]
    meter = Meter(lambda: now[0])
    asked = body(block("a", marked=True))
    meter.usage(asked, ANSWER)
    now[0] = LIFETIME - 1
    assert meter.usage(asked, ANSWER).cache_read_input_tokens > 0
    now[0] += LIFETIME - 1
    assert meter.usage(asked, ANSWER).cache_read_input_tokens > 0
    now[0] += LIFETIME + 1
    assert meter.usage(asked, ANSWER).cache_read_input_tokens == 0


def test_a_short_prefix_is_not_kept() -> None:
    meter = Meter()
    asked = {"model": "demo", "messages": [{"role": "user", "content": [block("a", marked=True)]}]}
    meter.usage(asked, ANSWER)
    assert meter.usage(asked, ANSWER).cache_read_input_tokens == 0


def test_the_answer_counts_and_a_request_counts_the_same_by_itself() -> None:
    asked = body(block("a" * 800))
    usage = Meter().usage(asked, ANSWER)
    assert 100 <= usage.output_tokens < 120
    assert abs(count_tokens(asked) - usage.prompt_tokens) <= 1
    assert count_tokens({}) == 1
