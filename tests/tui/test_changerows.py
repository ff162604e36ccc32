from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.reviews import HunkOrigin
from agent_tui.tui.changerows import ChangeRows, Marked, clock_of, spot_of, when
from agent_tui.view.remarks import Remarks
from tests.tui.changes import SCHEDULER
from tests.tui.look import page, texts


def rows(width: int = 87, **wanted: object) -> ChangeRows:
    remarks = wanted.pop("remarks", Remarks())
    return ChangeRows(page(width), SCHEDULER, remarks, **wanted)  # pyright: ignore[reportArgumentType]


def test_heads_lines_and_the_fold_at_the_end() -> None:
    drawn = texts(rows())
    assert drawn[1].startswith(" src/scheduler.py")
    assert drawn[1].endswith("+3 −2")
    assert drawn[3].startswith(" 1  class Scheduler · tick")
    assert drawn[3].endswith("turn 3")
    assert drawn[4:7] == [
        "  118       async def tick(self) -> None:",
        "  119 −         token = self.session.token",
        "  119 +         token = self.session.refresh()",
    ]
    assert drawn[10].endswith("command")
    assert drawn[-2:] == [" ⋮  84 unchanged lines", ""]


def test_one_stands_on_lines_and_several_can_be_chosen() -> None:
    made = rows()
    assert [place.hunk for place in made.places] == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert made.heads == [3, 10]
    assert (made.first_change(0), made.first_change(1)) == (1, 6)
    made.mark(Marked(2, 3))
    assert texts([made[6], made[7], made[8]])[:2] == [
        "▎ 119 +         token = self.session.refresh()",
        "› 120 +         self.next_at = token.expires_at - EARLY",
    ]
    made.mark(Marked(0, 0))
    assert texts([made[4], made[6]]) == [
        "› 118       async def tick(self) -> None:",
        "  119 +         token = self.session.refresh()",
    ]


def test_chosen_lines_are_named_by_their_numbers_now() -> None:
    made = rows()
    spot = made.spot(1, 3)
    assert spot is not None
    assert (spot.name, spot.side) == ("lines 119-120", "new")
    assert spot.lines[0] == "-        token = self.session.token"
    gone = made.spot(1, 1)
    assert gone is not None
    assert gone.name == "removed line 119"
    assert made.spot(50, 60) is None
    assert spot_of("p", "p", [made.places[0].line]).name == "line 118"


def test_a_comment_stands_under_its_line() -> None:
    remarks = Remarks()
    made = rows()
    spot = made.spot(2, 3)
    assert spot is not None
    remarks.put(spot, "EARLY should come from the settings, not from the module.\nKeep 30 s.")
    drawn = texts(rows(60, remarks=remarks))
    at = drawn.index("  120 +         self.next_at = token.expires_at - EARLY")
    assert drawn[at + 1 : at + 5] == [
        "        ▎✎ lines 119–120",
        "        ▎EARLY should come from the settings, not from the",
        "        ▎module.",
        "        ▎Keep 30 s.",
    ]
    writing = rows(remarks=remarks, writing=spot)
    assert writing.writing_row == at + 1
    assert "Keep 30 s." not in "\n".join(texts(writing))
    lower = writing.part(at + 2)
    assert texts(lower[:1]) == ["  121           await self.client.get(token)"]
    assert len(writing.part(0, at + 2)) == at + 2


def test_a_comment_on_lines_that_are_no_longer_there_is_not_lost() -> None:
    remarks = Remarks()
    spot = rows().spot(0, 0)
    assert spot is not None
    remarks.put(replace(spot, first=900, last=900), "here")
    assert texts(rows(remarks=remarks))[-2:] == ["        ▎✎ line 900", "        ▎here"]


def test_side_by_side_both_lines_are_meant() -> None:
    made = rows(120, two_columns=True)
    assert [place.hunk for place in made.places] == [0, 0, 0, 0, 1, 1, 1]
    spot = made.spot(1, 1)
    assert spot is not None
    assert spot.lines == (
        "-        token = self.session.token",
        "+        token = self.session.refresh()",
    )
    assert spot.name == "line 119"
    same = made.spot(0, 0)
    assert same is not None
    assert len(same.lines) == 1


def test_who_made_a_hunk_and_when() -> None:
    at = "2020-03-01T12:00:00.000Z"
    assert when(HunkOrigin("tool", 2, at)).startswith("turn 2, 01 Mar ")
    assert when(HunkOrigin("review", 0, "")) == "you"
    assert when(HunkOrigin()) == ""
    assert clock_of("nonsense") == ""
