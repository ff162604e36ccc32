"""Where secrets are kept, told by name: files and folders whose content is asked for even inside the working folders.

The tables are the ones of ``docs/secrets.md``. Names are compared without regard to case. What is an example for such a
file (``.env.example``) or its public half (``id_rsa.pub``, ``cert.pem``) is an ordinary file.
"""

from __future__ import annotations

import glob
import os.path
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

from agent_tui.permissions.places import Ground
from agent_tui.permissions.resolver import Resolver
from agent_tui.permissions.tables import names

SECRET_FILES: Final = names(
    ".env .envrc .env_file .netrc _netrc .git-credentials .npmrc .pypirc .pgpass .mylogin.cnf .htpasswd .dockercfg .s3cfg "
    ".boto .vault-token .vault_pass .vault_pass.txt .smbcredentials .kubeconfig kubeconfig .credentials.json "
    "credentials.json credentials.toml credentials.yml credentials.yaml secrets.json secrets.toml secrets.yml "
    "secrets.yaml secrets.ini secrets.properties local.settings.json terraform.tfstate.backup "
    "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_xmss "
    ".bash_history .zsh_history .psql_history .mysql_history .python_history .node_repl_history .rediscli_history"
)
"""Names of files."""

SECRET_ENDINGS: Final = names(
    ".env .pem .key .p8 .p12 .pfx .ppk .jks .keystore .kdb .kdbx .tfvars .tfstate"
)
"""How names of files end."""

SECRET_BEGINNINGS: Final = (".env.", "client_secret", "service-account", "service_account")
"""How names of files begin; the last three only for ``.json``."""

EXAMPLES: Final = names("example examples sample template tmpl tpl dist default defaults schema")
"""A file is an example when one of these stands between the dots of its name."""

SECRET_FOLDERS: Final = names(".ssh .gnupg .password-store")
"""Folders, wherever they are."""

HOME_PLACES: Final = (
    *(".aws", ".azure", ".kube", ".docker", ".oci", ".databricks", ".terraform.d", ".cargo/credentials"),
    *(".config/gcloud", ".config/gh", ".config/glab-cli", ".config/hub", ".config/op", ".config/doctl"),
    *(".config/rclone", ".config/sops", ".composer/auth.json", ".m2/settings.xml", ".gem/credentials"),
    *(".my.cnf", ".claude.json", ".codex/auth.json", ".local/share/keyrings", ".electrum", ".bitcoin"),
    *(".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/microsoft-edge"),
    *(".config/BraveSoftware", "snap/firefox", "Library/Keychains", "Library/Cookies"),
    *("Library/Application Support/Google/Chrome", "Library/Application Support/Firefox"),
)  # fmt: skip
"""Places below the home folder only: elsewhere such a name is something else (``.aws/task.json``, ``.docker/``)."""

_PUBLIC: Final = re.compile(r"(?<![a-z])(?:pub|public)(?![a-z])|cert|chain|(?<![a-z])ca(?![a-z])")
_HALVES: Final = (".pem", ".key")
"""Endings that private and public halves of a key share."""

_ENVIRONMENTS: Final = re.compile(r"/+proc/.+/environ")
"""The environment of a running program, ours with our key in it too."""

_BELOW: Final = (
    ".env*",
    "*/.env*",
    "*.env",
    "*.pem",
    "*.key",
    "id_*",
    "*secrets.*",
    "credentials*",
)
"""What is looked for in a folder that is read whole, and one folder below: the usual places, not every file."""


def secret_reason(path: str) -> str:
    """Say that a path is asked for because of what is kept there."""
    return f"{path} is a place where secrets are kept."


@lru_cache(maxsize=4096)
def is_secret_name(name: str) -> bool:
    """Tell whether a file of this name (no folders) usually holds secrets."""
    name = name.casefold()
    stem, _, last = name.rpartition(".")
    ending = f".{last}" if stem else ""
    if name in SECRET_FILES:
        return True
    if not EXAMPLES.isdisjoint(re.split(r"[._-]", name)):
        return False
    if name.startswith(SECRET_BEGINNINGS[0]):
        return True
    if ending in _HALVES and _PUBLIC.search(stem) and not re.search("priv|secret", stem):
        return False
    if ending == ".json" and name.startswith(SECRET_BEGINNINGS[1:]):
        return True
    return ending in SECRET_ENDINGS


def secret_by_name(path: str, home: str) -> bool:
    """Tell whether an absolute, normalised path is, or is in, a place where secrets are kept."""
    *folders, name = path.casefold().split("/")
    if is_secret_name(name) or name in SECRET_FOLDERS or _ENVIRONMENTS.fullmatch(path):
        return True
    if not SECRET_FOLDERS.isdisjoint(folders):
        return not name.endswith(".pub") and name not in ("known_hosts", "known_hosts.old")
    return any(_at_or_below(path, place) for place in credential_places(home))


@lru_cache(maxsize=8)
def credential_places(home: str) -> tuple[str, ...]:
    """Give the absolute paths of every folder and file below ``home`` that keeps credentials."""
    return tuple(f"{home.rstrip('/')}/{place}" for place in (*sorted(SECRET_FOLDERS), *HOME_PLACES))


def is_secret(ground: Ground, path: str) -> bool:
    """Tell whether a path, or the file it leads to, is a place where secrets are kept; a folder ``.env`` isn't."""
    homes = {ground.home, ground.resolver.realpath(ground.home)}
    return any(
        secret_by_name(spot, home) and not _only_a_folder(spot, ground.resolver)
        for spot in set(ground.both(path))
        for home in homes
    )


def secrets_below(folder: str, resolver: Resolver, *, hidden: bool = True) -> Iterator[str]:
    """Find secret files in a folder and in those right below it; without ``hidden`` no dot names.

    A bounded look: it is for a command that reads a whole folder, to be asked about what is surely there.
    """
    for pattern in _BELOW:
        if "/." in f"/{pattern}" and not hidden:
            continue
        for path in resolver.matches(f"{glob.escape(folder)}/{pattern}") or ():
            if is_secret_name(os.path.basename(path)) and not resolver.is_dir(path):  # noqa: PTH119 - text only
                yield path


def chosen(path: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> bool:
    """Tell whether a search with these globs for names reads a file."""
    name = os.path.basename(path)  # noqa: PTH119 - text only
    wanted = not include or any(fnmatchcase(name, one) for one in include)
    return wanted and not any(fnmatchcase(name, one) for one in exclude)


def _only_a_folder(path: str, resolver: Resolver) -> bool:
    """A virtual environment may be called ``.env``: it is the name of a file that counts."""
    name = os.path.basename(path).casefold()  # noqa: PTH119 - text only
    return is_secret_name(name) and resolver.is_dir(path)


def _at_or_below(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")
