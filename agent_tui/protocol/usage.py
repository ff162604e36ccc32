"""Tokens and money: counts as the API reports them, sums of them, and what they cost.

Units: tokens are counts, prices are US dollars per million tokens, costs are US dollars.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from agent_tui.protocol.content import JsonObject


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one response, or a sum of several.

    ``input_tokens`` is the uncached rest only; the prompt's size is ``prompt_tokens``.
    ``cache_creation_1h_tokens`` is the part of the cache writes kept for an hour.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_1h_tokens: int = 0
    web_search_requests: int = 0

    @property
    def prompt_tokens(self) -> int:
        """Everything the model was shown."""
        return self.input_tokens + self.cache_creation_input_tokens + self.cache_read_input_tokens

    @property
    def total_tokens(self) -> int:
        """Prompt and answer together: how full the window is after this response."""
        return self.prompt_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @classmethod
    def from_api(cls, raw: JsonObject | None) -> Usage:
        """Read the API's usage object; what is missing, null or of another form counts as 0."""
        raw = raw if isinstance(raw, dict) else {}  # pyright: ignore[reportUnnecessaryIsInstance] - from a server
        creation: Any = raw.get("cache_creation") or {}
        server: Any = raw.get("server_tool_use") or {}

        def count(source: Any, key: str) -> int:
            value = source.get(key) if isinstance(source, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            return value if isinstance(value, int) and value > 0 else 0

        return cls(
            input_tokens=count(raw, "input_tokens"),
            output_tokens=count(raw, "output_tokens"),
            cache_creation_input_tokens=count(raw, "cache_creation_input_tokens"),
            cache_read_input_tokens=count(raw, "cache_read_input_tokens"),
            cache_creation_1h_tokens=count(creation, "ephemeral_1h_input_tokens"),
            web_search_requests=count(server, "web_search_requests"),
        )

    def to_api(self) -> JsonObject:
        """Give the four documented counts and the split of the writes."""
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cache_creation_input_tokens": self.cache_creation_input_tokens,
            "cache_read_input_tokens": self.cache_read_input_tokens,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.cache_creation_input_tokens
                - self.cache_creation_1h_tokens,
                "ephemeral_1h_input_tokens": self.cache_creation_1h_tokens,
            },
            "server_tool_use": {"web_search_requests": self.web_search_requests},
        }


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What one model used in a session. ``cost_usd`` is None when its price is unknown."""

    usage: Usage = Usage()
    cost_usd: float | None = 0.0
    context_window: int = 0
    max_output_tokens: int = 0

    def plus(self, usage: Usage, cost_usd: float | None) -> ModelUsage:
        """Add one response."""
        unknown = self.cost_usd is None or cost_usd is None
        return ModelUsage(
            self.usage + usage,
            None if unknown else (self.cost_usd or 0.0) + (cost_usd or 0.0),
            self.context_window,
            self.max_output_tokens,
        )

    def to_json(self) -> JsonObject:
        """Give the documented camelCase record of ``model_usage``."""
        return {
            "inputTokens": self.usage.input_tokens,
            "outputTokens": self.usage.output_tokens,
            "cacheReadInputTokens": self.usage.cache_read_input_tokens,
            "cacheCreationInputTokens": self.usage.cache_creation_input_tokens,
            "webSearchRequests": self.usage.web_search_requests,
            "costUSD": self.cost_usd,
            "contextWindow": self.context_window,
            "maxOutputTokens": self.max_output_tokens,
        }
