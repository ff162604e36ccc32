"""Reading in the real program: finding, walking, copying, links, raw lines, the screens of context and cost."""

from __future__ import annotations

import base64
import re
import stat

from tests.fakes.api_server import reply, tool
from tests.journeys.program import Program
from tests.journeys.test_terminal import assert_harmless

LINK = re.compile(rb"\x1b\]8;[^;\x1b]*;([^\x1b]+)\x1b\\")
COPY = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")
FORGED = "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\"


def test_u2_links_are_ours_alone_and_what_is_found_is_copied_as_source(program: Program) -> None:
    (program.project / "note.txt").write_text(f"a needle {FORGED}\n")
    answer = f"See https://example.org/docs {FORGED}:\n\n```py\nif needle:\n    pass\n```\n\nThat is all."
    program.api.enqueue(reply(tool("Read", file_path="note.txt")), reply(answer))
    with program.screen() as terminal:
        terminal.wait_for("›", "default")
        begun = len(terminal.raw)
        terminal.type("look for it")
        terminal.key("enter")
        terminal.wait_for("That is all.")
        terminal.pump(0.5)
        targets = set(LINK.findall(bytes(terminal.raw[begun:])))
        assert b"https://example.org/docs" in targets
        assert all(t == b"https://example.org/docs" or t.endswith(b"/note.txt") for t in targets)
        terminal.type("\x06")  # ctrl+f
        terminal.type("needle")
        terminal.wait_for("place 2 of 2")
        terminal.key("enter")
        terminal.wait_for("place 1 of 2", "a needle")
        terminal.key("down")
        terminal.wait_for("place 2 of 2")
        terminal.key("tab")
        terminal.wait_for("n before")
        terminal.type("c")
        terminal.wait_for("copied the py code")
        copied = COPY.findall(bytes(terminal.raw))
        assert base64.b64decode(copied[-1]) == b"if needle:\n    pass"
        terminal.type("r")
        terminal.wait_for("Answer: raw", "requestedModel")
        terminal.key("esc")
        terminal.wait_for("›", "That is all.")
        terminal.key("esc")
        terminal.pump(0.5)  # an escape with something right behind it is another key
        terminal.type("/context")
        terminal.key("enter")
        terminal.wait_for("tokens", "System prompt", "Free")
        terminal.key("tab")
        terminal.wait_for("Cache read", "look for it")
        terminal.key("esc")
        terminal.pump(0.5)
        terminal.type("/export talk.html")
        terminal.key("enter")
        terminal.wait_for("Exported to")
        assert_harmless(bytes(terminal.raw[begun:]).replace(b"\x1b]8;;\x1b\\", b""))
        terminal.key("ctrl+d")
        terminal.wait_exit()
    written = program.project / "talk.html"
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert "if needle:" in written.read_text() and "\x1b" not in written.read_text()
