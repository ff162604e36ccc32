"""What the model is told before the conversation: our prompt, and the facts of the place where it works.

The prompt is the same in every session, so all share its cached prefix. What differs (folder, date, git, memory
files) goes into the conversation, once, as a reminder that is journaled: a resumed session sends the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from agent_tui.context.request import reminder

MAX_STATUS_LINES = 40
"""Lines of ``git status`` told; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The place a session works in, as it was when the session began.

    Attributes:
        cwd: the working folder, absolute.
        date: ISO 8601, the local day.
        platform: e.g. ``Linux 6.8``.
        shell: path of the shell commands run in.
        git_branch: None outside a repository, empty on a detached head.
        git_status: ``git status --short``, empty when clean; None when nobody looked.
        recent_commits: ``git log --oneline``, a few.
        folders: further folders that may be worked in.
    """

    cwd: str
    date: str
    platform: str = ""
    shell: str = ""
    git_branch: str | None = None
    git_status: str | None = None
    recent_commits: str = ""
    folders: tuple[str, ...] = ()


def system_prompt(replaced_by: str | None = None, append: str | None = None) -> tuple[str, ...]:
    """Give the texts of the system prompt: ours or the one that replaces it, then what is added to it."""
    first = our_prompt() if replaced_by is None else replaced_by
    return tuple(text for text in (first, append) if text and text.strip())


@cache
def our_prompt() -> str:
    """Give our own prompt."""
    return resources.files("agent_tui.context").joinpath("system.md").read_text("utf-8").strip()


def sections(prompt: str | None = None) -> dict[str, str]:
    """Give the named sections of a prompt (ours, if none is given): heading to text."""
    found: dict[str, str] = {}
    name = ""
    for line in (prompt or our_prompt()).splitlines():
        if line.startswith("# "):
            name = line[2:].strip()
            found[name] = ""
        elif name:
            found[name] += line + "\n"
    return {name: text.strip() for name, text in found.items()}


def environment_text(place: Surroundings) -> str:
    """Say where we work."""
    lines = [
        f"Working directory: {place.cwd}",
        *(f"Further directory: {folder}" for folder in place.folders),
        f"Today's date: {place.date}",
    ]
    if place.platform:
        lines.append(f"Platform: {place.platform}")
    if place.shell:
        lines.append(f"Shell: {place.shell}")
    lines += _git_lines(place)
    return "Environment when the session began:\n" + "\n".join(lines)


def context_text(place: Surroundings, memory: str = "") -> str:
    """Give the text a window begins with: where we work, and the memory files (``memory.load(...).text``)."""
    parts = [environment_text(place), memory.strip()]
    return reminder("\n\n".join(part for part in parts if part))


def _git_lines(place: Surroundings) -> list[str]:
    if place.git_branch is None:
        return ["Git: no repository"]
    lines = [f"Git branch: {place.git_branch or '(detached head)'}"]
    lines += [] if place.git_status is None else _status_lines(place.git_status)
    if place.recent_commits.strip():
        lines += ["Recent commits:", place.recent_commits.strip()]
    return lines


def _status_lines(status: str) -> list[str]:
    rows = status.rstrip().splitlines()
    if not rows:
        return ["Git status: clean"]
    more = [f"({len(rows) - MAX_STATUS_LINES} more)"] if len(rows) > MAX_STATUS_LINES else []
    return ["Git status:", *rows[:MAX_STATUS_LINES], *more]
