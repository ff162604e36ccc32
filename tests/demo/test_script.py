from __future__ import annotations

import copy
import subprocess
from pathlib import Path

import pytest

from agent_tui.demo.history import SUMMARY_MARK, TOUR_END
from agent_tui.demo.script import COUNTDOWN, reply
from agent_tui.protocol.content import ThinkingBlock, ToolUseBlock
from tests.demo.scene import ALL_TOOLS, Scene, text_of


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "README.md").write_text("# The shop\n\nSells things.\n", "utf-8")
    (folder / "cart.py").write_text("# TODO: taxes\ntotal = 0  # TODO: round\n", "utf-8")
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=folder, check=True)
    subprocess.run(["git", "add", "README.md"], cwd=folder, check=True)
    subprocess.run(["git", "commit", "-qm", "one"], cwd=folder, check=True)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {p.name: p.read_text("utf-8") for p in folder.iterdir() if p.is_file()}


def test_the_tour_looks_reads_proposes_runs_and_tells_what_is_true(repository: Path) -> None:
    scene = Scene(repository)
    replies = scene.say("add taxes to the cart")
    steps = [[call.name for call in r.blocks if isinstance(call, ToolUseBlock)] for r in replies]
    assert steps == [["Grep", "Glob", "Bash"], ["Read", "Grep"], ["Write"], ["Bash"], []]
    assert [r.stop_reason for r in replies] == ["tool_use"] * 4 + ["end_turn"]
    assert "scripted demo" in text_of(replies[0])
    assert "2 files with text here: `README.md`, `cart.py`." in text_of(replies[1])
    assert "On branch `main`, 1 change." in text_of(replies[1])
    assert "`README.md` begins with “The shop”." in text_of(replies[2])
    assert "2 lines hold a TODO or FIXME." in text_of(replies[2])
    assert "Approved and written" in text_of(replies[3])
    end = text_of(replies[4])
    assert TOUR_END in end
    assert "| Edit | `agent-tui-demo.md` |" in end
    assert "I changed that one file" in end


def test_an_approved_edit_is_one_file_in_the_working_folder(repository: Path) -> None:
    before = contents(repository)
    Scene(repository).say("go")
    after = contents(repository)
    scratch = after.pop("agent-tui-demo.md")
    assert after == before
    assert "`README.md` begins with “The shop”." in scratch
    assert scratch.endswith("- Tours given: 1\n")


def test_a_refused_edit_leaves_the_folder_as_it_was_and_the_words_are_quoted(
    repository: Path,
) -> None:
    before = contents(repository)
    scene = Scene(repository, gate=lambda c: "use docs/ instead" if c.name == "Write" else None)
    replies = scene.say("go")
    assert contents(repository) == before
    assert "Nothing was written. The answer was:\n\n> use docs/ instead" in text_of(replies[3])
    assert "| Edit | not allowed |" in text_of(replies[4])
    assert "I changed nothing at all" in text_of(replies[4])


def test_nothing_may_run_the_tour_still_ends(repository: Path) -> None:
    before = contents(repository)
    replies = Scene(repository, gate=lambda c: "denied").say("go")
    assert contents(repository) == before
    assert TOUR_END in text_of(replies[-1])
    assert "The look around gave nothing to go by." in text_of(replies[1])


def test_a_folder_without_git_is_told_from_one_where_git_failed(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("\n\nShopping\n", "utf-8")
    replies = Scene(tmp_path).say("go")
    assert "This folder is in no git repository." in text_of(replies[1])
    assert "`notes.txt` begins with “Shopping”." in text_of(replies[2])
    refused = Scene(tmp_path, gate=lambda c: "denied" if c.name == "Bash" else None).say("go")
    assert "git repository" not in text_of(refused[1])


def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path) -> None:
    replies = Scene(tmp_path).say("go")
    assert "No file with text is here, ignored ones aside." in text_of(replies[1])
    assert TOUR_END in text_of(replies[-1])


@pytest.mark.parametrize("missing", ALL_TOOLS)
def test_a_tool_that_is_not_offered_is_not_called(repository: Path, missing: str) -> None:
    scene = Scene(repository, tools=tuple(name for name in ALL_TOOLS if name != missing))
    replies = scene.say("go")
    assert missing not in {call.name for call in scene.calls}
    assert TOUR_END in text_of(replies[-1])


