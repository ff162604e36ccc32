"""The models we know: windows, prices, what they accept. Data for display and limits, never for correctness.

Prices are US dollars per million tokens. Every price is a column of its own, cache reads above all: their share of the
input price differs from model to model. Settings may override or add rows; what is in no row has no known price.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, cast

from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.usage import Usage

Thinking: TypeAlias = Literal["none", "manual", "adaptive", "adaptive_shown"]
"""How a model thinks: not at all; with a token budget; as much as it sees fit; the same, its words given as summary
without asking for it."""

MILLION = 1_000_000
WEB_SEARCH_USD = 0.01

LOW_TO_HIGH = ("low", "medium", "high")
WITH_MAX = (*LOW_TO_HIGH, "max")
ALL_EFFORTS = (*LOW_TO_HIGH, "xhigh", "max")


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars per million tokens."""

    input: float
    output: float
    write_5m: float
    write_1h: float
    read: float

    def cost(self, usage: Usage) -> float:
        """Give what the tokens of one response cost, in US dollars."""
        writes_1h = min(usage.cache_creation_1h_tokens, usage.cache_creation_input_tokens)
        writes_5m = usage.cache_creation_input_tokens - writes_1h
        return (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + writes_5m * self.write_5m
            + writes_1h * self.write_1h
            + usage.cache_read_input_tokens * self.read
        ) / MILLION


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """One model.

    Attributes:
        id: without a date.
        window, max_output: tokens.
        prices: None when not known.
        long_prompt, long_prices: prompts of more tokens than ``long_prompt`` cost ``long_prices`` as a whole.
        thinking: how it thinks.
        can_stop_thinking: the efforts at which thinking may be turned off.
        efforts: the levels it takes, lowest first; empty if it takes none.
        default_effort: the API's, when none is sent.
        cache_minimum: smallest prefix that is cached, in tokens.
    """

    id: str
    window: int = 1_000_000
    max_output: int = 128_000
    prices: Prices | None = None
    long_prompt: int | None = None
    long_prices: Prices | None = None
    thinking: Thinking = "adaptive"
    can_stop_thinking: tuple[str, ...] = ()
    efforts: tuple[str, ...] = ALL_EFFORTS
    default_effort: str = "high"
    cache_minimum: int = 1024

    def cost(self, usage: Usage) -> float | None:
        """Give what one response cost in US dollars, None if the price isn't known."""
        prices = self.prices
        if self.long_prompt is not None and usage.prompt_tokens > self.long_prompt:
            prices = self.long_prices or prices
        if prices is None:
            return None
        return prices.cost(usage) + usage.web_search_requests * WEB_SEARCH_USD


_FABLE_5 = Prices(10, 50, 12.50, 20, 1.00)
_OPUS_5 = Prices(5, 25, 6.25, 10, 0.50)
_SONNET_4 = Prices(3, 15, 3.75, 6, 0.30)
_OLD_WINDOW = 200_000
_OLD_OUTPUT = 64_000

_ROWS = (
    ModelFacts("claude-fable-5-2", prices=Prices(8, 40, 10, 16, 0.20)),
    ModelFacts("claude-fable-5-1", prices=Prices(10, 50, 12.50, 20, 0.25), cache_minimum=512),
    ModelFacts("claude-fable-5", prices=_FABLE_5, cache_minimum=512),
    ModelFacts("claude-mythos-5-2"),
    ModelFacts("claude-mythos-5-1", prices=Prices(10, 50, 12.50, 20, 0.25)),
    ModelFacts("claude-mythos-5", prices=_FABLE_5, cache_minimum=512),
    ModelFacts("claude-opus-5-5", prices=Prices(4, 20, 5, 8, 0.20), default_effort="medium"),
    ModelFacts("claude-opus-5", prices=_OPUS_5, can_stop_thinking=LOW_TO_HIGH, cache_minimum=512),
    ModelFacts("claude-opus-4-8", prices=_OPUS_5, can_stop_thinking=ALL_EFFORTS),
    ModelFacts(
        "claude-opus-4-7", prices=_OPUS_5, can_stop_thinking=ALL_EFFORTS, cache_minimum=2048
    ),
    ModelFacts(
        "claude-opus-4-6",
        prices=_OPUS_5,
        thinking="adaptive_shown",
        can_stop_thinking=WITH_MAX,
        efforts=WITH_MAX,
        cache_minimum=4096,
    ),
    ModelFacts(
        "claude-opus-4-5",
        _OLD_WINDOW,
        _OLD_OUTPUT,
        _OPUS_5,
        thinking="manual",
        can_stop_thinking=LOW_TO_HIGH,
        efforts=LOW_TO_HIGH,
        cache_minimum=4096,
    ),
    ModelFacts("claude-sonnet-5-5", prices=Prices(2, 10, 2.50, 4, 0.10), cache_minimum=512),
    ModelFacts(
        "claude-sonnet-5", prices=Prices(2, 10, 2.50, 4, 0.20), can_stop_thinking=ALL_EFFORTS
    ),
    ModelFacts(
        "claude-sonnet-4-6",
        prices=_SONNET_4,
        thinking="adaptive_shown",
        can_stop_thinking=WITH_MAX,
        efforts=WITH_MAX,
    ),
    ModelFacts(
        "claude-sonnet-4-5", _OLD_WINDOW, _OLD_OUTPUT, _SONNET_4, thinking="manual", efforts=()
    ),
    ModelFacts(
        "claude-haiku-5-5",
        prices=Prices(0.10, 0.50, 0.125, 0.20, 0.01),
        long_prompt=100_000,
        long_prices=Prices(0.50, 2.50, 0.625, 1.00, 0.05),
        can_stop_thinking=LOW_TO_HIGH,
        default_effort="medium",
    ),
    ModelFacts(
        "claude-haiku-4-5",
        _OLD_WINDOW,
        _OLD_OUTPUT,
        Prices(1, 5, 1.25, 2, 0.10),
        thinking="manual",
        efforts=(),
        cache_minimum=4096,
    ),
)

