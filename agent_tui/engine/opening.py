"""The only place that wires real things together: options and settings in, a session ready to be talked to out.

It only constructs. What is built does its own work elsewhere; nothing here opens the network or loads the API
package before the session is being served.
"""

from __future__ import annotations

import contextlib
import logging
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from agent_tui import __version__
from agent_tui.context.memory import MemoryText
from agent_tui.context.memory import load as load_memory
from agent_tui.context.system_prompt import context_text, system_prompt
from agent_tui.context.window import CompactPolicy
from agent_tui.demo.server import DemoServer, start_demo
from agent_tui.engine.command import CommandContext, names
from agent_tui.engine.completion import FileIndex
from agent_tui.engine.controls import Controls
from agent_tui.engine.mentions import Mentions
from agent_tui.engine.place import git_branch, project_root, surroundings
from agent_tui.engine.runner import Init, PromptRunner
from agent_tui.engine.sessions import Chosen, choose
from agent_tui.engine.wiring import Built, Grants
from agent_tui.journal.entries import Stamp
from agent_tui.journal.replay import ToolDisplay
from agent_tui.loop.approvals import Approver, DenyAll, Desk
from agent_tui.loop.compact import Compactor
from agent_tui.loop.hooks import NoHooks
from agent_tui.loop.hub import Hub
from agent_tui.loop.limits import BudgetLimit, Limit, TurnLimit
from agent_tui.loop.policy import Policy, Surroundings
from agent_tui.loop.queue import PromptQueue
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import FixedParts, SessionRequests
from agent_tui.loop.session import Parts, Session
from agent_tui.loop.status import Fixed, PhaseName, Status
from agent_tui.loop.tool_call import Batch, Workplace
from agent_tui.loop.turn import Deps, spent_usd
from agent_tui.machine.files import RealFiles
from agent_tui.machine.search import RealSearch
from agent_tui.machine.shell import RealShell
from agent_tui.model.aliases import resolve
from agent_tui.model.anthropic_client import AnthropicClient
from agent_tui.model.prices import ModelTable
from agent_tui.model.thinking import Wishes
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.content import JsonObject, ToolUseBlock
from agent_tui.protocol.display import Display
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import PermissionMode, StatusChanged
from agent_tui.protocol.ports import Ports, Seen, ToolLimits
from agent_tui.protocol.queries import Query, Reply
from agent_tui.settings.credentials import find_credentials
from agent_tui.settings.layers import Settled, settle
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment, root
from agent_tui.tools.base import InvalidInputError, ToolSet
from agent_tui.tools.registry import builtin_tools
