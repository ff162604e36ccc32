"""The sandbox's settings: read, joined over files, only tightened by a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.layers import FlagSettings, load
from agent_tui.settings.paths import Environment
from agent_tui.settings.sandbox import (
    FLAGS,
    LISTS,
    PORTS,
    Joined,
    SandboxSettings,
    SourcedSandbox,
    join,
    switched_on,
)

PROJECT, HOME = Path("/p"), Path("/home/me")


def joined(*entries: tuple[str, Any]) -> Joined:
    sourced = (SourcedSandbox(data, source, f"/{source}.json") for source, data in entries)
    return join(sourced, PROJECT, HOME)


def settings(*entries: tuple[str, Any]) -> SandboxSettings:
    return joined(*entries).settings


def test_without_a_word_there_is_none() -> None:
    assert joined() == Joined(SandboxSettings())
    assert not settings(("user", {})).unasked


def test_what_is_switched_on_by_the_person_runs_unasked_unless_told_otherwise() -> None:
    assert settings(("user", {"enabled": True})).unasked
    assert not settings(("user", {"enabled": True, "autoAllowBashIfSandboxed": False})).unasked
    assert not settings(("user", {"enabled": True}), ("flag", {"enabled": False})).enabled
    assert not settings(("user", {"enabled": True, "filesystem": {"disabled": True}})).unasked


def test_everything_is_read() -> None:
    found = joined(
        (
            "user",
            {
                "enabled": True,
                "failIfUnavailable": True,
                "excludedCommands": ["docker"],
                "allowUnsandboxedCommands": False,
                "enableWeakerNestedSandbox": True,
                "ignoreViolations": {"*": ["/etc/hosts"]},
                "filesystem": {
                    "allowWrite": ["~/.cache", "/abs", "//abs2"],
                    "denyWrite": ["./dist"],
                    "denyRead": ["~"],
                    "allowRead": ["sub/.."],
                },
                "network": {
                    "allowedDomains": ["a.b"],
                    "deniedDomains": ["c.d"],
                    "allowUnixSockets": ["/run/x"],
                    "allowAllUnixSockets": True,
                    "allowLocalBinding": True,
                    "allowMachLookup": ["com.x"],
                    "httpProxyPort": 3128,
                    "strictAllowlist": True,
                },
                "credentials": {
                    "files": [{"path": "~/.token", "mode": "deny"}],
                    "envVars": [{"name": "TOKEN", "mode": "mask"}, "OTHER"],
                },
            },
        )
    )
    assert found == Joined(
        SandboxSettings(
            enabled=True,
            required=True,
            unasked=True,
            excluded=("docker",),
            may_leave=False,
            allow_write=("/home/me/.cache", "/abs", "/abs2"),
            deny_write=("/p/dist",),
            deny_read=("/home/me", "/home/me/.token"),
            allow_read=("/p",),
            allowed_domains=("a.b",),
            denied_domains=("c.d",),
            sockets=("/run/x",),
            all_sockets=True,
            local_binding=True,
            mach_names=("com.x",),
            proxy_port=3128,
            variables=("TOKEN", "OTHER"),
            ignored={"*": ("/etc/hosts",)},
            weaker=True,
        )
    )


def test_lists_add_up_and_single_values_of_the_higher_file_win() -> None:
    found = settings(
        (
            "user",
            {"enabled": False, "excludedCommands": ["a", "b"], "network": {"httpProxyPort": 1}},
        ),
        (
            "flag",
            {"enabled": True, "excludedCommands": ["b", "c"], "network": {"httpProxyPort": 2}},
        ),
    )
    assert (found.enabled, found.excluded, found.proxy_port) == (True, ("a", "b", "c"), 2)


@pytest.mark.parametrize("source", ["project", "local"])
def test_a_project_may_only_tighten(source: str) -> None:
    mine = ("user", {"enabled": True, "excludedCommands": ["docker"]})
    looser = {
        "enabled": False,
        "failIfUnavailable": False,
        "autoAllowBashIfSandboxed": True,
        "allowUnsandboxedCommands": True,
        "excludedCommands": ["evil"],
        "enableWeakerNestedSandbox": True,
        "ignoreViolations": {"*": ["x"]},
        "filesystem": {"disabled": True, "allowWrite": ["/"], "allowRead": ["~/.ssh"]},
        "network": {
            "allowedDomains": ["*"],
            "allowAllUnixSockets": True,
            "allowUnixSockets": ["/x"],
        },
    }
    found = joined(mine, (source, looser))
    assert found.settings == settings(mine)
    assert len(found.notices) == 13
    assert all("may only tighten the sandbox" in notice for notice in found.notices)
    tighter = {
        "allowUnsandboxedCommands": False,
        "autoAllowBashIfSandboxed": False,
        "filesystem": {"denyRead": ["./secret"], "denyWrite": ["./fixed"]},
        "network": {"deniedDomains": ["x.y"]},
        "credentials": {"envVars": ["TOKEN"]},
    }
    tight = joined(mine, (source, tighter))
    assert tight.notices == ()
    assert not tight.settings.unasked and not tight.settings.may_leave
    assert tight.settings.deny_read == ("/p/secret",) and tight.settings.denied_domains == ("x.y",)


def test_a_project_that_switches_it_on_spares_nobody_the_question() -> None:
    assert settings(("project", {"enabled": True})).enabled
    assert not settings(("project", {"enabled": True})).unasked
    assert not settings(("project", {"enabled": True, "autoAllowBashIfSandboxed": True})).unasked
    both = settings(
        ("user", {"enabled": True, "autoAllowBashIfSandboxed": True}),
        ("project", {"autoAllowBashIfSandboxed": False}),
    )
    assert not both.unasked


def test_an_administrator_may_keep_the_hosts_to_his_own() -> None:
    found = settings(
        ("user", {"network": {"allowedDomains": ["mine"]}}),
        ("managed", {"network": {"allowedDomains": ["ours"], "allowManagedDomainsOnly": True}}),
    )
    assert found.allowed_domains == ("ours",)


WRONG: list[tuple[Any, str]] = [
    ("on", "sandbox must be an object"),
    ({"enabled": "true"}, "sandbox.enabled must be true or false"),
    ({"network": []}, "sandbox.network must be an object"),
    ({"network": {"allowedDomains": "x"}}, "sandbox.network.allowedDomains must be a list"),
    ({"excludedCommands": [1]}, "sandbox.excludedCommands must be a list"),
    ({"credentials": {"files": [{"mode": "deny"}]}}, "sandbox.credentials.files must be a list"),
    ({"network": {"httpProxyPort": 0}}, "sandbox.network.httpProxyPort must be a port"),
    ({"ignoreViolations": ["x"]}, "sandbox.ignoreViolations must be an object"),
]


@pytest.mark.parametrize(("data", "told"), WRONG)
def test_what_can_not_be_read_stops_the_start(data: Any, told: str) -> None:
    with pytest.raises(SettingsError, match=f"^/user.json: {told}"):
        joined(("user", data))


def test_what_is_unknown_or_without_effect_is_told() -> None:
    found = joined(("user", {"new": 1, "network": {"socksProxyPort": 1080, "x": 2}}))
    assert [notice.partition("sandbox.")[2].split()[0] for notice in found.notices] == [
        "new",
        "network.x",
        "network.socksProxyPort",
    ]
    assert found.settings == SandboxSettings()


def test_every_key_of_the_tables_is_in_the_readme() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    section = readme[readme.index("### Sandbox") : readme.index("### Hooks")]
    silent = {"network.strictAllowlist", "network.socksProxyPort"}
    names = {
        key.rpartition(".")[2] for key in {*FLAGS, *LISTS, *PORTS, "ignoreViolations"} - silent
    }
    assert [name for name in sorted(names) if name not in section] == []


def test_it_is_switched_on_beside_what_is_said_already() -> None:
    assert switched_on({}) == {"sandbox": {"enabled": True}}
    given = {"model": "m", "sandbox": {"enabled": False, "excludedCommands": ["x"]}}
    assert switched_on(given) == {
        "model": "m",
        "sandbox": {"enabled": True, "excludedCommands": ["x"]},
    }
    assert given["sandbox"] == {"enabled": False, "excludedCommands": ["x"]}


@pytest.mark.parametrize("trusted", [False, True])
def test_the_layers_hand_it_on_from_every_file(tmp_path: Path, trusted: bool) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    for folder in (home / ".claude", project / ".claude"):
        folder.mkdir(parents=True)
    (home / ".claude/settings.json").write_text('{"sandbox": {"enabled": true}}')
    (project / ".claude/settings.json").write_text('{"sandbox": {"enabled": false}}')
    layers = load(
        Environment({}, home),
        project,
        flag=FlagSettings({"sandbox": {"excludedCommands": ["x"]}}, "", project),
        trusted=trusted,
        managed=tmp_path / "none",
    )
    assert [(entry.source, entry.data) for entry in layers.sandbox] == [
        ("user", {"enabled": True}),
        ("project", {"enabled": False}),
        ("flag", {"excludedCommands": ["x"]}),
    ]
    assert not [notice for notice in layers.notices if "sandbox" in notice]
