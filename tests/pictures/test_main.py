from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pictures import __main__ as program
from pictures.states import Picture


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pictures", *words])
    return program.main()


def test_a_name_there_is_not_is_refused_with_those_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "99-none") == 2
    assert "01-main-dark" in capsys.readouterr().err


def test_those_that_are_named_are_made_and_one_that_fails_keeps_none_of_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def save(picture: Picture, folder: Path) -> Path:
        if picture.name == "04-permission-bash":
            raise AssertionError("not reached")
        return folder / f"{picture.name}.svg"

    monkeypatch.setattr(program, "save", save)
    assert run(monkeypatch, "--out", str(tmp_path), "03", "04-", "05") == 1
    told = capsys.readouterr()
    assert told.err == "04-permission-bash: not reached\n"
    assert told.out.split() == [
        str(tmp_path / "03-permission-edit.svg"),
        str(tmp_path / "05-side-by-side.svg"),
    ]
