"""The Settings model: what a settings file may say, checked by hand because the screen reads it while it starts.

Keys this version does not know are kept out and left alone. A value of the wrong kind is left out and reported; it
never stops the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias, cast

from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode
from agent_tui.settings.positions import Steps, Written
from agent_tui.settings.rule_entries import shown

KeyHeader: TypeAlias = Literal["bearer", "x-api-key", "both"]
HookFailures: TypeAlias = Literal["block", "continue"]
EditorMode: TypeAlias = Literal["normal", "vim"]
Kind: TypeAlias = Literal["text", "flag", "count", "choice", "object"]
"""What sort of value a key takes."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Scalar settings, joined over all layers; rules and folders are in ``Layers``.

    Attributes:
        model: id or alias.
        fallback_model: ids or aliases, parted by commas, that answer in turn while the model is overloaded.
        effort: ``low`` … ``max``.
        base_url: a server that speaks the Messages API.
        api_key_header: how the key is sent.
        anthropic_version: the API version to name.
        default_mode: permission mode of a new session.
        disable_bypass: bypassPermissions can't be used.
        disable_auto: auto can't be used.
        offer_auto: auto can be changed to, though no session begins in it.
        auto_model: id or alias of the model that looks at calls in auto.
        auto_compact, auto_compact_window: see ``context.window.CompactPolicy``.
        prices: rows for ``model.prices.ModelTable``, by model id.
        theme: name of a theme file.
        editor_mode: whether prompts are edited as in Vim.
        reduced_motion: times that run are shown in steps of some seconds.
        notifications: how the person is called who looks elsewhere; see ``tui.notifying.CHANNELS``.
        notify_after: seconds after which the end of a run is worth a call.
        terminal_title: the window's title says what goes on.
        mouse: the terminal's mouse is used.
        disable_hooks: no hook but the administrator's is run.
        hook_failures: what a hook that failed does to what it guards; None leaves it to the event.
        hyperlinks: whether addresses and paths on the screen are links of the terminal.
        clipboard: how the screen copies.
    """

    model: str | None = None
    fallback_model: str | None = None
    effort: str | None = None
    base_url: str | None = None
    api_key_header: KeyHeader | None = None
    anthropic_version: str | None = None
    default_mode: PermissionMode | None = None
    disable_bypass: bool = False
    disable_auto: bool = False
    offer_auto: bool = False
    auto_model: str | None = None
    auto_compact: bool | None = None
    auto_compact_window: int | None = None
    prices: Mapping[str, Any] = field(default_factory=dict[str, Any])
    theme: str | None = None
    editor_mode: EditorMode | None = None
    reduced_motion: bool | None = None
    notifications: str | None = None
    notify_after: int | None = None
    terminal_title: bool | None = None
    mouse: bool | None = None
    disable_hooks: bool | None = None
    hook_failures: HookFailures | None = None
    hyperlinks: Literal["auto", "on", "off"] | None = None
    clipboard: Literal["auto", "osc52", "off"] | None = None

    def over(self, lower: Settings) -> Settings:
        """Give these settings, with what they leave open taken from ``lower``."""
        usual = Settings()
        said = {
            f.name: getattr(self, f.name)
            for f in fields(self)
            if getattr(self, f.name) != getattr(usual, f.name)
        }
        return replace(lower, **said)


@dataclass(frozen=True, slots=True)
class Read:
    """What one file said: its settings, and a sentence for each value that can't be used."""

    settings: Settings
    problems: tuple[str, ...] = ()


Check: TypeAlias = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


@dataclass(frozen=True, slots=True)
class OneOf:
    """Takes these words only."""

    words: tuple[str, ...]

    def __call__(self, value: Any) -> bool:
        """Whether it is one of them."""
        return value in self.words


def _one_of(*allowed: str) -> Check:
    return OneOf(allowed)


def _object(value: Any) -> bool:
    return isinstance(value, dict)


NOTIFICATIONS = (
    "auto",
    "terminal_bell",
    "iterm2",
    "iterm2_with_bell",
    "kitty",
    "ghostty",
    "osc9",
    "osc99",
    "osc777",
    "notifications_disabled",
    "none",
)
"""How a person may want to be called: the field's names, and the sequences' own."""

