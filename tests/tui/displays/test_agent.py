from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol.display import AgentDisplay
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts

RUNNING = AgentDisplay(
    "find callers", "Explore", prompt="Find all callers of x", last="Grep x", tool_uses=3
)


def test_the_head_says_what_it_was_asked_and_what_it_used() -> None:
    head = render_head(replace(RUNNING, total_tokens=12_300), page(80))
    assert "".join(text for text, _ in head.argument) == "Explore  find callers"
    assert head.facts[-1][0][0] == "Grep x  3 calls  12.3k tok"
    done = render_head(replace(RUNNING, status="completed", total_tokens=12_300), page(80))
    assert done.facts[-1][0][0] == "3 calls  12.3k tok"
    assert render_head(replace(RUNNING, tool_uses=0), page(80)).facts == ()


def test_the_usual_kind_is_not_named_and_a_narrow_row_counts_calls_only() -> None:
    usual = render_head(replace(RUNNING, agent_type="general-purpose"), page(80))
    assert "".join(text for text, _ in usual.argument) == "find callers"
    narrow = render_head(replace(RUNNING, total_tokens=12_300), page(60))
    assert narrow.facts[-1][0][0] == "3 calls"


@pytest.mark.parametrize(
    ("width", "said"), [(120, "Bash uv run pytest tests -q"), (80, "Bash uv run…")]
)
def test_the_newest_call_has_little_room(width: int, said: str) -> None:
    long = replace(RUNNING, last="Bash uv run pytest tests -q")
    assert render_head(long, page(width)).facts[-1][0][0] == f"{said}  3 calls"


def test_it_is_one_line_and_its_task_and_report_are_there_when_expanded() -> None:
    assert render_display(RUNNING, page(80), Options(running=True)) == ()
    done = replace(RUNNING, status="completed", report="Two callers: `a`, `b`.")
    assert render_display(done, page(80)) == ()
    rows = texts(render_display(done, page(80), Options(expanded=True)))
    assert rows == ["   Find all callers of x", "   It reported:", "   Two callers: a, b."]
