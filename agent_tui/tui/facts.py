"""Small facts as text: paths, durations, counts of things."""

from __future__ import annotations

import re

from rich.style import Style

from agent_tui.tui.lines import Page, Span, take, width_of
from agent_tui.tui.links import to_file


def duration(milliseconds: float) -> str:
    """Give how long something took: ``0.1 s``, ``41 s``, ``2:05``, ``1:02:03``."""
    seconds = milliseconds / 1000
    if seconds < 9.95:
        return f"{max(seconds, 0.1):.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def counted(number: int, thing: str) -> str:
    """Give ``1 line``, ``48 lines``, ``1 match``, ``2 matches``."""
    if number == 1:
        return f"1 {thing}"
    return f"{number} {thing}{'es' if thing.endswith(('ch', 's')) else 's'}"


def short_model(model: str) -> str:
    """Give a model's name without what is the same for all of the vendor's, and without its date."""
    short = re.sub(r"-20\d{6}$", "", model.removeprefix("claude-"))
    return short or model


def short_path(page: Page, path: str) -> str:
    """Give a path as the person thinks of it: from the project's root, or from home with ``~``."""
    for folder, prefix in ((page.cwd, ""), (page.home, "~/")):
        if folder and path.startswith(folder.rstrip("/") + "/"):
            return prefix + path[len(folder.rstrip("/")) + 1 :]
    if path and path == page.cwd:
        return "."
    return "~" if path and path == page.home else path


def path_span(page: Page, path: str, width: int, style: Style) -> Span:
    """Give a path, shortened and cut to ``width`` cells; where links are wanted it leads to the file."""
    shown = cut_path(short_path(page, path), width, page.glyphs.cut)
    if not page.links or not path:
        return shown, style
    whole = path if path.startswith("/") else f"{page.cwd.rstrip('/')}/{path}"
    return shown, to_file(style, whole)


def cut_path(path: str, width: int, mark: str = "…") -> str:
    """Cut a path in the middle so that it fits ``width`` cells; the file's name stays as long as it can."""
    if width_of(path) <= width:
        return path
    name = path[path.rfind("/") :] if "/" in path else path
    room = width - width_of(name) - width_of(mark)
    if room >= 1:
        return take(path, room) + mark + name
    return take(mark + name, width)
