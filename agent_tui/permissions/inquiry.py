"""Reading what somebody asks about: a shell line, a path, or a call as a rule would name it.

``git push -f`` · ``src/a.py`` · ``Read ~/.ssh/id_rsa`` · ``Bash(git push -f)`` · ``WebFetch https://example.com`` ·
``mcp__server__tool`` · ``Agent(Explore)``
"""

from __future__ import annotations

import os.path
import re
from dataclasses import dataclass
from typing import Final

from agent_tui.permissions.places import Ground
from agent_tui.permissions.rule import COMMAND_TOOLS, FOLDER_TOOL, NAME_TOOLS, canonical
from agent_tui.protocol.access import (
    Access,
    AskUser,
    CallMcp,
    FetchUrl,
    NoAccess,
    ReadPath,
    RunCommand,
    WritePath,
)
from agent_tui.protocol.content import JsonObject

READERS: Final = frozenset({"Read", "Grep", "Glob", "LSP", FOLDER_TOOL})
WRITERS: Final = frozenset({"Edit", "Write", "NotebookEdit"})
ASKERS: Final = frozenset({"AskUserQuestion", "EnterPlanMode", "ExitPlanMode"})
OTHERS: Final = frozenset(
    {
        "WebFetch",
        "WebSearch",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "TaskStop",
        "TaskUpdate",
        "ToolSearch",
    }
)
TOOLS: Final = READERS | WRITERS | ASKERS | OTHERS | COMMAND_TOOLS | NAME_TOOLS
"""Names that are taken for a tool's where they stand first."""

_CALL = re.compile(r"(?P<tool>[A-Za-z_][\w-]*)(?:\((?P<inside>.*)\)|\s+(?P<after>.*))?", re.DOTALL)
_FIELDS: Final = {"Read": "file_path", "Edit": "file_path", "Write": "file_path", "WebFetch": "url"}
_FILE = re.compile(r"[\w.-]+\.[A-Za-z]\w{0,5}")
"""A name with an ending, as no program's has."""
MAX_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A call somebody asks about. ``read_only``: its tool says that it changes nothing."""

    tool: str
    tool_input: JsonObject
    access: Access
    said: str = ""
    read_only: bool = False

    @property
    def name(self) -> str:
        """The call as a rule would name it."""
        said = " ".join(self.said.split())
        said = said if len(said) <= MAX_SHOWN else f"{said[: MAX_SHOWN - 1]}…"
        return f"{self.tool}({said})" if said else self.tool


def read_inquiry(text: str, ground: Ground) -> tuple[Inquiry, ...]:
    """Read what is asked about; a path alone means reading it and writing it. Looks at files.

    Args:
        text: what was typed.
        ground: the folders; relative paths count from its ``cwd``.

    Raises:
        ValueError: nothing is asked about; the text says what could be.
    """
    text = text.strip()
    if not text:
        raise ValueError("what about? A shell line, a path, or a call such as Read(.env)")
    found = _CALL.fullmatch(text)
    if found is not None:
        tool = canonical(found["tool"])
        if tool.startswith("mcp__") and found["after"] is None:
            return (_mcp(tool),)
        if tool in TOOLS:
            said = found["inside"] if found["inside"] is not None else found["after"]
            return (_call(tool, (said or "").strip(), ground),)
    if _is_path(text, ground):
        return _call("Read", text, ground), _call("Edit", text, ground)
    return (_call("Bash", text, ground),)


def _call(tool: str, said: str, ground: Ground) -> Inquiry:
    if tool in COMMAND_TOOLS:
        return Inquiry(tool, {"command": said}, RunCommand(said, ground.cwd), said)
    if tool in READERS:
        path = _path(said, ground)
        given: JsonObject = {_FIELDS.get(tool, "path"): path}
        return Inquiry(tool, given, ReadPath(path), said, read_only=True)
    if tool in WRITERS:
        path = _path(said, ground)
        return Inquiry(tool, {_FIELDS.get(tool, "notebook_path"): path}, WritePath(path), said)
    if tool == "WebFetch":
        url = said if "://" in said else f"https://{said.removeprefix('domain:')}"
        return Inquiry(tool, {"url": url}, FetchUrl(url), said, read_only=True)
    if tool == "WebSearch":
        return Inquiry(tool, {"query": said}, FetchUrl(""), said, read_only=True)
    if tool == "Agent":
        return Inquiry(tool, {"subagent_type": said}, NoAccess(), said, read_only=True)
    if tool == "Skill":
        name, _, args = said.partition(" ")
        return Inquiry(tool, {"skill": name, "args": args}, NoAccess(), said)
    return Inquiry(tool, {}, AskUser() if tool in ASKERS else NoAccess(), said, read_only=True)


def _mcp(name: str) -> Inquiry:
    server, _, tool = name.removeprefix("mcp__").partition("__")
    return Inquiry(name, {}, CallMcp(server, tool))


def _is_path(text: str, ground: Ground) -> bool:
    """Tell whether a word means a file rather than a program that is found by its name."""
    if any(char.isspace() for char in text) or re.search(r"[|&;<>()$`\"'\\*?]", text):
        return False
    if "/" in text or text.startswith(("~", ".")) or _FILE.fullmatch(text):
        return True
    return ground.resolver.exists(_path(text, ground))


def _path(text: str, ground: Ground) -> str:
    if text == "~" or text.startswith("~/"):
        text = ground.home + text[1:]
    path = os.path.normpath(os.path.join(ground.cwd, text))  # noqa: PTH118 - text only
    return f"/{path.lstrip('/')}"
