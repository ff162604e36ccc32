"""What "always" would store: narrow rules that cover exactly what was asked, or nothing.

A suggestion is given only if with it the same call would run unasked, so pressing "always" never leads to the same
question again, and never to a rule wider than what a reader expects of its text.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

from agent_tui.permissions.lines import JudgedLine
from agent_tui.permissions.match import inside
from agent_tui.permissions.part import PartVerdict
from agent_tui.permissions.places import Ground
from agent_tui.permissions.secrets import is_secret
from agent_tui.permissions.shell.analysis import Part
from agent_tui.permissions.shell.forms import allow_fit, innermost, names_exactly
from agent_tui.permissions.shell.git import LOOKING, read_git
from agent_tui.permissions.shell.words import Word
from agent_tui.permissions.shell.wrappers import SHELLS
from agent_tui.permissions.tables import names
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate

MAX_RULES: Final = 5
MAX_TEXT: Final = 200
MAX_EXACT: Final = 80

SUBCOMMANDS: Final = names(
    "git npm pnpm yarn bun deno cargo go docker podman kubectl helm pip pip3 uv poetry pipenv pdm hatch conda make just "
    "task gh glab terraform apt brew dnf dotnet gradle ./gradlew mvn ./mvnw rustup bundle rake composer mix systemctl nox "
    "tox pre-commit aws gcloud az nx turbo ng vite cmake ninja bazel alembic flask django-admin rails"
)
"""Programs whose first word says what is done."""
SCRIPTS: Final = names("run exec test:run compose stack")
"""Subcommands whose next word says it."""
CHECKERS: Final = names(
    "pytest ruff mypy pyright tsc eslint prettier jest vitest rspec ctest black isort flake8 pylint bandit shellcheck "
    "clippy golangci-lint stylelint markdownlint hadolint rubocop phpunit pyflakes coverage"
)
"""Programs that do one thing, whatever their words."""
INTERPRETERS: Final = names("python python3 node ruby perl php lua") | SHELLS
NEVER: Final = names(
    "rm rmdir sudo doas su eval exec dd mkfs shred chmod chown curl wget ssh scp kill pkill killall"
)
"""Programs for which only the exact command, if anything, is offered."""
RISKY_SUBCOMMANDS: Final = names(
    "push reset clean rebase publish login logout uninstall remove rm delete destroy apply exec x dlx config"
)


def for_line(line: JudgedLine, ground: Ground) -> tuple[PermissionUpdate, ...]:
    """Suggest rules for a shell line: one for each part that needs approval, at most five."""
    analysis = line.analysis
    asked = [part for part in line.parts if not part.allowed]
    if not asked or analysis.problem or analysis.opaque:
        return ()
    text = analysis.text.strip()
    plain = not analysis.structured and "\n" not in text and len(text) <= MAX_TEXT
    narrow = _rules(asked, ground, _exact) if plain else None
    usual = _rules(asked, ground, _usual if plain else _prefix)
    found = [rules for rules in (narrow, usual) if rules is not None]
    return tuple(_add(rules) for rules in dict.fromkeys(found))


def _usual(part: Part) -> str | None:
    return _prefix(part) or _exact(part, short=False)


def _rules(
    asked: Sequence[PartVerdict], ground: Ground, text_of: Callable[[Part], str | None]
) -> tuple[PermissionRuleValue, ...] | None:
    out: list[PermissionRuleValue] = []
    for verdict in asked:
        rules = _part_rules(verdict, ground, text_of)
        if rules is None:
            return None
        out += rules
    rules = tuple(dict.fromkeys(out))
    return rules if 0 < len(rules) <= MAX_RULES else None


def _part_rules(
    verdict: PartVerdict, ground: Ground, text_of: Callable[[Part], str | None]
) -> list[PermissionRuleValue] | None:
    """Give the rules one part needs; None: "always" can't be offered for it."""
    part = verdict.part
    out: list[PermissionRuleValue] = []
    if verdict.command_needs:
        text = text_of(part)
        if text is None or not allow_fit(text, part):
            return None
        if verdict.just and not names_exactly(text, part):
            return None
        out.append(PermissionRuleValue("Bash", text))
    files = (*verdict.reads, *verdict.writes, *verdict.secrets)
    covered = len(files) + verdict.command_needs
    if covered < len(verdict.needs):
        return None
    out += [PermissionRuleValue("Edit", f"/{escaped(path)}") for path in verdict.writes]
    out += [PermissionRuleValue("Read", _alone(path, ground)) for path in verdict.secrets]
    for path in verdict.reads:
        pattern = folder_pattern(path, ground)
        if pattern is None:
            return None
        out.append(PermissionRuleValue("Read", pattern))
    return out


def _exact(part: Part, *, short: bool = True) -> str | None:
    """Give the command itself as a rule, unless it would mean more than it says, or will hardly come again."""
    words = innermost(part)
    text = (
        " ".join(word.raw for word in words)
        if not part.command.assignments
        else part.command.source
    )
    if (
        not words
        or part.runs.opaque
        or "*" in text
        or "\n" in text
        or text.endswith(":")
        or len(text) > MAX_TEXT
    ):
        return None
    name = words[0].value
    if name is None or any(not word.literal for word in words) or _inline_code(name, words):
        return None
    if name in NEVER and name not in ("rm", "rmdir", "curl", "wget"):
        return None
    if name == "git" and read_git(words).sets_programs:
        return None
    if name == "rm" and any(word.start.startswith("-") for word in words[1:]):
        return None
    if short and (len(text) > MAX_EXACT or any(mark in text for mark in "'\"\\")):
        return None
    return text


