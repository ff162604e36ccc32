from __future__ import annotations

from agent_tui.protocol.display import PlanDisplay
from agent_tui.tui.displays.drawing import Options, render_display, render_head
from tests.fakes.conversation_host import page, texts

PLAN = "# Rename Session\n\n" + "\n".join(f"{n}. step {n}" for n in range(1, 31))


def said(display: PlanDisplay) -> str:
    return "".join(text for text, _ in render_head(display, page(80)).argument)


def test_the_head_says_how_it_begins_or_what_became_of_it() -> None:
    assert said(PlanDisplay(PLAN)) == "Rename Session"
    assert said(PlanDisplay(PLAN, outcome="approved")) == "approved"
    assert said(PlanDisplay("")) == ""


def test_a_long_plan_is_cut_and_says_how_much_there_is() -> None:
    rows = texts(render_display(PlanDisplay(PLAN), page(80)))
    whole = texts(render_display(PlanDisplay(PLAN), page(80), Options(expanded=True)))
    assert "more lines" in rows[-1]
    assert len(rows) == 13
    assert any("step 30" in row for row in whole)
    assert len(whole) > len(rows)
