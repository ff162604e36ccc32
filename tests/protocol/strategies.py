"""Random values of every protocol kind, built from the dataclasses themselves."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from agent_tui.protocol.content import (
    RedactedThinkingBlock,
    ServerToolResultBlock,
    ServerToolUseBlock,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UnknownBlock,
)
from agent_tui.protocol.display import UnknownDisplay
from agent_tui.protocol.messages import Message

TEXT = st.text(max_size=12)
NUMBER = st.integers(-(2**40), 2**40)
JSON_OBJECT = st.dictionaries(TEXT, st.one_of(st.none(), st.booleans(), NUMBER, TEXT), max_size=3)

BLOCKS = st.one_of(
    st.builds(TextBlock, TEXT),
    st.builds(ThinkingBlock, TEXT, TEXT),
    st.builds(RedactedThinkingBlock, TEXT),
    st.builds(ToolUseBlock, TEXT, TEXT, JSON_OBJECT),
    st.builds(ToolResultBlock, TEXT, TEXT, st.sampled_from([None, True, False])),
    st.builds(ServerToolUseBlock, TEXT, TEXT, JSON_OBJECT),
    st.builds(ServerToolResultBlock, st.just("web_search_tool_result"), TEXT, JSON_OBJECT),
    st.builds(UnknownBlock, st.fixed_dictionaries({"type": st.just("novel"), "x": NUMBER})),
)


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Give values of a field's type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if TextBlock in args:
            return BLOCKS
        return st.one_of([of(arg) for arg in args])
    if origin is Literal:
        return st.sampled_from(args)
    if origin is tuple:
        return st.lists(of(args[0]), max_size=3).map(tuple)
    if origin is list:
        return st.lists(of(args[0]), max_size=3)
    if origin is dict or hint is Any:
        return JSON_OBJECT if origin is dict else st.none()
    if hint is UnknownDisplay:
        return st.builds(UnknownDisplay, st.just("hologram"), JSON_OBJECT)
    if dataclasses.is_dataclass(hint):
        return instances(hint)
    simple: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXT,
        int: NUMBER,
        bool: st.booleans(),
        float: st.floats(0, 1e6, allow_nan=False),
        object: TEXT,
        type(None): st.none(),
    }
    return simple[hint]


def instances(kind: Any) -> st.SearchStrategy[Any]:
    """Give instances of a protocol dataclass with random fields."""
    hints = get_type_hints(kind)
    return st.builds(kind, **{f.name: of(hints[f.name]) for f in dataclasses.fields(kind)})


MESSAGE_KINDS: tuple[type[Message], ...] = get_args(Message)
