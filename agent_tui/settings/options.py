"""One run's choices, grouped. Made by ``cli.py`` (or a program), carried over the link as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.codec import from_json, to_json
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PermissionMode

SettingSource: TypeAlias = Literal["user", "project", "local"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Which model, where, and how it is asked. None means: from the settings, else the default."""

    model: str | None = None
    effort: str | None = None
    base_url: str | None = None
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """When a run ends by itself. ``max_turns`` 0 or None: no limit; ``max_budget_usd`` in US dollars, > 0."""

    max_turns: int | None = None
    max_budget_usd: float | None = None


@dataclass(frozen=True, slots=True)
class PermissionOptions:
    """Mode, rules given on the command line, further working folders."""

    mode: PermissionMode | None = None
    allowed_tools: tuple[str, ...] = ()
    disallowed_tools: tuple[str, ...] = ()
    add_dirs: tuple[str, ...] = ()
    allow_bypass: bool = False


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Which session: new, the newest here, or one by id."""

    continue_newest: bool = False
    resume: str | None = None
    session_id: str | None = None
    from_print: bool = False


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """The system prompt: replaced, or added to."""

    system_prompt: str | None = None
    append_system_prompt: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """Everything asked for in one run. ``cwd`` is absolute."""

    cwd: str
    model: ModelOptions = ModelOptions()
    limits: LimitOptions = LimitOptions()
    permissions: PermissionOptions = PermissionOptions()
    session: SessionOptions = SessionOptions()
    prompts: PromptOptions = PromptOptions()
    setting_sources: tuple[SettingSource, ...] = ("user", "project", "local")
    partial_messages: bool = False
    interactive: bool = False
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
