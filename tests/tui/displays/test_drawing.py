from __future__ import annotations

import pkgutil
from typing import get_args

import pytest

from agent_tui.protocol.display import (
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    Hunk,
    SearchDisplay,
    TextDisplay,
    UnknownDisplay,
)
from agent_tui.tui import displays
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page

NASTY = "x\x1b]52;c;aGk=\x07[bold]\x9b31m\u202e"
SAMPLES: list[Display] = [
    TextDisplay(NASTY, f"{NASTY}\n{NASTY}"),
    DiffDisplay(f"/w/{NASTY}", (Hunk(1, 1, 1, 1, (f"-{NASTY}", f"+{NASTY} y"), NASTY),), 1, 1),
    CommandDisplay(
        NASTY, exit_code=1, head=(NASTY, f"error {NASTY}"), output_path=NASTY, hidden_lines=2
    ),
    FileDisplay(f"/w/{NASTY}", 1, 2, note=NASTY),
    SearchDisplay(NASTY, f"/{NASTY}", 2, 1, (NASTY,)),
    UnknownDisplay("sparkline", {"title": NASTY, "points": [1, NASTY]}),
]


def test_each_kind_has_a_module_of_its_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(displays.__path__)}
    kinds = {
        kind.__dataclass_fields__["kind"].default
        for kind in get_args(Display)
        if kind is not UnknownDisplay
    }
    assert kinds <= modules and "unknown" in modules


@pytest.mark.parametrize("display", SAMPLES, ids=lambda display: display.kind)
@pytest.mark.parametrize("width", [40, 100, 160])
@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(expanded=True),
        Options(running=True),
        Options(failed=True),
        Options(side_by_side=True, chosen=frozenset({0}), current=0),
        Options(wrap=True),
    ],
    ids=["plain", "expanded", "running", "failed", "beside", "wrap"],
)
def test_u1_u2_every_row_is_as_wide_as_the_page_and_holds_no_code(
    display: Display, width: int, options: Options
) -> None:
    sheet = page(width)
    head = render_head(display, sheet)
    said = "".join(text for text, _ in head.argument)
    rows = render_display(display, sheet, options)
    assert len(list(rows)) == len(rows)
    for line in rows:
        assert sum(s.cell_length for s in line.strip) == width
        said += line.strip.text
    assert not any(c < " " or "\x7f" <= c <= "\x9f" or c == "\u202e" for c in said)
    assert "[bold]" in said or (width == 40 and options.side_by_side)


FULL = Options(expanded=True)


def test_u2_what_was_run_or_written_is_seen_whole_and_output_as_it_was_meant() -> None:
    sheet = page(100)
    command = CommandDisplay("echo \x1b]0;touch x\x07", exit_code=1, head=("\x1b[31mred\x1b[0m",))
    assert "touch x" in "".join(text for text, _ in render_head(command, sheet).argument)
    shown = "\n".join(line.strip.text for line in render_display(command, sheet, FULL))
    assert "red" in shown and "[31m" not in shown
    diff = DiffDisplay("/w/a", (Hunk(1, 0, 1, 1, ("+ok \x1b]0;rm -rf x\x07",)),), 1, 0)
    shown = "\n".join(line.strip.text for line in render_display(diff, sheet, FULL))
    assert "rm -rf x" in shown
