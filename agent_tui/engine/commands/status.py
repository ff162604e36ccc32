"""``/status``."""

from __future__ import annotations

from agent_tui import __version__
from agent_tui.engine.command import CommandContext
from agent_tui.protocol.explanations import PermissionsInForce

TRUST = {True: "trusted", False: "not trusted", None: "brings nothing that needs trust"}
OFFICIAL = "the official one"


class Command:
    """Show what this session is: id, folder, model, server, where the key is from, settings, mode, servers."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """List it; a key itself is never shown."""
        record, base = context.record, context.premises.base
        in_force = await context.explaining.state()
        title = record.conversation.title
        rows = [
            ("version", __version__),
            ("session", record.session_id + (f"  {title}" if title else "")),
            ("written to", str(context.premises.journal())),
            ("folder", str(base.cwd)),
            ("model", _model(context)),
            ("server", base.options.model.base_url or _server(context)),
            ("key from", base.key_source or "nowhere"),
            *_permissions(in_force),
            ("settings", _settings(context)),
            ("MCP servers", _servers(context)),
            ("sub-agents", str(len(context.premises.agents()))),
        ]
        column = max(len(name) for name, _ in rows) + 2
        await context.output("\n".join(name.ljust(column) + said for name, said in rows))


def _model(context: CommandContext) -> str:
    effort = context.requests.effort
    window = f"{context.requests.window:,} tokens of context"
    return f"{context.requests.model}, {f'effort {effort}, ' if effort else ''}{window}"


def _server(context: CommandContext) -> str:
    base = context.premises.base
    if base.demo is not None:
        return "the demo's own"
    named = base.env.get("ANTHROPIC_BASE_URL") or base.layers.settings.base_url
    return named or OFFICIAL


def _permissions(state: PermissionsInForce) -> list[tuple[str, str]]:
    folders = state.folders[1:]
    return [
        ("mode", state.mode),
        *([("more folders", ", ".join(folders))] if folders else []),
        ("rules", f"{len(state.rules)}; /permissions lists them"),
        ("trust", TRUST[state.trusted]),
        *([("sandbox", state.sandbox)] if state.sandbox else []),
    ]


def _settings(context: CommandContext) -> str:
    base = context.premises.base
    count = len(base.layers.notices)
    problems = f", {count} problem{'s' if count != 1 else ''}" if count else ""
    return f"from {', '.join(base.options.setting_sources) or 'no files'}{problems}; /config lists them"


def _servers(context: CommandContext) -> str:
    rows = context.premises.serving.rows()
    return ", ".join(f"{row['name']} ({row['status']})" for row in rows) or "none"
