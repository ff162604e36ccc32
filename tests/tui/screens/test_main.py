from __future__ import annotations

import json
import os

import pytest
from rich.style import Style
from textual import events

from agent_tui.link.base import EngineLost, EngineUp, OpenFailed
from agent_tui.protocol import ops
from agent_tui.protocol.content import (
    JsonObject,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_tui.protocol.messages import (
    AssistantMessage,
    QueueChanged,
    QueuedPrompt,
    StreamEvent,
    UserMessage,
)
from agent_tui.protocol.queries import Complete, Completion, Completions, MessagePage, Page
from agent_tui.protocol.records import to_record
from agent_tui.settings.options import Options, SessionOptions
from agent_tui.settings.paths import Environment, drafts, input_history
from agent_tui.tui.screens.main import DRAFT_PAUSE
from agent_tui.view.blocks import ThoughtBlock, ToolBlock
from tests.tui.scenes import PROMPT, SESSION, busy, looked, main_scene, status
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio

TWO = (QueuedPrompt("q1", "first of two"), QueuedPrompt("q2", "second of two"))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def env() -> Environment:
    return Environment.of_process()


# -- typing and sending --------------------------------------------------------------------------


async def test_i4_keys_show_and_prompts_wait_before_the_engine_is_there() -> None:
    async with running(up=False) as on:
        await on.type("hello there")
        assert on.rows_of(on.main.prompt) == [" › hello there"]
        await on.press("enter")
        (prompt,) = on.link.of(ops.Prompt)
        assert prompt.text == "hello there"
        assert "1 waiting for the engine" in on.rows_of(on.main.rule)[0]
        assert on.rows_of(on.main.queue) == [" 1 hello there"]
        await on.type("more")
        await on.say(EngineUp(), status(), UserMessage("hello there", uuid=prompt.uuid))
        assert on.main.prompt.value == "more"
        assert not on.main.queue.items
        assert any(row.startswith(" › hello there") for row in on.rows)


async def test_the_session_is_opened_with_the_options() -> None:
    async with running(up=False) as on:
        (opening,) = on.link.of(ops.Open)
        assert Options.from_json(opening.options) == on.main.options


async def test_the_first_prompt_is_sent_at_once() -> None:
    async with running(up=False, first_prompt="from the command line") as on:
        assert [p.text for p in on.link.of(ops.Prompt)] == ["from the command line"]
        assert isinstance(on.link.sent[0], ops.Open)


async def test_enter_sends_and_empties_the_editor() -> None:
    async with running() as on:
        await on.type("do it")
        await on.press("enter")
        assert on.main.prompt.value == ""
        assert [p.text for p in on.link.of(ops.Prompt)] == ["do it"]
        await on.press("enter")
        assert len(on.link.of(ops.Prompt)) == 1


async def test_prompts_typed_ahead_in_one_go_stay_apart() -> None:
    async with running() as on:
        for key in ("a", "enter", "b", "c", "enter", "d"):
            on.app.post_message(events.Key(key, key if len(key) == 1 else "\r"))
        await on.settle()
        assert [prompt.text for prompt in on.link.of(ops.Prompt)] == ["a", "bc"]
        assert on.main.prompt.value == "d"


async def test_u6_a_paste_is_not_sent_and_twenty_thousand_lines_are_sent_whole() -> None:
    async with running() as on:
        on.app.screen.post_message(events.Paste("line 1\r\nline\t2\nline 3\n"))
        await on.settle()
        assert not on.link.of(ops.Prompt)
        assert on.main.prompt.value == "line 1\nline\t2\nline 3\n"
        on.main.prompt.set_value("")
        text = "\n".join(f"row {n}" for n in range(20_000))
        on.app.screen.post_message(events.Paste(text))
        await on.settle()
        assert on.rows_of(on.main.prompt) == [" › [pasted 20,000 lines]"]
        await on.press("enter")
        assert [p.text for p in on.link.of(ops.Prompt)] == [text]


async def test_typing_works_wherever_the_focus_is() -> None:
    async with running() as on:
        on.main.conversation.focus()
        await on.settle()
        await on.type("abc")
        assert on.main.prompt.value == "abc"
        assert on.main.prompt.has_focus


async def test_the_editor_grows_to_a_third_of_the_screen() -> None:
    async with running(size=(80, 30)) as on:
        await on.type("\n".join("abcdefghijklmnop"))
        assert on.main.prompt.size.height == 10


async def test_u7_the_terminals_cursor_is_in_the_editor() -> None:
    async with running() as on:
        await on.type("あいうABC")
        await on.press("left", "left")
        assert on.app.cursor_position == (3 + 7, on.main.prompt.region.y)
        await on.press("left", "backspace")
        assert on.main.prompt.value == "あいABC"


# -- modes, queue, stash -------------------------------------------------------------------------


async def test_prompts_sent_while_busy_come_back_as_a_queue() -> None:
    async with running() as on:
        await on.say(busy(), QueueChanged(TWO))
        assert on.rows_of(on.main.queue) == [" 1 first of two", " 2 second of two"]
        rule = on.rows_of(on.main.rule)[0]
        assert rule.startswith("── 2 queued ─")
        assert rule.endswith(" ctrl+q edit, reorder, send now ──")


async def test_the_queue_is_edited() -> None:
    async with running() as on:
        await on.say(busy(), QueueChanged(TWO))
        await on.press("ctrl+q", "J")
        assert [i.uuid for i in on.link.of(ops.EditQueue)[-1].items] == ["q2", "q1"]
        assert "esc back" in on.rows_of(on.main.rule)[0]
        await on.press("d")
        assert [i.uuid for i in on.link.of(ops.EditQueue)[-1].items] == ["q2"]
        await on.press("escape")
        assert on.main.prompt.has_focus


async def test_an_item_is_sent_now() -> None:
    async with running() as on:
        await on.say(busy(), QueueChanged(TWO))
        await on.press("ctrl+q", "down", "enter")
        assert [i.uuid for i in on.link.of(ops.EditQueue)[-1].items] == ["q1"]
        sent = on.link.of(ops.Prompt)[-1]
        assert (sent.text, sent.uuid, sent.now) == ("second of two", "q2", True)


async def test_an_item_is_edited_and_goes_back_to_its_place() -> None:
    async with running() as on:
        await on.say(busy(), QueueChanged(TWO))
        await on.type("draft")
        await on.press("ctrl+q", "e")
        assert on.main.prompt.value == "first of two"
        await on.say(QueueChanged(TWO[1:]))
        await on.type("!")
        await on.press("enter")
        assert [i.text for i in on.link.of(ops.EditQueue)[-1].items] == [
            "first of two!",
            "second of two",
        ]
        await on.press("ctrl+s")
        assert on.main.prompt.value == "draft"


async def test_a_draft_is_put_aside_and_comes_back() -> None:
    async with running() as on:
        await on.type("later")
        await on.press("ctrl+s")
        assert on.main.prompt.value == ""
        assert "1 put aside" in on.rows_of(on.main.rule)[0]
        await on.press("ctrl+s")
        assert on.main.prompt.value == "later"


# -- completion, history, draft ------------------------------------------------------------------


def files(query: Complete) -> Completions:
    found = [f for f in ("src/auth.py", "src/あ.py", "docs/api.md") if query.text in f]
    return Completions(tuple(Completion(f) for f in found))


async def test_a_file_is_completed_through_the_engine() -> None:
    async with running(replies={Complete: files}) as on:
        await on.type("see @au")
        assert on.rows_of(on.main.popup) == [" › src/auth.py"]
        await on.press("tab")
        assert on.main.prompt.value == "see @src/auth.py "
        assert not on.main.popup.display


async def test_commands_of_screen_and_engine_are_one_list() -> None:
    both = Completions((Completion("compact", "Summarise now"), Completion("cost", "What it cost")))
    async with running(replies={Complete: both}) as on:
        await on.type("/co")
        rows = on.rows_of(on.main.popup)
        assert rows[0].startswith(" › /compact")
        assert [row.split()[0] for row in rows[1:]] == ["/copy", "/cost", "/resume"]


async def test_a_command_of_the_screen_is_not_sent() -> None:
    async with running() as on:
        await on.type("/theme light")
        await on.press("enter")
        assert not on.link.of(ops.Prompt)
        assert on.app.theme == "light"
        await on.type("/compact now")
        await on.press("enter")
        assert [p.text for p in on.link.of(ops.Prompt)] == ["/compact now"]


async def test_what_was_sent_is_in_the_history_of_the_project_file() -> None:
    async with running() as on:
        await on.type("one")
        await on.press("enter")
        await on.type("two")
        await on.press("enter", "up", "up")
        assert on.main.prompt.value == "one"
    lines = [json.loads(line) for line in input_history(env()).read_text().splitlines()]
    assert [line["display"] for line in lines] == ["one", "two"]
    async with running() as on:
        await on.press("up")
        assert on.main.prompt.value == "two"


async def test_the_draft_is_on_disk_shortly_after_a_key() -> None:
    async with running() as on:
        await on.type("unfinished")
        await on.pilot.pause(DRAFT_PAUSE + 0.1)
        (path,) = drafts(env()).iterdir()
        assert json.loads(path.read_text())["text"] == "unfinished"
        assert str(os.getpid()) in path.name


async def test_the_draft_survives_leaving_and_up_brings_it_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running() as on:
        await on.type("unfinished")
        on.app.leave()
    (path,) = drafts(env()).iterdir()
    path.rename(path.with_name(path.name.replace(str(os.getpid()), "999999999")))
    async with running() as on:
        await on.press("up")
        assert on.main.prompt.value == "unfinished"


# -- the engine ----------------------------------------------------------------------------------


def past() -> MessagePage:
    return MessagePage(tuple(to_record(m) for m in [UserMessage(PROMPT, uuid="p1"), *looked()]), False)  # fmt: skip


async def test_a_resumed_session_shows_its_last_page() -> None:
    options = Options(cwd=os.getcwd(), session=SessionOptions(resume="abc"))
    async with running(options=options, replies={Page: past()}) as on:
        assert any(PROMPT in row for row in on.rows)
        assert any(row.startswith(" ● Read") for row in on.rows)


async def test_a_new_session_asks_for_no_page() -> None:
    async with running() as on:
        assert not [q for q in on.link.asked if isinstance(q, Page)]


async def test_what_is_said_while_the_page_is_on_its_way_stands_behind_it() -> None:
    options = Options(cwd=os.getcwd(), session=SessionOptions(continue_newest=True))
    async with running(options=options, up=False, replies={Page: past()}) as on:
        await on.say(EngineUp(), status(), UserMessage("the newest", uuid="n1"))
        shown = on.text
        assert shown.index(PROMPT) < shown.index("the newest")


async def test_a_lost_engine_is_said_and_its_prompts_come_back() -> None:
    async with running(replies={Page: past()}) as on:
        await on.say(busy())
        lost = EngineLost("it was ended by SIGKILL", unsent=(QueuedPrompt("q1", "not begun"),))
        await on.say(lost)
        assert "it was ended by SIGKILL" in on.text
        assert on.main.prompt.value == "not begun"
        assert not on.main.working.display
        await on.say(EngineUp(restarted=True), status())
        assert PROMPT in on.text
        assert "The engine stopped and was started again" in on.text
        await on.press("enter")
        assert on.link.of(ops.Prompt)[-1].text == "not begun"


async def test_a_draft_is_not_overwritten_by_prompts_that_come_back() -> None:
    async with running() as on:
        await on.type("my draft")
        await on.say(EngineLost("gone", unsent=(QueuedPrompt("q1", "not begun"),)))
        assert on.main.prompt.value == "my draft"
        await on.press("up")
        assert on.main.prompt.value == "not begun"


async def test_an_engine_that_does_not_come_back_is_told_apart() -> None:
    async with running() as on:
        await on.say(EngineLost("it died four times", restarting=False))
        assert "does not come back by itself" in on.text
        await on.type("too late")
        assert len(on.links) == 1


async def test_enter_starts_an_engine_again_that_did_not_come_back() -> None:
    async with running() as on:
        await on.say(UserMessage("said once", uuid="u1"), EngineLost("it died", restarting=False))
        await on.type("go on")
        await on.press("enter")
        assert on.links[0].closed and len(on.links) == 2
        (opened,) = on.link.of(ops.Open)
        assert Options.from_json(opened.options).session.resume == SESSION
        assert not on.link.of(ops.Prompt)
        assert on.main.prompt.value == "go on"
        await on.say(EngineUp(), status())
        await on.press("enter")
        assert [op.text for op in on.link.of(ops.Prompt)] == ["go on"]


async def test_an_engine_that_never_said_anything_is_started_with_what_it_was_to_open() -> None:
    async with running() as on:
        await on.say(EngineLost("it died", restarting=False))
        await on.press("enter")
        (opened,) = on.link.of(ops.Open)
        assert Options.from_json(opened.options).session.resume is None


async def test_a_session_that_cannot_be_opened_again_stays_in_sight() -> None:
    async with running() as on:
        await on.say(status(), UserMessage("said once", uuid="u1"))
        await on.say(EngineLost("it died", restarting=True), OpenFailed("There is no session s."))
        assert on.app.is_running
        assert any("said once" in row for row in on.rows)
        assert "does not come back by itself: There is no session s." in " ".join(on.text.split())


async def test_older_pages_are_asked_for_at_the_top() -> None:
    pages: list[str | None] = []

    def reply(query: Page) -> MessagePage:
        pages.append(query.before)
        if query.before is None:
            many = [UserMessage(f"prompt {n}", uuid=f"p{n}") for n in range(60)]
            return MessagePage(tuple(map(to_record, many)), True)
        return MessagePage((to_record(UserMessage("the very first", uuid="p-1")),), False)

    options = Options(cwd=os.getcwd(), session=SessionOptions(resume="abc"))
    async with running(options=options, replies={Page: reply}) as on:
        assert pages == [None]
        await on.press("ctrl+home")
        assert pages == [None, "p0"]
        await on.press("ctrl+home")
        assert "the very first" in on.text


# -- layout --------------------------------------------------------------------------------------


async def test_the_main_screen_has_every_part_at_its_row() -> None:
    async with running(up=False) as on:
        await on.say(*main_scene())
        await on.type("and bump the version to ")
        rows = on.rows
        assert rows[0].startswith(f" › {PROMPT}")
        assert rows[35].startswith("── 2 queued ─")
        assert rows[36] == " 1 add a test for a clock that is one minute off"
        assert rows[38] == " › and bump the version to"
        assert rows[39].startswith(" sonnet  default  turn 4  context ━━────── 31% of 200k")
        assert rows[33].endswith("4 turns   8.1k tok   $0.0312   41 s")
        assert rows[34] == ""


async def test_a_low_screen_folds_the_queue_and_drops_blank_rows() -> None:
    async with running(size=(80, 20)) as on:
        await on.say(busy(), QueueChanged(TWO))
        rows = on.rows
        assert rows[17].startswith("── 2 queued ─")
        assert rows[16].startswith(" ◐ Working")
        assert "2q" in rows[19]


# -- square brackets -----------------------------------------------------------------------------

BRACKETS = 'use [/] and [/bold] or [red]x, list[0], [link=file:///x]y, [b + "'


def streamed(kind: str) -> list[StreamEvent]:
    """A block of such a kind, a character at a time."""
    field = {"text": "text", "thinking": "thinking"}[kind]
    events: list[JsonObject] = [
        {"type": "message_start", "message": {"id": f"m-{kind}"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": kind, field: ""}},
    ]
    events += [
        {"type": "content_block_delta", "index": 0, "delta": {"type": f"{kind}_delta", field: char}}
        for char in BRACKETS
    ]
    return [StreamEvent(f"e{n}", SESSION, event) for n, event in enumerate(events)]


def painted(on: Stage) -> list[list[Style]]:
    """The styles of each row from the brackets on."""
    pane = on.main.conversation
    found: list[list[Style]] = []
    for strip in pane.render_lines(pane.size.region):
        at = strip.text.find(BRACKETS)
        if at >= 0:
            found.append([s.style for s in strip.crop(at, at + len(BRACKETS)) if s.style])
    return found


async def test_u1_square_brackets_are_text_in_an_answer_a_thought_and_a_result() -> None:
    async with running() as on:
        await on.say(busy(), UserMessage("go", uuid="u1"))
        for kind in ("thinking", "text"):
            for event in streamed(kind):
                await on.say(event)
            if kind == "text":
                assert any(BRACKETS in row for row in on.rows), "while it streams"
            whole = ThinkingBlock(BRACKETS, "s") if kind == "thinking" else TextBlock(BRACKETS)
            await on.say(AssistantMessage((whole,), "m", message_id=f"m-{kind}", uuid=f"a-{kind}"))
        call = ToolUseBlock("t1", "Strange", {"x": "[red]"})
        await on.say(AssistantMessage((call,), "m", message_id="m3", uuid="a3"))
        await on.say(UserMessage((ToolResultBlock("t1", BRACKETS, True),), uuid="r1"))
        for block in on.main.pump.transcript.blocks:
            if isinstance(block, ThoughtBlock | ToolBlock):
                on.main.conversation.toggle(block.id)
        await on.settle()
        assert sum(BRACKETS in row for row in on.rows) >= 3, on.text
        for styles in painted(on):
            assert not any(style.link or style.underline for style in styles)
            assert len({style.color for style in styles}) == 1


async def test_u2_an_answer_is_copied_without_codes() -> None:
    async with running() as on:
        evil = "one\ttwo \x1b]52;c;aGk=\x07\x1b[2J\x1bc\x9b31m end"
        await on.say(AssistantMessage((TextBlock(evil),), "m", message_id="m1", uuid="a1"))
        on.main.doing.copy(on.main.doing.answers()[-1])
        assert on.app.clipboard == "one\ttwo  end"
