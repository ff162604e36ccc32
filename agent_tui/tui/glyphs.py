"""The marks of the screen, and their ASCII stand-ins where a terminal can't draw them one cell wide."""

from __future__ import annotations

from dataclasses import dataclass

from agent_tui.settings.paths import Environment


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of marks, used as a whole. Each is one cell wide in ``GLYPHS``; ASCII keys may be longer.

    Attributes:
        prompt: prompt, editor, chosen row.
        done, running, queued, asking, failed, stopped: the states of a call or task.
        allowed: allowed, task done.
        danger: danger, needs an answer.
        folded, open: something folded away, or unfolded.
        left_out: unchanged lines left out of a diff.
        between: between calls folded to one line.
        cut: stands for cut text.
        minus, plus: removed, added.
        comment: a comment.
        bar: beside a comment or editable text.
        heavy: gauge and thin bars; ``rule`` a horizontal line, ``divide`` a vertical one between two panes.
        up, down, left, right: keys in hints.
        bullet: an item of a list.
        checked, unchecked: a checkbox.
        dash: between two numbers of a range; where there is no number.
    """

    prompt: str = "›"
    done: str = "●"
    running: str = "◐"
    queued: str = "○"
    asking: str = "◆"
    failed: str = "✗"
    stopped: str = "⊘"
    allowed: str = "✓"
    danger: str = "!"
    folded: str = "▸"
    open: str = "▾"
    left_out: str = "⋮"
    between: str = "·"
    cut: str = "…"
    minus: str = "−"
    plus: str = "+"
    comment: str = "✎"
    bar: str = "▎"
    heavy: str = "━"
    rule: str = "─"
    divide: str = "│"
    up: str = "↑"
    down: str = "↓"
    left: str = "←"
    right: str = "→"
    bullet: str = "•"
    checked: str = "[x]"
    unchecked: str = "[ ]"
    dash: str = "–"


GLYPHS = Glyphs()
ASCII = Glyphs(
    prompt=">",
    done="*",
    running="~",
    queued="o",
    asking="?",
    failed="x",
    stopped="/",
    allowed="v",
    folded="+",
    open="-",
    left_out=":",
    between="-",
    cut="...",
    minus="-",
    comment="c",
    bar="|",
    heavy="#",
    rule="-",
    divide="|",
    up="up",
    down="down",
    left="left",
    right="right",
    bullet="-",
    dash="-",
)


def choose_glyphs(env: Environment, *, ambiguous_width: int = 1) -> Glyphs:
    """Give the ASCII set where the locale is not UTF-8 or the terminal draws ambiguous characters wide.

    ``ambiguous_width`` is what a probe of the terminal gave, in cells.
    """
    locale = env.get("LC_ALL") or env.get("LC_CTYPE") or env.get("LANG")
    utf8 = "utf8" in locale.lower().replace("-", "") or not locale
    return GLYPHS if utf8 and ambiguous_width == 1 else ASCII
