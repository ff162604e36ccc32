"""One run's choices, grouped. Made by ``cli.py`` (or a program), carried over the link as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.codec import from_json, to_json
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PermissionMode

SettingSource: TypeAlias = Literal["user", "project", "local"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model, where, and how it is asked. None means: from the settings, else the default.

    Attributes:
        fallbacks: models to go on with, in order, when the one before is overloaded.
        thinking: ``{"type": "adaptive" | "enabled" | "disabled", "budget_tokens"?, "display"?}``.
        max_thinking_tokens: the older way to say it; 0 is off.
        betas: beta flags to name.
        task_budget: tokens, advisory, told to the API.
        user: identifies the user to the API.
        client_app: named in the user agent.
    """

    model: str | None = None
    effort: str | None = None
    base_url: str | None = None
    max_output_tokens: int | None = None
    fallbacks: tuple[str, ...] = ()
    thinking: JsonObject | None = None
    max_thinking_tokens: int | None = None
    betas: tuple[str, ...] = ()
    task_budget: int | None = None
    user: str | None = None
    client_app: str | None = None


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """When a run ends by itself. ``max_turns`` 0 or None: no limit; ``max_budget_usd`` in US dollars, > 0."""

    max_turns: int | None = None
    max_budget_usd: float | None = None


@dataclass(frozen=True, slots=True)
class PermissionOptions:
    """Mode, rules given on the command line, further working folders.

    ``prompt_tool`` names an MCP tool that answers permission requests where there is no person.
    """

    mode: PermissionMode | None = None
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    add_dirs: tuple[str, ...] = ()
    allow_bypass: bool = False
    prompt_tool: str | None = None


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """Which tools there are, besides what rules hide.

    Attributes:
        base: the built-in tools by name; None is the usual set, empty is none.
        servers: MCP servers, name to documented config (``type`` stdio, http, sse, sdk).
        strict_servers: only these servers, none from files.
        agents: sub-agents defined by the program; they go before those of files.
        skills: names, ``("*",)`` for all, None for the usual.
        schema: the answer must be an object that fits this JSON schema.
    """

    base: tuple[str, ...] | None = None
    servers: JsonObject = field(default_factory=dict[str, Any])
    strict_servers: bool = False
    agents: tuple[AgentDefinition, ...] = ()
    skills: tuple[str, ...] | None = None
    schema: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Which session: new, the newest here, or one by id.

    Attributes:
        fork: go on in a copy with a new id (or ``session_id``); the original stays as it is.
        resume_at: of the resumed one only the part up to and including this line.
        drops_turn: uuid of the prompt that the part left out is expected to begin with.
        persist: False writes nothing to disk.
        title: a name for it.
    """

    continue_newest: bool = False
    resume: str | None = None
    session_id: str | None = None
    from_print: bool = False
    fork: bool = False
    resume_at: str | None = None
    drops_turn: str | None = None
    persist: bool = True
    title: str | None = None


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """The system prompt: replaced, or added to. ``verbatim``: no ``@`` mention and no ``/`` command is looked for."""

    system_prompt: str | None = None
    append_system_prompt: str | None = None
    verbatim: bool = False


@dataclass(frozen=True, slots=True)
class TrustOptions:
    """What the person said of the project's folder, empty for nothing.

    ``seen`` stands for what they were shown of it (``engine.folder.Folder.seen``): the answer holds for no more than
    that. Empty: for whatever is there.
    """

    answer: Literal["", "always", "once", "no"] = ""
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """Everything asked for in one run. ``cwd`` is absolute.

    ``settings`` is a layer of its own above the person's files, in a settings file's shape; ``settings_path`` is the
    file it was read from, absolute, empty for none. ``origin`` says what opened the session; the picker and a screen's
    ``--continue`` leave out those of ``print`` and ``sdk``. ``keep_files``: what files were before they are changed is kept
    though nobody sits at a screen.
    """

    cwd: str
    model: ModelOptions = ModelOptions()
    limits: LimitOptions = LimitOptions()
    permissions: PermissionOptions = PermissionOptions()
    tools: ToolOptions = ToolOptions()
    session: SessionOptions = SessionOptions()
    prompts: PromptOptions = PromptOptions()
    trust: TrustOptions = TrustOptions()
    setting_sources: tuple[SettingSource, ...] = ("user", "project", "local")
    settings: JsonObject = field(default_factory=dict[str, Any])
    settings_path: str = ""
    partial_messages: bool = False
    hook_events: bool = False
    subagent_text: bool = False
    keep_files: bool = False
    interactive: bool = False
    origin: Literal["interactive", "print", "sdk"] = "print"
    demo: bool = False
    extra: JsonObject = field(default_factory=dict[str, Any])

    def to_json(self) -> JsonObject:
        """Give JSON data for the link."""
        return to_json(self)

    @classmethod
    def from_json(cls, data: JsonObject) -> Options:
        """Read what ``to_json`` gave.

        Raises:
            ValueError: ``data`` does not fit.
        """
        return from_json(cls, data)
