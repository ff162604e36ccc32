"""Places where secrets are kept: what counts as one, who may read and change it, what searches leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.permissions.policy import Allowed, Decision, Denied, MustAsk
from agent_tui.permissions.resolver import RealResolver
from agent_tui.permissions.secrets import (
    chosen,
    credential_places,
    is_secret,
    is_secret_name,
    secret_by_name,
    secrets_below,
)
from agent_tui.protocol.access import ReadPath, WritePath
from agent_tui.protocol.messages import PERMISSION_MODES, PermissionMode
from agent_tui.protocol.requests import HookDecision
from tests.permissions.ground import Project, book, suggested


def kind(decision: Decision) -> str:
    return {Allowed: "run", Denied: "no", MustAsk: "ask"}[type(decision)]


@pytest.fixture
def secretive(project: Project) -> Project:
    """A project with a secret and an example of it."""
    (project.folder / ".env").write_text("SECRET=abc\n")
    (project.folder / ".env.example").write_text("SECRET=\n")
    return project


@pytest.mark.parametrize(
    "name",
    [
        *(".env", ".ENV", ".env.local", ".env.production", ".env.test", "prod.env", ".envrc"),
        *("id_rsa", "id_ed25519", "server.pem", "private.pem", "tls.key", "app.p12", "cert.pfx"),
        *("release.keystore", "debug.jks", ".netrc", ".git-credentials", ".npmrc", ".pypirc"),
        *("credentials.json", "service-account.json", "service-account-prod.json", ".htpasswd"),
        *("client_secret_1.apps.json", "secrets.yaml", "secrets.yml", "passwords.kdbx"),
        *("terraform.tfvars", "prod.auto.tfvars", "terraform.tfstate", "private_ca.pem"),
    ],
)
def test_files_that_keep_secrets_are_known_by_name(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *(".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults"),
        *(".env.local.example", "example.env", "terraform.tfvars.example", "env", "env.py"),
        *("environment.ts", "env.d.ts", "id_rsa.pub", "cert.pem", "fullchain.pem", "ca.pem"),
        *("public.pem", "key.pub.pem", "keys.py", "key.rs", "tokens.json", "auth.json"),
        *(
            "secrets.py",
            "secret.go",
            "service-account.ts",
            "credentials.py",
            "monkey",
            ".gitignore",
        ),
        *("package.json", "README.md", "Makefile", "pem", "key", "settings.json", ".pem.md"),
    ],
)
def test_ordinary_files_are_not(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        ("/home/me/.ssh/config", True),
        ("/home/me/.ssh/known_hosts", False),
        ("/home/me/.ssh/id_x.pub", False),
        ("/p/.ssh/deploy", True),
        ("/home/me/.aws/config", True),
        ("/p/.aws/task-definition.json", False),
        ("/home/me/.docker/config.json", True),
        ("/p/.docker/Dockerfile", False),
        ("/home/me/.config/gcloud/x.db", True),
        ("/home/me/.kube/config", True),
        ("/home/me/.mozilla/firefox/a/logins.json", True),
        ("/home/me/.config/nvim/init.lua", False),
        ("/home/me/.aws", True),
        ("/home/mel/.aws/config", False),
    ],
)
def test_folders_that_keep_credentials_are_known(path: str, secret: bool) -> None:
    assert secret_by_name(path, "/home/me") is secret


def test_credential_places_are_absolute_and_below_the_home() -> None:
    places = credential_places("/home/me")
    assert "/home/me/.ssh" in places and "/home/me/.aws" in places
    assert all(place.startswith("/home/me/") for place in places)


def test_a_virtual_environment_that_is_called_so_is_no_secret(project: Project) -> None:
    (project.folder / ".env" / "bin").mkdir(parents=True)
    assert not is_secret(project.ground(), str(project.folder / ".env"))
    assert not is_secret(project.ground(), str(project.folder / ".env" / "bin" / "activate"))


# The tools -----------------------------------------------------------------------------------------------------------


def test_reading_a_secret_asks_inside_the_working_folders_and_the_panel_starts_on_no(
    secretive: Project,
) -> None:
    asked = secretive.read(".env")
    assert isinstance(asked, MustAsk)
    assert "is a place where secrets are kept." in asked.reason
    assert asked.decided_by == "secret"
    assert asked.default_to_no
    assert kind(secretive.read(".env.example")) == "run"
    assert kind(secretive.read("src/.env.local")) == "ask"


def test_a_search_aimed_at_it_asks_too(secretive: Project) -> None:
    assert kind(secretive.read(".env", tool="Grep")) == "ask"
    assert kind(secretive.read(".", tool="Grep")) == "run"


@pytest.mark.parametrize("mode", PERMISSION_MODES)
def test_what_each_mode_makes_of_it(secretive: Project, mode: PermissionMode) -> None:
    wanted = {"bypassPermissions": "run", "dontAsk": "no"}.get(mode, "ask")
    path = str(secretive.folder / ".env")
    given = {"file_path": path}
    read = secretive.judge(ReadPath(path), "Read", given, mode=mode, read_only=True)
    assert kind(read) == wanted
    assert kind(secretive.judge(WritePath(path), "Edit", given, mode=mode)) == wanted
    assert kind(secretive.bash("cat .env", mode=mode)) == wanted


@pytest.mark.parametrize(
    "rule", ["Read(./.env)", "Read(.env)", "Read(**)", "Edit(./.env)", "Read(.env*)", "Read"]
)
def test_a_persons_rule_opens_it(secretive: Project, rule: str) -> None:
    assert kind(secretive.read(".env", allow=[rule])) == "run"


def test_a_rule_for_something_else_does_not(secretive: Project) -> None:
    for rule in ("Read(./src/**)", "Edit", "Bash", "Read(./.env.local)"):
        assert kind(secretive.read(".env", allow=[rule])) == "ask", rule


def test_a_deny_rule_beats_the_rule_that_opens(secretive: Project) -> None:
    assert kind(secretive.read(".env", allow=["Read(./.env)"], deny=["Read(.env)"])) == "no"


def test_always_offers_exactly_this_file(secretive: Project) -> None:
    assert suggested(secretive.read(".env")) == [["Read(/.env)"]]
    assert suggested(secretive.bash("cat .env")) == [["Read(/.env)"]]
    local = [f"Read(/{secretive.folder}/.env)"]
    assert kind(secretive.read(".env", allow=local)) == "run"
    assert kind(secretive.bash("cat .env", allow=local)) == "run"


def test_a_link_with_another_name_is_its_target(secretive: Project) -> None:
    (secretive.folder / "notes.txt").symlink_to(".env")
    assert kind(secretive.read("notes.txt")) == "ask"
    assert kind(secretive.bash("cat notes.txt")) == "ask"


def test_edits_are_asked_where_edits_run_by_themselves(secretive: Project) -> None:
    for tool in ("Edit", "Write"):
        asked = secretive.write(".env", mode="acceptEdits", tool=tool)
        assert isinstance(asked, MustAsk)
        assert asked.decided_by == "secret" and asked.default_to_no
    assert kind(secretive.write(".env.example", mode="acceptEdits")) == "run"
    allow = ["Edit(./.env)"]
    assert kind(secretive.write(".env", mode="acceptEdits", allow=allow)) == "run"
    for line in ("cp .env.example .env", "echo X=1 >> .env", "touch .env.local"):
        assert kind(secretive.bash(line, mode="acceptEdits")) == "ask", line


def test_a_hooks_consent_holds(secretive: Project) -> None:
    given = {"file_path": str(secretive.folder / ".env")}
    access = ReadPath(given["file_path"])
    yes = HookDecision("allow", "")
    assert kind(secretive.judge(access, "Read", dict(given), hook=yes, read_only=True)) == "run"


def test_the_home_as_working_folder_opens_no_credentials(project: Project) -> None:
    for place in (".ssh/id_ed25519", ".ssh/config", ".aws/credentials", ".kube/config"):
        path = project.home / place
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
        judged = project.judge(
            ReadPath(str(path)),
            "Read",
            {"file_path": str(path)},
            more=(project.home,),
            read_only=True,
        )
        assert kind(judged) == "ask", place
        assert kind(project.bash(f"cat ~/{place}", more=(project.home,))) == "ask", place


# Searches ------------------------------------------------------------------------------------------------------------


def test_searches_of_a_folder_leave_it_out(secretive: Project) -> None:
    dirs = (secretive.folder,)
    path = str(secretive.folder / ".env")
    resolver = secretive.resolver
    assert not book().may_read(path, dirs, resolver)
    assert book().may_read(str(secretive.folder / ".env.example"), dirs, resolver)
    assert book(allow=["Read(./.env)"]).may_read(path, dirs, resolver)
    assert book(allow=["Read"]).may_read(path, dirs, resolver)
    assert not book(allow=["Bash"]).may_read(path, dirs, resolver)
    assert book().may_read(path, dirs, resolver, secrets=True)
    assert not book(deny=["Read(.env)"]).may_read(path, dirs, resolver, secrets=True)


def test_secrets_in_a_folder_that_is_read_whole_are_found(tmp_path: Path) -> None:
    resolver = RealResolver(str(tmp_path))
    (tmp_path / "app").mkdir()
    for name in (".env", "app/.env.local", ".env.example", "tls.key", "a.txt"):
        (tmp_path / name).write_text("x")
    found = {path[len(str(tmp_path)) + 1 :] for path in secrets_below(str(tmp_path), resolver)}
    assert found == {".env", "app/.env.local", "tls.key"}
    shown = set(secrets_below(str(tmp_path), resolver, hidden=False))
    assert shown == {str(tmp_path / "tls.key")}


def test_the_environment_of_a_running_program_is_a_secret(project: Project) -> None:
    for line in ("cat /proc/1/environ", "cat /proc//1/./environ", "tr a b < /proc/self/environ"):
        assert not isinstance(project.bash(line, allow=["Bash(cat *)", "Bash(tr *)"]), Allowed), (
            line
        )
    assert secret_by_name("/proc/7/task/7/environ", "/home/me")
    assert not secret_by_name("/proc/7/status", "/home/me")


def test_globs_of_a_search_choose() -> None:
    assert chosen("/p/.env", (), ())
    assert not chosen("/p/.env", ("*.py",), ())
    assert not chosen("/p/.env", (), (".env*",))
