from __future__ import annotations

import pytest

from tests.tui.recorder import run


def test_the_last_answer_or_one_before_it_is_copied() -> None:
    assert run("/copy").done == ["copy second\nanswer", "say Copied 2 lines."]
    assert run("/copy 2").done == ["copy first answer", "say Copied 1 line."]


@pytest.mark.parametrize("text", ["/copy 3", "/copy 0", "/copy all"])
def test_what_is_not_there_is_said(text: str) -> None:
    (said,) = run(text).done
    assert said.startswith("error ")
