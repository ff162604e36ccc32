"""Placeholders: made once, held as long as needed, never with somebody's files in them."""

from __future__ import annotations

from pathlib import Path

from agent_tui.machine.sandbox.placeholders import Placeholders, appeared, move_out


def test_they_are_held_until_the_last_has_left(tmp_path: Path) -> None:
    held = Placeholders()
    absent = (f"{tmp_path}/.vscode", f"{tmp_path}/.npmrc", f"{tmp_path}/gone/.git")
    first = held.take(absent)
    assert first == (f"{tmp_path}/.vscode",)
    second = held.take((f"{tmp_path}/.npmrc",))
    assert second == first
    held.leave(first)
    assert (tmp_path / ".vscode").is_dir()
    held.leave(second)
    assert list(tmp_path.iterdir()) == []
    assert held.take(()) == ()


def test_somebodys_files_stay(tmp_path: Path) -> None:
    held = Placeholders()
    taken = held.take((f"{tmp_path}/.vscode",))
    (tmp_path / ".vscode/mine").write_text("x")
    held.leave(taken)
    assert (tmp_path / ".vscode/mine").read_text() == "x"


def test_what_appeared_is_moved_out_whatever_it_is(tmp_path: Path) -> None:
    absent = tuple(f"{tmp_path}/{name}" for name in (".npmrc", ".yarn", ".envrc", ".vscode"))
    (tmp_path / ".npmrc").symlink_to("/nowhere")
    (tmp_path / ".yarn").mkdir()
    (tmp_path / ".vscode").mkdir()
    found = appeared(absent)
    assert found == absent[:2]
    kept = tmp_path / "kept"
    said = move_out(found, str(kept)) + move_out((), str(kept))
    (tmp_path / ".npmrc").write_text("again")
    said += move_out((absent[0],), str(kept))
    assert sorted(path.name for path in kept.iterdir()) == [
        "sandbox-1-npmrc",
        "sandbox-1-yarn",
        "sandbox-2-npmrc",
    ]
    assert len(said) == 3 and all("it was moved to" in one for one in said)


def test_what_can_not_be_moved_is_told(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file")
    (tmp_path / ".npmrc").write_text("x")
    said = move_out((f"{tmp_path}/.npmrc",), str(tmp_path / "kept"))
    assert "could not be moved away" in said[0]
    assert (tmp_path / ".npmrc").exists()
