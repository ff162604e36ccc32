"""Hooks of real sessions: shell commands from settings files, functions of a program."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.engine.extras import Extras, HookGroup
from agent_tui.engine.foundation import lay
from agent_tui.engine.hooking import configured, kept_back
from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.machine.processes import live_processes
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.ops import Answer, Prompt, SetModel
from agent_tui.protocol.requests import Allow, PermissionRequest
from agent_tui.settings.layers import SourcedHooks
from agent_tui.settings.options import TrustOptions
from tests.engine.sessions import Answers, Place, Talk, texts_of
from tests.fakes.api_server import reply, tool

pytestmark = pytest.mark.anyio

PROMPT = "00000000-0000-4000-8000-000000000000"


def hooks_in(place: Place, hooks: JsonObject, **settings: Any) -> Path:
    """Write the person's own settings."""
    path = place.home / ".claude" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"hooks": hooks, **settings}))
    return path


def shell(command: str, matcher: str = "", **more: Any) -> list[JsonObject]:
    return [{"matcher": matcher, "hooks": [{"type": "command", "command": command, **more}]}]


@dataclass
class Program:
    """A program's hooks; ``log`` has their events and the messages that were said, as they came."""

    says: dict[HookEvent, JsonObject] = field(default_factory=dict[HookEvent, JsonObject])
    matcher: str | None = None
    log: list[str] = field(default_factory=list[str])
    given: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    def extras(self, answers: Answers | None = None) -> Extras:
        async def call(given: JsonObject, call_id: str | None) -> JsonObject:
            event = given["hook_event_name"]
            self.log.append(f"hook {event}")
            self.given.setdefault(event, given)
            return self.says[event]

        group = (HookGroup(self.matcher, (call,)),)
        groups: dict[HookEvent, tuple[HookGroup, ...]] = dict.fromkeys(self.says, group)
        return Extras(approver=answers or Answers(), hooks=groups)

    def hear(self, message: Message) -> None:
        match message:
            case AssistantMessage():
                self.log.append("Assistant")
            case UserMessage(content=tuple()):
                self.log.append("User")
            case ResultMessage():
                self.log.append(f"Result {message.subtype} {message.terminal_reason}")
            case SystemMessage(subtype):
                self.log.append(subtype)
            case _:
                pass


async def talk(
    place: Place, *prompts: str, program: Program | None = None, answers: Answers | None = None
) -> Talk:
    """As ``Place.talk``, with a program's hooks."""
    program = program or Program()
    found = Talk()

    async def body(opened: OpenSession) -> None:
        found.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            for number, text in enumerate(prompts):
                opened.session.send(Prompt(text, f"00000000-0000-4000-8000-{number:012d}"))
                async for message in messages:
                    found.heard.append(message)
                    program.hear(message)
                    if isinstance(message, ResultMessage):
                        break

    await with_session(place.options, place.env, body, extras=program.extras(answers))
    return found


def specific(event: str, **fields: Any) -> JsonObject:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def sent(place: Place, request: int, message: int) -> JsonObject:
    """A message of a request as it was sent."""
    return place.api.messages[request].messages[message]


def run_bash(place: Place, command: str = "touch made") -> None:
    place.api.enqueue(reply(tool("Bash", command=command)), "done")


# Shell commands from settings -------------------------------------------------------------------------------------


async def test_a_command_of_the_persons_settings_guards_a_tool(place: Place) -> None:
    out = place.home / "given.json"
    script = f"cat > {out}; env > {place.home}/env; echo 'no touching' >&2; exit 2"
    hooks_in(place, {"PreToolUse": shell(script, "Bash", **{"if": "Bash(touch *)"})})
    run_bash(place)
    said = await talk(place, "go")
    assert said.tool_results[0].content == "A hook denied this call: no touching"
    assert not (place.project / "made").exists()
    assert [one["tool_name"] for one in said.result.permission_denials] == ["Bash"]
    assert said.system("permission_denied") == []
    given = json.loads(out.read_text())
    assert given["tool_input"]["command"] == "touch made"
    assert given["prompt_id"] == PROMPT
    assert given["transcript_path"] == str(said.journal)
    assert (given["cwd"], given["permission_mode"]) == (str(place.project), "default")
    variables = (place.home / "env").read_text().splitlines()
    assert f"CLAUDE_PROJECT_DIR={place.project}" in variables
    assert f"AGENT_TUI_PROJECT_DIR={place.project}" in variables
    assert "AGENT_TUI_HOOK_DEPTH=1" in variables
    assert "sk-test-dummy" not in "".join(variables)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
