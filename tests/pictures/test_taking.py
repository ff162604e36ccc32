"""Pictures that are taken anew: of the real program, in a terminal, before a scripted model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pictures.__main__ import FOLDER
from pictures.camera import wait
from pictures.states import DEMO_ASKS, TRUST, Picture
from pictures.svg import text_in
from pictures.taking import save, take

HINT = "the screen has changed; `python -m pictures` makes the pictures anew (look at them before they are committed)"


@pytest.mark.parametrize("picture", [DEMO_ASKS, TRUST], ids=["demo-permission", "10b-trust"])
def test_the_picture_in_the_repository_is_what_the_program_shows(
    picture: Picture, tmp_path: Path
) -> None:
    made = text_in(save(picture, tmp_path).read_text("utf-8"))
    kept = text_in((FOLDER / f"{picture.name}.svg").read_text("utf-8"))
    assert made == kept, HINT


def test_a_state_that_is_not_reached_shows_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pictures.camera.PATIENCE", 4.0)
    never = replace(TRUST, steps=(wait("Do you trust this folder?"), wait("no such words")))
    with pytest.raises(AssertionError, match=r"no such words[\s\S]*Do you trust this folder"):
        take(never)
