from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.link.base import EngineUp, OpenFailed
from agent_tui.link.wire import (
    Answered,
    Ask,
    Bye,
    Gap,
    Here,
    ask_line,
    bye_line,
    failed_line,
    gap_line,
    here_line,
    message_line,
    op_line,
    read_downward,
    read_reply,
    read_upward,
    reply_line,
    up_line,
)
from agent_tui.protocol.messages import StreamEvent, SystemMessage
from agent_tui.protocol.ops import OPS, Op
from agent_tui.protocol.queries import (
    Complete,
    Completion,
    Completions,
    Failed,
    Page,
    Sessions,
)
from tests.protocol.strategies import MESSAGE_KINDS, instances


@given(st.one_of([instances(op) for op in OPS]))
def test_every_op_crosses(op: Op) -> None:
    line = op_line(op)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert read_upward(line) == op


@given(st.one_of([instances(k) for k in MESSAGE_KINDS if k is not SystemMessage]))
def test_every_message_crosses(message: Any) -> None:
    line = message_line(message)
    assert line.count(b"\n") == 1
    assert read_downward(line) == message


def test_what_is_told_to_one_who_watches_crosses() -> None:
    here = Here("s1", "/p", "Tidy up", 7)
    assert read_downward(here_line(here)) == here
    assert read_downward(gap_line()) == Gap()
    assert read_downward(bye_line()) == Bye()


def test_queries_and_replies_find_each_other() -> None:
    query = Complete("file", "mai")
    assert read_upward(ask_line(Ask(7, query))) == Ask(7, query)
    reply = Completions((Completion("src/main.py", "", (4, 5, 6)),), partial=True)
    heard = read_downward(reply_line(7, reply))
    assert isinstance(heard, Answered)
    assert heard.id == 7
    assert read_reply(query, heard.data) == reply
    failed = read_downward(reply_line(8, Failed("no")))
    assert isinstance(failed, Answered)
    assert read_reply(Page(), failed.data) == Failed("no")


def test_the_links_own_lines() -> None:
    assert read_downward(up_line(restarted=True)) == EngineUp(True)
    assert read_downward(failed_line(OpenFailed("gone", "session"))) == OpenFailed(
        "gone", "session"
    )
    assert read_downward(b'{"type":"link","event":"novel"}') is None
    assert read_downward(b'{"type":"novel"}') is None


def test_a_line_that_is_none_is_refused() -> None:
    for raw in (b"[]", b"nonsense", b'{"ask":1,"query":{"kind":"novel"}}'):
        with pytest.raises(ValueError):
            read_upward(raw)


def test_undecodable_names_cross_unchanged() -> None:
    event = StreamEvent("u", "s", {"name": "\udcff.txt"})
    assert read_downward(message_line(event)) == event
    assert read_upward(ask_line(Ask(1, Sessions("/tmp/\udcff")))) == Ask(1, Sessions("/tmp/\udcff"))
