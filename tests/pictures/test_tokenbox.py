from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from pictures import tokenbox


def test_the_lines_that_the_pictures_show_are_where_they_are_said_to_be() -> None:
    lines = tokenbox.auth().splitlines()
    assert len(lines) == tokenbox.LINES
    assert lines[tokenbox.TICK - 1] == "    async def tick(self) -> None:"
    assert lines[41] == "        if self._token is None:"


def test_it_is_python() -> None:
    for text in (tokenbox.auth(), tokenbox.CLIENT, tokenbox.TESTS):
        assert ast.parse(text).body


def test_a_change_in_two_places_is_one_piece_that_is_there_once() -> None:
    text = tokenbox.auth()
    old, new = tokenbox.changed(
        text,
        (tokenbox.OLD_REFRESH, tokenbox.NEW_REFRESH),
        (tokenbox.OLD_TICK, tokenbox.NEW_TICK),
    )
    assert text.count(old) == 1
    assert old.startswith("        if self._token is None") and old.endswith("self.session.token\n")
    whole = text.replace(old, new)
    assert tokenbox.NEW_REFRESH in whole and tokenbox.NEW_TICK in whole


def test_a_change_of_what_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 times"):
        tokenbox.changed("a\n", ("b", "c"))


def test_files_are_written_with_fixed_ages_and_the_test_program_runs(tmp_path: Path) -> None:
    tokenbox.write(tmp_path)
    ages = [path.stat().st_mtime for path in tmp_path.rglob("*") if path.is_file()]
    assert min(ages) == tokenbox.MADE and len(set(ages)) == len(ages)
    tokenbox.write_programs(tmp_path)
    ran = subprocess.run(
        [tmp_path / "uv", "run", "pytest", "-q"], capture_output=True, text=True, check=True
    )
    assert "15 passed" in ran.stdout
