from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.display import AgentDisplay
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts

RUNNING = AgentDisplay(
    "find callers", "Explore", prompt="Find all callers of x", last="Grep x", tool_uses=3
)


def test_the_head_says_what_it_was_asked_and_what_it_used() -> None:
    head = render_head(replace(RUNNING, total_tokens=12_300), page(80))
    assert "".join(text for text, _ in head.argument) == "find callers  Explore"
    assert head.facts[-1][0][0] == "3 calls  12.3k tok"
    behind = render_head(replace(RUNNING, status="background"), page(80))
    assert behind.facts[0][0][0] == "in the background"


def test_the_newest_call_is_shown_while_it_runs_and_the_report_when_expanded() -> None:
    assert texts(render_display(RUNNING, page(80), Options(running=True))) == ["   Grep x"]
    done = replace(RUNNING, status="completed", report="Two callers: `a`, `b`.")
    assert render_display(done, page(80)) == ()
    rows = texts(render_display(done, page(80), Options(expanded=True)))
    assert rows == ["   Find all callers of x", "   It reported:", "   Two callers: a, b."]
