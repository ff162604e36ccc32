"""Runs the server by hand, to drive a real program against a script.

python -m tests.fakes.api_server --port 8123 --script replies.json --log requests.jsonl
"""

from __future__ import annotations

import argparse
import json
import signal
import threading
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

from .rules import Json, Settings, as_list, as_object
from .script import ApiRequest, Reply, Script, reply, script_of
from .server import ApiServer


def settings_of(value: Json) -> Settings:
    """Makes settings from the `settings` object of a script file."""
    known = {one.name for one in fields(Settings)} - {"models"}
    unknown = value.keys() - known
    if unknown:
        raise ValueError(f"no such settings: {sorted(unknown)}")
    given: dict[str, object] = {}
    for name, one in value.items():
        listed = as_list(one)
        given[name] = one if listed is None else frozenset(str(entry) for entry in listed)
    return replace(Settings(), **given)


def echo(request: ApiRequest) -> Reply:
    """The reply when no script is given."""
    return reply(f"You said: {request.last_user_text[-500:]}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until it is told to end."""
    parser = argparse.ArgumentParser(prog="api_server", description="A scripted Messages API.")
    parser.add_argument("--port", type=int, default=0, help="port; a free one if left out")
    parser.add_argument("--script", type=Path, help="JSON file with replies, rules, settings")
    parser.add_argument("--log", type=Path, help="file for the requests, as JSON lines")
    options = parser.parse_args(arguments)
    settings = Settings()
    script = Script(default=echo)
    if options.script is not None:
        value = json.loads(options.script.read_text(encoding="utf-8"))
        script = script_of(value)
        settings = settings_of(as_object((as_object(value) or {}).get("settings")) or {})
    ended = threading.Event()

    def end(number: int, frame: object) -> None:
        ended.set()

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
    with ApiServer(script=script, settings=settings, port=options.port, log=options.log) as api:
        print(api.url, flush=True)
        ended.wait()
    for trace in api.errors:
        print(trace, flush=True)


if __name__ == "__main__":
    main()
