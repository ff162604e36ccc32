"""Rewriting a settings file: atomically, one program at a time, other content kept, a broken file never touched."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, cast

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.private import make_private_folder


def rewrite(path: Path, change: Callable[[JsonObject], None]) -> None:
    """Change what a file holds; one that is not there is made, its owner's alone. Blocks on files.

    Args:
        path: the file itself, links followed.
        change: changes the object that was read, in place; what it raises leaves the file as it was.

    Raises:
        SettingsError: it holds no JSON object that could be written again whole.
        OSError: it can't be read or written.
    """
    with _locked(path.parent):
        text = _text(path)
        data = _parsed(text, path)
        change(data)
        _replace(path, json.dumps(data, indent=_indent(text), ensure_ascii=False) + "\n")


@contextlib.contextmanager
def _locked(folder: Path) -> Generator[None]:
    """Keep two sessions from overwriting one another's changes; where locks don't work, go on without."""
    make_private_folder(folder)
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} isn't valid UTF-8, so it is left alone") from error


def _parsed(text: str, path: Path) -> JsonObject:
    if not text.strip():
        return {}
    try:
        data: Any = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise SettingsError(
            f"{path}, line {error.lineno}: not valid JSON ({error.msg}); the file is left alone"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}; the file is left alone") from error
    if not isinstance(data, dict):
        raise SettingsError(f"{path} must hold one JSON object; the file is left alone")
    return cast("JsonObject", data)


def _once(pairs: list[tuple[str, Any]]) -> JsonObject:
    """A key that stands twice would lose one of its values."""
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return data


def _indent(text: str) -> int | str:
    """Take over the indentation a file has."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    if found is None:
        return 2
    return "\t" if "\t" in found[1] else len(found[1])


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the rights it had."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
