"""The prompt being typed, on disk: a crash, a kill or a wrong key loses nothing.

A file per running screen, ``drafts/<project key>.<process id>.json``, replaced as a whole, readable by its owner only.
A file whose process is gone is a draft left over: ``hand_over`` moves it. All block: call them in a thread.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from agent_tui.settings.paths import Environment, drafts, project_key
from agent_tui.settings.private import make_private_folder


def draft_file(env: Environment, cwd: Path, pid: int) -> Path:
    """Name the draft of the screen that runs as process ``pid`` in the project at ``cwd``."""
    return drafts(env) / f"{project_key(cwd)}.{pid}.json"


def save(path: Path, text: str) -> None:
    """Keep the draft; an empty one removes the file.

    Raises:
        OSError: it can't be written.
    """
    if not text:
        path.unlink(missing_ok=True)
        return
    make_private_folder(path.parent)
    new = path.with_suffix(".new")
    out = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(out, "w", encoding="utf-8", errors="surrogatepass") as file:
        json.dump({"text": text}, file)
    new.replace(path)


def hand_over(env: Environment, cwd: Path, keep: Callable[[str], None]) -> int:
    """Give ``keep`` each draft that an ended screen left in this project, oldest first; tell how many.

    A draft's file goes only after it was kept; what ``keep`` raises as OSError leaves it for another time.
    """
    key = project_key(cwd)
    found: list[tuple[float, Path, str]] = []
    for path in drafts(env).glob(f"{key}.*.json"):
        pid = path.name.removeprefix(f"{key}.").removesuffix(".json")
        if not pid.isdecimal() or _alive(int(pid)):
            continue
        try:
            text = json.loads(path.read_text("utf-8")).get("text")
            when = path.stat().st_mtime
        except (OSError, ValueError, AttributeError):
            continue
        if isinstance(text, str) and text.strip():
            found.append((when, path, text))
    for _when, path, text in sorted(found):
        with suppress(OSError):
            keep(text)
            path.unlink()
    return len(found)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
