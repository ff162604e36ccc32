"""docs/keys.md lists every action with its keys; ``python -m tests.house.test_keys_told`` writes its tables anew."""

from __future__ import annotations

from agent_tui.tui.bindings import shown
from agent_tui.tui.keys import ACTIONS, PLACES
from tests.house.tree import ROOT

DOCUMENT = ROOT / "docs" / "keys.md"
HEAD = """\
# Keys

What can be done by a key, and the keys that do it. Settings change them: `keybindings` gives an action its keys, one, a list, or
`null` for none; what stands there replaces the usual ones.

```json
{"keybindings": {"screen:tasks": "f2", "edit:newLine": ["shift+enter", "ctrl+n"], "prompt:searchHistory": "alt+r"}}
```

Keys are written as here: `ctrl+`, `alt+`, `shift+` before a letter, a sign or a name (`enter`, `tab`, `esc`, `space`, `up`,
`pageup`, `home`, `f5`, …). Actions of `edit`, `prompt` and `screen` count at the same time, so a key means one of them; those of the
other places come first while their time is. You are told at the start, with file and line, what two actions would share, what is
taken from another action (name that one, too, and nothing is said), and what is no action or no key. Ctrl+C and Esc always stop;
letters and signs are for typing. Panels, pickers and the queue have keys of their own, shown where they are.

Some keys need a terminal that can tell them apart (the kitty protocol): Ctrl with Shift, Ctrl+Enter, Alt with a sign.
"""


def document() -> str:
    """Give the document as it must be."""
    parts = [HEAD]
    for place, where in PLACES.items():
        rows = [
            f"| `{one.name}` | {', '.join(f'`{shown(key)}`' for key in one.keys)} | {one.does} |"
            for one in ACTIONS
            if one.place == place
        ]
        title = f"## `{place}`: {where}"
        parts.append("\n".join([title, "", "| action | keys | |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def test_every_action_is_told_with_its_keys() -> None:
    assert DOCUMENT.read_text("utf-8") == document(), "write it anew: see the docstring"


if __name__ == "__main__":
    DOCUMENT.write_text(document(), "utf-8")