async def test_a_hook_that_is_ended_takes_all_it_has_started_with_it(place: Place) -> None:
    told = place.home / "pid"
    hooks_in(
        place, {"PreToolUse": shell(f"setsid sleep 60 & echo $! > {told}; sleep 60", timeout=1)}
    )
    run_bash(place)
    await talk(place, "go")
    assert not (place.project / "made").exists()
    assert int(told.read_text()) not in {one.pid for one in live_processes()}


async def test_the_rule_of_a_hook_leaves_other_calls_alone(place: Place) -> None:
    hooks_in(place, {"PreToolUse": shell("exit 2", "Bash", **{"if": "Bash(git *)"})})
    run_bash(place)
    said = await talk(place, "go")
    assert said.tool_results[0].is_error is False
    assert (place.project / "made").exists()


async def test_m7_a_guard_whose_script_is_missing_blocks_and_says_how_to_be_rid_of_it(
    place: Place,
) -> None:
    path = hooks_in(place, {"PreToolUse": shell("python3 missing.py", "Bash")})
    run_bash(place)
    said = await talk(place, "go")
    assert said.tool_results[0].is_error
    assert "could not start" in str(said.tool_results[0].content)
    [notice] = said.notices
    assert "could not start" in notice and "missing.py" in notice
    assert str(path) in notice and '"disableAllHooks": true' in notice
    hooks_in(place, {"PreToolUse": shell("python3 missing.py", "Bash")}, disableAllHooks=True)
    run_bash(place)
    assert (await talk(place, "go")).tool_results[0].is_error is False


async def test_m7_the_setting_lets_a_broken_guard_pass_in_sight(place: Place) -> None:
    hooks = {"PreToolUse": shell("""echo '{"decision": "deny"'""", "Bash")}
    hooks_in(place, hooks, hookFailures="continue")
    run_bash(place)
    said = await talk(place, "go")
    assert said.tool_results[0].is_error is False
    assert "can't be used" in said.notices[0]


async def test_a_projects_hooks_are_run_only_when_it_is_trusted(place: Place) -> None:
    place.write(".claude/settings.json", json.dumps({"hooks": {"Stop": shell("touch ran")}}))
    place.api.enqueue("hi", "hi")
    said = await talk(place, "go")
    assert not (place.project / "ran").exists()
    assert any("1 hook (Stop)" in notice for notice in said.notices)
    trusting = replace(place, options=replace(place.options, trust=TrustOptions("once")))
    assert not (await talk(trusting, "go")).notices
    assert (place.project / "ran").exists()


async def test_what_can_t_be_read_is_told_when_the_session_opens(place: Place) -> None:
    path = hooks_in(place, {"Nix": [], "PreToolUse": shell("true", **{"if": "no rule("})})
    place.api.enqueue("hi")
    notices = (await talk(place, "go")).notices
    assert any(f"{path}: hooks.Nix is no event" in notice for notice in notices)
    assert any("the hook is run every time" in notice for notice in notices)


async def test_front_ends_are_told_of_commands_when_they_asked(place: Place) -> None:
    hooks_in(place, {"UserPromptSubmit": shell("echo noted"), "SessionStart": shell("true")})
    place.api.enqueue("hi", "hi")
    quiet = await talk(place, "go")
    events = [m.data["hook_event"] for m in quiet.system("hook_response")]
    assert events == ["SessionStart"]
    loud = await talk(replace(place, options=replace(place.options, hook_events=True)), "go")
    response = loud.system("hook_response")[-1].data
    assert (response["hook_event"], response["stdout"]) == ("UserPromptSubmit", "noted\n")
    assert (response["outcome"], response["session_id"]) == ("success", loud.session_id)


