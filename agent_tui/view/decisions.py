"""A decision over a call in words: who let it run or kept it from running, by which rule, and where that stands."""

from __future__ import annotations

from pathlib import PurePath

from agent_tui.protocol.decisions import DecisionNote

_WHY_ASKED = {
    "mode": "no rule allows it",
    "path": "a path asked for it",
    "unparsable": "it isn't fully understood",
    "critical": "it removes something critical",
    "hook": "a hook wanted it asked",
}
"""What made it a question, in few words, where no rule did."""


def decision_words(note: DecisionNote, home: str = "") -> tuple[str, ...]:
    """Give the facts of a decision, the weightiest first; each is short and without a full stop.

    ``home`` is written as ``~`` in paths; empty leaves them as they are.
    """
    said = _allowed(note) if note.behavior == "allow" else _denied(note)
    facts = [said, *_details(note, home)]
    return tuple(fact for fact in facts if fact)


def refused_by(note: DecisionNote) -> str:
    """Name who kept a call from running, in few words; empty for a person, whose no needs no name."""
    match note.by:
        case "person":
            return ""
        case "rule":
            return note.rule or "a rule"
        case "mode":
            return f"mode {note.mode}"
        case "hook":
            return "a hook"
        case "program":
            return "the program"
        case "nobody":
            return "nobody to ask"
        case _:
            return f"the {note.by}"


def short_source(source: str, home: str) -> str:
    """Write where a rule stands, the home folder as ``~``."""
    path, colon, line = source.rpartition(":")
    if not colon or not line.isdecimal():
        path, colon, line = source, "", ""
    if home and path.startswith("/") and PurePath(path).is_relative_to(home):
        path = str(PurePath("~") / PurePath(path).relative_to(home))
    return f"{path}{colon}{line}"


def _allowed(note: DecisionNote) -> str:
    match note.by:
        case "rule":
            return f"allowed by rule {note.rule}"
        case "mode":
            return f"allowed by mode {note.mode}"
        case "hook":
            return f"a hook{_hook(note)} allowed it"
        case "read_only":
            return "allowed: it only looks"
        case "person":
            yes = "you answered" if note.asked_by == "other" else "you said yes"
            return f"{yes}, to what you made of it" if note.edited else yes
        case "program":
            return "the program said yes"
        case "sandbox":
            return "allowed inside the sandbox"
        case "classifier":
            return _plain(note.reason) or "allowed by the classifier"
        case _:
            return "allowed"


def _denied(note: DecisionNote) -> str:
    match note.by:
        case "rule":
            return f"denied by rule {note.rule}"
        case "mode":
            return f"denied by mode {note.mode}"
        case "hook":
            return f"a hook{_hook(note)} denied it"
        case "person":
            return "you said no"
        case "program":
            return "the program said no"
        case "nobody":
            return "there was nobody to ask"
        case _:
            return f"denied by the {note.by}"


def _details(note: DecisionNote, home: str) -> list[str]:
    where = short_source(note.source, home)
    facts = [f"and gave {', '.join(note.granted)}"] if note.granted else []
    if note.comment:
        facts.append(" ".join(note.comment.split()))
    if not note.asked or note.by == "rule":
        facts.append(where)
        return [*facts, "" if note.by == "rule" else _plain(note.reason)]
    if note.rule:
        return [*facts, f"asked by rule {note.rule}", where]
    if note.asked_by == "other" or note.by == "classifier":
        return facts
    told = ("hook", "path", "critical", "rule", "classifier")
    why = _plain(note.reason) if note.asked_by in told else ""
    return [*facts, f"asked: {why or _WHY_ASKED.get(note.asked_by) or _plain(note.reason)}"]


def _hook(note: DecisionNote) -> str:
    return f" ({note.hook})" if note.hook else ""


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
