"""How lines of a log are written: nothing in them drives a terminal that shows the log, and no secret is among them."""

from __future__ import annotations

import logging

from agent_tui.protocol.masking import Masker
from agent_tui.view.clean import clean

FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"


class SafeFormatter(logging.Formatter):
    """Cleans each record, tracebacks with it, and hides the secrets in it."""

    def __init__(self, masker: Masker) -> None:
        super().__init__(FORMAT)
        self._masker = masker

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        return self._masker.mask(clean(super().format(record)))
