from __future__ import annotations

from agent_tui.loop.stopped import KEPT, STOPPED_BEFORE, STOPPED_DURING, stopped_output
from agent_tui.protocol.display import AgentDisplay, CommandDisplay, TextDisplay


def test_what_never_ran_says_so() -> None:
    output = stopped_output(None, ran=False)
    assert (output.content, output.is_error, output.display) == (STOPPED_BEFORE, True, None)


def test_a_command_keeps_what_was_seen_of_it() -> None:
    seen = CommandDisplay("make", head=("one",), hidden_lines=3, tail=("last",), exit_code=-15)
    output = stopped_output(seen, ran=True)
    assert output.content == (
        f"{STOPPED_DURING}\nIt was ended by SIGTERM.\nOutput until then:\none\n[3 lines left out]\nlast"
    )
    assert isinstance(output.display, CommandDisplay) and output.display.interrupted
    assert output.structured == f"Error: {STOPPED_DURING}"


def test_much_output_is_cut_to_its_end() -> None:
    seen = CommandDisplay("make", head=("x" * 9000, "the end"))
    content = str(stopped_output(seen, ran=True).content)
    assert content.endswith("the end")
    assert len(content) < KEPT + 200


def test_other_displays_stay_as_they_are() -> None:
    seen = TextDisplay(title="T")
    output = stopped_output(seen, ran=True)
    assert (output.content, output.display) == (STOPPED_DURING, seen)


def test_a_sub_agent_says_how_far_it_was() -> None:
    seen = AgentDisplay("find it", last="Read a.py", tool_uses=3)
    output = stopped_output(seen, ran=True)
    assert output.content == (
        f"{STOPPED_DURING}\nThe sub-agent was interrupted after 3 calls; the last: Read a.py."
    )
    assert isinstance(output.display, AgentDisplay)
    assert output.display.status == "interrupted"
    assert stopped_output(AgentDisplay("find it"), ran=True).content == STOPPED_DURING
