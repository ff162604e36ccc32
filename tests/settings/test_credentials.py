"""Which key goes to which server."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.credentials import UNNEEDED, Credentials, find_credentials, save_key
from agent_tui.settings.paths import Environment, credentials

LOCAL = "http://127.0.0.1:9"


def env(home: Path, **variables: str) -> Environment:
    return Environment(variables, home)


def test_the_environments_key_beats_its_token_and_both_beat_the_stored_one(home: Path) -> None:
    save_key(env(home), "stored")
    assert find_credentials(env(home)) == Credentials("stored", "", "credentials.json")
    token = find_credentials(env(home, ANTHROPIC_AUTH_TOKEN="t"))
    assert token == Credentials("t", "", "ANTHROPIC_AUTH_TOKEN", is_token=True)
    both = find_credentials(env(home, ANTHROPIC_AUTH_TOKEN="t", ANTHROPIC_API_KEY="k"))
    assert both == Credentials("k", "", "ANTHROPIC_API_KEY")


def test_the_server_option_beats_variable_stored_and_settings(home: Path) -> None:
    save_key(env(home), "k", "http://stored")
    variables = env(home, ANTHROPIC_BASE_URL="http://variable")

    def url(place: Environment, option: str | None = None) -> str:
        return find_credentials(
            place, base_url=option, settings_base_url="http://settings"
        ).base_url

    assert url(variables, "http://option") == "http://option"
    assert url(variables) == "http://variable"
    assert url(env(home)) == "http://stored"
    credentials(env(home)).unlink()
    assert url(env(home)) == "http://settings"


def test_nothing_at_all_is_lacking(home: Path) -> None:
    found = find_credentials(env(home))
    assert found.lacking
    assert found == Credentials()


@pytest.mark.parametrize("how", ["option", "variable", "settings"])
def test_a_named_server_may_want_no_key(home: Path, how: str) -> None:
    found = find_credentials(
        env(home, ANTHROPIC_BASE_URL=LOCAL if how == "variable" else ""),
        base_url=LOCAL if how == "option" else None,
        settings_base_url=LOCAL if how == "settings" else None,
    )
    assert found == Credentials(UNNEEDED, LOCAL, UNNEEDED)
    assert not found.lacking


@pytest.mark.parametrize(
    "url",
    [
        "https://api.anthropic.com",
        "https://API.Anthropic.com:443/v1",
        "https://user:pw@api.anthropic.com",
    ],
)
def test_the_official_host_always_wants_one(home: Path, url: str) -> None:
    assert find_credentials(env(home), base_url=url).lacking
    assert not find_credentials(env(home, ANTHROPIC_API_KEY="k"), base_url=url).lacking


@pytest.mark.parametrize("url", ["https://anthropic.com.example.org", "https://notanthropic.com"])
def test_a_host_that_only_looks_official_is_not(home: Path, url: str) -> None:
    assert find_credentials(env(home), base_url=url).api_key == UNNEEDED


def test_a_key_is_stored_for_the_owner_alone_with_its_server(home: Path) -> None:
    save_key(env(home), "k", LOCAL)
    path = credentials(env(home))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert find_credentials(env(home)) == Credentials("k", LOCAL, "credentials.json")


def test_a_key_others_could_read_is_not_used(home: Path) -> None:
    save_key(env(home), "k")
    path = credentials(env(home))
    path.chmod(0o640)
    with pytest.raises(SettingsError, match="chmod 600"):
        find_credentials(env(home))


@pytest.mark.parametrize("text", ["{", "\x00", '{"api_key": "k"'])
def test_a_file_that_cant_be_read_is_named(home: Path, text: str) -> None:
    save_key(env(home), "k")
    credentials(env(home)).write_text(text)
    with pytest.raises(SettingsError, match=r"credentials\.json"):
        find_credentials(env(home))


@pytest.mark.parametrize("text", ["[]", "7", '{"api_key": 7, "base_url": null}'])
def test_a_file_that_holds_something_else_holds_no_key(home: Path, text: str) -> None:
    save_key(env(home), "k")
    credentials(env(home)).write_text(text)
    assert find_credentials(env(home)).lacking


def test_a_home_that_is_no_folder_holds_no_key(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    found = find_credentials(Environment({"ANTHROPIC_API_KEY": "k"}, tmp_path / "file"))
    assert found.api_key == "k"


def test_a_key_that_cant_be_stored_says_so(home: Path) -> None:
    (home / ".agent-tui").write_text("a file in the way")
    with pytest.raises(SettingsError, match="can't be stored"):
        save_key(env(home), "k")


def test_a_key_never_shows_when_its_holder_is_printed(home: Path) -> None:
    found = find_credentials(env(home, ANTHROPIC_API_KEY="very-secret"))
    assert "very-secret" not in repr(found)


def test_the_model_chosen_for_a_stored_server_goes_with_that_server_only(home: Path) -> None:
    save_key(env(home), "k", LOCAL, "llama")
    assert find_credentials(env(home)).model == "llama"
    assert find_credentials(env(home), base_url="http://other").model == ""
    save_key(env(home), "k", "", "llama")
    assert find_credentials(env(home)).model == ""
