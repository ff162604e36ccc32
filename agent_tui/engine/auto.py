"""Whether the mode ``auto`` can be had in a session, and which model looks at calls then."""

from __future__ import annotations

from agent_tui.engine.foundation import Foundation
from agent_tui.settings.options import Options
from agent_tui.settings.schema import Settings

SMALL_MODEL = "ANTHROPIC_SMALL_FAST_MODEL"
USUAL_MODEL = "haiku"

NOT_AVAILABLE = "auto is not available: permissions.disableAutoMode in your settings forbids it"


def offers_auto(options: Options, settings: Settings) -> bool:
    """Tell whether a session may change to ``auto``: it was chosen, or allowed, before the session began.

    Programs may change to it. No project's settings are among those that choose or allow (``settings.layers``).
    """
    if settings.disable_auto:
        return False
    chosen = options.permissions.mode or settings.default_mode
    return chosen == "auto" or settings.offer_auto or options.origin == "sdk"


def classifier_model(base: Foundation) -> str:
    """Give the id of the model that looks: what the settings name, else the small model of the environment, else Haiku."""
    named = base.layers.settings.auto_model or base.env.get(SMALL_MODEL)
    return base.model(named or USUAL_MODEL)
