"""The answers of a permission question: which there are, what each does, how they are laid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent_tui.protocol.display import PlanDisplay
from agent_tui.protocol.requests import Destination, PermissionRequest, PermissionUpdate
from agent_tui.tui.lines import TEXT_COLUMN, Line, Page, Span, make_line, spans_width, width_of
from agent_tui.tui.panels import rules
from agent_tui.tui.panels.lasting import Lasting
from agent_tui.tui.panes.completion import chosen_line
from agent_tui.tui.theme import Background
from agent_tui.view.clean import exact
from agent_tui.view.proposal import Proposal

AnswerKey = Literal["y", "a", "s", "e", "h", "n"]
ALLOWING: frozenset[AnswerKey] = frozenset({"y", "a", "s"})
"""Answers by which the call runs."""
ARROWS = "left right"
"""Keys that are drawn as arrows where the terminal can."""
LABEL_COLUMN = 6
EFFECT_COLUMN = 25
EFFECT_ROWS = 4
NARROW = 80

Words = tuple[tuple[str, Literal["said", "exact", "key"]], ...]
"""An explanation in pieces: plain words, exact text (a rule), a key."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer: its key, its name, what it does; ``short`` is what of that must stay when it is narrow."""

    key: AnswerKey
    label: str
    effect: Words = ()
    short: str = ""


PLAN_CHOICES = (
    Choice("y", "Yes", (("it begins, and asks for each edit", "said"),)),
    Choice(
        "a", "Yes, take edits", (("it begins, and edits in this folder are not asked", "said"),)
    ),
    Choice("e", "Edit first", (("change the plan here; the model goes by yours", "said"),)),
    Choice(
        "n",
        "No, keep planning",
        (
            ("the model reads what you want otherwise", "said"),
            ("   ", "said"),
            ("c", "key"),
            (" on single lines", "said"),
            ("   ", "said"),
            ("esc", "key"),
            (" no, and stop", "said"),
        ),
    ),
)
"""The answers to a plan."""

TAKE_EDITS = PermissionUpdate("setMode", mode="acceptEdits")
USE_AUTO = Choice(
    "s",
    "Yes, in auto",
    (("it begins; a small model lets calls run, you are asked about the rest", "said"),),
)
"""The answer to a plan that ``update`` brings where the mode ``auto`` is offered."""


_TWO_KEYS: Words = (("   ", "said"), ("y", "key"), (" then ", "said"), ("enter", "key"))
_SECOND_KEY: Words = (("   ", "said"), ("enter", "key"), (" runs it", "said"))


def choices(
    request: PermissionRequest,
    update: PermissionUpdate | None,
    place: Destination,
    proposal: Proposal | None,
    *,
    edited: bool,
    picked: tuple[int, int] | None,
    chosen: AnswerKey,
    lasting: Lasting,
) -> tuple[Choice, ...]:
    """Give the answers of a request in their order.

    ``update`` is what "always" would store, None: not offered. ``picked`` is how many of how many hunks are chosen, None
    where they can't be picked. Keys that mean something at the ``chosen`` answer only are told there only.
    """
    if isinstance(request.display, PlanDisplay):
        auto = update is not None and update.mode == "auto"
        ways = (*PLAN_CHOICES[:2], *((USE_AUTO,) if auto else ()), *PLAN_CHOICES[2:])
        return tuple(
            _with_comment(c) if c.key == chosen and c.key in ALLOWING else c
            for c in ways
            if c.key != "e" or proposal is not None
        )
    once = {
        "Bash": "the whole command, once",
        "Edit": "this edit, once",
        "Write": "this write, once",
    }
    yes = once.get(request.tool_name, "this call, once")
    effect: Words = ((f"{yes}, as you changed it" if edited else yes, "said"),)
    if request.default_to_no:
        effect += _SECOND_KEY if chosen == "y" else _TWO_KEYS
    plain = Choice("y", "Yes", effect)
    if chosen == "y":
        plain = _with_comment(plain)
    out = [plain]
    if update is not None:
        verb, what, where = rules.stores(update, place)
        rule, several = exact(what), len(update.rules) > 1
        change = " change" if several else " change the rule or the place"
        tab: Words = (("   ", "said"), ("tab", "key"), (change, "said")) if update.rules else ()
        always: Words = ((verb, "said"), (rule, "exact"), (where, "said"), *tab)
        out.append(Choice("a", "Always", always, rule))
        out.append(_session(update, rule, lasting, chosen=chosen == "s"))
    if proposal is not None:
        told = "; the model is told what you changed"
        out.append(Choice("e", "Edit first", ((f"change {proposal.name} here{told}", "said"),)))
    if picked is not None:
        count = f"{picked[0]} of {picked[1]}"
        effect: Words = (
            (f"{count} chosen; ", "said"),
            ("space", "key"),
            (" takes one out", "said"),
        )
        out.append(Choice("h", "Pick hunks", effect, count))
    out.append(
        Choice(
            "n",
            "No, and say why",
            (
                ("the model reads your reason", "said"),
                ("   ", "said"),
                ("esc", "key"),
                (" no, and stop", "said"),
            ),
        )
    )
    return tuple(out)


