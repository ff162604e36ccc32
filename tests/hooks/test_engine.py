"""Events fired at real shell scripts and functions: who runs, what it comes to, what the person sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import NOTHING, HookOutcome
from tests.hooks.guards import FILE, Guards

pytestmark = pytest.mark.anyio


LATER: dict[str, Any] = {"async": True}
FOR_GIT: dict[str, Any] = {"if": "Bash(git *)"}


@pytest.fixture
def guards(tmp_path: Path) -> Guards:
    return Guards(tmp_path)


def deciding(behavior: str, **more: Any) -> str:
    fields = {"hookEventName": "PreToolUse", "permissionDecision": behavior, **more}
    return f"echo '{json.dumps({'hookSpecificOutput': fields})}'"


async def test_without_a_hook_for_it_nothing_happens(guards: Guards) -> None:
    guards.command("Stop", "exit 2").command("PreToolUse", "exit 2", matcher="Edit")
    assert await guards.bash() == NOTHING


async def test_a_script_decides_with_all_it_is_told(guards: Guards, tmp_path: Path) -> None:
    script = guards.script("check.sh", f"cat > {tmp_path}/given; echo 'not here' >&2; exit 2")
    outcome = await guards.command("PreToolUse", script, matcher="Bash").bash("rm x")
    assert outcome == HookOutcome("deny", "not here", "User")
    assert json.loads((tmp_path / "given").read_text()) == {
        "session_id": "s",
        "cwd": str(tmp_path),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "rm x"},
        "tool_use_id": "toolu_1",
    }


async def test_all_hooks_of_an_event_run_at_the_same_time(guards: Guards, tmp_path: Path) -> None:
    def meeting(mine: str, other: str) -> str:
        return (
            f"touch {tmp_path}/{mine}; until [ -e {tmp_path}/{other} ]; do sleep 0.01; done; exit 0"
        )

    guards.command("Stop", meeting("a", "b"), timeout=10)
    guards.command("Stop", meeting("b", "a"), timeout=10)
    assert await guards.fire("Stop") == NOTHING
    assert guards.said == []


async def test_the_same_command_twice_runs_once(guards: Guards, tmp_path: Path) -> None:
    line = f"echo x >> {tmp_path}/log"
    for matcher in (None, "Bash", "B.*"):
        guards.command("PreToolUse", line, matcher=matcher)
    guards.command("PreToolUse", f"{line} ")
    await guards.bash()
    assert (tmp_path / "log").read_text() == "x\nx\n"


async def test_the_strictest_of_scripts_and_functions_wins(guards: Guards) -> None:
    async def careful(given: JsonObject, call_id: str | None) -> JsonObject:
        return {
            "hookSpecificOutput": {
                "permissionDecision": "deny",
                "permissionDecisionReason": "no",
                "additionalContext": "from the program",
            }
        }

    guards.command("PreToolUse", deciding("allow", additionalContext="from a script"))
    guards.command("PreToolUse", deciding("ask"))
    outcome = await guards.callback("PreToolUse", careful).bash()
    assert (outcome.behavior, outcome.reason, outcome.source) == ("deny", "no", "Program")
    assert outcome.additional_context == ("from a script", "from the program")


async def test_a_rule_is_asked_about_the_call(guards: Guards) -> None:
    guards.command("PreToolUse", "exit 2", **FOR_GIT)
    assert (await guards.bash("git push")).behavior == "deny"
    assert guards.covered == [("Bash(git *)", "Bash", {"command": "git push"})]
    guards.fits = False
    assert await guards.bash("ls") == NOTHING


async def test_a_tool_is_found_by_the_name_it_had_before(guards: Guards) -> None:
    guards.command("PreToolUse", "exit 2", matcher="Task")
    assert (await guards.fire("PreToolUse", "Agent", tool_name="Agent")).behavior == "deny"


async def test_matchers_mean_nothing_where_there_is_nothing_to_match(guards: Guards) -> None:
    guards.command("Stop", "exit 2", matcher="Bash")
    assert (await guards.fire("Stop")).blocked is not None


async def test_what_is_matched_is_found_in_the_input(guards: Guards) -> None:
    guards.command("SessionStart", "echo hi", matcher="resume")
    assert await guards.fire("SessionStart", source="startup") == NOTHING
    assert (await guards.fire("SessionStart", source="resume")).additional_context == ("hi",)


async def test_a_warning_is_shown_to_the_person(guards: Guards) -> None:
    guards.command("Stop", """echo '{"systemMessage": "the tests were not run"}'""")
    await guards.fire("Stop")
    assert guards.said == [("the tests were not run", "warning")]


async def test_a_long_text_is_passed_on_as_a_preview(guards: Guards, tmp_path: Path) -> None:
    guards.command("UserPromptSubmit", "yes | head -c 30000")
    [text] = (await guards.fire("UserPromptSubmit", prompt="x")).additional_context
    assert len(text) < 3000
    [file] = (tmp_path / "spill").iterdir()
    assert str(file) in text


# Failures ---------------------------------------------------------------------------------------------------------

CASES: list[tuple[str, dict[str, Any], str, str]] = [
    ("python3 missing.py", {}, "could not start: ", "missing.py"),
    ("./plain", {}, "could not start: ", "Permission denied"),
    ("sleep 60", {"timeout": 0.2}, "ran out of time", "sleep 60"),
    ("echo 'no config'; exit 1", {}, "ended with exit code 1: no config", "exit 1"),
    ("""echo '{"decision": "deny"'""", {}, "printed what can't be used", "valid JSON"),
]
"""The cases (a) to (e) of M-7: the line, its settings, what is said of it."""


@pytest.mark.parametrize(("line", "more", "says", "names"), CASES)
async def test_m7_every_failure_of_a_guard_is_told_apart_and_seen(
    guards: Guards, tmp_path: Path, line: str, more: dict[str, Any], says: str, names: str
) -> None:
    (tmp_path / "plain").write_text("#!/bin/sh\nexit 0\n")
    outcome = await guards.command("PreToolUse", line, matcher="Bash", **more).bash()
    [(notice, level)] = guards.said
    assert notice.startswith("PreToolUse:Bash hook (")
    assert says in notice and names in notice
    assert FILE in notice and '"disableAllHooks": true' in notice
    if "exit 1" in line:  # documented as a fault that blocks nothing
        assert (outcome, level) == (NOTHING, "warning")
    else:
        assert (outcome.behavior, level) == ("deny", "error")
        assert says in outcome.reason


@pytest.mark.parametrize(("line", "more", "says", "names"), CASES)
async def test_m7_a_setting_decides_over_failures(
    guards: Guards, tmp_path: Path, line: str, more: dict[str, Any], says: str, names: str
) -> None:
    (tmp_path / "plain").write_text("")
    guards.command("PreToolUse", line, **more)
    guards.failures = "continue"
    assert await guards.bash() == NOTHING
    guards.failures = "block"
    assert (await guards.bash()).behavior == "deny"
    assert len(guards.said) == 2
    assert all(says in notice and names in notice for notice in guards.notices)


@pytest.mark.parametrize("kind", ["http", "prompt", "agent", "mcp_tool"])
async def test_m7_a_guard_of_a_kind_that_can_t_be_run_has_not_agreed(
    guards: Guards, kind: str
) -> None:
    guards.command("PreToolUse", "-", type=kind, url="http://guard.example/", matcher="Bash")
    outcome = await guards.bash()
    assert outcome.behavior == "deny"
    [notice] = guards.notices
    assert f"hooks of type {kind} are not supported" in notice
    assert "http://guard.example/" in notice and FILE in notice
    guards.failures = "continue"
    assert await guards.bash() == NOTHING


async def test_m7_the_way_out_is_told_once(guards: Guards) -> None:
    engine = guards.command("PreToolUse", "nix-da").engine()
    for _ in range(3):
        outcome = await engine.fire("PreToolUse", {"tool_name": "Bash"}, match="Bash")
        assert outcome.behavior == "deny"
    assert ["disableAllHooks" in notice for notice in guards.notices] == [True, False, False]
    assert all("could not start" in notice for notice in guards.notices)


async def test_m7_a_prompt_is_kept_back_when_its_guard_is_killed(guards: Guards) -> None:
    outcome = await guards.command("UserPromptSubmit", "kill -9 $$").fire("UserPromptSubmit")
    assert "killed by SIGKILL" in str(outcome.blocked)


async def test_m7_a_function_that_raises_decides_nothing_unless_it_is_to_block(
    guards: Guards,
) -> None:
    async def broken(given: JsonObject, call_id: str | None) -> JsonObject:
        raise RuntimeError("oh")

    assert await guards.callback("PreToolUse", broken).bash() == NOTHING
    assert guards.said[0][1] == "warning"
    assert "a function of the program) failed: RuntimeError: oh." in guards.notices[0]
    outcome = await guards.callback("PreToolUse", broken, on_failure="block").bash()
    assert outcome.behavior == "deny"


async def test_m7_a_function_that_never_answers_has_not_agreed(guards: Guards) -> None:
    async def slow(given: JsonObject, call_id: str | None) -> JsonObject:
        await anyio.sleep_forever()
        return {}

    outcome = await guards.callback("PreToolUse", slow, seconds=0.01).bash()
    assert outcome.behavior == "deny"


async def test_one_that_fails_takes_nothing_from_the_others(guards: Guards) -> None:
    guards.command("PostToolUse", "nix-da").command("PostToolUse", "echo why >&2; exit 2")
    outcome = await guards.fire("PostToolUse", "Bash", tool_name="Bash")
    assert outcome.blocked == "why"
    assert "could not start" in guards.notices[0]


# Time -------------------------------------------------------------------------------------------------------------


async def test_at_the_sessions_end_all_hooks_share_a_short_time(guards: Guards) -> None:
    async def slow(given: JsonObject, call_id: str | None) -> JsonObject:
        await anyio.sleep_forever()
        return {}

    guards.callback("SessionEnd", slow).callback("SessionEnd", slow)
    with anyio.fail_after(4):
        assert await guards.fire("SessionEnd", reason="other") == NOTHING


async def test_a_hook_in_the_background_is_not_waited_for_and_decides_nothing(
    guards: Guards, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    line = f"until [ -e {go} ]; do sleep 0.01; done; touch {tmp_path}/done; exit 2"
    engine = guards.command("PreToolUse", line, **LATER).engine()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(engine.serve)
        assert await engine.fire("PreToolUse", {"tool_name": "Bash"}, match="Bash") == NOTHING
        assert not (tmp_path / "done").exists()
        go.touch()
        with anyio.fail_after(5):
            while not (tmp_path / "done").exists():
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()


async def test_the_fault_of_a_hook_in_the_background_is_told(guards: Guards) -> None:
    engine = guards.command("Stop", "nix-da", **LATER).engine()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(engine.serve)
        await engine.fire("Stop")
        with anyio.fail_after(5):
            while not guards.said:
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    assert "could not start" in guards.notices[0]


async def test_an_event_may_be_fired_without_waiting(guards: Guards) -> None:
    heard = anyio.Event()

    async def hears(given: JsonObject, call_id: str | None) -> JsonObject:
        assert given["notification_type"] == "permission_prompt"
        heard.set()
        return {}

    engine = guards.callback("Notification", hears, matcher="permission_prompt").engine()
    engine.launch("Stop")
    engine.launch("Notification", {"notification_type": "permission_prompt"})
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(engine.serve)
        with anyio.fail_after(5):
            await heard.wait()
        tasks.cancel_scope.cancel()


# Front ends -------------------------------------------------------------------------------------------------------


async def test_front_ends_that_asked_are_told_of_commands(guards: Guards) -> None:
    async def silent(given: JsonObject, call_id: str | None) -> JsonObject:
        return {}

    guards.shown = True
    guards.command("PreToolUse", "echo out; echo err >&2; exit 2").callback("PreToolUse", silent)
    await guards.bash()
    (started, about), (ended, response) = guards.told
    assert (started, ended) == ("hook_started", "hook_response")
    assert about["hook_name"] == "PreToolUse:Bash"
    assert about["hook_event"] == "PreToolUse"
    assert response == {
        **about,
        "output": "out\nerr\n",
        "stdout": "out\n",
        "stderr": "err\n",
        "exit_code": 2,
        "outcome": "error",
    }


async def test_others_are_told_of_the_sessions_start_only(guards: Guards) -> None:
    guards.command("SessionStart", "true").command("Stop", "true")
    await guards.fire("Stop")
    assert guards.told == []
    await guards.fire("SessionStart", source="startup")
    assert [data["outcome"] for kind, data in guards.told if kind == "hook_response"] == ["success"]


async def test_one_that_ran_out_of_time_was_cancelled(guards: Guards) -> None:
    guards.shown = True
    await guards.command("Stop", "sleep 60", timeout=0.1).fire("Stop")
    response = guards.told[1][1]
    assert response["outcome"] == "cancelled"
    assert "exit_code" not in response
