from __future__ import annotations

from typing import Any

from agent_tui.view.works import Work, Works, fold_works, running


def listed(*names: str) -> dict[str, Any]:
    rows = [
        {
            "task_id": name,
            "task_type": "local_agent" if name.startswith("a") else "local_bash",
            "description": f"does {name}",
        }
        for name in names
    ]
    return {"tasks": rows}


def told(*said: tuple[str, dict[str, Any]]) -> Works:
    works: Works = ()
    for subtype, data in said:
        works = fold_works(works, subtype, data)
    return works


def test_what_is_listed_runs_and_what_is_told_of_it_is_kept() -> None:
    usage = {"total_tokens": 900, "tool_uses": 3, "duration_ms": 40}
    works = told(
        ("background_tasks_changed", listed("b1")),
        ("task_started", {"task_id": "b1"}),
        ("background_tasks_changed", listed("b1", "a1")),
        ("task_started", {"task_id": "a1", "subagent_type": "Explore"}),
        ("task_progress", {"task_id": "a1", "usage": usage, "last_tool_name": "Grep"}),
    )
    assert works == (
        Work("b1", False, "does b1"),
        Work("a1", True, "does a1", "running", "Explore", "Grep", 3, 900, 40),
    )
    assert running(works) == 2


def test_how_it_ended_stays() -> None:
    works = told(
        ("background_tasks_changed", listed("b1", "b2", "b3")),
        (
            "task_notification",
            {
                "task_id": "b1",
                "status": "failed",
                "output_file": "/o",
                "summary": "no",
                "usage": None,
            },
        ),
        ("task_notification", {"task_id": "b2", "status": "stopped"}),
        ("background_tasks_changed", listed()),
    )
    assert [work.state for work in works] == ["failed", "stopped", "stopped"]
    assert (works[0].output_file, works[0].summary, works[0].duration_ms) == ("/o", "no", None)
    assert running(works) == 0


def test_a_sub_agent_in_the_foreground_and_other_messages_change_nothing() -> None:
    before = told(("background_tasks_changed", listed("b1")))
    for subtype in ("task_started", "task_progress", "task_notification", "init"):
        assert fold_works(before, subtype, {"task_id": "a9"}) is before
    assert fold_works(before, "task_updated", {"task_id": "b1"}) is before
    assert fold_works((), "background_tasks_changed", {"tasks": ["nonsense", None]}) == ()


def test_secrets_in_what_it_is_called_and_says_are_hidden() -> None:
    row = {"task_id": "b1", "task_type": "local_bash", "description": "TOKEN=abc123def456 run"}
    works = told(
        ("background_tasks_changed", {"tasks": [row]}),
        ("task_notification", {"task_id": "b1", "summary": "sent abc, TOKEN=abc123def456"}),
    )
    assert works[0].description == "TOKEN=[masked] run"
    assert works[0].summary == "sent abc, TOKEN=[masked]"
