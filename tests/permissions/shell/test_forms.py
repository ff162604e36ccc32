"""Rules against commands, strict and narrow."""

from __future__ import annotations

import pytest

from agent_tui.permissions.shell.forms import Fit, allow_fit, allow_texts, read_pattern, strict_fit
from tests.permissions.shell.reading import part


@pytest.mark.parametrize(
    ("rule", "line", "fits"),
    [
        ("npm run build", "npm run build", True),
        ("npm run build", "npm run build x", False),
        ("npm run *", "npm run", True),
        ("npm run *", "npm run x y", True),
        ("npm run:*", "npm run x", True),
        ("npm run:*", "npm runx", False),
        ("ls*", "lsof", True),
        ("ls *", "lsof", False),
        ("* install", "npm install", True),
        ("* install", "npm install x", False),
        ("git * main", "git push origin main", True),
        ("git:* push", "git:x push", True),
        ("git:* push", "git push", False),
        ("npm *", "timeout 5 npm test", True),
        ("npm *", "nice nohup npm test", True),
        ("npm *", "NODE_ENV=x npm test", True),
        ("npm *", "FOO=1 npm test", False),
        ("npm *", "PATH=. npm test", False),
        ("FOO=1 npm test", "FOO=1 npm test", True),
        ("npm *", "env npm test", False),
        ("npm *", "/tmp/npm test", False),
        ("npm *", "./npm test", False),
        ("npm *", "'npm' test", True),
        ("npm *", "'npm test'", False),
        ("git log *", "git log $x", True),
        ("git log *", "git $x", False),
        ("git log *", "$x log", False),
        ("find *", "find . -exec rm {} \\;", False),
        ("find . -exec rm {} \\;", "find . -exec rm {} \\;", True),
        ("watch *", "watch ls", False),
        ("sudo *", "sudo rm x", False),
        ("sudo apt *", "sudo apt install x", True),
        ("bash *", "bash -c 'rm x'", False),
        ("bash *", "bash x.sh", True),
        ("xargs *", "xargs rm", False),
        ("rm *", "xargs rm", True),
        ("timeout *", "timeout 5 rm x", False),
    ],
)
def test_an_allow_rule_fits_narrowly(rule: str, line: str, fits: bool) -> None:
    assert allow_fit(rule, part(line)) == fits


@pytest.mark.parametrize(
    ("rule", "line", "fit"),
    [
        ("git push:*", "git push", Fit.YES),
        ("git push:*", "git -C x push", Fit.YES),
        ("git push:*", "git pull", Fit.NO),
        ("git push:*", "git commit -m push", Fit.NO),
        ("git push:*", "git $x", Fit.MAYBE),
        ("git push:*", "git p*", Fit.MAYBE),
        ("git push:*", "git --new push", Fit.MAYBE),
        ("git push:*", "git push $x", Fit.YES),
        ("git push:*", "$x", Fit.MAYBE),
        ("git push:*", "g$x push", Fit.MAYBE),
        ("git push:*", "echo git push", Fit.NO),
        ("docker rm:*", "docker -H x rm y", Fit.MAYBE),
        ("docker rm:*", "docker run x rm y", Fit.NO),
        ("docker rm:*", "docker --debug rm y", Fit.MAYBE),
        ("rm:*", "A=1 rm x", Fit.YES),
        ("rm:*", "rmdir x", Fit.NO),
        ("rm*", "rmdir x", Fit.YES),
        ("rm:*", "echo $x", Fit.NO),
        ("rm:*", "sudo --odd rm x", Fit.MAYBE),
        ("*secret*", "echo secret", Fit.YES),
        ("*secret*", "echo $x", Fit.MAYBE),
        ("FOO=*", "FOO=1 make", Fit.YES),
        ("rm -rf:*", "rm  -rf x", Fit.YES),
    ],
)
def test_a_strict_rule_fits_however_it_is_written(rule: str, line: str, fit: Fit) -> None:
    assert strict_fit(rule, part(line)) is fit


def test_a_pattern_knows_its_literal_words() -> None:
    assert read_pattern("npm run test *").prefix == ("npm", "run", "test")
    assert read_pattern("npm run te*").prefix == ("npm", "run")
    assert read_pattern("npm test").exact
    assert not read_pattern("npm *").exact


def test_texts_for_allow_rules_keep_words_apart() -> None:
    assert allow_texts(part("git  'log' \"a b\"")) == ("git 'log' \"a b\"", "git log 'a b'")
    assert allow_texts(part("$x log")) == ()
