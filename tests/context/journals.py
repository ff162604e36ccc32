"""Random journals, as bad as they come: for properties of requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import strategies as st

from agent_tui.context.window import kept_from
from agent_tui.journal.entries import SYNTHETIC_MODEL, NoticeEntry, UserEntry
from agent_tui.journal.wellformed import well_formed
from agent_tui.protocol.content import JsonObject
from tests.journal.story import Story, text

MODELS = ("claude-opus-4-8", "claude-opus-5-5")
IDS = ("x", "y", "", "a b", "toolu_1")
PNG = "iVBORw0KGgo="

Step: TypeAlias = Callable[[Story], None]

Json: TypeAlias = st.SearchStrategy[JsonObject]


def _picture(data: str, media: str) -> JsonObject:
    source = {"type": "base64", "media_type": media, "data": data}
    return {"type": "image", "source": source}


def _of_server(call_id: str, is_call: bool) -> JsonObject:
    if is_call:
        return {"type": "server_tool_use", "id": call_id, "name": "web_search", "input": {}}
    return {"type": "web_search_tool_result", "tool_use_id": call_id, "content": []}


def _call(call_id: str, name: str, given: JsonObject | None) -> JsonObject:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def _thinking(words: str, number: int, redacted: bool) -> JsonObject:
    if redacted:
        return {"type": "redacted_thinking", "data": f"data{number}"}
    signature = f"sig{number}{words.encode('utf-8', 'replace').hex()[:40]}"
    return {"type": "thinking", "thinking": words, "signature": signature if number else ""}


WORDS = st.sampled_from(["hello", "", " \n", "half \ud83d", "ünï", "]]>", "x" * 500])
GIVEN: Json = st.dictionaries(
    st.sampled_from(["path", "\udcff"]), st.integers() | WORDS, max_size=2
)
TEXTS: Json = st.builds(text, WORDS)
PICTURES: Json = st.builds(
    _picture, st.sampled_from([PNG, "", "!!!"]), st.sampled_from(["image/png", "image/bmp"])
)
WHOLE_WORDS = WORDS.filter(lambda words: words == well_formed(words))
"""The model client gives whole characters only."""
THINKING: Json = st.builds(_thinking, WHOLE_WORDS, st.integers(0, 3), st.booleans())
SERVER: Json = st.builds(_of_server, st.sampled_from(["srv_1", "srv_2", ""]), st.booleans())
CALLS: Json = st.builds(
    _call,
    st.sampled_from(IDS),
    st.sampled_from(["Bash", "calendar.list", "", "n" * 140]),
    GIVEN | st.none(),
)
_JUNK: list[JsonObject] = [
    {"type": "novel", "x": 1},
    {"type": "text"},
    {"type": "tool_use"},
    {"type": "thinking", "thinking": "no signature"},
    {"type": "tool_result"},
    {"type": "document", "source": {"type": "url"}},
    {},
]
JUNK: Json = st.sampled_from(_JUNK)
ANSWERS = st.lists(TEXTS | THINKING | CALLS | CALLS | JUNK | SERVER, max_size=4)
SAID = st.lists(TEXTS | PICTURES | JUNK, max_size=3)
RESULTS: st.SearchStrategy[Any] = st.one_of(WORDS, st.none(), SAID, st.integers(), GIVEN)


def _prompt(content: str | list[JsonObject], steers: bool) -> Step:
    return lambda story: story.prompt(content, steers=steers) and None


def _answer(message_id: str, blocks: list[JsonObject], ends: bool, aborted: bool) -> Step:
    def step(story: Story) -> None:
        model = story.conversation.model or MODELS[0]
        story.answer(message_id, *blocks, ends=ends, model=model, aborted=aborted)

    return step


def _result(call_id: str, content: Any, is_error: bool | None) -> Step:
    return lambda story: story.result(call_id, content, is_error=is_error) and None


def _answer_open(content: Any, backwards: bool) -> Step:
    """Answer all that is open, in either order, by the lines that called."""

    def step(story: Story) -> None:
        calls = list(story.conversation.open_tool_uses)
        for open_call in reversed(calls) if backwards else calls:
            block = {"type": "tool_result", "tool_use_id": open_call.raw_id, "content": content}
            story.add(
                UserEntry(
                    story.header(),
                    {"role": "user", "content": [block]},
                    source_assistant_uuid=open_call.assistant_uuid,
                )
            )

    return step


def _retract(story: Story) -> None:
    """Take back the newest response, as the loop does: before anything was said to it."""
    lines = story.conversation.lines
    if lines and lines[-1].role == "assistant":
        story.retracted(lines[-1].message_id)


def _compact(which: int) -> Step:
    def step(story: Story) -> None:
        lines = story.conversation.lines
        kept = kept_from(story.conversation)
        if which > 0 and lines:
            kept = lines[which % len(lines)].uuid
        story.compacted(kept if which >= 0 else None)

    return step


def _switch(model: str) -> Step:
    return lambda story: story.model(model)


def _meta(story: Story) -> None:
    message: JsonObject = {"role": "user", "content": [text("<system-reminder>")]}
    story.add(UserEntry(story.header(), message, is_meta=True))


def _other(story: Story) -> None:
    story.add(NoticeEntry(story.header(), "careful"))
    story.answer("e", text("API error"), ends=False, model=SYNTHETIC_MODEL, error="unknown")


STEPS: st.SearchStrategy[Step] = st.one_of(
    st.builds(_prompt, WORDS | SAID, st.booleans()),
    st.builds(
        _answer,
        st.sampled_from(["m1", "m2", "m3", ""]),
        ANSWERS,
        st.sampled_from([True, True, False]),
        st.booleans(),
    ),
    st.builds(_answer_open, RESULTS, st.booleans()),
    st.builds(_result, st.sampled_from(IDS), RESULTS, st.sampled_from([None, True, False])),
    st.sampled_from([_retract, _meta, _other, Story.interrupted, Story.context]),
    st.builds(_compact, st.integers(-1, 9)),
    st.builds(_switch, st.sampled_from(MODELS)),
)
JOURNALS = st.lists(STEPS, max_size=14)


def written(steps: list[Step]) -> Story:
    """Write the journal."""
    story = Story()
    for step in steps:
        step(story)
    return story
