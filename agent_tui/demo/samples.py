"""Texts of the demo that need no facts: formatted text, a long answer, tips."""

from __future__ import annotations

TIPS = (
    "Shift+Tab changes the permission mode: ask for each edit, accept edits, plan only.",
    "Esc stops an answer or a command; what was finished is kept.",
    "`agent-tui --continue` goes on with the newest session of this folder, `--resume` shows them all.",
    "Type while an answer runs: the prompt waits in line and is sent next.",
    "`@` completes file names, `/` commands, Up and Down give earlier prompts.",
)

MARKDOWN = """\
### Formatted text

A paragraph with **bold**, *italic*, `code` and a [link](https://example.com/). Lists nest:

1. first
   - a point below it
   - and another
2. second

| tool | asks in default mode |
|---|---|
| Read, Glob, Grep | no |
| Edit, Write | yes |
| Bash | unless it only reads |

```python
def greet(name: str) -> str:
    \"\"\"Say hello.\"\"\"
    return f"Hello, {name}!"
```

> Text from outside is shown as text: [bold]this[/bold] is no markup here.
"""

_PARAGRAPHS = 60

LONG = "Sixty numbered paragraphs to scroll through; Esc stops them.\n\n" + "\n\n".join(
    f"**{number}.** Scroll up while this grows and the view stays where you read; the newest text "
    f"waits at the end. {'Still more to come.' if number < _PARAGRAPHS else 'This was the last one.'}"
    for number in range(1, _PARAGRAPHS + 1)
)
