"""Which servers there are, read from what was given and from files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.mcp.config import (
    BadConfigError,
    ServerList,
    gather,
    own_file,
    project_entries,
    read_server,
    state_file,
)
from agent_tui.settings.credentials import VARIABLES
from agent_tui.settings.options import Options, ToolOptions
from agent_tui.settings.paths import Environment


def env(home: Path, **variables: str) -> Environment:
    return Environment(variables, home)


def found(home: Path, given: dict[str, Any], *inside: str, **more: Any) -> ServerList:
    project = home / "project"
    options = Options(cwd=str(project), tools=ToolOptions(servers=given), **more)
    return gather(options, inside, env(home, TOKEN="secret", EMPTY=""), project)


def put(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))


def test_all_documented_kinds_are_read(home: Path) -> None:
    one, two, three, four = found(
        home,
        {
            "a": {"command": "run", "args": ["-x"], "env": {"K": "v"}, "timeout": 1500},
            "b": {"type": "http", "url": "https://h/mcp", "headers": {"A": "b"}},
            "c": {"type": "sse", "url": "http://h/sse", "alwaysLoad": True},
            "d": {"type": "sdk", "name": "d", "instance": object()},
        },
        "d",
    ).servers
    assert (one.kind, one.command, one.args, one.env) == ("stdio", "run", ("-x",), {"K": "v"})
    assert one.timeout_s == 1.5
    assert (two.kind, two.url, two.headers) == ("http", "https://h/mcp", {"A": "b"})
    assert (three.kind, three.always_load) == ("sse", True)
    assert (four.kind, four.given) == ("sdk", {"type": "sdk", "name": "d"})


def test_variables_are_put_in_and_missing_ones_told(home: Path) -> None:
    listed = found(
        home,
        {
            "a": {
                "command": "${TOKEN}",
                "args": ["${GONE:-there}", "${EMPTY:-full}", "-${EMPTY}-", "${LOST}", "$TOKEN"],
                "env": {"K": "x${TOKEN}y"},
            }
        },
    )
    config = listed.servers[0]
    assert config.command == "secret"
    assert config.args == ("there", "full", "--", "${LOST}", "$TOKEN")
    assert config.env == {"K": "xsecrety"}
    assert listed.notices == ("MCP server a (the given servers) names unset variables: LOST.",)
    assert config.given["command"] == "${TOKEN}"


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ([], "its entry must be an object"),
        ({}, "it needs a command"),
        ({"command": " "}, "it needs a command"),
        ({"url": "http://x"}, "it has a url and no type; say http or sse"),
        ({"type": "ws", "url": "ws://x"}, "its type 'ws' is unknown"),
        ({"type": "http"}, "it needs a url"),
        ({"type": "http", "url": "ftp://x"}, "is no http address"),
        ({"command": "x", "args": "-x"}, "its args must be a list of texts"),
        ({"command": "x", "args": [1]}, "its args must be a list of texts"),
        ({"command": "x", "env": {"A": 1}}, "its env must be an object of texts"),
        ({"command": "x", "env": ["A"]}, "its env must be an object of texts"),
        ({"command": "x", "timeout": -1}, "its timeout must be a number of milliseconds"),
        ({"type": "sdk", "name": "a"}, "it is said to be in the program, which brought none"),
    ],
)
def test_what_is_wrong_with_an_entry_is_said_in_a_sentence(
    home: Path, entry: Any, why: str
) -> None:
    listed = found(home, {"a": entry, "b": {"command": "x"}})
    assert [config.name for config in listed.servers] == ["b"]
    assert why in listed.notices[0]
    assert listed.notices[0].startswith("MCP server a (the given servers) is left out: ")


def test_a_server_needs_a_name(home: Path) -> None:
    with pytest.raises(BadConfigError, match="no name"):
        read_server(" ", {"command": "x"}, "dynamic", env(home))


def test_the_nearest_entry_of_a_name_wins(home: Path) -> None:
    def entry(text: str) -> dict[str, str]:
        return {"command": text}

    project = str(home / "project")
    local = {"projects": {project: {"mcpServers": {"b": entry("local"), "c": entry("local")}}}}
    theirs = {"mcpServers": {name: entry("theirs") for name in "abcde"}, **local}
    put(state_file(env(home)), theirs)
    put(own_file(env(home)), {"mcpServers": {name: entry("ours") for name in "abcd"}})
    listed = found(home, {"a": entry("given")})
    assert {one.name: (one.command, one.scope) for one in listed.servers} == {
        "a": ("given", "dynamic"),
        "b": ("local", "local"),
        "c": ("local", "local"),
        "d": ("ours", "user"),
        "e": ("theirs", "user"),
    }
    assert [one.name for one in found(home, {}, setting_sources=()).servers] == []


def test_only_the_given_ones_count_where_that_is_asked_for(home: Path) -> None:
    put(own_file(env(home)), {"mcpServers": {"mine": {"command": "x"}}})
    put(home / "project" / ".mcp.json", {"mcpServers": {"theirs": {"command": "x"}}})
    tools = ToolOptions(servers={"given": {"command": "x"}}, strict_servers=True)
    listed = gather(Options(cwd="/", tools=tools), ("own",), env(home), home / "project")
    assert [one.name for one in listed.servers] == ["given", "own"]
    assert listed.notices == ()


def test_servers_of_the_program_need_no_entry(home: Path) -> None:
    own = found(home, {}, "own").servers[0]
    assert (own.name, own.kind, own.scope) == ("own", "sdk", "dynamic")


def test_a_projects_servers_are_taken_from_a_trusted_project_only(home: Path) -> None:
    project = home / "project"
    entries = {"a": {"command": "x"}, "b": {}}
    put(project / ".mcp.json", {"mcpServers": entries})
    assert project_entries(project) == entries
    options = Options(cwd=str(project))
    assert gather(options, (), env(home), project) == ServerList()
    listed = gather(options, (), env(home), project, trusted=True)
    assert [(one.name, one.scope) for one in listed.servers] == [("a", "project")]
    assert "MCP server b" in listed.notices[0]
    personal = Options(cwd=str(project), setting_sources=("user", "local"))
    assert gather(personal, (), env(home), project, trusted=True) == ServerList()


def test_a_projects_server_goes_before_the_persons_for_all_and_after_the_one_for_this_project(
    home: Path,
) -> None:
    project = home / "project"
    put(project / ".mcp.json", {"mcpServers": {n: {"command": "project"} for n in "abc"}})
    mine = {"projects": {str(project): {"mcpServers": {"a": {"command": "local"}}}}}
    put(state_file(env(home)), {**mine, "mcpServers": {"b": {"command": "user"}}})
    listed = gather(Options(cwd=str(project)), (), env(home), project, trusted=True)
    assert {one.name: one.command for one in listed.servers} == {
        "a": "local",
        "b": "project",
        "c": "project",
    }


@pytest.mark.parametrize("name", VARIABLES)
def test_a12_no_key_of_ours_is_put_into_a_projects_entry(home: Path, name: str) -> None:
    project = home / "project"
    entries = {
        "leak": {"type": "http", "url": f"http://127.0.0.1:9999/${{{name}}}"},
        "header": {"type": "http", "url": "http://x/", "headers": {"A": f"${{{name}:-none}}"}},
        "fine": {"command": "run", "args": ["${TOKEN}"]},
    }
    put(project / ".mcp.json", {"mcpServers": entries})
    here = env(home, TOKEN="t", **{name: "sk-secret"})
    listed = gather(Options(cwd=str(project)), (), here, project, trusted=True)
    assert [(one.name, one.args) for one in listed.servers] == [("fine", ("t",))]
    assert all(f"it wants {name}" in notice for notice in listed.notices)
    assert "sk-secret" not in repr(listed)


def test_a_file_that_cannot_be_read_is_told(home: Path) -> None:
    own_file(env(home)).parent.mkdir(parents=True)
    own_file(env(home)).write_text("{")
    listed = found(home, {"a": {"command": "x"}})
    assert len(listed.servers) == 1
    assert "can't be read, so the MCP servers in it are left out" in listed.notices[0]
