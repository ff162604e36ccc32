"""The built-in tools. The folder ``builtin`` is the list: names are known without importing, modules load when used."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

from agent_tui.tools.base import AnyTool

_PACKAGE = "agent_tui.tools.builtin"
_FOLDER = Path(__file__).parent / "builtin"


@cache
def builtin_modules() -> tuple[str, ...]:
    """Name the modules that hold a tool each, in the order their schemas are sent. Imports none of them."""
    found = pkgutil.iter_modules([str(_FOLDER)])
    return tuple(sorted(module.name for module in found if not module.name.startswith("_")))


def module_of(name: str) -> str:
    """Give the module that holds the tool of this name: ``TaskCreate`` is in ``task_create``."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def builtin_names() -> tuple[str, ...]:
    """Name all built-in tools, in the order their schemas are sent. Imports none of them."""
    return tuple(
        "".join(word.capitalize() for word in module.split("_")) for module in builtin_modules()
    )


def builtin_tool(module: str) -> AnyTool:
    """Load one tool by the name of its module.

    Raises:
        KeyError: there is no such module.
    """
    if module not in builtin_modules():
        raise KeyError(module)
    return cast("AnyTool", import_module(f"{_PACKAGE}.{module}").TOOL)


def builtin_tools(leave_out: Iterable[str] = ()) -> tuple[AnyTool, ...]:
    """Load the built-in tools, but for those whose modules are named, in a fixed order."""
    unwanted = frozenset(leave_out)
    return tuple(builtin_tool(module) for module in builtin_modules() if module not in unwanted)
