from __future__ import annotations

import json
import subprocess

import pytest

from pictures import things
from pictures.machine import argv, machine


def test_a_machine_has_a_home_a_committed_project_and_settings() -> None:
    with machine(("Hello.",), (), {"theme": "dark"}, {"NO_COLOR": "1"}) as program:
        assert program.project == program.home / "work" / "tokenbox"
        assert (program.project / "src" / "auth.py").is_file()
        settings = program.home / ".agent-tui" / "settings.json"
        assert json.loads(settings.read_text()) == {"theme": "dark"}
        assert settings.stat().st_mode & 0o077 == 0
        git = ["git", "status", "--short", "--branch"]
        told = subprocess.run(git, cwd=program.project, capture_output=True, text=True, check=True)
        assert told.stdout == "## fix-auth\n"
        assert program.environment["NO_COLOR"] == "1"
    assert not program.home.exists()


def test_an_empty_variable_is_not_there() -> None:
    with machine((), (), {}, {"ANTHROPIC_API_KEY": ""}) as program:
        assert "ANTHROPIC_API_KEY" not in program.environment
        assert program.environment["ANTHROPIC_BASE_URL"] == program.api.url


def test_the_program_is_started_as_a_module() -> None:
    assert argv("--demo")[1:] == ["-m", "agent_tui", "--demo"]


def test_what_a_build_left_is_ignored_and_a_folder_brings_what_it_is_asked_about() -> None:
    with machine((), (), {}, {}) as program:
        things.built(program)
        assert len(list((program.project / "build").rglob("*.py"))) == 39
        told = subprocess.run(
            ["git", "status", "--short"], cwd=program.project, capture_output=True, check=True
        )
        assert told.stdout == b""
        things.brought(program)
        assert len((program.project / "AGENTS.md").read_text().splitlines()) == 41
        assert "tokenbox-db-server" in (program.project / ".mcp.json").read_text()


def test_sessions_of_the_past_have_their_ages_and_branches() -> None:
    with machine((), (), {"model": "sonnet"}, {}) as program:
        things.sessions(program, stored=things.STORED[:2])
        ages = [path.stat().st_mtime for path in program.journals()]
        assert (ages[1] - ages[0]) / things.HOUR == pytest.approx(24 * 39, abs=0.1)  # pyright: ignore[reportUnknownMemberType]
        told = [path.read_text() for path in program.journals()]
        assert "security" in told[0] and "never retry with an expired token" in told[1]
