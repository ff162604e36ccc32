"""What is left of dead parents. Each case runs in a process of its own: it ends all descendants there are."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tests.machine.alive import NAP, running

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="subreapers are Linux's")

BEGINNING = """
import os, signal, subprocess, time
from agent_tui.machine.orphans import become_subreaper, descendants, end_descendants

def start(line):
    child = subprocess.Popen(["sh", "-c", line], start_new_session=True, stdout=subprocess.PIPE)
    assert child.stdout.readline() == b"begun\\n"
    return child

def commands():
    return sorted(p.command for p in descendants())
"""


def played(script: str) -> str:
    """Run a script in a new process; give what it printed."""
    whole = BEGINNING + textwrap.dedent(script)
    done = subprocess.run(
        [sys.executable, "-c", whole], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@linux
def test_orphans_are_adopted_found_and_ended() -> None:
    nap = f"{NAP}71"
    out = played(f"""
        assert become_subreaper()
        child = start("setsid {nap} & echo begun; wait")
        while "{nap}" not in commands():
            time.sleep(0.01)
        child.kill()
        child.wait()
        assert commands() == ["{nap}"]
        print(end_descendants(), descendants())
    """)
    assert out == "1 ()"
    assert not running(nap)


@linux
def test_what_ignores_being_asked_is_killed_with_its_children() -> None:
    nap = f"{NAP}72"
    out = played(f"""
        become_subreaper()
        start("trap '' TERM; sh -c 'trap \"\" TERM; echo begun; {nap}; {nap}' & wait; wait")
        began = time.monotonic()
        assert end_descendants(0.2) >= 2
        assert time.monotonic() - began < 3
        print(descendants())
    """)
    assert out == "()"
    assert not running(nap)


@linux
def test_no_zombie_is_left() -> None:
    out = played(f"""
        become_subreaper()
        start("{NAP}73 & echo begun; wait")
        end_descendants()
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            print("none")
    """)
    assert out == "none"


@linux
def test_programs_of_one_session_are_spared() -> None:
    nap = f"{NAP}74"
    out = played(f"""
        become_subreaper()
        kept = subprocess.Popen(["sleep", "20"])
        start("{nap} & echo begun; wait")
        end_descendants(spare_session=os.getsid(0))
        print(kept.poll(), commands())
        kept.kill()
        print(kept.wait())
    """)
    assert out.splitlines() == ["None ['sleep 20']", "-9"]
    assert not running(nap)


def test_with_nobody_there_nothing_is_waited_for() -> None:
    out = played("""
        began = time.monotonic()
        print(end_descendants(5.0))
        assert time.monotonic() - began < 1
    """)
    assert out == "0"
