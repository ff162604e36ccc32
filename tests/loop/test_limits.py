from __future__ import annotations

from agent_tui.loop.limits import BudgetLimit, TurnLimit


def test_the_tools_of_the_last_permitted_turn_still_run() -> None:
    limit = TurnLimit(2)
    assert limit.after_response(tool_turns=1, spent_usd=99) is None
    assert limit.after_tools(1) is None
    reached = limit.after_tools(2)
    assert reached is not None
    assert (reached.subtype, reached.terminal_reason) == ("error_max_turns", "max_turns")
    assert "(2)" in reached.text


def test_the_budget_counts_from_where_the_session_was_opened() -> None:
    limit = BudgetLimit(0.5, already=1.0)
    assert limit.after_response(0, 1.49) is None
    reached = limit.after_response(0, 1.5)
    assert reached is not None
    assert (reached.subtype, reached.terminal_reason) == (
        "error_max_budget_usd",
        "budget_exhausted",
    )
    assert limit.after_tools(5) is None
