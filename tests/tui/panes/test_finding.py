from __future__ import annotations

import time
from dataclasses import replace

from agent_tui.protocol.display import CommandDisplay
from agent_tui.tui.panes.entries import Entries
from agent_tui.tui.panes.finding import Finding
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    Grew,
    NoticeBlock,
    Prepended,
    PromptBlock,
    Removed,
    ThoughtBlock,
    ToolBlock,
)
from tests.tui.look import page

OUTPUT = tuple(f"row {n}" for n in range(30))


def shown(*blocks: Block, rows: int = 10) -> Entries:
    """Entries with a window on them."""
    entries = Entries(lambda: 0.0)
    entries.resize(page(80), rows)
    for block in blocks:
        entries.take(Added(block))
    entries.reel.lay_out()
    return entries


def prompts(count: int) -> list[Block]:
    return [PromptBlock(str(n), f"prompt {n}") for n in range(count)]


def in_window(entries: Entries, text: str) -> bool:
    return any(text in place.line.strip.text for place in entries.reel.window)


def test_it_begins_with_the_last_place_in_sight_or_above() -> None:
    entries = shown(*prompts(50))
    finding = Finding(entries)
    finding.look_for("prompt")
    assert (finding.number, finding.here) == (50, 50)
    entries.reel.to_start()
    finding.look_for("prompt 4")
    assert in_window(entries, "prompt 4") and finding.number == 1
    finding.look_for("prompt 49")
    assert in_window(entries, "prompt 49")


def test_places_are_gone_through_in_both_directions_and_end_at_the_ends() -> None:
    entries = shown(*prompts(3), AnswerBlock("a", "a prompt and a prompt"))
    finding = Finding(entries)
    finding.look_for("prompt")
    assert (finding.number, finding.here) == (5, 5)
    assert not finding.step(1)
    seen = [finding.number]
    while finding.step(-1):
        seen.append(finding.number)
    assert seen == [5, 4, 3, 2, 1]
    finding.to_end(last=True)
    assert finding.number == 5


def test_what_is_folded_away_is_unfolded_while_one_looks_at_it() -> None:
    output = ("a needle", *OUTPUT)
    call = ToolBlock(
        "t", "Bash", {}, "done", CommandDisplay("x", exit_code=0, head=output), "a needle"
    )
    entries = shown(PromptBlock("p", "needle"), ThoughtBlock("h", "a needle"), call)
    finding = Finding(entries)
    finding.look_for("needle")
    assert finding.here == 3
    card, thought = entries.order[2], entries.order[1]
    assert card.expanded and in_window(entries, "a needle") and finding.current is not None
    finding.step(-1)
    assert thought.expanded and not card.expanded
    finding.step(-1)
    assert not thought.expanded


def test_going_back_leaves_all_as_it_was() -> None:
    entries = shown(ThoughtBlock("h", "a needle"), *prompts(60))
    entries.reel.move(-20)
    before = [place.line.strip.text for place in entries.reel.window]
    finding = Finding(entries)
    finding.look_for("needle")
    assert in_window(entries, "needle")
    finding.go_back()
    assert [place.line.strip.text for place in entries.reel.window] == before
    assert not entries.order[0].expanded and not entries.reel.following


def test_going_back_to_the_end_follows_it_again() -> None:
    entries = shown(*prompts(60))
    finding = Finding(entries)
    finding.look_for("prompt 3")
    finding.to_end(last=False)
    assert not entries.reel.following
    finding.go_back()
    assert entries.reel.following and in_window(entries, "prompt 59")


def test_a_place_that_can_not_be_seen_counts_as_its_block() -> None:
    entries = shown(
        AnswerBlock("a", "[words](https://x/ne_edle)  <!-- -->"), NoticeBlock("n", "info", "end")
    )
    finding = Finding(entries)
    finding.look_for("[words](https")
    assert (finding.number, finding.here) == (1, 1)
    assert finding.current is None and finding.entry is entries.order[0]


def test_what_comes_before_and_behind_changes_the_count_and_not_the_place() -> None:
    entries = shown(*prompts(3))
    finding = Finding(entries)
    finding.look_for("prompt")
    finding.step(-1)
    assert finding.number == 2
    entries.take(Prepended((PromptBlock("x", "older prompt"),)))
    entries.take(Added(AnswerBlock("y", "a prompt", open=True)))
    entries.take(Grew("y", " prompt"))
    finding.look_again()
    assert (finding.number, finding.here) == (3, 6)
    finding.older = 10
    assert finding.number == 13
    entries.take(Removed("1"))
    finding.look_again()
    assert finding.number == 0 and finding.current is None
    assert finding.step(-1)


def test_calls_that_share_a_row_are_parted_while_one_looks_at_one_of_them() -> None:
    look = ToolBlock("1", "Read", {"file_path": "a"}, "done", looked=True, result="the needle")
    entries = shown(look, replace(look, id="2", result="nothing"))
    finding = Finding(entries)
    finding.look_for("needle")
    assert entries.order[0].expanded and not entries.order[0].group
    finding.go_back()
    assert len(entries.order[0].group) == 2


def test_a_letter_more_looks_only_where_something_was_found() -> None:
    blocks: list[Block] = [
        AnswerBlock(str(n), f"some words about {n} " * 20) for n in range(20_000)
    ]
    blocks[10] = AnswerBlock("10", "a needle")
    entries = shown(*blocks)
    finding = Finding(entries)
    begun = time.process_time()
    finding.look_for("n")
    first = time.process_time() - begun
    begun = time.process_time()
    finding.look_for("needle")
    assert finding.here == 1
    assert time.process_time() - begun < max(0.25, first)


def test_a_search_for_nothing_finds_nothing() -> None:
    entries = shown(*prompts(2))
    finding = Finding(entries)
    finding.look_for("  ")
    assert (finding.here, finding.number, finding.needle) == (0, 0, None)
    assert not finding.step(1)