UNKNOWN = ModelFacts("", 200_000, 32_000, thinking="none", efforts=())
"""What is assumed of a model that no row describes: little, so that nothing is sent it may refuse."""


def bare_id(model: str) -> str:
    """Take off what says where or when: ``[1m]``, a date, ``-latest``, the prefixes and suffixes of cloud providers."""
    name = model.strip().lower().removesuffix("[1m]")
    name = re.sub(r"^(.*[./])?anthropic[./]", "", name)
    return re.sub(
        r"(-v\d+(:\d+)?)?$", "", re.sub(r"([-@]20\d{6}|-latest)(?=$|-v\d)", "", name), count=1
    )


@dataclass(frozen=True, slots=True)
class ModelTable:
    """The rows by id. ``overrides`` holds rows from the settings, which win."""

    overrides: Mapping[str, ModelFacts] = field(default_factory=dict[str, ModelFacts])

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> ModelTable:
        """Read overrides: model id to an object.

        Its keys are ``window``, ``max_output`` (tokens), ``input``, ``output``, ``write_5m``, ``write_1h``, ``read``
        (US dollars per million tokens; the last three follow from ``input`` when left out).

        Raises:
            SettingsError: a value isn't a number, or a key isn't known.
        """
        return cls({bare_id(model): _override(model, row) for model, row in data.items()})

    def find(self, model: str) -> ModelFacts | None:
        """Give the row of a model, dated ids included; None if there is none."""
        name = bare_id(model)
        return self.overrides.get(name) or MODELS.get(name)

    def facts(self, model: str) -> ModelFacts:
        """Give the row of a model, or what is assumed of unknown ones under its id."""
        return self.find(model) or replace(UNKNOWN, id=model)

    def cost(self, model: str, usage: Usage) -> float | None:
        """Give what one response cost in US dollars, None if the model's price isn't known."""
        found = self.find(model)
        return None if found is None else found.cost(usage)


MODELS: Mapping[str, ModelFacts] = {row.id: row for row in _ROWS}
TABLE = ModelTable()


def facts(model: str) -> ModelFacts:
    """Give what is known of a model without settings."""
    return TABLE.facts(model)


def cost(model: str, usage: Usage) -> float | None:
    """Give what one response cost in US dollars without settings, None if the price isn't known."""
    return TABLE.cost(model, usage)


_PRICE_KEYS = frozenset({"input", "output", "write_5m", "write_1h", "read"})
_SIZE_KEYS = frozenset({"window", "max_output"})


def _override(model: str, row: Any) -> ModelFacts:
    if not isinstance(row, dict):
        raise SettingsError(f"prices in the settings: the entry of model {model} must be an object")
    values = cast("dict[str, Any]", row)
    for key, value in values.items():
        if key not in _PRICE_KEYS | _SIZE_KEYS:
            raise SettingsError(
                f"prices in the settings: the entry of model {model} has an unknown key {key!r}"
            )
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
            raise SettingsError(
                f"prices in the settings: {key!r} of model {model} must be a number, not negative"
            )
    base = TABLE.facts(bare_id(model))
    sizes = {key: int(values[key]) for key in _SIZE_KEYS & values.keys()}
    if not _PRICE_KEYS & values.keys():
        return replace(base, **sizes)
    return replace(base, prices=_prices(model, values), long_prompt=None, long_prices=None, **sizes)


def _prices(model: str, values: Mapping[str, float]) -> Prices:
    if "input" not in values or "output" not in values:
        raise SettingsError(
            f"prices in the settings: those of model {model} need both 'input' and 'output'"
        )
    paid = values["input"]
    return Prices(
        input=paid,
        output=values["output"],
        write_5m=values.get("write_5m", paid * 1.25),
        write_1h=values.get("write_1h", paid * 2),
        read=values.get("read", paid * 0.1),
    )
