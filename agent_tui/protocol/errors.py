"""Every exception we raise on purpose.

::

    AgentTuiError
    ├── UsageError            the command line or an option is wrong (exit 2)
    ├── SettingsError         a settings file can't be read
    ├── SessionError          no such session, or it is in use
    │   └── JournalError      the journal can't be read or written
    ├── ModelError            the API said no, or could not be reached
    ├── PortError             the world behind a port said no; tools make an error output of it
    └── LinkError             the other side of the link is gone
        └── NobodyThereError  a program that was to be asked has closed its input

Domain failures that the model or the person must see are values (an error tool output, ``Denied``, a
``ResultMessage`` subtype), not exceptions. Exceptions become a result in ``loop/session.py`` and an exit code
in ``cli.py``, nowhere else.
"""

from __future__ import annotations


class AgentTuiError(Exception):
    """Root of the tree; its text is one sentence for a person and says what to do."""


class UsageError(AgentTuiError):
    """The command line, or a value given to a public function, is wrong."""


class SettingsError(AgentTuiError):
    """A settings file can't be read; the text names the file and the line."""


class SessionError(AgentTuiError):
    """A session can't be found, or is in use by another process."""


class JournalError(SessionError):
    """A journal can't be read or written."""


class LinkError(AgentTuiError):
    """The other side of the link is gone."""


class NobodyThereError(LinkError):
    """Who would have to answer can't be asked any more; nothing was decided."""


class PortError(AgentTuiError):
    """A file, a command or a search could not be had; the text is one for the model."""


class ModelError(AgentTuiError):
    """A model call failed for good.

    Attributes:
        status: HTTP status, or None where no response came.
        kind: the documented error word: ``authentication_failed``, ``billing_error``, ``rate_limit``,
            ``overloaded``, ``invalid_request``, ``model_not_found``, ``server_error``, ``unknown``.
        request_id: the API's id for the request, where known.
        prompt_too_long: the request did not fit the model's window.
        request_too_large: the request's body was refused for its size, or for an image's.
        after_blocks: how many blocks had been finished (and told to the sink) when the stream broke.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        kind: str = "unknown",
        request_id: str | None = None,
        prompt_too_long: bool = False,
        request_too_large: bool = False,
        after_blocks: int = 0,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.request_id = request_id
        self.prompt_too_long = prompt_too_long
        self.request_too_large = request_too_large
        self.after_blocks = after_blocks
