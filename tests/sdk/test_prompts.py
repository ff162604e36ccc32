from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from agent_tui.sdk.prompts import prompt_of, prompt_of_record, prompts
from tests.sdk.place import heard

pytestmark = pytest.mark.anyio

PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QQ=="}}


def record(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def test_a_text_joins_a_run_and_has_a_name_of_its_own() -> None:
    one, two = (prompt_of("hi", verbatim=True) for _ in range(2))
    assert (one.text, one.now, one.verbatim) == ("hi", True, True)
    assert UUID(one.uuid) != UUID(two.uuid)


def test_a_record_s_name_and_origin_are_kept() -> None:
    origin = {"kind": "peer", "name": "other"}
    found = prompt_of_record(record("hi", uuid="u1", origin=origin), verbatim=False)
    assert (found.text, found.uuid, found.origin, found.now) == ("hi", "u1", origin, True)
    assert UUID(prompt_of_record(record("hi"), verbatim=False).uuid)


def test_text_blocks_are_joined() -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    found = prompt_of_record(record(blocks), verbatim=False)
    assert (found.text, found.content) == ("a\n\nb", None)


def test_pictures_are_kept_as_they_are() -> None:
    blocks = [{"type": "text", "text": "a"}, PICTURE]
    found = prompt_of_record(record(blocks), verbatim=False)
    assert (found.text, found.content) == ("a", tuple(blocks))


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"type": "control_request"},
        {"type": "user"},
        {"type": "user", "message": "hi"},
        {"type": "assistant", "message": {"role": "assistant", "content": "hi"}},
        record(None),
        record(["text"]),
        "a text",
        None,
    ],
)
def test_what_is_no_user_message_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="user message"):
        prompt_of_record(wrong, verbatim=False)


async def test_both_forms_of_input_give_prompts() -> None:
    async def records() -> AsyncIterator[dict[str, Any]]:
        yield record("a")
        yield record("b")

    assert [p.text async for p in prompts("one", verbatim=False)] == ["one"]
    assert [p.text async for p in prompts(records(), verbatim=False)] == ["a", "b"]


@pytest.mark.parametrize("wrong", [5, None, b"hi", [record("hi")], record("hi")])
async def test_what_is_no_text_and_gives_no_records_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="async iterable"):
        await anext(prompts(wrong, verbatim=False))


async def test_a_program_s_generator_is_closed_when_it_is_left_early() -> None:
    closed: list[bool] = []

    async def given() -> AsyncIterator[dict[str, Any]]:
        try:
            yield record("one")
            yield record(None)
            yield record("three")
        finally:
            closed.append(True)

    left = prompts(given(), verbatim=False)
    await anext(left)
    await left.aclose()
    assert closed == [True]
    with pytest.raises(ValueError, match="user message"):
        await heard(prompts(given(), verbatim=False))
    assert closed == [True, True]
