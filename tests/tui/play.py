"""Runs the real screen on a fake link: ``python -m tests.tui.play SCENE``. For tests in a terminal, and to look at it."""

from __future__ import annotations

import sys
from pathlib import Path

from agent_tui.link.base import EngineUp
from agent_tui.protocol import ops
from agent_tui.protocol.content import ToolResultBlock, ToolUseBlock
from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import AssistantMessage, QueueChanged, StreamEvent, UserMessage
from agent_tui.protocol.requests import RequestClosed
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.tui.main import main
from tests.tui import scenes
from tests.tui.fake_link import FakeLink

EVIL = (
    "osc52 \x1b]52;c;aGk=\x07 title \x1b]0;pwn\x07 link \x1b]8;;http://x\x1b\\click clear \x1b[2J "
    "report \x1b[6n reset \x1bc c1 \x9b31m end"
)


def _evil(link: FakeLink) -> None:
    display = CommandDisplay("cat evil", exit_code=0, tail=(EVIL,))
    call = ToolUseBlock("t1", "Bash", {"command": f"cat evil {EVIL}"})
    link.say(
        EngineUp(),
        UserMessage(EVIL, uuid="u1"),
        AssistantMessage((call,), "m", message_id="m1", display=display),
        UserMessage((ToolResultBlock("t1", EVIL),), uuid="r1", display=display),
        scenes.status(branch=EVIL, model="m"),
    )


def play(scene: str, link: FakeLink, op: ops.Op) -> None:
    """Answer an op as the scene wants it."""
    match op:
        case ops.Open():
            match scene:
                case "main":
                    link.say(*scenes.main_scene())
                case "edit":
                    question = scenes.edit_question()
                    link.say(*scenes.begin(), scenes.edit_call(), question, scenes.bash_question())
                case "bash":
                    link.say(*scenes.begin("Clean, build and publish."), scenes.bash_question())
                case "evil":
                    _evil(link)
                case "work":
                    link.say(*scenes.at_work())
                case "choices":
                    link.say(*scenes.begin(), *scenes.choices())
                case "busy":
                    link.say(*scenes.begin())
                case _:
                    link.say(EngineUp(), scenes.status())
        case ops.Answer(request_id):
            link.say(RequestClosed(request_id, "answered"))
        case ops.SetMode(mode):
            link.say(scenes.status(mode=mode))
        case ops.EditQueue(items):
            link.say(QueueChanged(items))
        case ops.Prompt(text, ident) if scene == "stream":
            link.say(UserMessage(text, uuid=ident), scenes.busy())
            _stream(link)
        case ops.Prompt(text, ident):
            link.say(UserMessage(text, uuid=ident, session_id=scenes.SESSION))
        case _:
            pass


def _stream(link: FakeLink) -> None:
    events = [
        {"type": "message_start", "message": {"id": "m9"}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": f"word{n} "}}
            for n in range(200)
        ),
    ]  # fmt: skip
    for event in events:
        link.say(StreamEvent("s", scenes.SESSION, event))


def run(scene: str) -> int:
    """Run the screen until it ends."""
    link = FakeLink()
    link.on_send = lambda op: play(scene, link, op)
    env = Environment.of_process()
    options = Options(cwd=str(Path.cwd()), interactive=True)
    try:
        return main(options, env, needs_key=scene == "welcome", new_link=lambda: link)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(run(sys.argv[1]))
