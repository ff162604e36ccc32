"""Paths to and from the model."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.paths import absolute, checked, relative, shown


@given(
    st.binary(min_size=1).filter(
        lambda raw: b"\0" not in raw and b"\\" not in raw and raw[:1] != b"/"
    )
)
def test_what_is_shown_can_be_given_back(raw: bytes) -> None:
    path = "/w/" + os.fsdecode(raw)
    shown(path).encode()
    assert absolute(shown(path), Path("/")) == path


def test_no_ascii_name_can_be_spelled_otherwise() -> None:
    assert absolute("\\x2eenv", Path("/w")) == "/w/\\x2eenv"


def test_bytes_of_a_character_are_that_character() -> None:
    assert absolute("\\xc3\\xa9", Path("/w")) == "/w/é"


def test_paths_are_joined_and_not_resolved() -> None:
    assert absolute("../x", Path("/w")) == "/w/../x"
    assert absolute("/x", Path("/w")) == "/x"
    assert relative("/w/a/b", Path("/w")) == "a/b"
    assert relative("/x/\udcff", Path("/w")) == "/x/\\xff"


@pytest.mark.parametrize("path", ["", " ", "a\0", "~", "~/x"])
def test_what_cannot_be_meant_is_refused(path: str) -> None:
    with pytest.raises(InvalidInputError, match="`f`"):
        checked(path, "f")
    assert checked("~x", "f") == "~x"
