"""``/rewind``."""

from __future__ import annotations

from anyio import to_thread

from agent_tui.engine.command import CommandContext
from agent_tui.engine.rewinding import words_of
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.reviews import RewindFile, RewindPoint

USAGE = "Usage: /rewind [N [both|files|conversation]]"
MOST = 20
WAYS = {
    "both": (True, True),
    "files": (True, False),
    "conversation": (False, True),
}
DOES = {"restore": "put back", "remove": "removed, it was not there", "create": "made again"}


class Command:
    """Go back to an earlier prompt: the conversation, the files, or both."""

    hint = "[N [both|files|conversation]]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Without arguments, list the prompts; with a number, say what would change; with a way, go back."""
        points = (await to_thread.run_sync(context.rewinding.listed)).points
        words = args.split()
        if not words:
            await context.output(_listed(points))
            return
        if not words[0].isdecimal() or len(words) > 2 or (words[1:] and words[1] not in WAYS):
            raise UsageError(USAGE)
        number = int(words[0])
        if not 1 <= number <= len(points):
            raise UsageError(f"There is no moment {number}; /rewind lists them.")
        uuid = points[number - 1].uuid
        if len(words) == 1:
            await context.output(await self._plan(uuid, number, context))
            return
        files, conversation = WAYS[words[1]]
        done = await context.rewinding.rewind(uuid, files=files, conversation=conversation)
        if not (done.files or done.conversation):  # else a notice has said it
            await context.output(words_of(done))

    async def _plan(self, uuid: str, number: int, context: CommandContext) -> str:
        plan = await to_thread.run_sync(context.rewinding.plan, uuid)
        rows = [_file(row) for row in plan.files]
        prompts = (
            f"{plan.prompts} prompt{'s' if plan.prompts != 1 else ''} would leave the conversation."
        )
        ways = ", ".join(f"/rewind {number} {way}" for way in WAYS)
        return "\n".join([prompts, *(rows or ["No file would change."]), f"To do it: {ways}."])


def _listed(points: tuple[RewindPoint, ...]) -> str:
    if not points:
        return "There is nothing to go back to yet."
    rows = [_row(number, point) for number, point in enumerate(points[:MOST], 1)]
    if len(points) > MOST:
        rows.append(f"({len(points) - MOST} earlier ones)")
    return "\n".join([*rows, USAGE])


def _row(number: int, point: RewindPoint) -> str:
    text = " ".join(point.text.split())[:80] if point.kind == "prompt" else "(before going back)"
    files = f"  {point.files} file{'s' if point.files != 1 else ''}" if point.files else ""
    return f"{number}  {point.at[11:16]}  {text}{files}"


def _file(row: RewindFile) -> str:
    if row.problem:
        return f"{row.shown}: can't be put back, {row.problem}"
    if row.foreign:
        return f"{row.shown}: left as it is, {row.foreign}"
    return f"{row.shown}: {DOES[row.does]}"
