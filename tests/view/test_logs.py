"""How lines of a log are written."""

from __future__ import annotations

import logging

from agent_tui.protocol.masking import Masker
from agent_tui.view.logs import SafeFormatter


def test_a_record_drives_no_terminal_and_holds_no_secret() -> None:
    record = logging.LogRecord(
        "agent_tui.mcp",
        logging.WARNING,
        "x.py",
        1,
        "it said %s",
        ("\x1b]0;t\x07\x9bm TOKEN=abc123def456",),
        None,
    )
    line = SafeFormatter(Masker.knowing(["plum-key-1"])).format(record)
    assert line.endswith("WARNING agent_tui.mcp: it said  TOKEN=[masked]")
    record.msg = "%s has plum-key-1"
    assert SafeFormatter(Masker.knowing(["plum-key-1"])).format(record).endswith("has [masked]")
