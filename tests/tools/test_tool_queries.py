"""Queries for deferred tools."""

from __future__ import annotations

import pytest

from agent_tui.protocol.ports import ShelvedTool
from agent_tui.tools.tool_queries import Query, find_tools, read_query

SHELF = (
    ShelvedTool("NotebookEdit", "Changes a cell of a notebook."),
    ShelvedTool("mcp__mail__list", "Lists messages in a folder."),
    ShelvedTool("mcp__mail__send", "Sends a message by mail or slack."),
    ShelvedTool("mcp__slack__send_message", "Posts into a channel."),
)


def found(text: str, limit: int = 5) -> tuple[str, ...]:
    return find_tools(read_query(text), SHELF, limit)


def test_queries_are_read() -> None:
    assert read_query("select: A,b ,, A") == Query(names=("A", "b"))
    assert read_query("+slack Send-it now") == Query((), ("slack",), ("send", "it", "now"))
    assert read_query("  ") == Query()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("select:mcp__mail__send,Nobody,notebookedit", ("mcp__mail__send", "NotebookEdit")),
        ("notebook", ("NotebookEdit",)),
        ("slack", ("mcp__slack__send_message", "mcp__mail__send")),
        ("+slack list", ("mcp__slack__send_message", "mcp__mail__send")),
        ("+folder", ("mcp__mail__list",)),
        ("send", ("mcp__mail__send", "mcp__slack__send_message")),
        ("zebra", ()),
        ("+zebra mail", ()),
        ("select:", ()),
    ],
)
def test_tools_are_found(text: str, names: tuple[str, ...]) -> None:
    assert found(text) == names


def test_no_more_than_asked_for() -> None:
    assert len(found("mail slack notebook", 2)) == 2
    assert len(found("select:NotebookEdit,mcp__mail__list,mcp__mail__send", 2)) == 3
