"""stub, being written"""
from __future__ import annotations
from dataclasses import dataclass
from agent_tui.protocol.requests import RuleBehavior
@dataclass(frozen=True, slots=True)
class SourcedRule:
    behavior: RuleBehavior
    text: str
    source: str
    path: str = ""
    line: int = 0
    anchor: str = ""
