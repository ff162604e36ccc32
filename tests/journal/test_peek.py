"""What a session's file tells from its ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.journal.codec import encode
from agent_tui.journal.entries import LastPromptEntry, TitleEntry
from agent_tui.journal.peek import (
    FIRST_BYTES,
    MAX_TITLE,
    UNTITLED,
    Peek,
    first_words,
    peek,
    peek_lines,
)
from tests.journal.story import Story, call


def look(tmp_path: Path, data: bytes) -> Peek | None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    return peek(path, len(data))


def written(story: Story) -> bytes:
    return b"".join(encode(entry) for entry in story.entries)


def lines(*objects: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in objects)


def user(content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "user", "cwd": "/w", "message": {"role": "user", "content": content}, **fields}


def test_titles_have_their_order(tmp_path: Path) -> None:
    story = Story()
    story.prompt("first prompt")
    assert (look(tmp_path, lines(user("first prompt"))) or Peek("", "sdk", "", "")).title == (
        "first prompt"
    )
    summary = written(story).replace(b"last-prompt", b"other") + lines(
        {"type": "summary", "summary": "a summary"}
    )
    seen = look(tmp_path, summary)
    assert seen is not None
    assert seen.title == "a summary"
    story.add(LastPromptEntry(story.header(), "last prompt"))
    seen = look(tmp_path, written(story))
    assert seen is not None
    assert (seen.title, seen.first_prompt) == ("last prompt", "first prompt")
    story.add(TitleEntry(story.header(), "generated", generated=True))
    seen = look(tmp_path, written(story))
    assert seen is not None
    assert seen.title == "generated"
    story.add(TitleEntry(story.header(), "mine"))
    story.add(TitleEntry(story.header(), "generated later", generated=True))
    seen = look(tmp_path, written(story))
    assert seen is not None
    assert seen.title == "mine"


@pytest.mark.parametrize(
    "line",
    [
        user([{"type": "tool_result", "tool_use_id": "a", "content": "x"}]),
        user("injected", isMeta=True),
        user("summary", isCompactSummary=True),
        user("mark", isSynthetic=True),
        user("[Request interrupted by user for tool use]"),
        user("<local-command-stdout>out</local-command-stdout>"),
        user("<ide_selection>x</ide_selection>"),
        user("  \n"),
    ],
)
def test_what_nobody_typed_is_no_first_prompt(tmp_path: Path, line: dict[str, Any]) -> None:
    seen = look(tmp_path, lines(line, user("typed\nby  hand")))
    assert seen is not None
    assert seen.first_prompt == "typed by hand"


def test_a_slash_command_is_only_a_fallback(tmp_path: Path) -> None:
    command = user("<command-name>/init</command-name>")
    seen = look(tmp_path, lines(command))
    assert seen is not None
    assert seen.first_prompt == "/init"
    seen = look(tmp_path, lines(command, user("then this")))
    assert seen is not None
    assert seen.first_prompt == "then this"


def test_the_last_tag_wins_and_an_empty_one_clears(tmp_path: Path) -> None:
    tags = [{"type": "tag", "tag": tag} for tag in ("one", "two", "")]
    for count, expected in ((1, "one"), (2, "two"), (3, "")):
        seen = look(tmp_path, lines(user("hi"), *tags[:count]))
        assert seen is not None
        assert seen.tag == expected


def test_a_name_is_what_was_given_or_made(tmp_path: Path) -> None:
    generated = {"type": "ai-title", "aiTitle": "made"}
    for more, expected in (((), ""), ((generated,), "made")):
        seen = look(tmp_path, lines(user("hi"), *more))
        assert seen is not None
        assert seen.name == expected


def test_all_lines_tell_more_than_the_ends() -> None:
    many = [user("x" * 100) for _ in range(2000)]
    title = {"type": "custom-title", "customTitle": "in the middle"}
    seen = peek_lines([*many, title, *many])
    assert seen is not None
    assert (seen.title, seen.prompts) == ("in the middle", 4000)
    assert peek_lines([user("x", isSidechain=True)]) is None


def test_long_prompts_are_cut_to_a_line() -> None:
    assert first_words("a\n b") == "a b"
    cut = first_words("word " * 100)
    assert len(cut) <= MAX_TITLE + 1
    assert cut.endswith("word…")


def test_a_long_file_is_known_by_its_two_ends(tmp_path: Path) -> None:
    story = Story()
    story.started("print")
    story.context("c" * 20_000)
    story.prompt("the first")
    for number in range(100):
        story.answer(f"m{number}", call(f"c{number}"))
        story.result(f"c{number}", "x" * 5_000)
    story.prompt("the last")
    story.finished(cost=1.25)
    seen = look(tmp_path, written(story))
    created = "2026-03-01T12:00:00.000Z"
    expected = Peek(
        "/work/app",
        "print",
        "the last",
        "the first",
        "main",
        1.25,
        None,
        created=created,
        model="claude-opus-4-8",
    )
    assert seen == expected


def test_how_full_the_window_was_is_told_by_the_last_response_and_by_a_compaction(
    tmp_path: Path,
) -> None:
    def response(tokens: int, purpose: str = "main") -> dict[str, Any]:
        usage = {"input_tokens": 5, "cache_read_input_tokens": tokens, "output_tokens": 10}
        return {
            "type": "system",
            "subtype": "response",
            "model": "m-1",
            "usage": usage,
            "purpose": purpose,
        }

    data = lines(user("hi"), response(985), response(9, "agent"))
    seen = look(tmp_path, data)
    assert seen is not None
    assert (seen.model, seen.context_tokens) == ("m-1", 1000)
    cut: dict[str, Any] = {
        "type": "system",
        "subtype": "compact_boundary",
        "compactMetadata": {"post_tokens": 120},
    }
    seen = look(tmp_path, data + lines(cut))
    assert seen is not None
    assert seen.context_tokens == 120


def test_a_session_that_moved_belongs_where_it_went_on(tmp_path: Path) -> None:
    data = lines(user("hi")) + lines(*[user("x" * 3000) for _ in range(9)])
    seen = look(tmp_path, data + lines(user("again") | {"cwd": "/new", "gitBranch": "dev"}))
    assert seen is not None
    assert (seen.cwd, seen.branch) == ("/new", "dev")


def test_a_file_that_hides_its_beginning_is_listed_all_the_same(tmp_path: Path) -> None:
    seen = look(tmp_path, lines({"type": "mode", "cwd": "/w"}, user("p" * 100_000)))
    assert seen is not None
    assert (seen.title, seen.cwd) == (UNTITLED, "/w")


def test_sub_agents_and_what_can_not_be_read_are_none(tmp_path: Path) -> None:
    assert look(tmp_path, lines(user("hi", isSidechain=True))) is None
    assert peek(tmp_path / "missing.jsonl", 3) is None
    seen = look(tmp_path, b"{torn")
    assert seen is not None
    assert seen.title == ""


@pytest.mark.parametrize("before", range(-90, 10, 9))
def test_a_line_that_stands_where_the_head_ends_is_heard(tmp_path: Path, before: int) -> None:
    first = lines(user("hi"))
    size = FIRST_BYTES + before - len(first) - len(lines(user("")))
    data = first + lines(user("x" * size)) + lines({"type": "tag", "tag": "t", "cwd": "/w"})
    seen = look(tmp_path, data)
    assert seen is not None
    assert seen.tag == "t"
