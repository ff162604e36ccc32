"""What Glob and Grep say about results that are not whole."""

from __future__ import annotations

from agent_tui.protocol.ports import ToolLimits


def hidden_note(count: int) -> list[str]:
    """Say that files were left out because of a rule, or of what is kept there."""
    if not count:
        return []
    what, them = ("1 file was", "it") if count == 1 else (f"{count:,} files were", "them")
    return [
        f"[{what} left out: a permission rule forbids reading {them}, or secrets are kept there. "
        "A search aimed at one such file can be approved.]"
    ]


def passed_over_note(count: int) -> list[str]:
    """Say that lines match which can't be shown."""
    if not count:
        return []
    what = "1 matching line is" if count == 1 else f"{count:,} matching lines are"
    return [f"[{what} too long to be shown: output_mode `files_with_matches` names the files.]"]


def timeout_note(timed_out: bool, limits: ToolLimits) -> list[str]:
    """Say that the search did not come to its end."""
    if not timed_out:
        return []
    return [
        f"[The search was ended after {limits.search_timeout_ms / 1000:g} s: there may be more. Narrow it.]"
    ]
