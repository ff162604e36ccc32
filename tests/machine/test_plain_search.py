"""The stand-in as a program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from agent_tui.machine import plain_search
from agent_tui.machine.plain_search import Request

ROOT = Path(plain_search.__file__).parents[2]


def run(request: Request, folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "agent_tui.machine.plain_search", request.to_json()],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )


def test_it_prints_as_ripgrep_does_and_tells_by_its_code(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\nb\n")
    done = run(Request("json", "b"), tmp_path)
    kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert (kinds, done.returncode) == (["begin", "match", "end"], 0)
    assert run(Request("count", "[ab]"), tmp_path).stdout == b"./f\x002\n"
    assert run(Request("list", "b"), tmp_path).stdout == b"./f\0"
    assert run(Request("files", globs=("*",)), tmp_path).stdout == b"./f\0"
    assert run(Request("list", "z"), tmp_path).returncode == 1
    wrong = run(Request("list", "("), tmp_path)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith(b"regex parse error")


def test_pipes_and_what_may_not_be_read_are_passed_over(tmp_path: Path) -> None:
    subprocess.run(["mkfifo", str(tmp_path / "pipe")], check=True)
    (tmp_path / "f").write_text("a\n")
    assert run(Request("list", "a"), tmp_path).stdout == b"./f\0"
