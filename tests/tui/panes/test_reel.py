from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.tui.panes.parts import Entry, Part, entry_of
from agent_tui.tui.panes.reel import KEPT, Reel
from agent_tui.view.blocks import AnswerBlock, NoticeBlock, PromptBlock
from tests.fakes.conversation_host import page


def answers(*sizes: int) -> list[Entry]:
    """Answers of so many rows each; with the gap they are a row higher."""
    return [
        entry_of(AnswerBlock(f"a{n}", "\n".join(f"{n}.{row}" for row in range(size))))
        for n, size in enumerate(sizes)
    ]


def reel_of(entries: list[Entry], rows: int = 10) -> Reel:
    reel = Reel()
    reel.resize(page(60), rows)
    reel.append(part for entry in entries for part in entry.parts)
    return reel


def shown(reel: Reel) -> list[str]:
    return [place.line.content for place in reel.window]


def test_it_follows_the_end() -> None:
    reel = reel_of(answers(3, 3, 3), 5)
    reel.lay_out()
    assert shown(reel) == ["1.2", "", "2.0", "2.1", "2.2"]
    assert reel.is_at_end and not reel.is_at_start
    reel.append(answers(1)[0].parts)
    reel.lay_out()
    assert shown(reel) == ["2.0", "2.1", "2.2", "", "0.0"]


def test_less_than_a_window_begins_at_the_top() -> None:
    reel = reel_of(answers(1, 1), 9)
    reel.lay_out()
    assert shown(reel) == ["0.0", "", "1.0"]
    assert reel.is_at_start and reel.is_at_end


def test_moving_up_stops_following_and_coming_back_starts_it() -> None:
    reel = reel_of(answers(5, 5, 5), 5)
    reel.lay_out()
    reel.move(-1)
    assert not reel.following and shown(reel)[-1] == "2.3"
    reel.append(answers(4)[0].parts)
    reel.lay_out()
    assert shown(reel)[-1] == "2.3"
    reel.move(99)
    assert reel.following and shown(reel)[-1] == "0.3"


def test_to_both_ends() -> None:
    reel = reel_of(answers(*[3] * 50), 5)
    reel.lay_out()
    reel.to_start()
    assert shown(reel)[:3] == ["0.0", "0.1", "0.2"] and reel.is_at_start
    reel.to_end()
    assert shown(reel)[-1] == "49.2" and reel.following


def test_u3_what_is_read_stays_when_parts_come_before_or_change_above() -> None:
    entries = answers(*[4] * 30)
    reel = reel_of(entries, 6)
    reel.lay_out()
    reel.move(-40)
    before = shown(reel)
    entries[2].take(AnswerBlock("a2", "\n".join(map(str, range(50)))))
    reel.guess_again(entries[2].parts[0])
    older = answers(7, 7)
    reel.rebuild(part for entry in (*older, *entries) for part in entry.parts)
    reel.lay_out()
    assert shown(reel) == before


def test_rows_above_are_counted_truly_once_they_are_seen() -> None:
    reel = reel_of(answers(*range(1, 30)), 5)
    reel.lay_out()
    while not reel.is_at_start:
        reel.move(-4)
    assert reel.top_row == 0
    assert reel.total_rows == sum(range(1, 30)) + 28


def test_a_new_width_keeps_the_first_row() -> None:
    words = "word " * 60
    entries = [entry_of(PromptBlock(f"p{n}", f"{n} {words}")) for n in range(20)]
    reel = reel_of(entries, 6)
    reel.lay_out()
    reel.move(-30)
    part = reel.window[0].part
    reel.resize(page(40), 6)
    reel.lay_out()
    assert reel.window[0].part is part


def test_taking_away_what_is_looked_at_leaves_a_window() -> None:
    entries = answers(3, 3)
    reel = reel_of(entries, 2)
    reel.lay_out()
    reel.to_start()
    reel.rebuild(entries[1].parts)
    reel.lay_out()
    assert shown(reel)[0] == "1.0"
    reel.rebuild(())
    assert reel.lay_out() == []


def test_only_some_rows_are_kept() -> None:
    reel = reel_of(answers(*[1] * (KEPT * 2)), 5)
    reel.lay_out()
    reel.to_start()
    for _ in range(KEPT // 2):
        reel.move(4)
        reel.forget()
    drawn = sum(part.body is not None for part in reel.parts)
    assert drawn <= KEPT + 10
    assert shown(reel)


def test_show_moves_no_farther_than_needed() -> None:
    entries = answers(*[3] * 20)
    reel = reel_of(entries, 8)
    reel.lay_out()
    reel.to_start()
    reel.show(entries[1].parts)
    assert shown(reel)[0] == "0.0"
    reel.show(entries[5].parts)
    assert shown(reel)[-1] == "5.2"
    reel.show(entries[4].parts)
    assert shown(reel)[-1] == "5.2"
    reel.show(entries[2].parts)
    assert shown(reel)[:2] == ["", "2.0"]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("move"), st.integers(-60, 60)),
        st.tuples(st.just("append"), st.integers(0, 9)),
        st.tuples(st.just("before"), st.integers(1, 9)),
        st.tuples(st.just("start"), st.just(0)),
        st.tuples(st.just("end"), st.just(0)),
        st.tuples(st.just("rows"), st.integers(1, 15)),
    ),
    max_size=15,
)


@given(st.lists(st.integers(1, 8), max_size=12), STEPS)
@settings(max_examples=150, deadline=None)
def test_the_window_is_always_a_full_stretch_of_all_rows(
    sizes: list[int], steps: list[tuple[str, int]]
) -> None:
    parts: list[Part] = [part for entry in answers(*sizes) for part in entry.parts]
    reel = Reel()
    rows = 6
    reel.resize(page(60), rows)
    reel.append(parts)
    reel.lay_out()
    for what, number in steps:
        before = [place.line for place in reel.window]
        was_following = reel.following
        match what:
            case "move":
                reel.move(number)
            case "append":
                fresh = entry_of(NoticeBlock("n", "info", "\n".join("x" * number))).parts
                parts += fresh
                reel.append(fresh)
                reel.lay_out()
                if not was_following and len(before) == rows:
                    assert [place.line for place in reel.window] == before
            case "before":
                fresh = answers(number)[0].parts
                parts[:0] = fresh
                reel.rebuild(parts)
                reel.lay_out()
            case "start":
                reel.to_start()
            case "end":
                reel.to_end()
            case _:
                rows = number
                reel.resize(reel.page or page(60), rows)
                reel.lay_out()
    for at in range(len(parts)):
        reel.measure(at)
    reel.lay_out()
    everything = [(part, row) for part in parts for row in range(reel.heights[part.at])]
    window = [(place.part, place.row) for place in reel.window]
    assert len(window) == min(rows, len(everything))
    if window:
        at = everything.index(window[0])
        assert everything[at : at + len(window)] == window
        assert reel.top_row == at
    if reel.following and window:
        assert window[-1] == everything[-1]
