"""``@path`` in a prompt: the file is read for the model, by the Read tool and under the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import anyio.to_thread

from agent_tui.loop.policy import Judged, Policy
from agent_tui.loop.tool_call import Workplace
from agent_tui.permissions.policy import Allowed, Denied, MustAsk
from agent_tui.protocol.access import ReadPath
from agent_tui.protocol.display import Display
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolSet

MENTION = re.compile(r"(?:^|(?<=\s))@(?:\"([^\"\n]+)\"|([^\s\"]+))")
MAX_MENTIONS = 20
MAX_LISTED = 200


async def _no_progress(display: Display) -> None:
    return None


class Mentions:
    """Reads what a prompt mentions."""

    def __init__(self, tools: ToolSet, policy: Policy, workplace: Workplace) -> None:
        self._tools = tools
        self._policy = policy
        self._workplace = workplace

    async def read(self, prompt: str) -> list[str]:
        """Give a text for the model for each thing mentioned that is there; the rest is left to the prompt."""
        texts: list[str] = []
        for found in list(MENTION.finditer(prompt))[:MAX_MENTIONS]:
            name = (found[1] or found[2]).rstrip(".,;:!?)")
            text = await self._one(name)
            if text is not None:
                texts.append(text)
        return texts

    async def _one(self, name: str) -> str | None:
        found = await anyio.to_thread.run_sync(_find, self._workplace.cwd, name)
        if found is None:
            return None
        path, listing = found
        verdict = self._policy.judge(
            Judged(ReadPath(str(path)), "Read", {"file_path": str(path)}, None, True)
        )
        if isinstance(verdict, Denied):
            return f"The prompt mentions {name}; a rule forbids to read it: {verdict.message}"
        if not isinstance(verdict, Allowed) and not await self._own_wish(verdict, path):
            return f"The prompt mentions {path}. It was not read: that needs an approval. Read it if you need it."
        return listing or await self._file(path, name)

    async def _own_wish(self, verdict: MustAsk, path: Path) -> bool:
        """Tell whether it would be asked only because of its name: who mentions a secret of the project wants it read."""
        real = await anyio.to_thread.run_sync(path.resolve)
        inside = any(real.is_relative_to(folder.resolve()) for folder in self._policy.working_dirs)
        return verdict.decided_by == "secret" and inside

    async def _file(self, path: Path, name: str) -> str | None:
        read = self._tools.by_name.get("Read")
        if read is None:
            return None
        place = self._workplace
        call = ToolCall(
            id="mention",
            cwd=place.cwd,
            ports=place.ports,
            progress=_no_progress,
            may_read=self._policy.may_read,
            spill=place.spill,
            working_dirs=self._policy.working_dirs,
        )
        try:
            output = await read.run(read.parse({"file_path": str(path)}), call)
        except InvalidInputError:
            return None
        if not isinstance(output.content, str):
            return f"The prompt mentions {path}; read it with the Read tool."
        return f"The prompt mentions {name}. This is {path}:\n{output.content}"


def _find(cwd: Path, name: str) -> tuple[Path, str] | None:
    """Find what is mentioned; for a folder also say what it holds. What can't be looked at is no mention."""
    try:
        path = (cwd / Path(name).expanduser()).absolute()
        if not path.exists():
            return None
        if not path.is_dir():
            return path, ""
        entries = sorted(f"{p.name}/" if p.is_dir() else p.name for p in path.iterdir())
    except (OSError, RuntimeError, ValueError):  # no such user, too long, not ours to look at
        return None
    more = f"\nand {len(entries) - MAX_LISTED} more" if len(entries) > MAX_LISTED else ""
    listed = "\n".join(entries[:MAX_LISTED])
    return path, f"The prompt mentions the folder {name}. It holds:\n{listed}{more}"
