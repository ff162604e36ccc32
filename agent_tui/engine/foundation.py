"""What a session stands on: where it works, what the settings say, which model at which server, which tools."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from agent_tui.agents.kinds import Kinds, find_kinds
from agent_tui.context.memory import MemoryText
from agent_tui.context.memory import load as load_memory
from agent_tui.context.system_prompt import context_text
from agent_tui.demo.server import DemoServer, start_demo
from agent_tui.engine.folder import Standing, look, settle
from agent_tui.engine.kinds import with_kinds
from agent_tui.engine.nesting import check_depth
from agent_tui.engine.offering import Setting, offered
from agent_tui.engine.place import project_root, surroundings
from agent_tui.engine.ruling import added_folders, files_run, flag_anchor, rules_in_force
from agent_tui.engine.sandboxing import Sandboxing, set_up, with_sandbox
from agent_tui.machine.world import real_ports
from agent_tui.mcp.config import ServerList, gather
from agent_tui.model.aliases import resolve
from agent_tui.model.anthropic_client import AnthropicClient
from agent_tui.model.client import ModelClient
from agent_tui.model.endpoint import is_official
from agent_tui.model.prices import ModelTable
from agent_tui.model.thinking import Wishes, generation
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.ports import Ports
from agent_tui.settings.credentials import NO_KEY, Credentials, find_credentials
from agent_tui.settings.layers import FlagSettings, Layers, load
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment
from agent_tui.tools.base import ToolSet
from agent_tui.tools.deferral import Deferral

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
    standing: Standing
    layers: Layers
    rules: RuleBook
    tools: ToolSet
    kinds: Kinds
    servers: ServerList
    scripts: tuple[str, ...]
    deferral: Deferral
    ports: Ports
    client: ModelClient
    table: ModelTable
    wishes: Wishes
    key_source: str
    server_model: str
    demo: DemoServer | None
    sandboxing: Sandboxing

    @property
    def added_dirs(self) -> tuple[Path, ...]:
        """Further working folders."""
        return added_folders(self.options, self.env, self.layers.additional_dirs)

    @property
    def start_mode(self) -> PermissionMode:
        """The permission mode a new session starts in."""
        return self.options.permissions.mode or self.layers.settings.default_mode or "default"

    @property
    def fallbacks(self) -> tuple[str, ...]:
        """Models that may stand in for one that is overloaded, in order, as they were named."""
        named = (self.layers.settings.fallback_model or "").split(",")
        return self.options.model.fallbacks or tuple(n.strip() for n in named if n.strip())

    def model(self, name: str | None) -> str:
        """Give the id of the model that ``name`` (None: the settings' or the default) stands for."""
        if self.demo is not None:
            return DEMO_MODEL
        return _model(name, self.env, self.layers, self.server_model)

    def lowered(self, model: str) -> tuple[str, ...]:
        """Say, a sentence each, what was asked for that a model can't do."""
        return generation(self.table.facts(model), self.wishes).notes

    def memory(self) -> MemoryText:
        """Read the memory files. Blocks on files."""
        folders = (self.cwd, *self.added_dirs)
        resolver = RealResolver(str(self.env.home))
        return load_memory(
            self.cwd,
            self.env,
            self.options.setting_sources,
            outside_allowed=self.standing.imports.__contains__,
            may_read=lambda path: self.rules.may_read(
                path, folders, resolver, secrets=path in self.standing.imports
            ),
        )

    def context_text(self, now: datetime, *, memory: bool = True) -> str:
        """Say what a window begins with, with or without the memory files. Blocks on files."""
        return self.context_of(now, self.memory().text if memory else "")

    def context_of(self, now: datetime, memory: str) -> str:
        """Say what a window begins with, with this text of the memory files. Blocks on files."""
        return context_text(surroundings(self.cwd, self.added_dirs, now), memory)


def lay(
    options: Options, env: Environment, *, answered: bool = False, servers: Iterable[str] = ()
) -> Foundation:
    """Read settings and build on them. Blocks on files; opens no connection.

    Args:
        options: what was asked for.
        env: the variables and the home.
        answered: a program answers questions, in a person's stead.
        servers: names of the servers that a program brings itself.

    Raises:
        SettingsError: a settings file can't be trusted to hold no deny rule.
        UsageError: no key is found, an option can't be used, the sandbox that must be isn't there, or hooks start this
            program without end.
    """
    check_depth(env)
    cwd = Path(options.cwd)
    project = project_root(cwd, env)
    folder = look(options, env)
    standing = settle(folder, options, env)
    flag = FlagSettings(options.settings, options.settings_path, flag_anchor(options))
    layers = load(env, project, options.setting_sources, flag=flag, trusted=standing.trusted)
    layers = replace(layers, notices=(*standing.notices, *layers.notices))
    added = added_folders(options, env, layers.additional_dirs)
    rules = rules_in_force(options, env, layers.rules, added)
    sandboxing = set_up(layers.sandbox, env, project, rules)
    demo = start_demo() if options.demo else None
    wishes = Wishes.of(env, options.model, layers.settings.effort)
    client, found = _client(options, env, layers, demo, wishes.betas)
    prices = {**layers.settings.prices, **(DEMO_PRICES if demo else {})}
    deferral = Deferral.of(env, own_server=is_official(found.base_url))
    listed = gather(options, servers, env, project, trusted=standing.trusted)
    kinds = find_kinds(
        env, project, options.tools.agents, options.setting_sources, trusted=standing.trusted
    )
    if standing.trusted and look(options, env).seen != folder.seen:
        raise SettingsError(f"{project} changed while it was being read; start again")
    model = _model(options.model.model, env, layers, found.model)
    somebody, search = options.interactive or answered, deferral.enabled and bool(listed.servers)
    tools = offered(Setting(options, env, rules, model, somebody, search))
    return Foundation(
        options=options,
        env=env,
        cwd=cwd,
        project=project,
        standing=standing,
        layers=layers,
        rules=rules,
        tools=with_sandbox(with_kinds(tools, kinds.definitions), sandboxing.told),
        kinds=kinds,
        servers=listed,
        scripts=files_run(layers, listed.servers, project),
        deferral=deferral,
        ports=real_ports(env, cwd, sandbox=sandboxing.sandbox),
        client=client,
        table=ModelTable.of(prices),
        wishes=wishes,
        key_source=found.source,
        server_model=found.model,
        demo=demo,
        sandboxing=sandboxing,
    )


def _model(name: str | None, env: Environment, layers: Layers, server_model: str) -> str:
    chosen = name or env.get("ANTHROPIC_MODEL") or layers.settings.model
    return resolve(chosen or server_model, env)


def _client(
    options: Options,
    env: Environment,
    layers: Layers,
    demo: DemoServer | None,
    betas: tuple[str, ...],
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
        betas=(*options.model.betas, *betas),
        client_app=options.model.client_app,
    )
    return client, found
