"""What can be done by a key, and the keys that do it unless the person says otherwise.

Every action has a name, ``place:verb``; the place says where its keys count. Those of ``edit``, ``prompt`` and ``screen``
count together; those of the other places come before them while their time is: a list is open, the history is searched,
nothing is typed, the cursor touches a folded paste.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent_tui.tui.editor import Editor

Place: TypeAlias = Literal[
    "edit", "prompt", "screen", "empty", "chip", "list", "search", "walk", "find"
]
TOGETHER: tuple[Place, ...] = ("edit", "prompt", "screen")
"""Places whose keys count at the same time, so that a key can mean one thing in all of them."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something a key does: its name, its usual keys, what it does in a few words, and where its keys count."""

    name: str
    keys: tuple[str, ...]
    does: str
    place: Place


PLACES: Mapping[Place, str] = {
    "edit": "in every text field",
    "prompt": "in the prompt",
    "screen": "on the main screen",
    "empty": "while nothing is typed",
    "chip": "at a folded paste",
    "list": "while proposals are shown",
    "search": "while the history is searched",
    "walk": "while one walks through the conversation",
    "find": "while the conversation is searched",
}


def _actions(place: Place, *rows: tuple[str, str, str]) -> tuple[Action, ...]:
    return tuple(
        Action(f"{place}:{verb}", tuple(keys.split()), does, place) for verb, keys, does in rows
    )


ACTIONS: tuple[Action, ...] = (
    *_actions(
        "edit",
        ("submit", "enter", "send, or take what is typed"),
        ("newLine", "shift+enter alt+enter ctrl+j ctrl+enter", "new line"),
        ("left", "left ctrl+b", "character back"),
        ("right", "right ctrl+f", "character on"),
        ("up", "up", "row up; in the prompt then an earlier prompt"),
        ("down", "down", "row down; in the prompt then a later prompt"),
        ("wordLeft", "alt+b ctrl+left alt+left", "word back"),
        ("wordRight", "alt+f ctrl+right alt+right", "word on"),
        ("lineStart", "ctrl+a home", "start of the line"),
        ("lineEnd", "ctrl+e end", "end of the line"),
        ("eraseBack", "backspace shift+backspace ctrl+h", "erase the character before"),
        ("erase", "ctrl+d delete", "erase the character under the cursor"),
        ("cutToEnd", "ctrl+k", "cut to the end of the line"),
        ("cutToStart", "ctrl+u", "cut to the start of the line"),
        ("cutWordBack", "ctrl+w", "cut back to the blank before"),
        ("cutPartBack", "alt+backspace ctrl+backspace", "cut back to the start of the word"),
        ("cutWord", "alt+d ctrl+delete", "cut to the end of the word"),
        ("putBack", "ctrl+y", "put back what was cut"),
        ("putBackOlder", "alt+y", "right after that: what was cut before"),
        ("undo", "ctrl+underscore ctrl+slash ctrl+minus", "undo"),
        ("redo", "alt+underscore", "redo"),
    ),
    *_actions(
        "prompt",
        ("searchHistory", "ctrl+r", "search the prompts typed before"),
        ("complete", "tab", "propose what the word may mean"),
        ("pasteImage", "ctrl+v alt+v", "put the picture of the clipboard in"),
    ),
    *_actions(
        "screen",
        ("interrupt", "ctrl+c", "stop; then clear; twice: leave"),
        ("cycleMode", "shift+tab alt+m", "next permission mode"),
        ("externalEditor", "ctrl+g", "write in your own editor"),
        ("stash", "ctrl+s", "put the draft aside, and get it back"),
        ("editQueue", "ctrl+q", "edit the queue"),
        ("detail", "ctrl+o", "detail of everything"),
        ("tasks", "ctrl+t", "tasks: what is to be done, what runs in the background"),
        ("palette", "ctrl+p", "all commands and actions"),
        ("walk", "ctrl+up alt+up", "walk through the conversation"),
        ("find", "f3", "find in the conversation"),
        ("pageUp", "pageup", "scroll back by a page"),
        ("pageDown", "pagedown", "scroll on by a page"),
        ("rowUp", "shift+up", "scroll back by a row"),
        ("rowDown", "shift+down", "scroll on by a row"),
        ("top", "ctrl+home", "to the beginning of the conversation"),
        ("bottom", "ctrl+end", "to its end"),
        ("redraw", "ctrl+l", "redraw"),
        ("suspend", "ctrl+z", "suspend"),
    ),
    *_actions(
        "empty",
        ("help", "question_mark", "help"),
        ("leave", "ctrl+d", "leave"),
        ("find", "ctrl+f", "find in the conversation"),
        ("top", "home", "to the beginning of the conversation"),
        ("bottom", "end", "to its end"),
    ),
    *_actions("chip", ("unfold", "ctrl+o", "show the whole paste")),
    *_actions(
        "list",
        ("up", "up ctrl+p", "the one above"),
        ("down", "down ctrl+n", "the one below"),
        ("take", "tab", "take it"),
        ("close", "escape", "close the list"),
    ),
    *_actions(
        "search",
        ("older", "ctrl+r up ctrl+p", "an older one"),
        ("newer", "down ctrl+n", "a newer one"),
        ("scope", "ctrl+s", "this project, this session, all"),
        ("take", "enter tab", "take it"),
        ("cancel", "escape ctrl+c ctrl+g", "back to the draft"),
    ),
    *_actions(
        "walk",
        ("up", "up k", "the block before"),
        ("down", "down j", "the block behind"),
        ("fold", "enter space", "unfold, or fold again"),
        ("copy", "y", "copy the block, as source"),
        ("copyPart", "c", "copy only its code, command or output; again: the next of them"),
        ("export", "x", "export the block into a file"),
        ("raw", "r", "what the session's file has of it: request and result"),
        ("unified", "u", "changes of files in one column, or side by side from 140 columns"),
        ("find", "slash", "find in the conversation"),
        ("before", "n", "the place before, of those found"),
        ("next", "N", "the next place"),
        ("top", "home", "to the beginning of the conversation"),
        ("bottom", "end", "to its end"),
    ),
    *_actions(
        "find",
        ("before", "enter up shift+up ctrl+p f3", "the place before"),
        ("next", "down shift+down shift+enter ctrl+n shift+f3", "the next place"),
        ("stay", "tab", "stay here, and walk on"),
        ("cancel", "escape ctrl+c", "back to where it began"),
    ),
)
"""All of them, in the order in which they are told."""

