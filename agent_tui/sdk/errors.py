"""The exceptions of the SDK.

::

    ClaudeSDKError
    ├── CLIConnectionError       not connected, or the session could not be reached
    │   └── CLINotFoundError     never raised here: there is no other program to find
    ├── ProcessError             the session could not be opened, or it broke
    │   └── ResultError          a single-shot run ended with an error result
    ├── CLIJSONDecodeError       never raised here
    └── MessageParseError        never raised here

The names speak of a process because programs catch them by these names; here the agent runs in the program itself.
"""

from __future__ import annotations

from typing import Any, cast


class ClaudeSDKError(Exception):
    """Root of all errors of this package."""


class CLIConnectionError(ClaudeSDKError):
    """There is no open session to talk to."""


class CLINotFoundError(CLIConnectionError):
    """Kept for programs that catch it; nothing here depends on another program."""

    def __init__(
        self, message: str = "The agent's program was not found", cli_path: str | None = None
    ) -> None:
        super().__init__(message if not cli_path else f"{message}: {cli_path}")


class ProcessError(ClaudeSDKError):
    """A session could not be opened, or broke.

    Attributes:
        exit_code: what the command line would have ended with, None where that makes no sense.
        stderr: what it would have printed as its error.
    """

    def __init__(
        self, message: str, exit_code: int | None = None, stderr: str | None = None
    ) -> None:
        self.exit_code = exit_code
        self.stderr = stderr
        code = "" if exit_code is None else f" (exit code: {exit_code})"
        said = f"\nError output: {stderr}" if stderr else ""
        super().__init__(f"{message}{code}{said}")


class ResultError(ProcessError):
    """A run ended with an error result.

    ``query`` yields that result first. All but ``data`` are read from ``data``, None or empty where it lacks them.

    Attributes:
        data: the result as a record.
        subtype: ``error_max_turns`` and the like; ``success`` when the last model call failed.
        errors: what went wrong, in sentences.
        result: the result's text.
        api_error_status: the HTTP status of the model call that failed.
        terminal_reason: why the run ended.
        session_id: the session, e.g. to resume it with a higher limit.
    """

    def __init__(
        self, message: str, data: dict[str, Any] | None = None, exit_code: int | None = None
    ) -> None:
        self.data: dict[str, Any] = data or {}
        self.subtype: str | None = self._text("subtype")
        self.errors: list[str] = self._sentences()
        self.result: str | None = self._text("result")
        status = self.data.get("api_error_status")
        self.api_error_status: int | None = status if isinstance(status, int) else None
        self.terminal_reason: str | None = self._text("terminal_reason")
        self.session_id: str | None = self._text("session_id")
        super().__init__(message, exit_code=exit_code)

    def _text(self, name: str) -> str | None:
        value = self.data.get(name)
        return value if isinstance(value, str) else None

    def _sentences(self) -> list[str]:
        said: Any = self.data.get("errors")
        listed = cast("list[Any]", said) if isinstance(said, list) else [said]
        return [one.strip() for one in listed if isinstance(one, str) and one.strip()]


class CLIJSONDecodeError(ClaudeSDKError):
    """A line that is no JSON; kept for programs that catch it."""

    def __init__(self, line: str, original_error: Exception) -> None:
        self.line = line
        self.original_error = original_error
        super().__init__(f"This line is no JSON: {line[:100]}")


class MessageParseError(ClaudeSDKError):
    """A record that is no message; kept for programs that catch it."""

    def __init__(self, message: str, data: dict[str, Any] | None = None) -> None:
        self.data = data
        super().__init__(message)
