"""The list of pictures, the files in the repository and the README agree."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from agent_tui.tui.theme import load_themes
from pictures.__main__ import FOLDER, KNOWN
from pictures.states import PICTURES
from pictures.svg import HEIGHT, MARGIN, WIDTH, text_in
from tests.house.tree import ROOT

README = (ROOT / "README.md").read_text("utf-8")
SHOWN = re.findall(r"docs/pictures/([\w-]+)\.svg", README)


def test_each_picture_has_a_name_of_its_own_and_a_title() -> None:
    assert len({picture.name for picture in KNOWN}) == len(KNOWN)
    assert all(picture.title for picture in KNOWN)


def test_themes_are_those_there_are() -> None:
    themes, _ = load_themes([ROOT / "themes"])
    assert {picture.theme for picture in PICTURES} - {""} <= set(themes)


def test_the_files_are_those_of_the_list() -> None:
    files = {path.stem for path in FOLDER.iterdir()}
    assert files == {picture.name for picture in KNOWN}


@pytest.mark.parametrize("name", [picture.name for picture in PICTURES])
def test_a_file_has_the_size_the_title_and_the_text_of_a_screen(name: str) -> None:
    known = next(picture for picture in PICTURES if picture.name == name)
    svg = (FOLDER / f"{name}.svg").read_text("utf-8")
    root = ET.fromstring(svg)
    assert root.get("width") == str(known.size[0] * WIDTH + 2 * MARGIN)
    assert root.get("height") == str(known.size[1] * HEIGHT + 2 * MARGIN)
    assert root.findtext("{http://www.w3.org/2000/svg}title") == known.title
    assert len(text_in(svg)) == known.size[1]


def test_the_readme_shows_pictures_of_the_demo_and_they_are_there() -> None:
    assert 3 <= len(SHOWN) <= 4
    assert all(name.startswith("demo-") for name in SHOWN)
    assert set(SHOWN) <= {picture.name for picture in PICTURES}


def test_no_file_tells_where_it_was_made() -> None:
    told = [
        path.name
        for path in sorted(FOLDER.iterdir())
        if re.search(r"/(?:tmp|home|root|Users|var)/|\b\d{4}-\d\d-\d\d\b", path.read_text("utf-8"))
    ]
    assert told == []
