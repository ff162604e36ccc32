from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.background import BackgroundTask


def test_work_is_over_when_it_no_longer_runs() -> None:
    task = BackgroundTask("b1", "local_bash", "serve", "t1", "/tmp/b1.output")
    assert not task.over
    assert replace(task, status="killed").over
    assert replace(task, status="completed").over