EDITING: Mapping[str, Callable[[Editor], None]] = {
    "edit:left": Editor.left,
    "edit:right": Editor.right,
    "edit:wordLeft": Editor.word_left,
    "edit:wordRight": Editor.word_right,
    "edit:lineStart": Editor.line_start,
    "edit:lineEnd": Editor.line_end,
    "edit:eraseBack": Editor.backspace,
    "edit:erase": Editor.delete,
    "edit:cutToEnd": Editor.kill_to_line_end,
    "edit:cutToStart": Editor.kill_to_line_start,
    "edit:cutWordBack": Editor.kill_word_left,
    "edit:cutPartBack": Editor.kill_word_back,
    "edit:cutWord": Editor.kill_word_right,
    "edit:putBack": Editor.yank,
    "edit:putBackOlder": Editor.yank_older,
    "edit:undo": Editor.undo,
    "edit:redo": Editor.redo,
}
"""What actions do to the editor of a field; the others are the field's own."""

HELP: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Prompt",
        (
            ("{edit:submit}", "send; while a run goes, queue"),
            ("{edit:newLine*}  \\+enter", "new line"),
            ("@", "name a file"),
            ("/", "commands"),
            ("!", "run a line in the shell; the model sees it, too"),
            ("{prompt:complete}", "take the completion"),
            ("{edit:up}  {edit:down}", "history, at the first and last row"),
            ("{prompt:searchHistory}", "search the history; again: older"),
            ("{prompt:pasteImage}", "put the picture of the clipboard in"),
            ("{chip:unfold}", "at a folded paste: show it whole"),
            ("{screen:stash}", "put the draft aside, and get it back"),
            ("{screen:externalEditor}", "write in your own editor"),
            ("esc esc", "clear; {edit:up} brings it back. With nothing typed: go back to a prompt"),
        ),
    ),
    (
        "Run",
        (
            ("esc", "stop"),
            ("{screen:interrupt}", "stop; then clear; twice: leave"),
            ("{screen:cycleMode}", "next permission mode"),
            ("{screen:editQueue}", "edit the queue"),
            ("{screen:detail}", "detail of everything"),
            ("{screen:tasks}", "tasks: what is to be done, what runs in the background"),
        ),
    ),
    (
        "Question",
        (
            ("y  a  s", "yes: once; always; for this session. A dangerous call takes enter, too"),
            (
                "left  right",
                "how long: this session, this task, some calls or minutes; digits: how many",
            ),
            ("tab", "at Yes: say something with it; else: the rule that always stores, and where"),
            ("e  h", "change it first; take single hunks out"),
            ("n  esc", "no, and say why; no, and stop"),
            ("c", "at a plan: comment on its lines"),
            ("f", "full screen"),
        ),
    ),
    (
        "Review: /diff",
        (
            ("j  k  J  K", "hunk; file"),
            ("c  R", "comment on the line; send all comments as one message"),
            ("shift+up  shift+down", "choose several lines"),
            ("x  X", "take this hunk back; the file's whole change"),
            ("v  s  w", "mark seen; side by side; wrap long lines"),
            ("+  -", "more, fewer lines around a change"),
            ("t", "since the last prompt, or in the whole session"),
        ),
    ),
    (
        "Going back: /rewind",
        (
            ("b  f  c", "conversation and files; files only; conversation only"),
            ("o", "put back, too, what others changed"),
        ),
    ),
    (
        "Screen",
        (
            (
                "{screen:pageUp}  {screen:pageDown}",
                "scroll; with {screen:top}, {screen:bottom} to either end",
            ),
            ("{screen:walk}", "walk through the conversation, block by block"),
            ("{screen:find}  {empty:find}", "find in it; the latter when nothing is typed"),
            ("{screen:rowUp}  {screen:rowDown}", "scroll by a row"),
            ("{screen:palette}", "all commands and actions, found by a few letters"),
            ("{screen:redraw}", "redraw"),
            ("{screen:suspend}", "suspend"),
            ("{empty:leave}", "leave, when nothing is typed"),
            ("{empty:help}", "this help, when nothing is typed"),
        ),
    ),
    (
        "Walking through the conversation",
        (
            ("{walk:up}  {walk:down}", "the block before, behind; esc: back to the prompt"),
            ("{walk:fold}", "unfold, or fold again"),
            (
                "{walk:copy}  {walk:copyPart}",
                "copy the block as source; only its code, command or output",
            ),
            ("{walk:export}", "export the block into a file"),
            ("{walk:raw}", "what the session's file has of it: request and result"),
            ("{walk:unified}", "changes of files in one column, or side by side from 140 columns"),
            ("{walk:find}  {walk:before}  {walk:next}", "find; the place before, the next one"),
        ),
    ),
    (
        "Line editing",
        (
            ("{edit:lineStart}  {edit:lineEnd}", "start, end of the line"),
            ("{edit:wordLeft}  {edit:wordRight}", "word back, word on"),
            ("{edit:cutToEnd}  {edit:cutToStart}", "cut to the end, to the start"),
            ("{edit:cutWordBack}  {edit:cutWord}", "cut the word before, behind"),
            ("{edit:putBack}  {edit:putBackOlder}", "put back what was cut; what was cut before"),
            ("{edit:undo}", "undo"),
        ),
    ),
)
"""Sections of the help screen: keys and what they do. Actions in braces stand for their key, with a star for all of them."""
