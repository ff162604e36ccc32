"""Is a line understood: is it sure what it runs, though not all it hands to that?"""

from __future__ import annotations

from agent_tui.permissions.shell.analysis import Analysis, Part
from agent_tui.permissions.shell.awk import AWKS
from agent_tui.permissions.shell.forms import innermost
from agent_tui.permissions.shell.runners import hidden_run
from agent_tui.permissions.shell.turning import may_turn
from agent_tui.permissions.shell.wrappers import program


def not_understood(analysis: Analysis) -> str:
    """Say why it isn't sure what a line runs, "" when it is.

    It is when the grammar finds no error and none of its traps is met, every command's name is literal, wrappers' too,
    and what is filled in at run time can't turn into an option that runs something else.
    """
    if analysis.problem or analysis.opaque:
        return analysis.problem or analysis.opaque
    return next(filter(None, (_unsure(part, analysis) for part in analysis.parts)), "")


def _unsure(part: Part, analysis: Analysis) -> str:
    runs, words = part.runs, innermost(part)
    if runs.opaque or not all(view.sure for view in runs.views):
        return runs.opaque or "which of its words is the program isn't sure"
    name = program(words[0]) if words else None
    if name is None:
        return ""
    unread = [word for word in words if may_turn(word, analysis.variables)]
    if not unread:
        return ""
    by = hidden_run(name, words, lambda word: word in unread)
    if not by or (name not in AWKS | {"sed"} and hidden_run(name, words)):
        return ""
    return f"{by} may be, or turn into, something else"
