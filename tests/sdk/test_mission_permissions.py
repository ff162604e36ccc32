"""What runs unasked, what is asked about and what never runs, as a program says it with its options."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent_tui.sdk import (
    PermissionResultAllow,
    PermissionResultDeny,
    ProcessError,
    ToolPermissionContext,
)
from agent_tui.sdk.warned import CanUseToolShadowedWarning
from tests.fakes.api_server import model_is, reply, tool
from tests.sdk.place import Place
from tests.sdk.talk import Heard, shot

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings(
        f"ignore::{CanUseToolShadowedWarning.__module__}.CanUseToolShadowedWarning"
    ),
]

SANDBOX = {"IS_SANDBOX": "1"}


@dataclass
class Callback:
    """Answers for a program; ``asked`` are the tools it was asked about."""

    allows: bool = True
    asked: list[str] = field(default_factory=list[str])

    async def __call__(
        self, name: str, given: dict[str, Any], context: ToolPermissionContext
    ) -> PermissionResultAllow | PermissionResultDeny:
        self.asked.append(name)
        return (
            PermissionResultAllow() if self.allows else PermissionResultDeny(message="rather not")
        )


def refused_tools(heard: Heard) -> list[str]:
    return [one["tool_name"] for one in heard.result.permission_denials or ()]


WRITE = tool("Write", file_path="written", content="x")
MAKE = tool("Bash", command="mkdir made")
RUN = tool("Bash", command="touch inside && python3 -c 1")
READ = tool("Read", file_path="a.txt")
LOOK = tool("Bash", command="ls")


async def test_what_is_allowed_runs_unasked_and_the_rest_is_there_and_asked_about(
    place: Place,
) -> None:
    callback = Callback()
    place.api.enqueue(reply(WRITE, MAKE), "done")
    await shot(place, allowed_tools=["Write"], can_use_tool=callback)
    assert (place.folder / "written").exists() and (place.folder / "made").is_dir()
    assert callback.asked == ["Bash"]
    assert {"Write", "Bash"} <= set(place.api.messages[0].tool_names)


async def test_what_is_disallowed_never_runs_whatever_else_is_said(place: Place) -> None:
    callback = Callback()
    place.api.enqueue(reply(MAKE, WRITE), "done")
    heard = await shot(
        place,
        permission_mode="bypassPermissions",
        allowed_tools=["Bash", "Write"],
        disallowed_tools=["Bash(mkdir *)", "Write"],
        can_use_tool=callback,
        env=SANDBOX,
    )
    assert [block.is_error for block in heard.tool_results] == [True, True]
    assert callback.asked == []
    assert not (place.folder / "made").exists() and not (place.folder / "written").exists()
    assert "Write" not in place.api.messages[0].tool_names


async def test_a_scoped_rule_allows_only_what_fits_it(place: Place) -> None:
    callback = Callback(allows=False)
    lines = ["touch a", "touch b && mkdir c", "mkdir d", "touch"]
    place.api.enqueue(reply(*(tool("Bash", command=line) for line in lines)), "done")
    heard = await shot(place, allowed_tools=["Bash(touch *)"], can_use_tool=callback)
    assert len(callback.asked) == 2
    assert [block.content == "rather not" for block in heard.tool_results] == [
        False,
        True,
        True,
        False,
    ]
    assert sorted(path.name for path in place.folder.iterdir()) == ["a"]


MODES = {
    #                     Read   ls     Write  mkdir  python
    "default": ("run", "run", "ask", "ask", "ask"),
    "acceptEdits": ("run", "run", "run", "run", "ask"),
    "plan": ("run", "run", "ask", "ask", "ask"),
    "dontAsk": ("run", "run", "no", "no", "no"),
    "bypassPermissions": ("run", "run", "run", "run", "run"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("somebody", [True, False])
async def test_what_happens_to_calls_no_rule_covers(
    place: Place, mode: str, somebody: bool
) -> None:
    place.write("a.txt", "content")
    callback = Callback(allows=False)
    calls = {"Read": READ, "ls": LOOK, "Write": WRITE, "mkdir": MAKE, "python": RUN}
    place.api.enqueue(reply(*calls.values()), "done")
    heard = await shot(
        place,
        permission_mode=mode,
        env=SANDBOX,
        can_use_tool=callback if somebody else None,
    )
    expected = MODES[mode]
    assert [not block.is_error for block in heard.tool_results] == [
        one == "run" for one in expected
    ]
    assert len(callback.asked) == (expected.count("ask") if somebody else 0)
    assert len(refused_tools(heard)) == 5 - expected.count("run")
    assert (place.folder / "written").exists() is (expected[2] == "run")
    assert (place.folder / "made").exists() is (expected[3] == "run")
    assert (place.folder / "inside").exists() is (expected[4] == "run")


SMALL = "claude-haiku-5-5"


@pytest.mark.parametrize("decision", ["allow", "block", "unsure"])
@pytest.mark.parametrize("somebody", [True, False])
async def test_in_auto_a_small_model_decides_over_what_would_be_asked(
    place: Place, decision: str, somebody: bool
) -> None:
    place.write("a.txt", "content")
    callback = Callback(allows=False)
    place.api.enqueue(reply(READ, LOOK, WRITE, MAKE, RUN), "done")
    verdict = tool("verdict", reason="it runs code given on the spot", decision=decision)
    place.api.add_rule(model_is(SMALL), reply(verdict))
    heard = await shot(place, permission_mode="auto", can_use_tool=callback if somebody else None)
    assert heard.messages[0].data["permissionMode"] == "auto"
    allowed = decision == "allow"
    ran = [not block.is_error for block in heard.tool_results]
    assert ran == [True] * 4 + [allowed]
    assert (place.folder / "written").exists()
    assert (place.folder / "inside").exists() is allowed
    assert callback.asked == (["Bash"] if somebody and not allowed else [])
    assert refused_tools(heard) == ([] if allowed else ["Bash"])
    assert [m.data["decision_reason_type"] for m in heard.system("permission_denied")] == (
        [] if allowed or somebody else ["classifier"]
    )
    assert SMALL in (heard.result.model_usage or {})
    small = [one for one in place.api.messages if one.model == SMALL]
    assert len(small) == 1


async def test_in_auto_ask_rules_still_ask(place: Place) -> None:
    place.api.enqueue(reply(RUN), "done")
    callback = Callback(allows=False)
    heard = await shot(
        place,
        permission_mode="auto",
        settings='{"permissions": {"ask": ["Bash(python3 *)"]}}',
        can_use_tool=callback,
    )
    assert callback.asked == ["Bash"]
    assert refused_tools(heard) == ["Bash"]
    assert not (place.folder / "inside").exists()
    assert [one.model for one in place.api.messages if one.model == SMALL] == []


async def test_unset_the_mode_is_default(place: Place) -> None:
    place.api.enqueue(reply(WRITE), "done")
    heard = await shot(place)
    assert heard.messages[0].data["permissionMode"] == "default"
    assert refused_tools(heard) == ["Write"]


async def test_a_refused_call_has_the_refusal_as_its_result_and_the_model_goes_on(
    place: Place,
) -> None:
    place.api.enqueue(reply(WRITE), "Then I only tell you.")
    heard = await shot(place, can_use_tool=Callback(allows=False))
    [answered] = place.api.messages[1].tool_results
    assert (answered["content"], answered["is_error"]) == ("rather not", True)
    assert (heard.result.subtype, heard.result.result) == ("success", "Then I only tell you.")


async def test_the_callback_may_change_the_input_and_is_told_what_is_asked(place: Place) -> None:
    contexts: list[ToolPermissionContext] = []

    async def callback(
        name: str, given: dict[str, Any], context: ToolPermissionContext
    ) -> PermissionResultAllow:
        contexts.append(context)
        return PermissionResultAllow(updated_input={**given, "command": "mkdir other"})

    place.api.enqueue(reply(tool("Bash", {"command": "mkdir made"}, id="toolu_5")), "done")
    await shot(place, can_use_tool=callback)
    assert [path.name for path in place.folder.iterdir()] == ["other"]
    assert contexts[0].tool_use_id == "toolu_5"
    assert contexts[0].suggestions[0].type == "addRules"


async def test_dont_ask_runs_what_is_allowed_beforehand(place: Place) -> None:
    callback = Callback()
    place.api.enqueue(reply(WRITE, MAKE), "done")
    heard = await shot(
        place, permission_mode="dontAsk", allowed_tools=["Write"], can_use_tool=callback
    )
    assert callback.asked == []
    assert (place.folder / "written").exists()
    assert refused_tools(heard) == ["Bash"]


async def test_bypassing_still_asks_where_a_rule_says_ask(place: Place) -> None:
    callback = Callback(allows=False)
    place.api.enqueue(reply(WRITE, MAKE), "done")
    heard = await shot(
        place,
        permission_mode="bypassPermissions",
        settings='{"permissions": {"ask": ["Bash(mkdir *)"]}}',
        can_use_tool=callback,
        env=SANDBOX,
    )
    assert callback.asked == ["Bash"]
    assert refused_tools(heard) == ["Bash"]
    assert (place.folder / "written").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused")
async def test_root_may_bypass_in_a_sandbox_only(place: Place) -> None:
    with pytest.raises(ProcessError, match="root"):
        await shot(place, permission_mode="bypassPermissions")
    place.api.enqueue("hello")
    heard = await shot(place, permission_mode="bypassPermissions", env=SANDBOX)
    assert heard.messages[0].data["permissionMode"] == "bypassPermissions"


@pytest.mark.parametrize(
    ("mode", "callback", "asked"),
    [
        ("default", Callback(), ["Write", "Bash", "Bash"]),
        ("acceptEdits", Callback(), ["Bash"]),
        ("bypassPermissions", None, []),
    ],
)
async def test_each_recommended_pairing_does_the_whole_work(
    place: Place, mode: str, callback: Callback | None, asked: list[str]
) -> None:
    place.api.enqueue(reply(WRITE, MAKE, RUN), "done")
    heard = await shot(place, permission_mode=mode, can_use_tool=callback, env=SANDBOX)
    assert [block.is_error for block in heard.tool_results].count(True) == 0
    assert {path.name for path in place.folder.iterdir()} == {"written", "made", "inside"}
    if callback is not None:
        assert callback.asked == asked
        callback.asked.clear()