async def test_what_a_command_puts_on_standard_output_is_told_to_the_model(place: Place) -> None:
    hooks_in(
        place,
        {
            "UserPromptSubmit": shell("echo 'it is raining'"),
            "SessionStart": shell("echo 'welcome'", "startup"),
        },
    )
    place.api.enqueue("hi")
    await talk(place, "go")
    texts = texts_of(sent(place, 0, 0))
    at = {
        word: n for n, text in enumerate(texts) for word in ("welcome", "raining") if word in text
    }
    assert at["welcome"] < texts.index("go") < at["raining"]


# Functions of a program -------------------------------------------------------------------------------------------


async def test_a_call_is_denied(place: Place) -> None:
    deny = specific("PreToolUse", permissionDecision="deny", permissionDecisionReason="says no")
    program = Program({"PreToolUse": deny})
    run_bash(place, "echo a")
    said = await talk(place, "go", program=program)
    assert program.log == [
        "init",
        "Assistant",
        "hook PreToolUse",
        "User",
        "Assistant",
        "Result success completed",
    ]
    assert said.tool_results[0].is_error
    assert len(said.result.permission_denials) == 1
    assert said.system("hook_started") == []


async def test_changed_input_runs_and_the_record_keeps_what_was_asked(place: Place) -> None:
    changed = specific(
        "PreToolUse", permissionDecision="allow", updatedInput={"command": "echo b > f"}
    )
    program, answers = Program({"PreToolUse": changed}), Answers()
    run_bash(place, "echo a > f")
    await talk(place, "go", program=program, answers=answers)
    assert (place.project / "f").read_text() == "b\n"
    assert answers.asked == []
    asked = sent(place, 1, 1)["content"][-1]
    assert asked["input"]["command"] == "echo a > f"


async def test_the_run_ends_after_the_call(place: Place) -> None:
    program = Program({"PreToolUse": {"continue_": False, "stopReason": "stop now"}})
    place.api.enqueue(reply(tool("Bash", command="echo a")))
    said = await talk(place, "go", program=program)
    assert said.tool_results[0].content == "a"
    result = said.result
    assert (result.subtype, result.terminal_reason, result.stop_reason, result.result) == (
        "success",
        "hook_stopped",
        "tool_use",
        "",
    )
    assert len(place.api.messages) == 1


async def test_text_is_added_beside_the_result(place: Place) -> None:
    says: dict[HookEvent, JsonObject] = {
        "PreToolUse": specific("PreToolUse", additionalContext="EXTRA CTX"),
        "PostToolUse": {"decision": "block", "reason": "OBJECTION"},
        "PostToolUseFailure": specific("PostToolUseFailure", additionalContext="FAIL CTX"),
    }
    program = Program(says)
    place.api.enqueue(
        reply(tool("Bash", command="echo a")), reply(tool("Bash", command="exit 1")), "done"
    )
    await talk(place, "go", program=program, answers=Answers(lambda request: Allow()))
    after = sent(place, 1, -1)["content"]
    assert after[0]["content"] == "a"
    assert ["EXTRA CTX" in after[1]["text"], "OBJECTION" in after[2]["text"]] == [True, True]
    assert "FAIL CTX" in str(sent(place, 2, -1)["content"])
    assert program.given["PostToolUseFailure"]["is_interrupt"] is False


async def test_a_prompt_is_kept_back(place: Place) -> None:
    program = Program({"UserPromptSubmit": {"decision": "block", "reason": "PROMPT BLOCK"}})
    said = await talk(place, "secret", program=program)
    assert program.log == [
        "hook UserPromptSubmit",
        "init",
        "informational",
        "Result success None",
    ]
    assert place.api.messages == []
    assert (said.result.num_turns, said.result.result) == (0, said.notices[0])
    assert "PROMPT BLOCK" in said.notices[0]
    [notice] = said.system("informational")
    assert notice.data["prevent_continuation"] is True
    assert notice.data["prompt_submit_outcome"] == "blocked"
    assert "secret" not in said.journal.read_text()


