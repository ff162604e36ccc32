"""What is hidden, what stays, and that it costs next to nothing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_tui.protocol.content import ImageBlock, TextBlock, ToolUseBlock
from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.masking import HINTS, MASK, PREFIXES, SHORTEST, Masker, head_of, open_key
from agent_tui.protocol.messages import AssistantMessage

KEY = "MIIEpAIBAAKCAQEA1234567890abcdef"

HIDDEN = [
    ("sk-ant-REDACTED", "sk-ant…[masked]"),
    ("key sk-proj-abc123def456ghi789jkl000", "key sk…[masked]"),
    ("sk_test_51Habcdefghij", "sk_tes…[masked]"),
    ("a ghp_abcdefghij0123456789ABCDEFGHIJ012345.", "a ghp…[masked]."),
    ("gho_abcdefghij0123456789ABCDEFGHIJ012345", "gho…[masked]"),
    ("github_pat_11ABCDEFG0abcdefghij_klmnop", "github…[masked]"),
    ("AKIAIOSFODNN7EXAMPLE", "AKIA…[masked]"),
    (
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "aws_secret_access_key = [masked]",
    ),
    ("xoxb-123456789012-abcdef", "xoxb…[masked]"),
    ("AIzaSyA1234567890abcdefghijklmnopqrstuv", "AIza…[masked]"),
    ("glpat-abcdefghij0123456789", "glpat…[masked]"),
    ("npm_" + "a1" * 18, "npm…[masked]"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123-_", "eyJ…[masked]"),
    ("Authorization: Bearer abcdef0123456789abcdef", "Authorization: Bearer [masked]"),
    ("-H 'Authorization: Basic dXNlcjpwYXNzd29yZDEyMw=='", "-H 'Authorization: Basic [masked]'"),
    ("postgres://user:s3cretPw@localhost/db", "postgres://user:[masked]@localhost/db"),
    ("https://x:ghp_abcdefghij0123456789ABCD@a.b/c", "https://x:ghp…[masked]@a.b/c"),
    ("DB_PASSWORD=hunter2Horse", "DB_PASSWORD=[masked]"),
    ("API_KEY='abc123def456'", "API_KEY='[masked]'"),
    ('"client_secret": "a1b2c3d4e5f6"', '"client_secret": "[masked]"'),
    ("ENCRYPTION_KEY=0f1e2d3c4b5a69788796a5b4", "ENCRYPTION_KEY=[masked]"),
    ("login --password hunter2Horse9x now", "login --password [masked] now"),
    ("curl -u me:hunter22 http://x", "curl -u me:[masked] http://x"),
    (
        f"-----BEGIN RSA PRIVATE KEY-----\n{KEY}\nabc==\n-----END RSA PRIVATE KEY-----\nrest",
        "-----BEGIN RSA PRIVATE KEY-----[masked]\nrest",
    ),
    (
        f'{{"private_key": "-----BEGIN PRIVATE KEY-----\\n{KEY}\\n-----END PRIVATE KEY-----\\n"}}',
        '{"private_key": "-----BEGIN PRIVATE KEY-----[masked]\\n"}',
    ),
    (
        f"  1\t-----BEGIN OPENSSH PRIVATE KEY-----\n  2\t{KEY}\n  3\t-----END OPENSSH PRIVATE KEY-----",
        "  1\t-----BEGIN OPENSSH PRIVATE KEY-----[masked]",
    ),
]

SHOWN = [
    "commit 9b40876f1e2d3c4b5a69788796a5b4c3d2e1f012",
    "550e8400-e29b-41d4-a716-446655440000",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    '"integrity": "sha512-abc123DEFghi456/jkl+mno=="',
    "token = get_token()",
    "password: str",
    "password: str = Field(...)",
    "token = tokens[0]",
    "token: Token | None = None",
    "access_token = access_token2",
    "token = self.token2",
    "max_tokens=64000",
    "input_tokens: 1234567",
    "secretName: my-app-tls-2024",
    "token_url = https://auth0.example.com/v2/token",
    "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased2')",
    "const token = await getToken2fa()",
    "SESSION_TOKEN_TTL=3600s",
    "the token 550e8400-e29b-41d4-a716-446655440000 of the request",
    "PRIMARY_KEY = id",
    "cache_key = f'{a}:{b}'",
    "the password is required",
    "api_key=os.environ['ANTHROPIC_API_KEY']",
    "API_KEY=${API_KEY}",
    "Authorization: Bearer $TOKEN",
    "Bearer <token>",
    "bearer authentication-scheme",
    "http://localhost:8080/@foo",
    "git@github.com:me/x.git",
    "postgres://user:password@localhost",
    "'password': forms.CharField(max_length=128)",
    "secret_key_base: <%= ENV['SECRET_KEY_BASE'] %>",
    "export const API_KEY_HEADER = 'x-api-key'",
    "sk-learn is short for scikit-learn",
    ".sk-chasing-dot-before-child-element {}",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nis how such a file begins",
    f"-----BEGIN CERTIFICATE-----\n{KEY}\n-----END CERTIFICATE-----",
    "iVBORw0KGgo" * 3000,
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN)
def test_what_looks_like_a_secret_is_hidden_and_its_kind_is_seen(text: str, shown: str) -> None:
    masked = Masker().mask(text)
    assert masked == shown
    assert Masker().mask(masked) == masked


@pytest.mark.parametrize("text", SHOWN)
def test_hashes_names_and_ordinary_code_stay(text: str) -> None:
    assert Masker().mask(text) == text


def test_known_values_are_hidden_wherever_they_stand() -> None:
    masker = Masker.knowing(["plain-gateway-key", "plain-gateway-key-2", "none", ""])
    assert masker.mask("x=plain-gateway-key-2;plain-gateway-key") == "x=[masked];[masked]"
    assert masker.mask("none") == "none"
    assert all(len(value) >= SHORTEST for value in masker.known)


def test_colours_in_a_secret_don_t_save_it() -> None:
    coloured = "\x1b[01;31mTOKEN\x1b[m\x1b[K=abc123\x1b[0mdef456"
    assert Masker().mask(coloured) == "TOKEN=[masked]"
    assert Masker().mask("\x1b[32mall is well\x1b[0m") == "\x1b[32mall is well\x1b[0m"


def test_a_head_is_at_most_six_characters_and_none_of_the_secret() -> None:
    for text, _ in HIDDEN:
        head = head_of(text).rstrip("…")
        assert len(head) <= 6
    assert head_of("hunter2Horse") == ""


def test_data_is_masked_whole_and_by_its_names() -> None:
    masker = Masker()
    call = ToolUseBlock("t", "mcp__db__connect", {"password": "hunter2Horse", "host": "db", "n": 1})
    message = AssistantMessage((TextBlock("ghp_" + "a1" * 12), call), "model")
    masked = masker.data(message)
    assert masked.content[0] == TextBlock("ghp…[masked]")
    assert isinstance(masked.content[1], ToolUseBlock)
    assert masked.content[1].input == {"password": MASK, "host": "db", "n": 1}
    display = CommandDisplay("cat .env", tail=("TOKEN=abc123def456",))
    assert masker.data(display).tail == ("TOKEN=[masked]",)
    plain = AssistantMessage((TextBlock("nothing"),), "model")
    assert masker.data(plain) is plain


def test_a_picture_is_left_alone() -> None:
    data = "sk-ant-api03" + "A" * 30_000
    assert Masker().data(ImageBlock("image/png", data)).data == data


def test_each_beginning_of_a_token_is_hinted_at() -> None:
    assert all(any(hint in prefix.lower() for hint in HINTS) for prefix in PREFIXES)


def test_an_open_key_is_known() -> None:
    assert open_key().match(f"-----BEGIN PRIVATE KEY-----\n{KEY}\nab")
    assert not open_key().match("-----BEGIN PRIVATE KEY-----\nis how it begins")


@given(st.text())
def test_masking_twice_changes_nothing(text: str) -> None:
    once = Masker().mask(text)
    assert Masker().mask(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "def f(token: str, key: int) -> None: return token[key]\n" * 4000,
        "a" * 200_000,
        "token " * 40_000,
        "password" + " " * 200_000,
        "-----BEGIN PRIVATE KEY-----" + "\\n" * 100_000,
        "eyJabcdefghijk." * 15_000,
        "://aaaaaaaaaaaaaaa:bbbbb" * 9_000,
        "sk-" + "a-" * 100_000,
    ],
    ids=range(8),
)
def test_no_text_takes_long(text: str) -> None:
    begun = time.thread_time()
    Masker().mask(text)
    assert time.thread_time() - begun < len(text) * 10e-6  # a tenth of it is usual
