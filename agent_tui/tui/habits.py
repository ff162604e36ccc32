"""How a person likes to type: which keys do what, and whether as in Vim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_tui.settings.keybindings import SourcedKeys
from agent_tui.tui.bindings import USUAL, Keymap, read_bindings


@dataclass(slots=True)
class Habits:
    """Shared by all fields and changed live.

    Attributes:
        keys: the keys in use.
        vim: the prompt is edited as in Vim.
        problems: what is wrong with the keys in the settings, a sentence each.
    """

    keys: Keymap = USUAL
    vim: bool = False
    problems: tuple[str, ...] = ()


def habits_of(keys: Sequence[SourcedKeys], editor_mode: str | None) -> Habits:
    """Read the settings."""
    keymap, problems = read_bindings(keys)
    return Habits(keymap, editor_mode == "vim", problems)