async def test_a_prompt_kept_back_leaves_a_session_that_goes_on(place: Place) -> None:
    hooks_in(place, {"UserPromptSubmit": shell("grep -q secret && exit 2; exit 0")})
    place.api.enqueue("hello")
    said = await talk(place, "secret", "fine")
    assert said.results[1].result == "hello"
    assert "secret" not in json.dumps(place.api.messages[0].body["messages"])


async def test_a_prompt_names_the_session_and_the_persons_name_stays(place: Place) -> None:
    names = specific("UserPromptSubmit", sessionTitle="By the hook")
    place.api.enqueue("a", "b")
    said = await talk(
        place, "go", "/rename mine", "more", program=Program({"UserPromptSubmit": names})
    )
    titles = [
        line.get("aiTitle") or line.get("customTitle")
        for line in map(json.loads, said.journal.read_text().splitlines())
        if "title" in str(line.get("type")).lower()
    ]
    assert titles[0] == "By the hook"
    assert titles[-1] == "mine"


async def test_a_question_is_answered_by_the_program_before_anybody_is_asked(place: Place) -> None:
    answer = specific("PermissionRequest", decision={"behavior": "deny", "message": "never"})
    program, answers = Program({"PermissionRequest": answer}, matcher="Bash"), Answers()
    run_bash(place)
    said = await talk(place, "go", program=program, answers=answers)
    assert said.tool_results[0].content == "A hook denied this call: never"
    assert answers.asked == []
    suggestions = program.given["PermissionRequest"]["permission_suggestions"]
    assert suggestions[0]["rules"][0]["toolName"] == "Bash"


async def test_a_person_who_is_asked_is_told_of_by_the_way(place: Place) -> None:
    told = anyio.Event()

    async def tell(given: JsonObject, call_id: str | None) -> JsonObject:
        assert (given["notification_type"], given["message"]) == (
            "permission_prompt",
            "Run this command?",
        )
        told.set()
        return {}

    run_bash(place)

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", PROMPT))
            async for message in messages:
                if isinstance(message, PermissionRequest):
                    with anyio.fail_after(5):
                        await told.wait()
                    opened.session.send(Answer(message.id, Allow()))
                if isinstance(message, ResultMessage):
                    break

    hooks: dict[HookEvent, tuple[HookGroup, ...]] = {
        "Notification": (HookGroup("permission_prompt", (tell,)),)
    }
    await with_session(place.options, place.env, body, extras=Extras(hooks=hooks))
    assert (place.project / "made").exists()


# The session ------------------------------------------------------------------------------------------------------


async def test_a_session_begins_is_cleared_and_ends(place: Place) -> None:
    log = place.home / "log"
    note = f"jq -r '.hook_event_name + \" \" + (.source // .reason)' >> {log}"
    if not Path("/usr/bin/jq").exists():
        note = (
            "python3 -c 'import json,sys; d=json.load(sys.stdin); "
            f'print(d["hook_event_name"], d.get("source") or d.get("reason"))\' >> {log}'
        )
    hooks_in(place, {"SessionStart": shell(note), "SessionEnd": shell(note, timeout=20)})
    place.api.enqueue("a", "b", "c")
    said = await talk(place, "go", "/clear", "again")
    first = said.results[0].session_id
    await talk(place.resuming(first), "more")
    assert log.read_text().splitlines() == [
        "SessionStart startup",
        "SessionEnd clear",
        "SessionStart clear",
        "SessionEnd prompt_input_exit",
        "SessionStart resume",
        "SessionEnd prompt_input_exit",
    ]


async def test_a_new_conversation_is_told_what_its_beginning_adds(place: Place) -> None:
    hooks_in(place, {"SessionStart": shell("echo fresh", "clear")})
    place.api.enqueue("a", "b")
    await talk(place, "go", "/clear", "again")
    first, second = (json.dumps(one.body["messages"]) for one in place.api.messages)
    assert ("fresh" in first, "fresh" in second) == (False, True)


