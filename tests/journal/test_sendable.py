"""What of a stored block may be sent again."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from agent_tui.journal.sendable import (
    EMPTY_RESULT,
    MAX_IMAGE_CHARS,
    MAX_RESULT_CHARS,
    assistant_block,
    bounded,
    image,
    legal_id,
    tool_result,
    tool_use,
    user_block,
)
from agent_tui.protocol.content import JsonObject

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()


def picture(data: Any = PNG, media: str = "image/png") -> JsonObject:
    return {"type": "image", "source": {"type": "base64", "media_type": media, "data": data}}


@pytest.mark.parametrize("blank", ["", " \n", "\t", "\u00a0", None, 7])
def test_p4_blank_text_is_left_out(blank: Any) -> None:
    assert assistant_block({"type": "text", "text": blank}) is None
    assert user_block({"type": "text", "text": blank}) is None


@pytest.mark.parametrize("blank", ["", " \n", None, [], [{"type": "text", "text": " "}], 3])
def test_p4_an_empty_result_gets_words(blank: Any) -> None:
    assert tool_result({"content": blank}, "a")["content"] == EMPTY_RESULT


def test_p3_thinking_is_whole_or_absent() -> None:
    whole = {"type": "thinking", "thinking": "A" * 4000, "signature": "sig1"}
    assert assistant_block({**whole, "extra": 1}) == whole
    assert assistant_block({**whole, "thinking": ""}) == {**whole, "thinking": ""}
    assert assistant_block({**whole, "signature": ""}) is None
    assert assistant_block({"type": "thinking", "thinking": "A"}) is None
    assert assistant_block({**whole, "thinking": "A\ud83d"}) is None
    redacted = {"type": "redacted_thinking", "data": "xyz"}
    assert assistant_block(redacted) == redacted


def test_fields_the_api_does_not_know_are_left_out() -> None:
    stored = {"type": "text", "text": "hi", "citations": None, "ours": 1}
    assert assistant_block(stored) == {"type": "text", "text": "hi"}
    assert assistant_block({"type": "never_heard_of"}) is None
    assert user_block({"type": "never_heard_of"}) is None
    assert user_block({"type": "tool_use", "id": "a", "name": "b", "input": {}}) is None


def test_a_calls_name_and_input_are_made_legal() -> None:
    made = tool_use({"type": "tool_use", "id": "a", "name": "calendar.list", "input": [1]})
    assert made == {"type": "tool_use", "id": "a", "name": "calendar_list", "input": {}}
    assert len(tool_use({"name": "n" * 140})["name"]) == 128
    assert tool_use({"name": ""})["name"] == "unnamed_tool"
    assert tool_use({"name": "Bash"}, "{oops")["input"] == {"unparsed_input": "{oops"}


def test_p9_ids_are_kept_when_legal_and_free() -> None:
    assert legal_id("toolu_1", 3, 2, {"x"}.__contains__) == "toolu_1"
    assert legal_id("x", 3, 2, {"x"}.__contains__) == "x_3_2"
    assert legal_id("x", 3, 2, {"x", "x_3_2"}.__contains__) == "x_3_2_"
    assert legal_id("", 3, 2, set[str]().__contains__) == "call_3_2"
    assert legal_id("é a", 3, 2, set[str]().__contains__) == "__a_3_2"


def test_h6_a_huge_result_is_cut_in_the_middle_and_says_so() -> None:
    sent = tool_result({"content": "a" * 6_000_000 + "b" * 6_000_000}, "a")["content"]
    assert len(sent) < MAX_RESULT_CHARS + 100
    assert sent.startswith("aaa")
    assert sent.endswith("bbb")
    assert "11,800,000 characters left out" in sent
    parts = tool_result({"content": [{"type": "text", "text": "c" * 300_000}]}, "a")["content"]
    assert "100,000 characters left out" in parts[0]["text"]
    assert bounded("short") == "short"


def test_p5_pictures_that_would_be_refused_are_replaced_by_words() -> None:
    assert image(picture()) == picture()
    for bad in (
        picture(media="image/tiff"),
        picture("not base64!"),
        picture(""),
        picture("A" * (MAX_IMAGE_CHARS + 4)),
        picture(None),
        {"type": "image", "source": None},
    ):
        assert image(bad)["type"] == "text"
        assert "left out" in image(bad)["text"]
    result = tool_result({"content": [picture("A" * (MAX_IMAGE_CHARS + 4))]}, "a")
    assert [part["type"] for part in result["content"]] == ["text"]


def test_p6_half_characters_never_get_into_a_request() -> None:
    assert user_block({"type": "text", "text": "x\ud83d"}) == {"type": "text", "text": "x\ufffd"}
    made = tool_use({"name": "Read", "id": "a", "input": {"path": ["\udcff.txt"]}})
    assert made["input"] == {"path": ["\ufffd.txt"]}
    assert tool_result({"content": "\udcff"}, "a")["content"] == "\ufffd"


def test_documents_go_with_their_source_only() -> None:
    source = {"type": "text", "media_type": "text/plain", "data": "words"}
    assert user_block({"type": "document", "source": source, "title": "t"}) == {
        "type": "document",
        "source": source,
    }
    assert user_block({"type": "document", "source": {"type": "file", "file_id": "f"}}) is None
    assert user_block({"type": "document", "source": {"type": "url"}}) is None


def test_references_to_tools_stay_in_results_and_nowhere_else() -> None:
    reference: JsonObject = {"type": "tool_reference", "tool_name": "mcp__a__b"}
    content: list[JsonObject] = [
        {**reference, "extra": 1},
        {"type": "tool_reference", "tool_name": "no name"},
        {"type": "tool_reference"},
    ]
    assert tool_result({"content": content}, "a")["content"] == [reference]
    assert user_block(reference) is None
