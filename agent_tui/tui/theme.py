"""Themes: files that give each colour role a value, and the styles made from them.

Widgets and renderers name roles and never colours. A theme file (``themes/NAME.toml``) has the tables ``text``,
``code``, ``background`` and ``line``; each value is a colour (``#rrggbb``, one of the terminal's sixteen by name, or
``default``) and, behind it, attributes (``bold``, ``dim``, ``italic``, ``underline``, ``reverse``). A person's file may
name a ``base`` theme and give only what differs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args

from rich.color import Color, ColorParseError
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as ScreenColor
from textual.filter import LineFilter
from textual.theme import Theme as ScreenTheme

from agent_tui.settings.paths import Environment
from agent_tui.tui.colours import colour_depth

TextRole: TypeAlias = Literal[
    "text",
    "strong",
    "muted",
    "accent",
    "ok",
    "warning",
    "error",
    "special",
    "added",
    "removed",
    "code.keyword",
    "code.string",
    "code.number",
    "code.function",
    "code.type",
    "code.comment",
    "line",
    "thumb",
]
Background: TypeAlias = Literal[
    "bg",
    "surface",
    "gap",
    "select",
    "added_bg",
    "added_word",
    "removed_bg",
    "removed_word",
    "danger_bg",
]
TEXT_ROLES: tuple[TextRole, ...] = get_args(TextRole)
BACKGROUNDS: tuple[Background, ...] = get_args(Background)

_PAGE: tuple[Background, ...] = ("bg", "surface", "gap", "select")
_DIFF: tuple[Background, ...] = ("added_bg", "added_word", "removed_bg", "removed_word")
_CODE: tuple[Background, ...] = ("bg", "surface", *_DIFF)
STANDS_ON: Mapping[TextRole, tuple[Background, ...]] = {
    "text": (*_PAGE, *_DIFF, "danger_bg"),
    "strong": (*_PAGE, *_DIFF, "danger_bg"),
    "muted": _PAGE,
    "accent": _PAGE,
    "ok": (*_PAGE, "added_bg"),
    "warning": (*_PAGE, "danger_bg"),
    "error": (*_PAGE, "removed_bg"),
    "special": _PAGE,
    "added": (*_PAGE, "added_bg"),
    "removed": (*_PAGE, "removed_bg"),
    "code.keyword": _CODE,
    "code.string": _CODE,
    "code.number": _CODE,
    "code.function": _CODE,
    "code.type": _CODE,
    "code.comment": ("bg", "surface", "added_bg", "removed_bg"),
}
"""Which backgrounds each text role may stand on: what the contrast of a theme is judged by."""

_ATTRIBUTES = ("bold", "dim", "italic", "underline", "reverse")
DEEPEST = 3
"""So many themes may build on one another."""
_SIGN: Mapping[Background, TextRole] = {"added_word": "added", "removed_word": "removed"}


class ThemeError(ValueError):
    """A theme file can't be used; the text names the file and what is wrong in it."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A value for every role.

    Attributes:
        name: the file's name without ending.
        dark: light text on a dark page.
        roles: per role its colour and attributes; for backgrounds the colour is the background's.
        tints: bands and diff lines have a background of their own; if not, signs and bold tell them apart.
        native: the colours are the terminal's own, and its background stays as it is.
        about: what it is for, a few words; empty where the name says it.
    """

    name: str
    dark: bool
    roles: Mapping[str, Style]
    tints: bool
    native: bool
    about: str = ""
    _made: dict[tuple[object, ...], Style] = field(
        default_factory=dict[tuple[object, ...], Style], repr=False, compare=False
    )

    def style(
        self,
        role: TextRole = "text",
        on: Background = "bg",
        *,
        bold: bool | None = None,
        italic: bool | None = None,
        underline: bool | None = None,
        strike: bool | None = None,
    ) -> Style:
        """Give the style of ``role`` on a background; attributes given are added to the theme's own.

        Where the background is shown by reverse video, the text has no colour of its own there (a changed word of a
        diff keeps the colour of its sign), so that the row stays one area.
        """
        key = (role, on, bold, italic, underline, strike)
        made = self._made.get(key)
        if made is None:
            extra = Style(bold=bold, italic=italic, underline=underline, strike=strike)
            made = self._made[key] = self._ground(role, on) + extra
        return made

    def _ground(self, role: TextRole, on: Background) -> Style:
        text, ground = self.roles[role], self.roles[on]
        if not ground.reverse:
            return text + ground
        sign = _SIGN.get(on)
        attributes = Style(bold=text.bold, italic=text.italic, reverse=True)
        return attributes if sign is None else Style(color=self.roles[sign].color) + attributes

    def colour(self, role: TextRole | Background) -> str:
        """Give a role's colour as Textual's CSS writes it: ``#rrggbb``, ``ansi_NAME`` or ``ansi_default``."""
        style = self.roles[role]
        colour = style.bgcolor if role in BACKGROUNDS else style.color
        if colour is None or colour.is_default:
            return "ansi_default"
        return colour.name if colour.name.startswith("#") else f"ansi_{colour.name}"

    def attributes(self, role: TextRole | Background) -> str:
        """Give a role's attributes as Textual's ``text-style`` writes them, ``none`` when it has none."""
        style = self.roles[role]
        return " ".join(a for a in _ATTRIBUTES if getattr(style, a)) or "none"

    def variables(self) -> dict[str, str]:
        """Give the variables of the style sheet: ``$role-NAME`` a colour, ``$role-NAME-style`` a text style.

        Dots and underscores of role names become dashes: ``$role-code-keyword``, ``$role-added-bg``.
        """
        out: dict[str, str] = {}
        for role in (*TEXT_ROLES, *BACKGROUNDS):
            name = "role-" + role.replace(".", "-").replace("_", "-")
            out[name] = self.colour(role)
            out[f"{name}-style"] = self.attributes(role)
        return out

    def to_screen(self) -> ScreenTheme:
        """Give Textual's own kind of theme, for ``App.register_theme``; ``ansi`` follows ``native``."""
        variables = self.variables() | {
            "screen-selection-background": self.colour("select"),
            "screen-selection-foreground": self.colour("text"),
            "ansi-background": self.colour("bg"),
            "ansi-foreground": self.colour("text"),
            "scrollbar": self.colour("thumb"),
            "scrollbar-hover": self.colour("thumb"),
            "scrollbar-active": self.colour("accent"),
            "scrollbar-background": self.colour("bg"),
            "scrollbar-background-hover": self.colour("bg"),
            "scrollbar-background-active": self.colour("bg"),
            "scrollbar-corner-color": self.colour("bg"),
        }
        return ScreenTheme(
            name=self.name,
            primary=self.colour("accent"),
            secondary=self.colour("special"),
            accent=self.colour("accent"),
            warning=self.colour("warning"),
            error=self.colour("error"),
            success=self.colour("ok"),
            foreground=self.colour("text"),
            background=self.colour("bg"),
            surface=self.colour("surface"),
            panel=self.colour("surface"),
            dark=self.dark,
            ansi=self.native,
            text_alpha=1.0,
            variables=variables,
        )


