"""A store in files, as a program may have one: a JSON line per entry, what is needed and two of the optional methods."""

from __future__ import annotations

import json
from pathlib import Path

from agent_tui.sdk.session_types import (
    SessionKey,
    SessionListSubkeysKey,
    SessionStoreEntry,
    SessionStoreListEntry,
)


class FileStore:
    """No subclass of anything: its methods are all it is known by."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        path = self._path(key)
        known = {one.get("uuid") for one in self._read(path)} - {None}
        new = [one for one in entries if one.get("uuid") not in known]
        if new:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a") as file:
                file.writelines(json.dumps(one) + "\n" for one in new)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        path = self._path(key)
        return self._read(path) if path.exists() else None

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        return [
            {"session_id": path.stem, "mtime": int(path.stat().st_mtime * 1000)}
            for path in (self._folder / project_key).glob("*.jsonl")
        ]

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        folder = self._folder / key["project_key"] / key["session_id"]
        return [str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.jsonl")]

    def _path(self, key: SessionKey) -> Path:
        name = f"{key['session_id']}/{key['subpath']}" if "subpath" in key else key["session_id"]
        return self._folder / key["project_key"] / f"{name}.jsonl"

    def _read(self, path: Path) -> list[SessionStoreEntry]:
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text().splitlines()]
