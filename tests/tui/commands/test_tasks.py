from __future__ import annotations

import pytest

from tests.tui.recorder import run


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("/tasks", "tasks"),
        ("/tasks stop b12", "stop b12"),
        ("/tasks stop", "stop "),
        ("/tasks what", "error /tasks shows what runs; /tasks stop ID ends one of it."),
    ],
)
def test_it_shows_what_runs_or_stops_what_is_named(text: str, done: str) -> None:
    assert run(text).done == [done]