def test_without_any_tool_it_says_so(tmp_path: Path) -> None:
    (only,) = Scene(tmp_path, tools=()).say("go")
    assert "no tool that it knows is on offer" in text_of(only)


def test_a_second_tour_edits_the_scratch_file_of_the_first(repository: Path) -> None:
    scene = Scene(repository)
    scene.say("go")
    scene.say("the tour once more")
    edit = scene.calls[-2]
    assert edit.name == "Edit"
    assert edit.input["old_string"] == "Tours given: 1"
    assert contents(repository)["agent-tui-demo.md"].endswith("- Tours given: 2\n")


def test_a_persons_own_file_of_that_name_is_left_alone(repository: Path) -> None:
    (repository / "agent-tui-demo.md").write_text("mine\n", "utf-8")
    Scene(repository).say("go")
    assert contents(repository)["agent-tui-demo.md"] == "mine\n"
    assert "Tours given: 1" in contents(repository)["agent-tui-demo-2.md"]


def test_a_tour_that_was_stopped_at_the_question_goes_on_with_the_next_prompt(
    repository: Path,
) -> None:
    scene = Scene(repository)
    scene.say("go")
    del scene.messages[7:]  # the edit was proposed and answered, then the run ended
    scene.messages[6]["content"][0] |= {"content": "The person said no.", "is_error": True}
    replies = scene.say("hello?")
    assert "On with the tour" in text_of(replies[0])
    assert "> The person said no." in text_of(replies[0])
    last = replies[0].blocks[-1]
    assert isinstance(last, ToolUseBlock)
    assert last.input["command"] == COUNTDOWN


def test_ids_of_calls_differ_and_the_same_request_gives_the_same_reply(repository: Path) -> None:
    scene = Scene(repository)
    scene.say("go")
    scene.say("tour")
    ids = [call.id for call in scene.calls]
    assert len(set(ids)) == len(ids)
    body = copy.deepcopy(scene.body())
    assert reply(body) == reply(body)
    assert body == scene.body()


def test_a_summary_is_given_when_asked_and_the_tour_stays_given(repository: Path) -> None:
    scene = Scene(repository)
    scene.say("go")
    asked = "Write a summary of the conversation so far in <summary> tags."
    (summary,) = scene.say(asked)
    assert SUMMARY_MARK in text_of(summary)
    assert text_of(summary).startswith("<summary>\n")
    assert "`README.md` begins with" in text_of(summary)
    told = f"This conversation goes on from an earlier one.\n{text_of(summary)}"
    after = Scene(repository, messages=[{"role": "user", "content": told}])
    (answer,) = after.say("and now?")
    assert "I'm a script" in text_of(answer)


def test_a_first_prompt_that_asks_for_a_summary_of_the_code_gets_the_tour(repository: Path) -> None:
    replies = Scene(repository).say("summarise this repository")
    assert TOUR_END in text_of(replies[-1])


def test_later_prompts_are_answered_by_a_script_that_says_so(repository: Path) -> None:
    scene = Scene(repository)
    scene.say("go")
    (talk,) = scene.say("write me a parser")
    assert "I'm a script and can't work on `write me a parser`" in text_of(talk)
    (sample,) = scene.say("markdown")
    assert "```python" in text_of(sample)
    (long,) = scene.say("a long one")
    assert text_of(long).count("\n\n") >= 60


def test_reminders_are_no_prompts(repository: Path) -> None:
    scene = Scene(repository)
    scene.say("go")
    content = [
        {"type": "text", "text": "<system-reminder>tour tour tour</system-reminder>"},
        {"type": "text", "text": "hello"},
    ]
    scene.messages.append({"role": "user", "content": content})
    assert "`hello`" in text_of(reply(scene.body()))


def test_thinking_is_left_out_when_it_is_off(tmp_path: Path) -> None:
    body = Scene(tmp_path, messages=[{"role": "user", "content": "go"}]).body()
    assert any(isinstance(b, ThinkingBlock) for b in reply(body).blocks)
    off = reply({**body, "thinking": {"type": "disabled"}})
    assert not any(isinstance(b, ThinkingBlock) for b in off.blocks)


def test_where_the_folder_is_not_told_the_scratch_file_is_named_relative(tmp_path: Path) -> None:
    scene = Scene(tmp_path, system="nothing here")
    scene.say("go")
    written = next(call for call in scene.calls if call.name == "Write")
    assert written.input["file_path"] == "agent-tui-demo.md"
