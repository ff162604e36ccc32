"""Pictures and dropped files that are put into the prompt: they are looked at beside the typing, never before it."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent_tui.tui import clipboard
from agent_tui.tui.chips import Picture
from agent_tui.tui.dropped import Dropped, is_picture, mention
from agent_tui.tui.panes.prompt import Prompt
from agent_tui.tui.pictures import PictureError, read_file

if TYPE_CHECKING:
    from agent_tui.tui.screens.main import MainScreen


class Attaching:
    """Does it for one main screen."""

    def __init__(self, screen: MainScreen) -> None:
        self._screen = screen

    def paste_picture(self) -> None:
        """Put the picture of the clipboard in at the cursor."""
        self._screen.run_worker(self._from_clipboard, group="attaching")

    def look_at(self, pasted: Prompt.Pasted) -> None:
        """Put chips and mentions in the place of pasted paths, where these lead to something."""
        self._screen.run_worker(partial(self._dropped, pasted), group="attaching")

    async def _from_clipboard(self) -> None:
        screen = self._screen
        screen.say_hint("looking into the clipboard")
        try:
            picture = await clipboard.picture(screen.backstage.env)
        except PictureError as error:
            screen.say_hint("")
            screen.doing.say(str(error), error=True)
            return
        screen.say_hint("")
        screen.prompt.editor.add_picture(picture)
        screen.prompt.changed()

    async def _dropped(self, pasted: Prompt.Pasted) -> None:
        """Replace the pasted text, if it still stands there: it may have been sent or changed meanwhile."""
        screen, editor = self._screen, self._screen.prompt.editor
        there = await asyncio.to_thread(_all_there, pasted.dropped)
        if not there:
            return
        paths = pasted.dropped.paths
        pictures = await asyncio.to_thread(_pictures, paths)
        end = pasted.start + len(pasted.text)
        if editor.text[pasted.start : end] != pasted.text:
            return
        if pasted.dropped.plain and not any(pictures.values()):
            return
        began = editor.begin_group()
        editor.replace_range(pasted.start, end, "")
        for path in paths:
            picture = pictures[path]
            if picture is not None:
                editor.add_picture(picture)
            else:
                editor.insert(mention(path, screen.options.cwd) + " ", typed=False)
        if began:
            editor.end_group()
        screen.prompt.changed()


def _all_there(dropped: Dropped) -> bool:
    return all(os.path.lexists(path) for path in dropped.paths)


def _pictures(paths: tuple[str, ...]) -> dict[str, Picture | None]:
    """Read those that are pictures; None for any other file, and for a picture that can't be taken."""
    found: dict[str, Picture | None] = {}
    for path in paths:
        found[path] = None
        if is_picture(path):
            with suppress(PictureError):
                found[path] = read_file(Path(path))
    return found
