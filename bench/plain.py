"""What is measured beside ours: small programs that do the same with nothing around it.

Run as ``python -m bench.plain NAME [ARGUMENTS]`` in a terminal.
"""

from __future__ import annotations

import http.client
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Input, Markdown, OptionList, Static

from bench.model_server import PARAGRAPH


def deltas(url: str, prompt: str) -> Iterator[str]:
    """Ask the bench's server, give the text as it comes."""
    client = http.client.HTTPConnection(urlsplit(url).netloc)
    body = {"messages": [{"role": "user", "content": prompt}], "stream": True}
    client.request("POST", "/v1/messages", json.dumps(body))
    for line in client.getresponse():
        if line.startswith(b"data: "):
            event = json.loads(line[6:])
            if event["type"] == "content_block_delta":
                yield event["delta"]["text"]
    client.close()


class Bare(App[None]):
    """An input and a line of text: the least that can be used."""

    def compose(self) -> ComposeResult:
        """Give the two widgets."""
        yield Static("hello")
        yield Input()

    def on_mount(self) -> None:
        """Take keys."""
        self.query_one(Input).focus()


class Clock(App[None]):
    """A bare app whose line changes once a second, from Enter on."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0

    def compose(self) -> ComposeResult:
        """Give the two widgets."""
        yield Static("hello")
        yield Input()

    def on_mount(self) -> None:
        """Take keys."""
        self.query_one(Input).focus()

    def on_input_submitted(self) -> None:
        """Begin to count."""
        self.tick()
        self.set_interval(1.0, self.tick)

    def tick(self) -> None:
        """Show the time."""
        self.query_one(Static).update(f"{self.seconds} s")
        self.seconds += 1


class Streaming(App[None]):
    """Textual's own way to stream markdown: one Markdown widget and its stream."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url

    def compose(self) -> ComposeResult:
        """Give a scrolling document and an input."""
        with VerticalScroll() as scroll:
            scroll.anchor()
            yield Markdown()
        yield Input()

    def on_mount(self) -> None:
        """Take keys."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask what was typed."""
        event.input.clear()
        self.run_worker(self.show(event.value), exclusive=True)

    async def show(self, prompt: str) -> None:
        """Show the answer as it comes."""
        import asyncio

        stream = Markdown.get_stream(self.query_one(Markdown))
        source = deltas(self.url, prompt)
        while (text := await asyncio.to_thread(next, source, None)) is not None:
            await stream.write(text)
        await stream.stop()


class Blocks(App[None]):
    """A Static widget per block, the usual way to a transcript."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def compose(self) -> ComposeResult:
        """Give the blocks and an input."""
        with VerticalScroll():
            for number in range(self.count):
                yield Static(PARAGRAPH.format(n=number), markup=False)
        yield Input()

    def on_mount(self) -> None:
        """Take keys, at the end of the blocks."""
        self.query_one(VerticalScroll).scroll_end(animate=False)
        self.query_one(Input).focus()

    def on_key(self, event: Key) -> None:
        """Turn pages."""
        scroll = self.query_one(VerticalScroll)
        if event.key == "pageup":
            scroll.scroll_page_up(animate=False)
        elif event.key == "pagedown":
            scroll.scroll_page_down(animate=False)


class Listing(Screen[None]):
    """A list of so many rows, closed by Escape."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def compose(self) -> ComposeResult:
        """Give the list."""
        yield OptionList(*(f"Session number {number:04}" for number in range(self.count)))

    def on_key(self, event: Key) -> None:
        """Close it."""
        if event.key == "escape":
            self.dismiss()


class Picker(Bare):
    """The bare app with a list behind Ctrl+O."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def on_key(self, event: Key) -> None:
        """Open the list."""
        if event.key == "ctrl+o":
            self.push_screen(Listing(self.count))


def print_answer(url: str, prompt: str) -> None:
    """Write the answer to the terminal, nothing else."""
    for text in deltas(url, prompt):
        sys.stdout.write(text)
        sys.stdout.flush()


def loop(url: str, prompt: str) -> None:
    """A loop on the ``anthropic`` package: ask, run Read calls, ask again."""
    import anthropic

    client = anthropic.Anthropic(api_key="bench", base_url=url, max_retries=0)
    tool: Any = {
        "name": "Read",
        "input_schema": {"type": "object", "properties": {"file_path": {"type": "string"}}},
    }
    messages: list[Any] = [{"role": "user", "content": prompt}]
    while True:
        with client.messages.stream(
            model="bench", max_tokens=1000, tools=[tool], messages=messages
        ) as stream:
            final = stream.get_final_message()
        calls = [block for block in final.content if block.type == "tool_use"]
        if not calls:
            return
        messages.append({"role": "assistant", "content": final.content})
        results = [
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": Path(str(call.input["file_path"])).read_text(),
            }
            for call in calls
        ]
        messages.append({"role": "user", "content": results})


def main(name: str, *arguments: str) -> None:
    """Run one of the programs."""
    match name, arguments:
        case "bare", ():
            Bare().run()
        case "clock", ():
            Clock().run()
        case "streaming", (url,):
            Streaming(url).run()
        case "blocks", (count,):
            Blocks(int(count)).run()
        case "picker", (count,):
            Picker(int(count)).run()
        case "print", (url, prompt):
            print_answer(url, prompt)
        case "loop", (url, prompt):
            loop(url, prompt)
        case _:
            raise SystemExit(f"no such program: {name} {arguments}")


if __name__ == "__main__":
    main(*sys.argv[1:])