def _with_comment(choice: Choice) -> Choice:
    tab: Words = (("   ", "said"), ("tab", "key"), (" and say something", "said"))
    return replace(choice, effect=(*choice.effect, *tab))


def _session(update: PermissionUpdate, rule: str, lasting: Lasting, *, chosen: bool) -> Choice:
    """Make the answer that holds for the session or less of it; a mode or a folder holds for all of it."""
    if not update.rules:
        verb, _, _ = rules.stores(update, "session")
        words: Words = ((verb, "said"), (rule, "exact"), (" until you leave", "said"))
        return Choice("s", "This session", words)
    if len(update.rules) > 1:
        words = ((f"allows the same {len(update.rules)}{lasting.words()}", "said"),)
    else:
        words = (("allows ", "said"), (rule, "exact"), (lasting.words(), "said"))
    keys: Words = (("   ", "said"), (ARROWS, "key"), (" how long", "said"))
    if chosen and lasting.counted:
        keys = (*keys, ("   ", "said"), ("0-9", "key"), (" how many", "said"))
    return Choice("s", lasting.label(), (*words, *keys))


def draw_choices(
    page: Page, offered: Sequence[Choice], chosen: AnswerKey, *, armed: bool
) -> list[Line]:
    """Lay the answers out: one a row with what it does, or two columns when it is narrow."""
    narrow = page.width < NARROW
    columns = _two_columns(page, offered, chosen, armed=armed) if narrow else None
    rows: list[Line] = columns or []
    if columns is None:
        for choice in offered:
            rows += _wide(page, choice, chosen=choice.key == chosen, armed=armed)
    return [*rows, *_explained(page, offered, chosen, armed=armed)] if narrow else rows


def _wide(page: Page, choice: Choice, *, chosen: bool, armed: bool) -> list[Line]:
    theme = page.theme
    on: Background = "select" if chosen else "bg"
    spans = _key_and_label(page, choice, on, chosen=chosen, armed=armed)
    column = EFFECT_COLUMN if page.width >= NARROW else LABEL_COLUMN + width_of(choice.label) + 2
    gap = column - TEXT_COLUMN - spans_width(spans)
    spans.append((" " * max(gap, 2), theme.style("text", on)))
    short: Words = ((choice.short, "exact"),) if choice.short else ()
    effect = choice.effect if page.width >= NARROW else short
    rows = _wrap_words(page, effect, on, page.right - column, armed=armed)
    first = chosen_line(page, [*spans, *(rows[0] if rows else ())], chosen=chosen)
    more = [make_line(page, row, on=on, column=column) for row in rows[1:]]
    return [first, *more]


def _key_and_label(
    page: Page, choice: Choice, on: Background, *, chosen: bool, armed: bool
) -> list[Span]:
    theme = page.theme
    key = theme.style("accent" if armed else "muted", on, bold=armed or None)
    label = theme.style("strong", on, bold=chosen or None)
    return [(choice.key, key), ("  ", label), (choice.label, label)]


