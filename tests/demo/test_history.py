from __future__ import annotations

from typing import Any

import pytest

from agent_tui.demo.history import SUMMARY_MARK, TOUR_END, History, step_of, wants_summary


def user(*content: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(content)}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def call(name: str, call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": {"a": 1}}


def test_a_call_and_its_result_are_brought_together() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_demo_look_1", "content": "a\n\nb"}
    history = History.of(
        {
            "messages": [
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": [call("Glob", "toolu_demo_look_1")]},
                user(result),
            ]
        }
    )
    (done,) = history.calls
    assert (done.step, done.name, done.lines, done.failed) == ("look", "Glob", ("a", "b"), False)
    assert history.call("look", "Glob") == done
    assert history.call("read", "Glob") is None
    assert not history.answering


def test_a_result_in_blocks_and_an_error_are_read() -> None:
    blocks = [text("one"), {"type": "image"}, text("two")]
    result = {"type": "tool_result", "tool_use_id": "x", "content": blocks, "is_error": True}
    history = History.of(
        {"messages": [{"role": "assistant", "content": [call("Read", "x")]}, user(result)]}
    )
    assert history.calls[0].result == "one\ntwo"
    assert history.calls[0].failed
    assert history.calls[0].step == ""


def test_the_newest_text_that_is_no_reminder_is_the_prompt() -> None:
    history = History.of(
        {
            "messages": [
                user(text("<system-reminder>CLAUDE.md says</system-reminder>"), text("first")),
                {"role": "assistant", "content": "yes"},
                user(text("second <system-reminder>x\ny</system-reminder>")),
            ]
        }
    )
    assert (history.prompt, history.prompts, history.answering) == ("second", 2, True)


@pytest.mark.parametrize(
    ("system", "folder"),
    [
        ("Working directory: /home/x/a b\nPlatform: linux", "/home/x/a b"),
        ([{"type": "text", "text": "- Working directory: `/srv/code`."}], "/srv/code"),
        ("working folder is unknown", ""),
        (None, ""),
    ],
)
def test_the_folder_is_read_from_the_system_prompt(system: object, folder: str) -> None:
    assert History.of({"system": system}).folder == folder


def test_the_folder_is_read_from_a_reminder_but_not_from_a_prompt() -> None:
    told = "<system-reminder>Here.\nWorking directory: /home/x/shop\nToday</system-reminder>"
    assert History.of({"messages": [user(text(told), text("go"))]}).folder == "/home/x/shop"
    assert History.of({"messages": [user(text("cwd: /etc"))]}).folder == ""


def test_the_word_tour_starts_anew_only_after_the_end() -> None:
    begun = [user(text("a tour please")), {"role": "assistant", "content": [call("Glob", "x")]}]
    assert not History.of({"messages": begun}).toured
    ended = [*begun, {"role": "assistant", "content": f"{TOUR_END} Bye."}]
    assert History.of({"messages": ended}).toured
    assert not History.of({"messages": [*ended, user(text("Tour again"))]}).toured
    assert History.of({"messages": [*ended, user(text("tournament"))]}).toured


def test_a_summary_tells_whether_the_tour_was_given() -> None:
    whole = History.of({"messages": [user(text(f"{SUMMARY_MARK}. {TOUR_END}"))]})
    begun = History.of({"messages": [user(text(f"{SUMMARY_MARK}. Not yet."))]})
    assert (whole.toured, begun.toured) == (True, False)
    assert not wants_summary(f"{SUMMARY_MARK}, 3 prompts")
    assert wants_summary("Please write a Summary")


@pytest.mark.parametrize(
    "body", [{}, {"messages": "x", "tools": 3, "system": {}}, {"messages": [1]}]
)
def test_what_is_malformed_counts_as_absent(body: dict[str, Any]) -> None:
    assert History.of(body) == History()


def test_only_our_ids_name_a_step() -> None:
    assert step_of("toolu_demo_propose_00ff1") == "propose"
    assert step_of("toolu_01ABC") == ""