def _inline_code(name: str, words: Sequence[Word]) -> bool:
    """``python -c '...'`` is a program of its own each time."""
    return name in INTERPRETERS and any(
        re.fullmatch(r"-[a-zA-Z]*[ce]", word.start)
        or word.is_text("-", "-p", "--eval", "--print", "-r")
        for word in words[1:]
    )


def _prefix(part: Part) -> str | None:
    """Give a sensible prefix rule, if there is one."""
    text = _program_and_task(part)
    return text if text is not None and len(text) <= MAX_EXACT else None


def _program_and_task(part: Part) -> str | None:
    """Give a rule for the program and what it is told to do."""
    words = innermost(part)
    literal: list[str] = []
    for word in words:
        if not word.literal or word.raw != word.value or not re.fullmatch(r"[\w./:@+-]+", word.raw):
            break
        literal.append(word.raw)
    if not literal or part.command.assignments or part.runs.wrapped or part.runs.exact_only:
        return None
    name, rest = literal[0], literal[1:]
    if name in NEVER:
        return None
    if name in CHECKERS:
        return f"{name} *"
    if name in INTERPRETERS:
        return f"{name} -m {rest[1]} *" if rest[:1] == ["-m"] and len(rest) > 1 else None
    if (
        name not in SUBCOMMANDS
        or not rest
        or rest[0].startswith("-")
        or rest[0] in RISKY_SUBCOMMANDS
    ):
        return None
    if rest[0] in SCRIPTS:
        script = rest[1] if len(rest) > 1 else ""
        runs_code = script in INTERPRETERS or script in NEVER
        return (
            None
            if not script or script.startswith("-") or runs_code
            else f"{name} {rest[0]} {script} *"
        )
    if name == "git" and rest[0] in LOOKING:
        return None  # what only looks needs no rule; this one has an option that may do more
    return f"{name} {rest[0]} *"


def for_edit(path: str, ground: Ground) -> tuple[PermissionUpdate, ...]:
    """Suggest for a change of a file: that file, its folder in the project, the mode; outside: that folder."""
    if not ground.is_inside(path):
        folder = os.path.dirname(path)  # noqa: PTH120 - text only
        if ground.critical(folder):
            return (_add((PermissionRuleValue("Edit", f"/{escaped(path)}"),), "session"),)
        return (PermissionUpdate("addDirectories", directories=(folder,)),)
    out: list[PermissionUpdate] = []
    if inside(path, ground.project):
        relative = path[len(ground.project) :].lstrip("/")
        out.append(_add((PermissionRuleValue("Edit", f"/{escaped(relative)}"),), "session"))
        folder = os.path.dirname(relative)  # noqa: PTH120 - text only
        if folder:
            out.append(_add((PermissionRuleValue("Edit", _below(folder)),), "session"))
    return (*out, PermissionUpdate("setMode", mode="acceptEdits"))


def for_read(path: str, ground: Ground) -> tuple[PermissionUpdate, ...]:
    """Suggest for a read outside the working folders: the folder it is in."""
    pattern = _alone(path, ground) if is_secret(ground, path) else folder_pattern(path, ground)
    return () if pattern is None else (_add((PermissionRuleValue("Read", pattern),)),)


def for_fetch(tool_name: str, url: str) -> tuple[PermissionUpdate, ...]:
    """Suggest the host of an address; for a search the tool."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    if tool_name != "WebFetch":
        return for_tool(tool_name)
    return (_add((PermissionRuleValue("WebFetch", f"domain:{host}"),)),) if host else ()


def for_tool(tool_name: str) -> tuple[PermissionUpdate, ...]:
    """Suggest the tool as a whole."""
    return (_add((PermissionRuleValue(tool_name),)),)


def folder_pattern(path: str, ground: Ground) -> str | None:
    """Write a pattern for a folder, or all in a file's folder; the file alone where that would be far too much."""
    is_folder = ground.resolver.is_dir(path)
    folder = path if is_folder else os.path.dirname(path)  # noqa: PTH120 - text only
    if not ground.critical(folder) and "/." not in folder:
        return f"/{escaped(folder)}/**"
    return None if is_folder else f"/{escaped(path)}"


def _alone(path: str, ground: Ground) -> str:
    """Write a pattern for one file, from the project's folder where it is in there."""
    path = os.path.normpath(path)
    if inside(path, ground.project):
        return f"/{escaped(path[len(ground.project) :].lstrip('/'))}"
    return f"/{escaped(path)}"


def escaped(path: str) -> str:
    """Escape what a pattern would take for a wildcard."""
    return re.sub(r"([*?\[\]\\])", r"\\\1", path)


def _below(folder: str) -> str:
    text = escaped(folder)
    return f"{text}/**" if re.match(r"[\w.][\w./ -]*$", text) else f"/{text}/**"


def _add(
    rules: tuple[PermissionRuleValue, ...], destination: str = "localSettings"
) -> PermissionUpdate:
    where = "session" if destination == "session" else "localSettings"
    return PermissionUpdate("addRules", rules=rules, behavior="allow", destination=where)
