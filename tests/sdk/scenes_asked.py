"""Drivers of the scenarios that the reference was watched in: questions, modes, hooks, compaction.

The scripted replies and the options are those that ``tests/data/sdk-sequences.json`` tells the outcome of.
"""

from __future__ import annotations

from typing import Any

from agent_tui.sdk import (
    PermissionResultAllow,
    PermissionResultDeny,
)
from tests.fakes.api_server import (
    reply,
    rule,
    tool,
)
from tests.sdk.scene import SCENARIOS, Driver, Scene, scenario, shell

# Questions and answers ------------------------------------------------------------------------------------------


@scenario
async def ask_user(scene: Scene) -> None:
    options = [{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]
    question = {"question": "Which?", "header": "Pick", "multiSelect": False, "options": options}
    scene.replies(reply(tool("AskUserQuestion", questions=[question])), "done")

    def choose(name: str, given: dict[str, Any]) -> PermissionResultAllow:
        return PermissionResultAllow(updated_input={**given, "answers": {"Which?": "B"}})

    await scene.one(can_use_tool=scene.asking(choose), tools=["AskUserQuestion", "Read"])


@scenario
async def deny_message(scene: Scene) -> None:
    scene.replies(reply(tool("Bash", command="touch z"), tool("Bash", command="touch y")), "done")
    no = scene.asking(lambda name, given: PermissionResultDeny(message="no way"))
    await scene.one(can_use_tool=no)


@scenario
async def updated_input(scene: Scene) -> None:
    scene.replies(shell("echo original > f"), "done")

    def change(name: str, given: dict[str, Any]) -> PermissionResultAllow:
        return PermissionResultAllow(updated_input={**given, "command": "echo changed > f"})

    await scene.one(can_use_tool=scene.asking(change))
    assert (scene.place.folder / "f").read_text() == "changed\n"


@scenario
async def safe_bash_no_rule(scene: Scene) -> None:
    scene.put("a.txt")
    scene.replies(*[shell(command) for command in SAFE_OR_NOT], "done")
    await scene.one(can_use_tool=scene.asking(lambda n, i: PermissionResultDeny(message="asked")))


SAFE_OR_NOT = (
    *("ls", "cat a.txt", "git status", "git log", "git diff", "git commit -m x", "pwd"),
    *("echo hi", "echo hi > f", "grep x a.txt", "find . -name '*.txt'", "find . -delete"),
    *("cat /etc/passwd", "ls | wc -l", "ls && pwd", "cd / && ls", "sed -n 1p a.txt"),
    *("sed -i s/a/b/ a.txt", "python3 -c 'print(1)'", "head a.txt", "sort a.txt", "env"),
    *("which ls", "date", "ls $(echo .)", "mkdir d", "rm a.txt", "true", "sleep 0"),
)


def in_mode(mode: str, *, asking: bool) -> Driver:
    """Make the driver that tries a fixed list of calls in a mode."""

    async def drive(scene: Scene) -> None:
        path = scene.put("a.txt")
        for name in ("m.txt", "c.txt"):
            scene.put(name, "a\n")
        scene.replies(*[reply(call) for call in _calls(scene, path)], "done")
        no = scene.asking(lambda name, given: PermissionResultDeny(message="asked"))
        await scene.one(permission_mode=mode, can_use_tool=no if asking else None)

    return drive


def _calls(scene: Scene, path: str) -> list[Any]:
    folder, outside = scene.folder, scene.outside
    written = ("w.txt", str(outside / "outside.txt"), ".git/hooks/x", ".claude/settings.json")
    lines = (
        *("ls", "mkdir d", "touch t", "mv m.txt m2.txt", "cp c.txt c2.txt", "rm t"),
        *("sed -i s/a/b/ c.txt", "rmdir d", f"touch {outside}/out2", "mkdir d2 && touch d2/f"),
        *("echo 1 > e.txt", "python3 -c 'print(1)'"),
    )
    return [
        tool("Read", file_path=path),
        tool("Read", file_path="/etc/hostname"),
        tool("Edit", file_path=path, old_string="beta", new_string="B"),
        *[
            tool("Write", file_path=name if name[0] == "/" else f"{folder}/{name}", content="{}")
            for name in written
        ],
        *[tool("Bash", command=line) for line in lines],
    ]


for _mode in ("default", "acceptEdits", "plan", "bypassPermissions"):
    SCENARIOS[f"mode_{_mode}"] = in_mode(_mode, asking=False)
for _mode in ("default", "dontAsk", "bypassPermissions"):
    SCENARIOS[f"mode_{_mode}_cb"] = in_mode(_mode, asking=True)


# Hooks ----------------------------------------------------------------------------------------------------------


@scenario
async def hook_pre_deny(scene: Scene) -> None:
    no = {"permissionDecision": "deny", "permissionDecisionReason": "hook says no"}
    scene.replies(shell("echo a"), "done")
    await scene.one(allowed_tools=["Bash"], hooks=scene.specific("PreToolUse", **no))


@scenario
async def hook_pre_modify(scene: Scene) -> None:
    changed = {"permissionDecision": "allow", "updatedInput": {"command": "echo b > f"}}
    scene.replies(shell("echo a > f"), "done")
    await scene.one(hooks=scene.specific("PreToolUse", **changed))
    assert (scene.place.folder / "f").read_text() == "b\n"


@scenario
async def hook_pre_context(scene: Scene) -> None:
    scene.replies(shell("echo a"), "done")
    hooks = scene.specific("PreToolUse", additionalContext="EXTRA CTX")
    await scene.one(allowed_tools=["Bash"], hooks=hooks)
    assert b"EXTRA CTX" in scene.api.messages[-1].raw


@scenario
async def hook_pre_continue_false(scene: Scene) -> None:
    scene.replies(shell("echo a"), "done")
    hooks = scene.hook("PreToolUse", {"continue_": False, "stopReason": "stop now"})
    await scene.one(allowed_tools=["Bash"], hooks=hooks)


@scenario
async def hook_post(scene: Scene) -> None:
    scene.replies(shell("echo a"), shell("exit 1"), "done")
    hooks = {
        **scene.specific("PostToolUse", additionalContext="POST CTX"),
        **scene.specific("PostToolUseFailure", additionalContext="FAIL CTX"),
    }
    await scene.one(allowed_tools=["Bash"], hooks=hooks)


@scenario
async def hook_prompt_block(scene: Scene) -> None:
    scene.replies("done")
    block = {"decision": "block", "reason": "PROMPT BLOCK"}
    await scene.one(hooks=scene.hook("UserPromptSubmit", block))


@scenario
async def hook_stop_block(scene: Scene) -> None:
    scene.replies("first", "second", "third")
    block = {"decision": "block", "reason": "KEEP GOING"}
    await scene.one(hooks=scene.hook("Stop", block, once=True))


@scenario
async def hook_precompact(scene: Scene) -> None:
    scene.replies("first", "summary text", "after")
    hooks = {**scene.hook("PreCompact"), **scene.hook("SessionStart")}
    async with scene.client(hooks=hooks) as client:
        await scene.turn(client, "hello")
        scene.seen.mark("/compact")
        await scene.turn(client, "/compact keep names")
        scene.seen.mark("after")
        await scene.turn(client, "after?")


@scenario
async def auto_compact(scene: Scene) -> None:
    path = scene.put("a.txt")
    full = reply(tool("Read", file_path=path), usage={"input_tokens": 985_000})
    summing = rule(
        lambda r: "summar" in r.last_user_text.lower(), "<summary>AUTO SUMMARY</summary>"
    )
    scene.replies(full, "after?", "z1", "z2", "z3", rules=(summing,))
    async with scene.client(hooks=scene.hook("PreCompact")) as client:
        await scene.turn(client, "first")
        scene.seen.mark("second")
        await scene.turn(client, "second")
