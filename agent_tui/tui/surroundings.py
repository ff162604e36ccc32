"""Which terminal this is, as far as it says so, and what stands between it and us."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.settings.paths import Environment

Program: TypeAlias = Literal[
    "alacritty", "apple", "foot", "ghostty", "iterm", "kitty", "linux", "rio", "wezterm", "unknown"
]
Inside: TypeAlias = Literal["", "tmux", "screen"]

_BY_NAME: tuple[tuple[str, Program], ...] = (
    ("iterm", "iterm"),
    ("wezterm", "wezterm"),
    ("ghostty", "ghostty"),
    ("kitty", "kitty"),
    ("apple_terminal", "apple"),
    ("alacritty", "alacritty"),
    ("foot", "foot"),
    ("rio", "rio"),
)
"""What the names of terminals hold, in ``TERM_PROGRAM``, ``LC_TERMINAL`` or ``TERM``."""
_BY_VARIABLE: tuple[tuple[str, Program], ...] = (
    ("KITTY_WINDOW_ID", "kitty"),
    ("GHOSTTY_RESOURCES_DIR", "ghostty"),
    ("WEZTERM_PANE", "wezterm"),
    ("ITERM_SESSION_ID", "iterm"),
    ("ALACRITTY_WINDOW_ID", "alacritty"),
)
TITLELESS = ("linux", "cons25", "vt52", "vt100", "vt102", "vt220", "vt320", "dumb")
"""Values of ``TERM`` whose screens have no title, and may draw what is meant as one."""
_SCREEN_PIECE = 256
"""Bytes that GNU screen takes to pass through at once, with room to spare."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the screen is drawn.

    Attributes:
        program: the terminal itself. Inside a multiplexer the one it was started from, which may be gone.
        inside: the multiplexer between it and us.
        term: the value of ``TERM``, in small letters.
    """

    program: Program = "unknown"
    inside: Inside = ""
    term: str = ""

    @classmethod
    def of(cls, env: Environment) -> Surroundings:
        """Read the variables."""
        term = env.get("TERM").strip().lower()
        return cls(_program(env, term), _inside(env, term), term)

    @property
    def has_title(self) -> bool:
        """Whether a title may be set."""
        return bool(self.term) and self.term.partition("-")[0] not in TITLELESS

    def pass_through(self, sequence: str) -> tuple[str, ...]:
        """Give the writes that hand a sequence to the terminal itself, whatever stands between.

        tmux hands on only what is wrapped so, and only where its ``allow-passthrough`` is on; what it doesn't hand on
        it drops, so nothing is ever drawn.
        """
        match self.inside:
            case "tmux":
                doubled = sequence.replace("\x1b", "\x1b\x1b")
                return (f"\x1bPtmux;{doubled}\x1b\\",)
            case "screen":
                pieces = _pieces(sequence, _SCREEN_PIECE)
                return tuple(f"\x1bP{piece}\x1b\\" for piece in pieces)
            case "":
                return (sequence,)


def _program(env: Environment, term: str) -> Program:
    for name in (env.get("TERM_PROGRAM"), env.get("LC_TERMINAL"), term):
        lower = name.lower()
        for part, program in _BY_NAME:
            if part in lower:
                return program
    for variable, program in _BY_VARIABLE:
        if env.get(variable):
            return program
    return "linux" if term == "linux" else "unknown"


def _inside(env: Environment, term: str) -> Inside:
    # TERM decides where both are named: one may run inside the other, and it is the inner one we talk to
    if env.get("TMUX") and not (env.get("STY") and term.startswith("screen.")):
        return "tmux"
    if env.get("STY"):
        return "screen"
    if term.startswith("tmux"):
        return "tmux"
    return "screen" if term.startswith("screen") else ""


def _pieces(text: str, size: int) -> list[str]:
    """Cut a text so that no piece has more bytes, and no escape stands alone at a piece's end."""
    out: list[str] = [""]
    used = 0
    for char in text:
        width = len(char.encode("utf-8", "replace"))
        if used + width > size and not out[-1].endswith("\x1b"):
            out.append("")
            used = 0
        out[-1] += char
        used += width
    return out


Write: TypeAlias = Callable[[str], None]
"""Writes to the terminal what no frame holds: a title, a bell."""
