from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.protocol.codec import from_json, to_json, union_from_json
from agent_tui.protocol.display import Display, FileDisplay, UnknownDisplay
from agent_tui.protocol.ops import OPS, Answer, Op
from agent_tui.protocol.queries import QUERIES, REPLIES
from agent_tui.protocol.requests import Allow, Deny, PermissionRequest
from tests.protocol.strategies import instances


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(to_json(value)))


@given(st.one_of([instances(op) for op in OPS]))
def test_every_op_survives_json(op: Op) -> None:
    assert union_from_json(OPS, through_json(op)) == op


@given(st.one_of([instances(query) for query in QUERIES]))
def test_every_query_survives_json(query: Any) -> None:
    assert union_from_json(QUERIES, through_json(query)) == query


@given(st.one_of([instances(reply).map(lambda value: value) for reply in REPLIES.values()]))
def test_every_reply_survives_json(reply: Any) -> None:
    kind = cast("type[Any]", type(reply))
    assert from_json(kind, through_json(reply)) == reply


def test_an_answer_is_told_apart_by_its_behavior() -> None:
    for answer in (Allow(note="x"), Deny("no", interrupt=True)):
        assert union_from_json(OPS, through_json(Answer("1", answer))) == Answer("1", answer)


def test_defaults_are_left_out() -> None:
    assert to_json(FileDisplay("a.py")) == {"path": "a.py", "kind": "file"}


def test_a_display_of_a_newer_peer_is_kept() -> None:
    request = PermissionRequest("1", "X", "t", {}, FileDisplay("a"), "t?", "why")
    data = through_json(request)
    data["display"] = {"kind": "hologram", "depth": 3}
    read = from_json(PermissionRequest, data)
    assert read.display == UnknownDisplay("hologram", {"kind": "hologram", "depth": 3})


def test_unknown_fields_are_ignored_and_wrong_ones_refused() -> None:
    assert from_json(FileDisplay, {"path": "a", "novel": 1}) == FileDisplay("a")
    with pytest.raises(ValueError, match="FileDisplay"):
        from_json(FileDisplay, {"path": 5})
    with pytest.raises(ValueError, match="unknown kind"):
        union_from_json(OPS, {"kind": "fly"})


def test_a_display_union_reads_each_kind() -> None:
    hint: Any = Display | None
    assert from_json(hint, {"kind": "file", "path": "a"}) == FileDisplay("a")
    assert from_json(hint, None) is None
