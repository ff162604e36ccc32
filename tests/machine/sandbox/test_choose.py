"""Which fence there is, by system."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.sandbox.bubblewrap import Bubblewrap
from agent_tui.machine.sandbox.choose import LINUX_LACKS, MAC_LACKS, Chosen, choose
from agent_tui.machine.sandbox.seatbelt import SANDBOX_EXEC


def test_each_system_has_its_own(tmp_path: Path) -> None:
    assert choose(str(tmp_path), tmp_path / "p", "linux") == Chosen(lacking=LINUX_LACKS)
    lacking = "" if Path(SANDBOX_EXEC).exists() else MAC_LACKS
    assert choose("", tmp_path, "darwin").lacking == lacking
    assert "sunos" in choose("", tmp_path, "sunos").lacking


def test_one_that_is_there_and_broken_is_chosen_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "bwrap"
    path.write_text("#!/bin/sh\necho 'bwrap: no' >&2; exit 1\n")
    path.chmod(0o755)
    chosen = choose(str(tmp_path), tmp_path / "project", "linux")
    assert chosen == Chosen(Bubblewrap(str(path), disables=False), "", "bwrap: no")
