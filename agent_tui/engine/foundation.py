"""What a session stands on: where it works, what the settings say, which model at which server, which tools."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agent_tui.context.memory import MemoryText
from agent_tui.context.memory import load as load_memory
from agent_tui.context.system_prompt import context_text
from agent_tui.demo.server import DemoServer, start_demo
from agent_tui.engine.place import project_root, surroundings
from agent_tui.machine.world import real_ports
from agent_tui.model.aliases import resolve
from agent_tui.model.anthropic_client import AnthropicClient
from agent_tui.model.client import ModelClient
from agent_tui.model.prices import ModelTable
from agent_tui.model.thinking import Wishes
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.ports import Ports
from agent_tui.settings.credentials import NO_KEY, Credentials, find_credentials
from agent_tui.settings.layers import Layers, SourcedRule, load
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import ToolSet
from agent_tui.tools.registry import builtin_tools

DEMO_MODEL = "demo"
DEMO_KEY = "demo"
DEMO_PRICES = {
    DEMO_MODEL: {"window": 200_000, "max_output": 32_000, "input": 0, "output": 0, "read": 0}
}


@dataclass(frozen=True, slots=True)
class Foundation:
    """Everything a session is built on that does not change while it is open."""

    options: Options
    env: Environment
    cwd: Path
    project: Path
    layers: Layers
    rules: RuleBook
    tools: ToolSet
    ports: Ports
    client: ModelClient
    table: ModelTable
    wishes: Wishes
    key_source: str
    server_model: str
    demo: DemoServer | None

    @property
    def added_dirs(self) -> tuple[Path, ...]:
        """Further working folders."""
        return tuple(map(Path, (*self.options.permissions.add_dirs, *self.layers.additional_dirs)))

    @property
    def start_mode(self) -> PermissionMode:
        """The permission mode a new session starts in."""
        return self.options.permissions.mode or self.layers.settings.default_mode or "default"

    def model(self, name: str | None) -> str:
        """Give the id of the model that ``name`` (None: the settings' or the default) stands for."""
        if self.demo is not None:
            return DEMO_MODEL
        chosen = name or self.env.get("ANTHROPIC_MODEL") or self.layers.settings.model
        return resolve(chosen or self.server_model, self.env)

    def memory(self) -> MemoryText:
        """Read the memory files. Blocks on files."""
        return load_memory(self.cwd, self.env, self.options.setting_sources)

    def context_text(self, now: datetime) -> str:
        """Say what the window begins with. Blocks on files."""
        place = surroundings(self.cwd, self.added_dirs, now)
        return context_text(place, self.memory().text)


def lay(options: Options, env: Environment) -> Foundation:
    """Read settings and build on them. Blocks on files; opens no connection.

    Raises:
        SettingsError: a settings file can't be trusted to hold no deny rule.
        UsageError: no key is found, or an option can't be used.
    """
    cwd = Path(options.cwd)
    project = project_root(cwd, env)
    layers = load(env, project, options.setting_sources)
    rules = RuleBook.of((*layers.rules, *_flag_rules(options)))
    tools = tuple(tool for tool in builtin_tools() if not rules.hides(tool.name))
    demo = start_demo() if options.demo else None
    client, found = _client(options, env, layers, demo)
    prices = {**layers.settings.prices, **(DEMO_PRICES if demo else {})}
    return Foundation(
        options=options,
        env=env,
        cwd=cwd,
        project=project,
        layers=layers,
        rules=rules,
        tools=ToolSet.of(tools),
        ports=real_ports(env, cwd),
        client=client,
        table=ModelTable.of(prices),
        wishes=Wishes.of(
            env, options.model.effort or layers.settings.effort, options.model.max_output_tokens
        ),
        key_source=found.source,
        server_model=found.model,
        demo=demo,
    )


def _flag_rules(options: Options) -> list[SourcedRule]:
    """Give the rules of the command line."""
    permissions = options.permissions
    anchor = options.cwd
    return [
        *(SourcedRule("allow", text, "flag", anchor=anchor) for text in permissions.allowed_tools),
        *(
            SourcedRule("deny", text, "flag", anchor=anchor)
            for text in permissions.disallowed_tools
        ),
    ]


def _client(
    options: Options, env: Environment, layers: Layers, demo: DemoServer | None
) -> tuple[ModelClient, Credentials]:
    if demo is not None:
        found = Credentials(DEMO_KEY, demo.url, "demo")
        return AnthropicClient(found.base_url, found.api_key, env), found
    found = find_credentials(
        env, base_url=options.model.base_url, settings_base_url=layers.settings.base_url
    )
    if found.lacking:
        raise UsageError(NO_KEY)
    header = "bearer" if found.is_token else layers.settings.api_key_header
    client = AnthropicClient(
        found.base_url,
        found.api_key,
        env,
        api_key_header=header,
        anthropic_version=layers.settings.anthropic_version,
    )
    return client, found
