from __future__ import annotations

from collections.abc import Iterable

from agent_tui.protocol.content import ToolResultBlock
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import AgentDisplay, FileDisplay, TextDisplay
from agent_tui.protocol.messages import ToolProgress, UserMessage
from agent_tui.protocol.requests import PermissionRequest
from agent_tui.view.blocks import Change, ToolBlock
from agent_tui.view.calls import Calls
from agent_tui.view.notices import WorkEnded
from agent_tui.view.shelf import Shelf


def shelf_of(*blocks: ToolBlock) -> tuple[Shelf, Calls]:
    shelf = Shelf()
    calls = Calls(shelf)
    for block in blocks:
        shelf.add(block)
        calls.expect(block.id)
    return shelf, calls


def done(changes: Iterable[Change]) -> int:
    return len(list(changes))


def block(shelf: Shelf, call_id: str) -> ToolBlock:
    found = shelf.get(call_id)
    assert isinstance(found, ToolBlock)
    return found


def result(
    call_id: str, text: str = "ok", *, error: bool = False
) -> tuple[UserMessage, ToolResultBlock]:
    said = ToolResultBlock(call_id, text, error)
    return UserMessage((said,), display=FileDisplay("a"), duration_ms=5), said


def request(request_id: str, call_id: str, agent_id: str | None = None) -> PermissionRequest:
    shown = TextDisplay("x")
    return PermissionRequest(request_id, "Bash", call_id, {}, shown, "?", "", agent_id=agent_id)


def test_a_result_closes_its_call_and_one_that_comes_too_early_waits_for_it() -> None:
    shelf, calls = shelf_of(ToolBlock("a", "Read"))
    assert done(calls.result(*result("b"))) == 0
    assert done(calls.result(*result("a"))) == 1
    assert (block(shelf, "a").state, block(shelf, "a").looked) == ("done", True)
    shelf.add(ToolBlock("b", "Read"))
    assert done(calls.early_result("b")) == 1 and done(calls.early_result("b")) == 0
    assert block(shelf, "b").state == "done"


def test_what_is_left_without_a_result_is_stopped_once() -> None:
    shelf, calls = shelf_of(ToolBlock("a", "Bash"), ToolBlock("b", "Bash"))
    calls.forget("b")
    assert done(calls.settle()) == 1 and done(calls.settle()) == 0
    assert (block(shelf, "a").state, block(shelf, "b").state) == ("stopped", "queued")


def test_a_question_stays_at_its_call_while_progress_comes() -> None:
    shelf, calls = shelf_of(ToolBlock("a", "Agent", display=AgentDisplay("x", task_id="w")))
    assert done(calls.ask(request("r", "inner", "w"))) == 1
    assert done(calls.progress(ToolProgress("a", "Agent", 7))) == 1
    assert (block(shelf, "a").state, block(shelf, "a").elapsed_ms) == ("asking", 7)
    assert done(calls.answered("r")) == 1
    assert block(shelf, "a").state == "running"
    assert done(calls.answered("unknown")) == 0
    assert done(calls.ask(request("r2", "nowhere", "other"))) == 0


def test_the_first_reason_against_a_call_stays() -> None:
    shelf, calls = shelf_of(ToolBlock("a", "Bash"))
    list(calls.refuse("a", "Bash(rm:*)"))
    list(calls.result(UserMessage(()), ToolResultBlock("a", "no", True)))
    assert done(calls.refuse("a", "refused")) == 0
    assert (block(shelf, "a").state, block(shelf, "a").why) == ("stopped", "Bash(rm:*)")


def test_an_end_is_told_once_and_not_while_the_call_itself_runs() -> None:
    shelf, calls = shelf_of(
        ToolBlock("a", "Bash", state="done", behind="running"),
        ToolBlock("b", "Agent", state="running"),
    )
    ended = WorkEnded("w", "a", "completed", "it ended")
    assert done(calls.work_ended(ended, "n")) == 2
    assert done(calls.work_ended(ended, "n2")) == 1
    assert block(shelf, "a").behind == "completed" and "n" in shelf and "n2" not in shelf
    assert done(calls.work_ended(WorkEnded("v", "b", "completed", "x"), "n3")) == 0


def test_an_older_page_gets_the_results_that_wait_and_nothing_of_it_runs() -> None:
    _, calls = shelf_of()
    list(calls.result(*result("a")))
    older_shelf, older = shelf_of(
        ToolBlock("a", "Read"),
        ToolBlock("b", "Bash"),
        ToolBlock("c", "Bash", state="done", behind="running"),
    )
    calls.join(older)
    states = [(b.state, b.behind) for b in older_shelf if isinstance(b, ToolBlock)]
    assert states == [("done", ""), ("stopped", ""), ("done", "unknown")]


def test_a_call_keeps_who_decided_over_it_and_one_that_was_denied_was_not_run() -> None:
    shelf, calls = shelf_of(ToolBlock("a", "Bash"), ToolBlock("b", "Bash"), ToolBlock("c", "Bash"))
    allowed = DecisionNote("a", by="rule", rule="Bash(ls)")
    denied = DecisionNote("b", "deny", "rule", rule="Bash(rm *)")
    no = DecisionNote("c", "deny", "person", asked_by="mode")
    for note in (allowed, denied, no):
        said = ToolResultBlock(note.tool_use_id, "text", note.behavior == "deny")
        message = UserMessage((said,), decision=note)
        assert done(calls.result(message, said)) == 1
    assert [block(shelf, one).decision for one in "abc"] == [allowed, denied, no]
    assert [block(shelf, one).state for one in "abc"] == ["done", "stopped", "stopped"]
    assert [block(shelf, one).why for one in "abc"] == ["", "Bash(rm *)", "refused"]
