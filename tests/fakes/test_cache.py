"""The prompt cache accounting of the Messages API server."""

from __future__ import annotations

from collections.abc import Mapping

from tests.fakes.api_server.cache import PromptCache
from tests.fakes.api_server.rules import Json

MODEL = "claude-opus-4-8"  # caches from 1024 tokens on
MARK: dict[str, Json] = {"cache_control": {"type": "ephemeral"}}
HOUR: dict[str, Json] = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def say(tokens: int, letter: str = "x", /, **more: object) -> Json:
    return {"type": "text", "text": letter * (tokens * 4), **more}


def body(
    *blocks: Json, system: int = 2000, mark: Mapping[str, Json] = MARK, **fields: object
) -> Json:
    return {
        "model": MODEL,
        "system": [say(system, "s", **mark)],
        "messages": [{"role": "user", "content": [*blocks]}],
        **fields,
    }


def split(cache: PromptCache, request: Json) -> tuple[int, int, int]:
    used = cache.use(request)
    return used.input, used.created, used.read


def test_write_then_read() -> None:
    cache = PromptCache(Clock())
    assert split(cache, body(say(10))) == (10, 2000, 0)
    assert split(cache, body(say(20))) == (20, 0, 2000)


def test_growing_conversation_reads_the_whole_former_prefix() -> None:
    cache = PromptCache(Clock())
    first: Json = {"role": "user", "content": "a" * 400}
    one: Json = {"role": "user", "content": [{"type": "text", "text": "a" * 400, **MARK}]}
    assert split(cache, {**body(), "messages": [one]}) == (0, 2100, 0)
    later: list[Json] = [
        first,
        {"role": "assistant", "content": [say(50, "b")]},
        {"role": "user", "content": [say(30, "c", **MARK)]},
    ]
    assert split(cache, {**body(), "messages": later}) == (0, 80, 2100)


def test_nothing_without_marks_or_below_the_minimum() -> None:
    cache = PromptCache(Clock())
    assert split(cache, body(say(10), mark={})) == (2010, 0, 0)
    assert split(cache, body(say(10), system=1000)) == (1010, 0, 0)
    assert split(cache, body(say(10), system=1000)) == (1010, 0, 0)
    small = body(say(10), system=600) | {"model": "claude-opus-5"}
    assert split(cache, small) == (10, 600, 0)


def test_lifetime_is_renewed_by_use() -> None:
    clock = Clock()
    cache = PromptCache(clock)
    cache.use(body(say(10)))
    for _ in range(3):
        clock.now += 299
        assert split(cache, body(say(10))) == (10, 0, 2000)
    clock.now += 301
    assert split(cache, body(say(10))) == (10, 2000, 0)


def test_one_hour() -> None:
    clock = Clock()
    cache = PromptCache(clock)
    used = cache.use(body(say(100, **MARK), mark=HOUR))
    assert (used.created_1h, used.created_5m, used.input) == (2000, 100, 0)
    clock.now += 3500
    used = cache.use(body(say(100, **MARK), mark=HOUR))
    assert (used.read, used.created_1h, used.created_5m) == (2000, 0, 100)


def test_look_back_reaches_twenty_blocks() -> None:
    for extra, read in ((19, 2000), (20, 0)):
        cache = PromptCache(Clock())
        cache.use(body(say(1)))
        blocks = [say(1, "y") for _ in range(extra - 1)]
        later = body(*blocks, say(1, "z", **MARK), mark={})
        assert cache.use(later).read == read


def test_what_invalidates_what() -> None:
    tool: Json = {"name": "Read", "input_schema": {"type": "object"}, "description": "d" * 8000}

    def ask(**changes: object) -> Json:
        base = body(say(1500, "m", **MARK), tools=[{**tool, **MARK}])
        return {**base, **changes}

    def read(**changes: object) -> int:
        cache = PromptCache(Clock())
        whole = cache.use(ask()).created
        tools = cache.look({**ask(), "system": "other"}).read
        assert tools > 2000
        names = {whole: "all", tools + 2000: "system", tools: "tools", 0: "none"}
        levels = {"all": 3, "system": 2, "tools": 1, "none": 0}
        return levels[names[cache.use(ask(**changes)).read]]

    assert read() == 3
    assert read(max_tokens=5) == 3
    assert read(output_config={"effort": "high"}) == 3
    assert read(output_config={"effort": "low"}) == 2
    assert read(thinking={"type": "adaptive"}) == 2
    assert read(tool_choice={"type": "auto"}) == 2
    assert read(speed="fast") == 1
    assert read(system=[say(2000, "t", **MARK)]) == 1
    assert read(tools=[{**tool, "name": "Other", **MARK}]) == 0
    assert read(model="claude-opus-5") == 0


def test_visible_only_when_stored() -> None:
    cache = PromptCache(Clock())
    first, second = cache.look(body(say(1))), cache.look(body(say(1)))
    assert first.created == second.created == 2000
    cache.store(first)
    assert cache.look(body(say(1))).read == 2000


def test_automatic_mark_is_on_the_last_block() -> None:
    cache = PromptCache(Clock())
    request = body(say(2000), mark={}, cache_control={"type": "ephemeral"})
    assert split(cache, request) == (0, 4000, 0)
    assert split(cache, request) == (0, 0, 4000)


def test_string_results_equal_their_text_block() -> None:
    def ask(content: object, **mark: object) -> Json:
        call: Json = {"type": "tool_use", "id": "a", "name": "Read", "input": {}}
        result: Json = {"type": "tool_result", "tool_use_id": "a", "content": content, **mark}
        return {
            **body(say(1)),
            "messages": [
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": [call]},
                {"role": "user", "content": [result]},
            ],
        }

    cache = PromptCache(Clock())
    cache.use(ask("r" * 400, **MARK))
    assert cache.use(ask([{"text": "r" * 400, "type": "text"}], **MARK)).input == 0


def test_deferred_tools_are_not_part_of_the_prompt() -> None:
    cache = PromptCache(Clock())
    tool: Json = {"name": "X", "input_schema": {"type": "object"}, "defer_loading": True}
    cache.use(body(say(1)))
    assert cache.use(body(say(1), tools=[tool])).read == 2000
