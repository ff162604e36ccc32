"""The main screen: conversation, working line, question, rule, queue, editor, status bar."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.message import Message as ScreenMessage
from textual.screen import Screen

from agent_tui.link.base import EngineLost, Link, OpenFailed
from agent_tui.protocol import ops
from agent_tui.protocol.messages import (
    ConversationResetMessage,
    Message,
    QueuedPrompt,
    ResultMessage,
    UserMessage,
)
from agent_tui.settings.credentials import masker_of
from agent_tui.settings.options import Options
from agent_tui.tui.backstage import Backstage
from agent_tui.tui.chips import Picture, Saved
from agent_tui.tui.commands.stage import find_command
from agent_tui.tui.gate import Gate
from agent_tui.tui.history import History
from agent_tui.tui.panels.panel import Panel
from agent_tui.tui.panels.panels import Panels
from agent_tui.tui.panels.trust import TrustPanel
from agent_tui.tui.panes.completion import Popup
from agent_tui.tui.panes.conversation import Conversation
from agent_tui.tui.panes.field import NO_PICTURES, Field
from agent_tui.tui.panes.findbar import FindBar
from agent_tui.tui.panes.prompt import Prompt
from agent_tui.tui.panes.queue import Queue, Rule
from agent_tui.tui.panes.small import TooSmall, too_small
from agent_tui.tui.panes.status import StatusBar
from agent_tui.tui.panes.working import WorkingLine
from agent_tui.tui.prompts import as_typed, made, queued
from agent_tui.tui.pump import Pump
from agent_tui.tui.screens.acting import export_block, show_raw
from agent_tui.tui.screens.asking import Asking, judge_rules
from agent_tui.tui.screens.attaching import Attaching
from agent_tui.tui.screens.completing import propose
from agent_tui.tui.screens.doing import Doing
from agent_tui.tui.screens.pressing import Pressing
from agent_tui.tui.screens.searching import Searching
from agent_tui.tui.screens.times import Times
from agent_tui.tui.screens.trusting import Trusting
from agent_tui.tui.screens.wording import rule_words
from agent_tui.view.blocks import Change
from agent_tui.view.notices import kept_back
from agent_tui.view.shell_lines import shell_line
from agent_tui.view.status import Status
from agent_tui.view.works import running

LOW = 24
"""Below so many rows, blank lines and the queue's own rows go."""
DRAFT_PAUSE = 0.3
"""The draft is on disk this long after a key (seconds)."""


