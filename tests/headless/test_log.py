from __future__ import annotations

import logging
from pathlib import Path

import pytest

from agent_tui.headless.log import NAME, logged
from agent_tui.settings.paths import Environment, logs


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    return Environment({}, tmp_path)


def test_what_is_logged_goes_to_a_file_of_its_owners(
    env: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    with logged(env):
        assert not logs(env).exists()
        try:
            raise KeyError("lost")
        except KeyError:
            logging.getLogger("agent_tui.x").exception("it failed")
    path = logs(env) / NAME
    assert "it failed" in path.read_text() and "KeyError" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert capsys.readouterr().err == ""


def test_nothing_is_written_where_nothing_shall_be(env: Environment) -> None:
    with logged(env, keep=False):
        logging.getLogger("agent_tui.x").error("gone")
    assert not logs(env).exists()


def test_a_log_that_cannot_be_written_is_nobodys_failure(
    env: Environment, capsys: pytest.CaptureFixture[str]
) -> None:
    logs(env).parent.mkdir(parents=True, exist_ok=True)
    logs(env).write_text("in the way")
    with logged(env):
        logging.getLogger("agent_tui.x").error("lost")
    assert capsys.readouterr().err == ""
