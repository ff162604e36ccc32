from __future__ import annotations

import pytest

from agent_tui.tui.output import output_rows
from agent_tui.tui.stack import Stack
from tests.fakes.conversation_host import page


def test_sequences_of_rows_are_one() -> None:
    one, two = output_rows(page(), ["a", "b"]), output_rows(page(), ["c"])
    stack = Stack(one, (), two)
    assert len(stack) == 3
    assert [line.content for line in stack] == ["a", "b", "c"]
    assert stack[2] is two[0] and stack[-1] is two[0]
    assert [line.content for line in stack[1:]] == ["b", "c"]
    with pytest.raises(IndexError):
        stack[3]
    assert len(Stack()) == 0