class MainScreen(Screen[None], inherit_bindings=False):
    """One session. ``options`` say which one is opened when the screen is first shown.

    Attributes:
        begun: something was said in the session, so it can be resumed.
        is_up, is_gone: the engine takes ops; it does not come back.
        is_closing: another session is about to take its place, so nothing can be sent in this one any more.
        early: prompts sent before the engine was up, not yet heard of.
        aside: drafts put aside, newest last.
        hint: a word in the rule until something is typed.
    """

    AUTO_FOCUS = ""

    @dataclass
    class Opened(ScreenMessage):
        """The engine took the session."""

        screen: MainScreen

    @dataclass
    class Refused(ScreenMessage):
        """The session could not be opened."""

        screen: MainScreen
        failed: OpenFailed

    def __init__(
        self, backstage: Backstage, link: Link, options: Options, first_prompt: str = ""
    ) -> None:
        super().__init__()
        self.backstage = backstage
        self.link = Gate(link)
        self.options = options
        self.trusting = Trusting(self.link, options, self._trust_changed)
        look, now = backstage.look, backstage.now
        self.history = History(backstage.archive.project)
        self.conversation = Conversation(look, now)
        self.working = WorkingLine(look, now)
        self.panels = Panels(look, backstage.kills)
        self.popup = Popup(look, id="popup")
        self.rule = Rule(look)
        self.queue = Queue(look)
        self.prompt = Prompt(look, self.popup, self.history, backstage.kills)
        self.status_bar = StatusBar(look)
        self.asking = Asking(
            self.panels,
            self.prompt,
            now,
            lambda seconds, call: self.set_timer(seconds, call),
            self.update_rule,
            lambda: self.is_current and not self.has_class("-tiny"),
        )
        session = options.session
        self.pump = Pump(
            self.link,
            self,
            has_past=bool(session.resume) or session.continue_newest,
            masker=masker_of(backstage.env),
        )
        self.searching = Searching(self)
        self.times = Times(self.pump, now)
        self.doing = Doing(self)
        self.attaching = Attaching(self)
        self.pressing = Pressing(self)
        self.begun = False
        self.is_up = self.is_gone = self.is_closing = False
        self.hint = ""
        self._first_prompt = first_prompt
        self.early: list[QueuedPrompt] = []
        self.aside: list[Saved] = []
        self._edited_place: int | None = None
        self._pictures: dict[str, Mapping[int, Picture]] = {}
        self._draft_dirty = False

    @property
    def panel(self) -> Panel:
        """The panel that is open, or was last."""
        return self.panels.current

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield self.conversation
        yield self.working
        yield from self.panels
        yield self.popup
        yield self.searching.bar
        yield self.rule
        yield self.queue
        yield self.prompt
        yield self.status_bar
        yield TooSmall(self.backstage.look)

    def on_mount(self) -> None:
        """Open the session; the screen takes keys before the engine is there."""
        self.prompt.guard = self.asking.prompt_key
        self.status_bar.model = self.options.model.model or ""
        self.prompt.focus()
        self.run_worker(self.trusting.begin, group="trusting")
        self.run_worker(self.pump.run, group="pump")
        self.run_worker(self._load_history, group="history")
        self.tell_problems()
        if self._first_prompt:
            self.keep(self._first_prompt)
            self.send_prompt(self._first_prompt, typed=False)

    def tell_problems(self) -> None:
        """Say once what is wrong with the keys in the settings."""
        habits = self.backstage.look.habits
        for problem in habits.problems:
            self.pump.say(problem, level="warning")
        habits.problems = ()

    async def _load_history(self) -> None:
        self.history.entries[:0] = await self.backstage.archive.load()

    def adopt(self, before: MainScreen) -> None:
        """Go on with the draft, and what was put aside, of the screen before; keys may have come here already."""
        since = self.prompt.value
        self.prompt.editor.restore(before.prompt.editor.saved())
        self.prompt.editor.insert(since)
        self.prompt.changed()
        self.aside = [*before.aside, *self.aside]

    # -- what the session says -----------------------------------------------------------------

    def conversation_changed(self, changes: tuple[Change, ...]) -> None:
        """Hand the changes on."""
        self.conversation.apply(changes)

    def on_conversation_older_wanted(self) -> None:
        """The first row is in sight: ask for the page before it."""
        self.run_worker(self.pump.load_older, group="older")

    def on_conversation_copy_wanted(self, event: Conversation.CopyWanted) -> None:
        """Copy a block, or a part of it."""
        self.doing.copy(event.text)
        then = f"; again: {event.then}" if event.then else ""
        note = self.backstage.clipboard.note(event.text)
        said = f"copied {event.what}{then}".strip()
        self.say_hint(note if note.startswith("not") else f"{said} {note and f'({note})'}".strip())

    def on_conversation_asked(self, event: Conversation.Asked) -> None:
        """Do what a key of the conversation's cursor means beyond it."""
        match event.what:
            case "find":
                self.searching.begin()
            case "before" | "next":
                self.searching.step(-1 if event.what == "before" else 1)
            case "raw":
                show_raw(self)
            case "export":
                export_block(self)

    def on_conversation_inside_wanted(self, event: Conversation.InsideWanted) -> None:
        """Fetch what a sub-agent said and did."""
        self.run_worker(partial(self.pump.load_inside, event.call_id), group="inside")

    def on_conversation_counted(self) -> None:
        """The search found other places."""
        self.searching.counted()

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        """To the next place."""
        self.searching.step(event.by)

    def on_conversation_link_clicked(self, event: Conversation.LinkClicked) -> None:
        """Copy an address; nothing that the model wrote opens by itself."""
        self.doing.copy(event.url)
        self.say_hint("address copied")

    def status_changed(self, before: Status, after: Status, message: Message) -> None:
        """Draw what differs."""
        self.backstage.signage.note(before, after, message)
        if isinstance(message, UserMessage):
            self.begun = True
            self._pictures.pop(message.uuid or "", None)
        self._forget_early(message)
        if isinstance(message, ConversationResetMessage):
            self.begun = False
        if kept_back(message):
            self.say_hint("the prompt was not sent: up brings it back")
        if after is before:
            return
        if after.works is not before.works:
            self.times.note(after.works)
        if after.tools is not before.tools:
            self.panels.know_tools(after.tools)
        self.working.show(after)
        if after.requests != before.requests:
            self.asking.update(after.requests)
        self._show_queue()
        self.update_rule()

    def engine_up(self, *, restarted: bool) -> None:
        """The engine takes ops; a session with a past shows its last page."""
        self.is_up = True
        self.post_message(self.Opened(self))
        if self.pump.wants_page:
            self.run_worker(partial(self._load_past, restarted=restarted), group="page")

    async def _load_past(self, *, restarted: bool) -> None:
        await self.pump.load_past()
        if restarted:
            self.pump.say(
                "The engine stopped and was started again; the session goes on.", level="warning"
            )

    def rewound(self) -> None:
        """The conversation went back: show what is left of it."""
        self.run_worker(self._load_rewound, group="page")

    async def _load_rewound(self) -> None:
        await self.pump.load_past()
        self.conversation.redraw()  # another screen is over this one: single rows would not be drawn

    def engine_lost(self, lost: EngineLost) -> None:
        """Say it; prompts that had not begun come back to the editor."""
        self.is_up, self.is_gone = False, not lost.restarting
        self.asking.update(self.trusting.requests)
        for item in lost.unsent:
            self.keep(as_typed(item))
        if lost.unsent and not self.prompt.editor.text:
            self.prompt.set_value("\n\n".join(map(as_typed, lost.unsent)))
        self.early = []
        status = self.pump.status
        if status.session is not None:
            idle = replace(status.session, busy=False, phase="idle")
            self.pump.take(idle)
        self.pump.status = replace(self.pump.status, queue=(), requests=(), retry=None, works=())
        self._show_queue()
        if lost.restarting:
            self.pump.say(
                f"The engine stopped: {lost.reason}. It is being started again.", level="error"
            )
        else:
            self.pump.say(
                f"The engine stopped and does not come back by itself: {lost.reason}. "
                f"Enter starts it again, and the session goes on; /exit leaves.",
                level="error",
            )

    def open_failed(self, failed: OpenFailed) -> None:
        """Let the app decide where to go from here; what was said already stays in sight."""
        if self.begun:
            self.engine_lost(EngineLost(failed.error.rstrip("."), restarting=False))
        else:
            self.post_message(self.Refused(self, failed))

    # -- prompts -------------------------------------------------------------------------------

    def on_field_submitted(self, event: Field.Submitted) -> None:
        """Enter in the editor: a screen command, or a prompt."""
        if event.field is not self.prompt:
            return
        text = event.text
        found = find_command(text)
        if found is None and (self.is_gone or self.is_closing):
            if text:
                self.prompt.give_back(text, event.pictures)
            if self.is_gone and not self.is_closing:
                self.doing.start_again()
            self.say_hint(
                "starting the engine" if self.is_gone else "closing this session: the draft is kept"
            )
            return
        if not text:
            return
        if shell_line(text) == "":
            self.prompt.give_back(text)
            self.say_hint("what is the shell to run?")
            return
        self.keep(text)
        if found is not None:
            command, argument = found
            command.runner.run(self.doing, argument)
        else:
            self.send_prompt(text, event.pictures)

    def send_prompt(
        self, text: str, pictures: Mapping[int, Picture] = NO_PICTURES, *, typed: bool = True
    ) -> None:
        """Send a prompt, or a line for the shell; one taken out of the queue goes back to its place."""
        prompt = made(text, str(uuid.uuid4()), pictures.values(), typed=typed)
        item = queued(prompt)
        if pictures:
            self._pictures[item.uuid] = pictures
        status = self.pump.status
        place, self._edited_place = self._edited_place, None
        if place is not None and status.busy and not pictures:
            items = list(status.queue)
            items.insert(min(place, len(items)), item)
            self.link.send(ops.EditQueue(tuple(items)))
            return
        self.link.send(prompt)
        if not self.is_up:
            self.early.append(item)
            self._show_queue()
        self.conversation.follow()
        self.update_rule()

    def keep(self, text: str) -> None:
        """Add a prompt to the history, here and on disk."""
        session = self.pump.status.session
        typed = self.backstage.archive.keep(text, session.session_id if session else "")
        self.history.add(typed)

    def on_prompt_kept(self, event: Prompt.Kept) -> None:
        """A draft left the editor unsent."""
        self.keep(event.text)

    def on_field_changed(self, event: Field.Changed) -> None:
        """The draft changed: save it in a moment, take back hints."""
        if event.field is self.searching.bar:
            self.searching.typed()
        if event.field is not self.prompt:
            return
        self.asking.typed()
        if self.prompt.editor.text:
            self.say_hint("")
        if not self._draft_dirty:
            self._draft_dirty = True
            self.set_timer(DRAFT_PAUSE, self.save_draft)

    def save_draft(self) -> None:
        """Put the draft, and what was put aside, on disk."""
        self._draft_dirty = False
        aside = [_expand(draft) for draft in self.aside]
        self.backstage.archive.save_draft("\n\n".join([*aside, self.prompt.value]).strip("\n"))

    def on_prompt_wanted(self, event: Prompt.Wanted) -> None:
        """Ask what the word may mean; an older question is dropped."""
        if event.word is not None:
            self.run_worker(
                partial(propose, self.link, self.prompt, event.word),
                group="propose",
                exclusive=True,
            )

    def on_prompt_image_wanted(self) -> None:
        """Put the picture of the clipboard in."""
        self.attaching.paste_picture()

    def on_prompt_pasted(self, event: Prompt.Pasted) -> None:
        """See whether files were dropped."""
        self.attaching.look_at(event)

    def on_prompt_moded(self) -> None:
        """A search began or ended, or what is typed is of another kind."""
        self.update_rule()

    # -- the queue -----------------------------------------------------------------------------

    def _show_queue(self) -> None:
        items = (*self.pump.status.queue, *self.early)
        if items != self.queue.items:
            self.queue.show(items)
        self._show_status()

    def _show_status(self) -> None:
        """The bar counts the queue only where its rows are folded away."""
        queued = len(self.queue.items) if self.queue.folded else 0
        status = self.pump.status
        self.status_bar.show(status.session, queued, running(status.works), paused=status.paused)

    def _forget_early(self, message: Message) -> None:
        if not self.early:
            return
        match message:
            case UserMessage(uuid=known):
                seen = {known}
            case ResultMessage(user_message_uuid=known):
                seen = {known}
            case _:
                seen = {item.uuid for item in self.pump.status.queue}
        self.early = [item for item in self.early if item.uuid not in seen]
        self._show_queue()

    def on_queue_changed(self, event: Queue.Changed) -> None:
        """Say what the queue is to be."""
        self.link.send(ops.EditQueue(event.items))

    def on_queue_taken(self, event: Queue.Taken) -> None:
        """Send an item now, or bring it into the editor."""
        pictures = self._pictures.get(event.item.uuid, NO_PICTURES)
        if event.what == "now":
            self.link.send(
                replace(made(as_typed(event.item), event.item.uuid, pictures.values()), now=True)
            )
            return
        if self.prompt.editor.text:
            self.stash()
        self._edited_place = event.at
        self.prompt.set_value(as_typed(event.item))
        self.prompt.editor.put_back_pictures(pictures)
        self.focus_prompt()

    def on_queue_left(self) -> None:
        """Back to the editor."""
        self.focus_prompt()

    # -- questions -----------------------------------------------------------------------------

    def on_panel_answered(self, event: Panel.Answered) -> None:
        """Send the answer; the panel closes when the engine says so."""
        if self.trusting.take(event.request_id, event.answer):
            return
        self.link.send(ops.Answer(event.request_id, event.answer))

    def _trust_changed(self) -> None:
        """The question about the folder was asked, or answered."""
        self.options = self.trusting.options
        self.asking.update(self.trusting.requests)
        for request in self.trusting.requests:
            self.backstage.signage.wanted(request.title)

    def on_trust_panel_read_wanted(self, event: TrustPanel.ReadWanted) -> None:
        """Show what the folder brings before it is trusted."""
        from agent_tui.tui.screens.reading import ReadingScreen  # door: rarely wanted

        reading = ReadingScreen(self.backstage.look, "What this folder brings", event.files)
        self.app.push_screen(reading)  # pyright: ignore[reportUnknownMemberType]

    def on_panel_rules_typed(self, event: Panel.RulesTyped) -> None:
        """Have the engine say what they would do; an older question is dropped."""
        self.run_worker(partial(judge_rules, self.link, event), group="rules", exclusive=True)

    def on_panel_full_screen(self, event: Panel.FullScreen) -> None:
        """Give the question all the room, or take it back."""
        self.set_class(event.on, "-full")
        self._set_heights()

    def on_panel_lines_wanted(self, event: Panel.LinesWanted) -> None:
        """Have single lines of a plan commented on."""
        self.doing.going_back.comment_plan(event.request)

    def on_panel_own_editor(self, event: Panel.OwnEditor) -> None:
        """Open the proposal in the person's editor."""
        self.doing.edit_outside(event.field)

    # -- keys ----------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Do what a key means wherever the focus is; other keys belong to the editor."""
        self.pressing.take(event)

    def on_paste(self, event: events.Paste) -> None:
        """A paste always goes to the editor."""
        event.stop()
        self.prompt.paste(event.text)

    def on_click(self, event: events.Click) -> None:
        """A click into the editor keeps a question from taking the keyboard back; one into the question gives it."""
        if event.widget is self.prompt:
            self.asking.hold()
        elif event.widget is not None and self.panel in event.widget.ancestors_with_self:
            self.asking.release()

    def stash(self) -> None:
        """Put the draft aside; on an empty editor bring the last one back."""
        if self.prompt.editor.text:
            self.aside.append(self.prompt.editor.saved())
            self.prompt.editor.replace("")
        elif self.aside:
            self.prompt.editor.restore(self.aside.pop())
        self.prompt.changed()
        self.update_rule()

    def edit_queue(self) -> None:
        """Give the keyboard to the queue."""
        if self.pump.status.queue and not self.asking.has_keyboard:
            self.queue.focus(scroll_visible=False)

    def focus_prompt(self) -> None:
        """Give the keyboard to the editor."""
        self.set_focus(self.prompt, scroll_visible=False)  # at once: the next key is typed already

    # -- words and heights ---------------------------------------------------------------------

    def say_hint(self, hint: str) -> None:
        """Show a word in the rule until something is typed."""
        if hint != self.hint:
            self.hint = hint
            self.update_rule()

    def update_rule(self) -> None:
        """Say in the rule what belongs there now."""
        self.set_class(self.panel.request is not None, "-asking")
        self.rule.show(*rule_words(self))

    def on_descendant_focus(self) -> None:
        """The keyboard changed hands: the rule's hints are others."""
        self.searching.refocused()
        self.update_rule()

    def on_resize(self, event: events.Resize) -> None:
        """Share the height out anew."""
        self._set_heights()

    def _set_tiny(self, tiny: bool) -> None:
        """Show nothing but that there is too little room, or everything again; unseen questions get no answer."""
        if tiny == self.has_class("-tiny"):
            return
        self.set_class(tiny, "-tiny")
        if tiny:
            self.asking.hold()
        else:
            self.focus_prompt()
            self.asking.release()

    def _set_heights(self) -> None:
        size = self.app.size  # pyright: ignore[reportUnknownMemberType]
        height = size.height
        self._set_tiny(too_small(size.width, height))
        low = height < LOW
        self.set_class(low, "-low")
        self.prompt.max_rows = max(1, height // 3)
        if (self.working.low, self.queue.folded) != (low, low):
            self.working.low = self.queue.folded = low
            self.working.redraw()
            self.queue.redraw()
            self._show_status()
        below = self.prompt.size.height + self.queue.size.height + 3
        whole = self.panel.full or low
        self.panel.limit_rows(height - below if whole else height * 2 // 3)
        self.prompt.redraw()

    def on_screen_resume(self) -> None:
        """Another screen was left: questions get their pause again."""
        self.asking.pace.key(self.backstage.now())
        self.asking.release()


def _expand(draft: Saved) -> str:
    text, chips, _at = draft
    return "".join(chips[char].text if char in chips else char for char in text)
