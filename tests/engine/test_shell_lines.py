"""``!`` lines through a whole session: run at once, written down, shown to the model with the next prompt."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import fold
from agent_tui.journal.replay import messages
from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.messages import (
    Message,
    QueueChanged,
    QueuedPrompt,
    ResultMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.ops import EditQueue, Interrupt, Op, Prompt
from tests.engine.sessions import Answers, Place, Talk, texts_of
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio


def ident(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


async def talk(
    place: Place,
    *ops: tuple[Op, ...],
    during: Callable[[Message, Callable[[Op], None]], None] = lambda _message, _send: None,
    results: int = 1,
) -> tuple[Talk, Answers]:
    """Send groups of ops, each when the one before has so many results."""
    heard, answers = Talk(), Answers()

    async def body(opened: OpenSession) -> None:
        heard.journal = opened.journal_path
        with opened.session.subscribe() as said:
            for group in ops:
                for op in group:
                    opened.session.send(op)
                left = results
                async for message in said:
                    heard.heard.append(message)
                    during(message, opened.session.send)
                    left -= isinstance(message, ResultMessage)
                    if not left:
                        break

    await place.run(body, answers)
    return heard, answers


def lines(heard: Talk) -> list[UserMessage]:
    return [
        m
        for m in heard.heard
        if isinstance(m, UserMessage) and isinstance(m.content, str) and "<bash-" in m.content
    ]


async def test_a_line_runs_unasked_and_the_model_sees_it_with_the_next_prompt(place: Place) -> None:
    place.api.enqueue("Seen.")
    heard, answers = await talk(
        place,
        (Prompt("echo one; echo two > made.txt", ident(1), shell=True),),
        (Prompt("what was that?", ident(2)),),
    )
    assert (place.project / "made.txt").read_text() == "two\n"
    assert answers.asked == []
    assert len(place.api.messages) == 1
    sent = "\n".join(text for m in place.api.messages[0].messages for text in texts_of(m))
    assert "<bash-input>echo one; echo two > made.txt</bash-input>" in sent
    assert "<bash-stdout>one</bash-stdout><bash-stderr></bash-stderr>" in sent
    assert sent.index("<bash-input>") < sent.index("what was that?")
    first, second = heard.results
    assert (first.user_message_uuid, first.num_turns, first.is_error) == (ident(1), 0, False)
    assert second.result == "Seen."


async def test_the_folder_it_goes_to_is_the_agents_too(place: Place) -> None:
    (place.project / "below").mkdir()
    place.api.enqueue(reply(tool("Bash", {"command": "pwd"}, id="t1")), "ok")
    heard, _ = await talk(
        place.mode("bypassPermissions"),
        (Prompt("cd below", ident(1), shell=True),),
        (Prompt("where?", ident(2)),),
    )
    assert str(heard.tool_results[0].content).endswith("/below")


async def test_a_line_that_fails_is_no_failed_run(place: Place) -> None:
    heard, _ = await talk(place, (Prompt("echo oh >&2; exit 3", ident(1), shell=True),))
    assert not heard.result.is_error
    begun, ended = lines(heard)
    assert begun.display == CommandDisplay("echo oh >&2; exit 3", cwd=str(place.project))
    assert isinstance(ended.display, CommandDisplay)
    assert (ended.display.exit_code, ended.display.head) == (3, ("oh",))


async def test_several_lines_at_once(place: Place) -> None:
    heard, _ = await talk(place, (Prompt("for i in 1 2\ndo\necho $i\ndone", ident(1), shell=True),))
    assert "<bash-stdout>1\n2</bash-stdout>" in str(lines(heard)[1].content)


async def test_esc_stops_it_and_what_was_seen_is_kept(place: Place) -> None:
    def during(message: Message, send: Callable[[Op], None]) -> None:
        display = message.display if isinstance(message, ToolProgress) else None
        if isinstance(display, CommandDisplay) and "begun" in display.tail:
            send(Interrupt())

    line = Prompt("echo begun; sleep 30.125", ident(1), shell=True)
    heard, _ = await talk(place, (line,), during=during)
    ended = lines(heard)[1]
    assert isinstance(ended.display, CommandDisplay)
    assert ended.display.interrupted
    assert "begun" in str(ended.content)
    assert "interrupted" in str(ended.content)
    assert heard.result.subtype == "error_during_execution"


async def test_while_a_run_goes_it_waits_in_the_queue_and_never_joins_the_run(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", {"command": "true"}, id="t1")), "done")
    queued: list[tuple[QueuedPrompt, ...]] = []

    def during(message: Message, send: Callable[[Op], None]) -> None:
        if isinstance(message, QueueChanged):
            queued.append(message.items)
        if isinstance(message, UserMessage) and message.uuid == ident(1):
            send(Prompt("echo later", ident(2), now=True, shell=True))

    heard, _ = await talk(
        place.mode("bypassPermissions"), (Prompt("go", ident(1)),), during=during, results=2
    )
    assert (QueuedPrompt(ident(2), "echo later", shell=True),) in queued
    assert "echo later" not in json.dumps([r.messages for r in place.api.messages])
    assert [r.user_message_uuid for r in heard.results] == [ident(1), ident(2)]
    assert "<bash-stdout>later</bash-stdout>" in str(lines(heard)[1].content)


async def test_an_edited_item_of_the_queue_is_still_a_line_for_the_shell(place: Place) -> None:
    place.api.enqueue("done")

    def during(message: Message, send: Callable[[Op], None]) -> None:
        if isinstance(message, UserMessage) and message.uuid == ident(1):
            send(Prompt("echo old", ident(2), shell=True))
            send(EditQueue((QueuedPrompt(ident(3), "echo new", shell=True),)))

    heard, _ = await talk(place, (Prompt("go", ident(1)),), during=during, results=2)
    assert lines(heard)[0].content == "<bash-input>echo new</bash-input>"
    assert len(place.api.messages) == 1


async def test_what_only_looks_like_a_line_goes_to_the_model(place: Place) -> None:
    place.api.enqueue("What do you mean?")
    heard, _ = await talk(place, (Prompt("!touch made.txt", ident(1)),))
    assert heard.result.result == "What do you mean?"
    assert not (place.project / "made.txt").exists()


async def test_what_is_read_back_is_what_was_said(place: Place) -> None:
    heard, _ = await talk(place, (Prompt("echo hello", ident(1), shell=True),))
    read = [m for m in messages(Reading(heard.journal)) if isinstance(m, UserMessage)]
    assert read == lines(heard)


async def test_a_session_is_not_named_after_it(place: Place) -> None:
    place.api.enqueue("ok")
    heard, _ = await talk(
        place, (Prompt("echo hello", ident(1), shell=True),), (Prompt("fix the login", ident(2)),)
    )
    assert fold(Reading(heard.journal)).title == "fix the login"