def _wrap_words(
    page: Page, words: Words, on: Background, room: int, *, armed: bool
) -> list[list[Span]]:
    """Break an explanation over rows: what is stored must be readable whole."""
    theme = page.theme
    styles = {
        "said": theme.style("muted", on),
        "exact": theme.style("text", on),
        "key": theme.style("accent" if armed else "muted", on, bold=armed or None),
    }
    rows: list[list[Span]] = [[]]
    used = 0
    for at, (text, kind) in enumerate(words):
        if text == ARROWS and kind == "key":
            text = f"{page.glyphs.left} {page.glyphs.right}"
        if kind == "key" and at + 1 < len(words):  # a key and what it does stay together
            together = width_of(text) + width_of(words[at + 1][0])
            if rows[-1] and together <= room < used + together:
                rows.append([])
                used = 0
        while text:
            left = room - used
            if width_of(text) <= left:
                rows[-1].append((text, styles[kind]))
                used += width_of(text)
                break
            if kind != "exact" and rows[-1] and width_of(text) <= room:
                text = text.lstrip()
                rows.append([])
                used = 0
                continue
            head = _head(text, left)
            rows[-1].append((head, styles[kind]))
            text = text[len(head) :]
            rows.append([])
            used = 0
    return rows[:EFFECT_ROWS]


def _head(text: str, room: int) -> str:
    """Give the beginning that fits, up to a blank if there is one in its second half."""
    end = 0
    while end < len(text) and width_of(text[: end + 1]) <= max(room, 1):
        end += 1
    blank = text.rfind(" ", end // 2, end)
    return text[: blank + 1] if blank > 0 and end < len(text) else text[: max(end, 1)]


def _two_columns(
    page: Page, offered: Sequence[Choice], chosen: AnswerKey, *, armed: bool
) -> list[Line] | None:
    """Lay out two columns without explanations; None when the exact rule would not fit in its column.

    The second begins in the middle, or further to the right where the first needs it and the second allows it.
    """
    half = (len(offered) + 1) // 2
    cells = [_cell(page, one, chosen=one.key == chosen, armed=armed) for one in offered]
    needed = max(spans_width(cell) for cell in cells[:half]) + 1
    column = max(page.text_width // 2, needed)
    rows: list[Line] = []
    for at in range(half):
        pair = (offered[at], offered[half + at] if half + at < len(offered) else None)
        spans: list[Span] = []
        for side, choice in enumerate(pair):
            if choice is None:
                continue
            cell = cells[at + half * side]
            width = column if side == 0 else page.text_width - column + 2
            if spans_width(cell) > width:
                return None
            on: Background = "select" if choice.key == chosen else "bg"
            spans += [*cell, (" " * (width - spans_width(cell)), page.theme.style("text", on))]
        rows.append(make_line(page, spans, column=TEXT_COLUMN - 2))
    return rows


def _explained(
    page: Page, offered: Sequence[Choice], chosen: AnswerKey, *, armed: bool
) -> list[Line]:
    """Say below narrow answers what the chosen answer does, where its keys or its length matter."""
    if chosen not in ALLOWING:
        return []
    effect = next((choice.effect for choice in offered if choice.key == chosen), ())
    rows = _wrap_words(page, effect, "bg", page.text_width, armed=armed)
    return [make_line(page, row) for row in rows if row]


def _cell(page: Page, choice: Choice, *, chosen: bool, armed: bool) -> list[Span]:
    theme = page.theme
    on: Background = "select" if chosen else "bg"
    mark = page.glyphs.prompt if chosen else " "
    spans = [(f"{mark} ", theme.style("accent", on))]
    spans += _key_and_label(page, choice, on, chosen=chosen, armed=armed)
    if choice.short:
        spans += [(" ", theme.style("text", on)), (choice.short, theme.style("muted", on))]
    return spans
