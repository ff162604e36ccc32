"""The sandbox in whole sessions: what runs in it unasked, what leaves it by consent, what happens where there is none."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agent_tui.engine.sandboxing import (
    LiveRules,
    bounds_of,
    secrets_of,
    set_up,
    told_of,
    with_sandbox,
)
from agent_tui.machine.sandbox.choose import Chosen
from agent_tui.machine.sandbox.seatbelt import Seatbelt
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.protocol.requests import Deny, PermissionAnswer, PermissionRequest
from agent_tui.settings.paths import Environment
from agent_tui.settings.rule_entries import BEHAVIORS, SourcedRule
from agent_tui.settings.sandbox import SandboxSettings, SourcedSandbox
from agent_tui.tools.base import ToolSet
from agent_tui.tools.builtin.bash import TOOL
from tests.engine.agents_at_work import agent_says, ask, with_kinds
from tests.engine.sessions import Answers, Place
from tests.fakes.api_server import reply, tool
from tests.machine.sandbox.yard import bubblewrap

pytestmark = pytest.mark.anyio


def in_sandbox(place: Place, **more: Any) -> Place:
    """The same place, with sessions whose settings want the sandbox."""
    settings = {"sandbox": {"enabled": True, **more}}
    return replace(place, options=replace(place.options, settings=settings))


def bash(line: str, **more: Any) -> Any:
    return tool("Bash", {"command": line, **more})


def no(request: PermissionRequest) -> PermissionAnswer:
    return Deny("no")


# In a session ---------------------------------------------------------------------------------------------------------


async def test_commands_run_inside_unasked_and_can_not_reach_out(place: Place) -> None:
    bubblewrap()
    answers = Answers(no)
    outside = place.home / "out"
    line = (
        f'python3 -c \'open("made","w").write("x")\'; echo x > {outside}; cat ~/.agent-tui/* ; env'
    )
    place.api.enqueue(reply(bash(line)), "done")
    talk = await in_sandbox(place).talk("go", approver=answers)
    assert answers.asked == []
    assert (place.project / "made").read_text() == "x"
    assert not outside.exists()
    result = str(talk.tool_results[0].content)
    assert "AGENT_TUI_SANDBOX=bubblewrap" in result and "sk-test-dummy" not in result
    assert "Commands run in a sandbox" in str(place.api.messages[0].body["tools"])


async def test_leaving_is_asked_by_name_and_runs_outside_after_a_yes(place: Place) -> None:
    bubblewrap()
    answers = Answers()
    line = f"echo x > {place.home}/out"
    place.api.enqueue(
        reply(bash("touch /usr/made-by-a-test")),
        reply(bash(line, dangerouslyDisableSandbox=True)),
        "done",
    )
    talk = await in_sandbox(place).talk("go", approver=answers)
    assert "dangerouslyDisableSandbox: true" in str(talk.tool_results[0].content)
    [asked] = answers.asked
    assert asked.reason.startswith("It wants to run outside the sandbox.")
    assert asked.decided_by == "sandbox" and asked.default_to_no and asked.suggestions == ()
    assert (place.home / "out").read_text() == "x\n"


async def test_after_a_no_nothing_runs(place: Place) -> None:
    bubblewrap()
    answers = Answers(no)
    place.api.enqueue(reply(bash("echo x > made", dangerouslyDisableSandbox=True)), "done")
    await in_sandbox(place).talk("go", approver=answers)
    assert len(answers.asked) == 1
    assert not (place.project / "made").exists()


async def test_where_nothing_may_leave_the_wish_is_passed_over(place: Place) -> None:
    bubblewrap()
    answers = Answers(no)
    place.api.enqueue(
        reply(bash("echo $AGENT_TUI_SANDBOX", dangerouslyDisableSandbox=True)), "done"
    )
    talk = await in_sandbox(place, allowUnsandboxedCommands=False).talk("go", approver=answers)
    assert "bubblewrap" in str(talk.tool_results[0].content)
    assert answers.asked == []


async def test_excluded_programs_run_outside_and_are_asked(place: Place) -> None:
    bubblewrap()
    answers = Answers()
    place.api.enqueue(
        reply(bash("python3 -c 'import os; print(os.environ.get(\"AGENT_TUI_SANDBOX\"))'")), "done"
    )
    talk = await in_sandbox(place, excludedCommands=["python3"]).talk("go", approver=answers)
    assert len(answers.asked) == 1
    assert "None" in str(talk.tool_results[0].content)


async def test_commands_of_a_sub_agent_run_inside_too(place: Place) -> None:
    bubblewrap()
    answers = Answers(no)
    line = "python3 -c 'import os; print(os.environ[\"AGENT_TUI_SANDBOX\"])' > inside"
    agent_says(place, reply(bash(line)), "sub done")
    place.api.enqueue(reply(ask()), "done")
    await in_sandbox(with_kinds(place)).talk("go", approver=answers)
    assert answers.asked == []
    assert (place.project / "inside").read_text() == "bubblewrap\n"


# Where there is none --------------------------------------------------------------------------------------------------


def without_bwrap(place: Place, script: str = "") -> Place:
    """The same place where the program is missing, or is this script."""
    folder = place.home / "bin"
    folder.mkdir()
    for name in ("bash", "cat", "echo"):
        (folder / name).symlink_to(f"/bin/{name}")
    if script:
        (folder / "bwrap").write_text(f"#!/bin/bash\n{script}\n")
        (folder / "bwrap").chmod(0o755)
    place.variables["PATH"] = str(folder)
    return place


async def test_without_the_program_everybody_is_told_and_every_command_is_asked(
    place: Place,
) -> None:
    answers = Answers(no)
    place.api.enqueue(reply(bash("echo x > made")), "done")
    talk = await in_sandbox(without_bwrap(place)).talk("go", approver=answers)
    [notice] = [text for text in talk.notices if "sandbox" in text]
    assert "WITHOUT a sandbox" in notice and "bubblewrap" in notice
    assert len(answers.asked) == 1
    assert not (place.project / "made").exists()


@pytest.mark.parametrize(
    "script", ["", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1"]
)
async def test_where_it_must_be_nothing_starts_without_it(place: Place, script: str) -> None:
    with pytest.raises(UsageError, match=r"the sandbox can't be used: .*failIfUnavailable"):
        await in_sandbox(without_bwrap(place, script), failIfUnavailable=True).talk("go")


async def test_one_that_is_broken_lets_nothing_run(place: Place) -> None:
    answers = Answers(no)
    place.api.enqueue(reply(bash("echo x > made")), "done")
    broken = without_bwrap(
        place, "echo 'bwrap: No permissions to create new namespace' >&2; exit 1"
    )
    talk = await in_sandbox(broken).talk("go", approver=answers)
    assert "The sandbox doesn't work here" in next(t for t in talk.notices if "sandbox" in t)
    assert talk.tool_results[0].is_error
    assert "could not be set up, so the command was not run" in str(talk.tool_results[0].content)
    assert answers.asked == []
    assert not (place.project / "made").exists()


async def test_settings_that_can_not_be_read_stop_the_start(place: Place) -> None:
    with pytest.raises(SettingsError, match=r"sandbox\.enabled must be true or false"):
        await in_sandbox(place, enabled="yes").talk("go")


# Putting it together --------------------------------------------------------------------------------------------------


ENV = Environment({"PATH": "/bin", "HTTPS_PROXY": "http://proxy.example:3128"}, Path("/home/me"))
PROJECT = Path("/p")


def rules(*texts: str) -> RuleBook:
    """Rules, the kind before the rule: ``deny Read(x)``."""
    entries: list[SourcedRule] = []
    for text in texts:
        for kind in BEHAVIORS:
            if text.startswith(f"{kind} "):
                rule = text.removeprefix(f"{kind} ")
                entries.append(SourcedRule(kind, rule, "user", anchor="/home/me/.claude"))
    return RuleBook.of(entries)


def entry(**values: Any) -> SourcedSandbox:
    return SourcedSandbox({"enabled": True, **values}, "user")


def test_rules_bound_commands_too() -> None:
    live = LiveRules(
        rules(
            "allow Edit(//data/**)",
            "allow Edit(*.txt)",
            "deny Edit(./fixed)",
            "deny Read(~/private/**)",
            "deny Read(.env)",
            "allow WebFetch(domain:docs.example)",
            "ask WebFetch(domain:ask.example)",
            "deny WebFetch(domain:evil.example)",
            "allow Bash(ls)",
        )
    )
    live.scripts = ("/p/check.sh",)
    settings = SandboxSettings(
        enabled=True, allowed_domains=("a.example",), denied_domains=("b.example",)
    )
    found = bounds_of(settings, ENV, PROJECT, live)
    assert found.allow_write == ("/data",)
    assert found.deny_write == ("/p/fixed", "/p/check.sh")
    assert found.deny_read == ("/home/me/private",)
    assert found.network.allowed == ("a.example", "docs.example")
    assert found.network.denied == ("b.example", "evil.example", "ask.example")
    assert found.network.upstream == ("proxy.example", 3128)
    assert found.may_read is not None
    assert not found.may_read("/p/sub/.env") and found.may_read("/p/sub/x")
    live.follow(lambda: RuleBook())
    later = bounds_of(replace(settings, proxy_port=8080), ENV, PROJECT, live)
    assert later.may_read is None and later.allow_write == ()
    assert later.network.upstream == ("127.0.0.1", 8080)


def test_an_administrators_hosts_are_the_only_ones_where_he_says_so() -> None:
    settings = SandboxSettings(allowed_domains=("ours",), managed_domains_only=True)
    live = LiveRules(rules("allow WebFetch(domain:mine)", "allow WebFetch"))
    assert bounds_of(settings, ENV, PROJECT, live).network.allowed == ("ours",)
    assert bounds_of(
        replace(settings, managed_domains_only=False), ENV, PROJECT, live
    ).network.allowed[1:] in (
        ("mine", "*"),
        ("*", "mine"),
    )


@pytest.mark.parametrize(
    "name",
    [
        ".ssh",
        ".aws",
        ".gnupg",
        ".config/gcloud",
        ".kube",
        ".docker",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".agent-tui",
        ".claude.json",
        ".claude/.credentials.json",
    ],
)
def test_places_of_credentials_are_hidden(name: str) -> None:
    assert f"/home/me/{name}" in secrets_of(ENV)


def test_the_model_is_told_what_holds() -> None:
    closed = told_of(SandboxSettings(), reaches=False)
    assert "there is no network" in closed and "dangerouslyDisableSandbox: true" in closed
    strict = told_of(SandboxSettings(may_leave=False), reaches=True)
    assert "through a proxy" in strict and "has no effect" in strict
    tools = with_sandbox(ToolSet.of((TOOL,)), closed)
    assert str(tools.tools[0].schema()["description"]).endswith(closed)
    plain = ToolSet.of((TOOL,))
    assert with_sandbox(plain, "") is plain


def test_hosts_that_can_not_be_let_through_are_told() -> None:
    network = {"allowedDomains": ["a.example"]}
    found = set_up(
        (entry(network=network),),
        ENV,
        PROJECT,
        RuleBook(),
        lambda path, project: Chosen(Seatbelt()),
    )
    assert found.sandbox is not None
    assert "no network at all" in found.notices[0]
    assert "there is no network" in found.told
    assert found.sandbox.holds("ls", leaves=False)


def test_what_is_off_is_not_looked_for() -> None:
    looked: list[str] = []

    def look(path: str, project: Path) -> Chosen:
        looked.append(path)
        return Chosen()

    found = set_up((entry(enabled=False, new=1),), ENV, PROJECT, RuleBook(), look)
    assert found.sandbox is None and found.told == "" and len(found.notices) == 1
    assert looked == []
    assert partial(set_up, (), ENV, PROJECT, RuleBook(), look)().sandbox is None
