"""The built-in kinds."""

from __future__ import annotations

from dataclasses import replace

from agent_tui.agents.builtin import builtin_definitions, wants_memory
from agent_tui.protocol.agents import USUAL_KIND


def test_each_has_a_prompt_of_its_own_and_says_what_it_is_for() -> None:
    kinds = builtin_definitions()
    assert len({kind.prompt for kind in kinds}) == len(kinds) == 3
    assert all(kind.description and kind.source == "built-in" for kind in kinds)
    assert kinds[0].name == USUAL_KIND


def test_those_that_look_have_no_tool_that_changes_files_and_no_memory() -> None:
    general, *looking = builtin_definitions()
    assert general.tools is None
    assert wants_memory(general)
    for kind in looking:
        assert kind.tools is not None
        assert not {"Write", "Edit", "NotebookEdit", "Agent"} & set(kind.tools)
        assert not wants_memory(kind)
        assert wants_memory(replace(kind, source="user"))
