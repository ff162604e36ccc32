"""The person's own editor, played by scripts."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent_tui.settings.paths import Environment
from agent_tui.tui.own_editor import EditorError, edit_file, edit_text, editor_command

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Lender:
    """Counts how often the terminal was given away and taken back."""

    def __init__(self) -> None:
        self.given = self.taken = 0

    @contextmanager
    def suspend(self) -> Generator[None]:
        self.given += 1
        try:
            yield
        finally:
            self.taken += 1


def env(**variables: str) -> Environment:
    return Environment(variables, Path("/nowhere"))


def script(folder: Path, text: str) -> str:
    path = folder / "my editor"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return f"'{path}'"


def test_which_editor_it_is() -> None:
    assert editor_command(env()) == ["vi"]
    assert editor_command(env(EDITOR="nano -w")) == ["nano", "-w"]
    assert editor_command(env(VISUAL="code --wait", EDITOR="nano")) == ["code", "--wait"]
    assert editor_command(env(VISUAL="  ", EDITOR="nano")) == ["nano"]
    assert editor_command(env(VISUAL="'/opt/my editor' -x")) == ["/opt/my editor", "-x"]
    with pytest.raises(EditorError, match="VISUAL is no command"):
        editor_command(env(VISUAL="'unclosed"))


async def test_a_text_comes_back_as_it_was_edited(tmp_path: Path) -> None:
    lender, names = Lender(), tmp_path / "names"
    said = script(tmp_path, f'echo "$1 $2" > {names}; printf "%s and more\\n" "$(cat "$2")" > "$2"')
    text = await edit_text(lender, env(EDITOR=f"{said} --wait"), "a draft あ")
    assert text == "a draft あ and more"
    assert (lender.given, lender.taken) == (1, 1)
    option, name = names.read_text().split()
    assert (option, Path(name).suffix, Path(name).exists()) == ("--wait", ".md", False)


@pytest.mark.parametrize(
    ("command", "why"),
    [("exit 3", "did not end well .3."), ("kill -9 $$", "did not end well .-9.")],
)
async def test_one_that_ends_badly_changes_nothing_and_the_terminal_comes_back(
    tmp_path: Path, command: str, why: str
) -> None:
    lender = Lender()
    with pytest.raises(EditorError, match=why):
        await edit_text(lender, env(EDITOR=script(tmp_path, command)), "draft")
    assert (lender.given, lender.taken) == (1, 1)


async def test_one_that_is_not_there_is_said() -> None:
    lender = Lender()
    with pytest.raises(EditorError, match=r"can't be started .No such file"):
        await edit_file(lender, env(EDITOR="/no/such/editor"), Path("/tmp/x"))
    assert (lender.given, lender.taken) == (1, 1)