class Uncoloured(LineFilter):
    """Takes every colour code out of what is written, keeping bold, dim, italic, underline and reverse.

    Stands in for Textual's own filter, which writes the codes of the default colours instead.
    """

    def apply(self, segments: list[Segment], background: ScreenColor) -> list[Segment]:
        """Give the segments without colours."""
        return [
            Segment(text, style.without_color if style else style, control)
            for text, style, control in segments
        ]


def read_theme(path: Path, known: Mapping[str, Theme] | None = None) -> Theme:
    """Read a theme file; ``known`` holds the themes it may name as ``base``.

    Raises:
        ThemeError: the file can't be read, or a role is missing, unknown or has no such colour.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeError(f"{path}: {error}") from error
    base = (known or {}).get(str(data.get("base", "")))
    if "base" in data and base is None:
        raise ThemeError(f"{path}: there is no theme {data['base']!r} to build on")
    roles: dict[str, Style] = dict(base.roles) if base else {}
    for table, prefix in (("text", ""), ("code", "code."), ("background", ""), ("line", "")):
        for key, value in _table(data, table, path).items():
            roles[prefix + key] = _value(prefix + key, value, table == "background", path)
    wanted = {*TEXT_ROLES, *BACKGROUNDS}
    if roles.keys() != wanted:
        odd = ", ".join(sorted(roles.keys() ^ wanted))
        raise ThemeError(f"{path}: these roles are missing or unknown: {odd}")
    dark = bool(data.get("dark", base.dark if base else True))
    page, band = roles["bg"].bgcolor, roles["surface"].bgcolor
    about = str(data.get("about", ""))
    return Theme(path.stem, dark, roles, tints=band != page, native=page is None, about=about)


def load_themes(folders: Iterable[Path]) -> tuple[dict[str, Theme], tuple[str, ...]]:
    """Read all themes of the folders, by name; a later folder's file replaces one of the same name.

    Give the themes, and a sentence for each file that can't be used.
    """
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for folder in folders:
        waiting: dict[Path, str] = dict.fromkeys(sorted(folder.glob("*.toml")), "")
        for _ in range(DEEPEST):  # a theme may build on one that comes behind it
            for path in tuple(waiting):
                try:
                    themes[path.stem] = read_theme(path, themes)
                except ThemeError as error:
                    waiting[path] = str(error)
                else:
                    del waiting[path]
        problems += waiting.values()
    return themes, tuple(problems)


def choose_theme(env: Environment, wanted: str = "", *, dark: bool | None = None) -> str:
    """Name the theme to start with: none where there are no colours, then what is wanted, then what the terminal can show.

    ``wanted`` empty or ``auto`` leaves it to the terminal: ``sixteen`` where it has no more colours, else ``light``
    or ``dark``, as it has said itself (``dark``), or by ``COLORFGBG``.
    """
    depth = colour_depth(env)
    if depth == "none":
        return "no-colour"
    if wanted not in ("", "auto"):
        return wanted
    if depth == "sixteen":
        return "sixteen"
    if dark is not None:
        return "dark" if dark else "light"
    return "light" if env.get("COLORFGBG").rpartition(";")[2] in _LIGHT else "dark"


_LIGHT = ("7", "9", "10", "11", "12", "13", "14", "15")


def _table(data: Mapping[str, object], name: str, path: Path) -> Mapping[str, object]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise ThemeError(f"{path}: {name!r} is no table")
    return cast("dict[str, object]", table)


def _value(role: str, value: object, ground: bool, path: Path) -> Style:
    words = value.split() if isinstance(value, str) else []
    try:
        if not words or not set(words[1:]) <= set(_ATTRIBUTES):
            raise ColorParseError("a colour and then attributes are wanted")
        colour = None if words[0] == "default" else Color.parse(words[0])
    except ColorParseError as error:
        raise ThemeError(f"{path}: {role} = {value!r}: {error}") from error
    marks = Style.parse(" ".join(words[1:]))
    return marks + (Style(bgcolor=colour) if ground else Style(color=colour))