@pytest.mark.parametrize("interactive", [True, False])
async def test_a_first_message_is_said_where_nobody_sits(place: Place, interactive: bool) -> None:
    begins = specific(
        "SessionStart", initialUserMessage="Read the plan first.", sessionTitle="Plan"
    )
    place.options = replace(place.options, interactive=interactive)
    place.api.enqueue("ok")
    await talk(place, "go", program=Program({"SessionStart": begins}))
    texts = texts_of(sent(place, 0, 0))
    assert ("Read the plan first." in texts) is not interactive


async def test_the_first_prompt_waits_for_the_sessions_beginning(place: Place) -> None:
    go = place.home / "go"
    hooks_in(place, {"SessionStart": shell(f"until [ -e {go} ]; do sleep 0.01; done; echo ready")})
    place.api.enqueue("hi")

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("go", PROMPT))
            await anyio.wait_all_tasks_blocked()
            assert place.api.messages == []
            go.touch()
            async for message in messages:
                if isinstance(message, ResultMessage):
                    break

    await place.run(body)
    assert "ready" in json.dumps(place.api.messages[0].body["messages"])


async def test_a_hook_keeps_the_model(place: Place) -> None:
    keep = specific(
        "PreModelSwitch", permissionDecision="deny", permissionDecisionReason="too dear"
    )
    program = Program({"PreModelSwitch": keep})
    outputs: list[str] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            opened.session.send(SetModel("haiku"))
            async for message in messages:
                if isinstance(message, SystemMessage) and message.subtype == "local_command_output":
                    outputs.append(str(message.data["content"]))
                    break

    await with_session(place.options, place.env, body, extras=program.extras())
    assert "too dear" in outputs[0]
    assert program.given["PreModelSwitch"]["requested_model"] == "haiku"


# Which hooks there are --------------------------------------------------------------------------------------------


def test_everything_is_off_but_what_was_decreed_and_the_programs_own(place: Place) -> None:
    hooks_in(place, {"Stop": shell("mine")}, disableAllHooks=True)
    base = lay(place.options, place.env)
    decreed = SourcedHooks({"Stop": shell("decreed")}, "managed", "/etc/m.json")
    layers = replace(base.layers, hooks=(*base.layers.hooks, decreed))
    extras = Program({"Stop": {}}).extras()
    found = configured(replace(base, layers=layers), extras)
    assert [one.hook.source for one in found.hooks] == ["Managed", "Program"]
    on = replace(layers, settings=replace(layers.settings, disable_hooks=None))
    found = configured(replace(base, layers=on), extras)
    assert [one.hook.source for one in found.hooks] == ["User", "Managed", "Program"]


def test_a_programs_hooks_that_never_run_are_told(place: Place) -> None:
    async def silent(given: JsonObject, call_id: str | None) -> JsonObject:
        return {}

    base = lay(place.options, place.env)
    hooks: dict[Any, tuple[HookGroup, ...]] = {  # a program may name what we don't know
        "ConfigChange": (HookGroup(None, (silent,)),),
        "PreToolUse": (HookGroup("a(", (silent,)), HookGroup("Bash", (silent,), 3, "block")),
    }
    found = configured(base, Extras(hooks=hooks))
    assert [one.hook.seconds for one in found.hooks] == [3]
    never, wrong = found.problems
    assert "ConfigChange hooks never run" in never
    assert "no regular expression" in wrong


@pytest.mark.parametrize(
    ("verdict", "why"),
    [
        (HookOutcome(), None),
        (HookOutcome(blocked="x"), "A hook kept this prompt back: x"),
        (HookOutcome(stop="y"), "A hook kept this prompt back: y"),
        (HookOutcome(stop=""), "A hook kept this prompt back"),
    ],
)
def test_why_a_prompt_is_kept_back(verdict: HookOutcome, why: str | None) -> None:
    assert kept_back(verdict) == why
