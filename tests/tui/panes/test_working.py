from __future__ import annotations

import pytest

from agent_tui.protocol.messages import SystemMessage
from agent_tui.tui.panes.working import WorkingLine
from agent_tui.view.status import Status
from tests.tui.host import Host, screen_rows
from tests.tui.look import look
from tests.tui.scenes import busy, status

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_it_says_how_long_what_it_cost_and_how_to_stop_it() -> None:
    now = [100.0]
    line = WorkingLine(look(), lambda: now[0])
    app = Host(line.look, line)
    async with app.run_test(size=(120, 6)) as pilot:
        line.show(Status().apply(busy(turns=12, run_tokens=9800, run_cost_usd=0.0704)))
        now[0] = 167.4
        line.redraw()
        await pilot.pause()
        row = screen_rows(app)[1]
        assert row.startswith(" ◐ Working  1:07   turn 12 of this prompt   9.8k tok   $0.0704")
        assert row.endswith("esc stop   enter queue   ctrl+o detail")
        assert len(row) == 118


async def test_it_says_that_a_call_is_looked_at() -> None:
    line = WorkingLine(look(), lambda: 0.0)
    app = Host(line.look, line)
    async with app.run_test(size=(120, 6)) as pilot:
        line.show(Status().apply(busy(phase="checking")))
        await pilot.pause()
        assert screen_rows(app)[1].startswith(" ◐ Checking  0:00")
        line.show(Status().apply(busy(phase="tools")))
        await pilot.pause()
        assert screen_rows(app)[1].startswith(" ◐ Working")


async def test_u10_nothing_ticks_when_nothing_runs() -> None:
    line = WorkingLine(look(), lambda: 0.0)
    app = Host(line.look, line)
    async with app.run_test(size=(120, 6)) as pilot:
        assert not line._timers  # pyright: ignore[reportPrivateUsage]
        going = Status().apply(busy())
        line.show(going)
        assert len(line._timers) == 1  # pyright: ignore[reportPrivateUsage]
        line.show(going.apply(status()))
        await pilot.pause()
        assert not line.display
        assert line._timer is None  # pyright: ignore[reportPrivateUsage]


async def test_n1_a_retry_is_shown_with_its_countdown_and_reason() -> None:
    now = [0.0]
    line = WorkingLine(look(), lambda: now[0])
    app = Host(line.look, line)
    async with app.run_test(size=(120, 6)) as pilot:
        going = Status().apply(busy())
        line.show(going)
        retry = {
            "attempt": 2,
            "max_retries": 10,
            "retry_delay_ms": 8000,
            "error": "overloaded",
            "error_status": 529,
        }
        line.show(going.apply(SystemMessage("api_retry", retry)))
        now[0] = 3.0
        line.redraw()
        await pilot.pause()
        assert "Retrying in 5 s  0:03   attempt 2 of 10   overloaded (529)" in screen_rows(app)[1]


async def test_a_narrow_line_keeps_the_way_to_stop() -> None:
    line = WorkingLine(look(), lambda: 0.0)
    app = Host(line.look, line)
    async with app.run_test(size=(44, 6)) as pilot:
        line.show(Status().apply(busy(turns=3)))
        await pilot.pause()
        row = screen_rows(app)[1]
        assert "esc" in row
        assert len(row) <= 44
