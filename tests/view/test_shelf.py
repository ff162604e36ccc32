from __future__ import annotations

from agent_tui.protocol.content import TextBlock, ThinkingBlock, ToolUseBlock
from agent_tui.view.blocks import NoticeBlock
from agent_tui.view.shelf import Shelf, Streaming


def shelf(*ids: str) -> Shelf:
    made = Shelf()
    for block_id in ids:
        made.add(NoticeBlock(block_id, "info", block_id))
    return made


def test_names_count_up_and_are_free_again_when_a_block_is_taken_out() -> None:
    made = Shelf()
    first, second = made.name("m"), made.name("m")
    made.add(NoticeBlock(first, "info", "a"))
    made.add(NoticeBlock(second, "info", "b"))
    assert (first, second) == ("m/0", "m/1")
    made.remove(second)
    assert second not in made and made.name("m") == "m/1"
    assert made.of("m") == ("m/0",)


def test_older_blocks_stand_before_and_change_their_name_where_both_have_one() -> None:
    newer, older = shelf("m/0", "x"), shelf("w", "m/0")
    put = newer.put_before(older)
    assert [b.id for b in put] == ["w", "m/0<"]
    assert [b.id for b in newer] == ["w", "m/0<", "m/0", "x"]


def test_the_open_block_knows_its_finished_form() -> None:
    streaming = Streaming("m")
    streaming.kind = "text"
    assert streaming.is_becoming(TextBlock("x"))
    assert not streaming.is_becoming(TextBlock("  "))
    assert not streaming.is_becoming(ThinkingBlock("x", ""))
    streaming.block_id = "t"
    assert streaming.is_becoming(ToolUseBlock("t", "Bash", {}))