KEYS: dict[str, tuple[str, Check, str]] = {
    "model": ("model", _text, "a model's name"),
    "fallbackModel": ("fallback_model", _text, "models' names, parted by commas"),
    "effortLevel": ("effort", _one_of("low", "medium", "high", "xhigh", "max"), "a level"),
    "baseUrl": ("base_url", _text, "an address"),
    "apiKeyHeader": (
        "api_key_header",
        _one_of("bearer", "x-api-key", "both"),
        "bearer, x-api-key or both",
    ),
    "anthropicVersion": ("anthropic_version", _text, "an API version"),
    "autoCompactEnabled": ("auto_compact", _flag, "true or false"),
    "autoCompactWindow": ("auto_compact_window", _count, "a number of tokens"),
    "prices": ("prices", _object, "an object by model"),
    "theme": ("theme", _text, "a theme's name"),
    "editorMode": ("editor_mode", _one_of("normal", "vim"), '"normal" or "vim"'),
    "reducedMotion": ("reduced_motion", _flag, "true or false"),
    "preferredNotifChannel": ("notifications", _one_of(*NOTIFICATIONS), "a way to notify"),
    "notifyAfterSeconds": ("notify_after", _count, "a number of seconds"),
    "terminalTitle": ("terminal_title", _flag, "true or false"),
    "mouse": ("mouse", _flag, "true or false"),
    "disableAllHooks": ("disable_hooks", _flag, "true or false"),
    "hyperlinks": ("hyperlinks", _one_of("auto", "on", "off"), '"auto", "on" or "off"'),
    "clipboard": ("clipboard", _one_of("auto", "osc52", "off"), '"auto", "osc52" or "off"'),
    "hookFailures": ("hook_failures", _one_of("block", "continue"), '"block" or "continue"'),
}
"""Key in a file: our field, what it must be, and that in words."""

PERMISSION_KEYS: dict[str, tuple[str, Check, str]] = {
    "defaultMode": ("default_mode", _one_of(*PERMISSION_MODES, "manual"), "a permission mode"),
    "disableBypassPermissionsMode": ("disable_bypass", _one_of("disable"), '"disable"'),
    "disableAutoMode": ("disable_auto", _one_of("disable"), '"disable"'),
    "offerAutoMode": ("offer_auto", _flag, "true or false"),
    "autoModeModel": ("auto_model", _text, "a model's name"),
}
DISABLING = ("disable_bypass", "disable_auto")
"""Fields that forbid a mode: a value that can't be read forbids it too."""


def kind_of(check: Check) -> Kind:
    """Say what sort of value a check lets through."""
    if isinstance(check, OneOf):
        return "choice"
    kinds: dict[Check, Kind] = {_flag: "flag", _count: "count", _object: "object"}
    return kinds.get(check, "text")


def read_settings(data: Mapping[str, Any], written: Written) -> Read:
    """Read a settings object; ``written`` names its file, and the line of a value, in the problems."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    permissions = data.get("permissions")
    inner: Mapping[str, Any] = {}
    if isinstance(permissions, dict):
        inner = cast("Mapping[str, Any]", permissions)
    tables: tuple[tuple[Mapping[str, Any], dict[str, tuple[str, Check, str]], Steps], ...]
    tables = ((data, KEYS, ()), (inner, PERMISSION_KEYS, ("permissions",)))
    for source, table, outer in tables:
        for key, (name, check, wanted) in table.items():
            if key not in source:
                continue
            if check(source[key]):
                values[name] = source[key]
            else:
                taken = "ignored"
                if name in DISABLING and source[key] not in (False, None):
                    values[name], taken = "disable", 'taken for "disable"'
                where, name = written.at(*outer, key), ".".join((*map(str, outer), key))
                problems.append(f"{where}: {name} must be {wanted}; it is {taken}.")
    problems += _folder_problems(inner.get("additionalDirectories", []), written)
    if values.get("default_mode") == "manual":
        values["default_mode"] = "default"
    for name in DISABLING:
        if name in values:
            values[name] = True
    return Read(Settings(**values), tuple(problems))


def _folder_problems(given: Any, written: Written) -> list[str]:
    steps: Steps = ("permissions", "additionalDirectories")
    if not isinstance(given, list):
        return [
            f"{written.at(*steps)}: {'.'.join(map(str, steps))} must be a list of folders; it is ignored."
        ]
    return [
        f"{written.at(*steps, index)}: {'.'.join(map(str, steps))} holds {shown(entry)}, no folder."
        for index, entry in enumerate(cast("list[Any]", given))
        if not isinstance(entry, str)
    ]
