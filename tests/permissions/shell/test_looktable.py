"""The table of programs that only look."""

from __future__ import annotations

from agent_tui.permissions.shell.looktable import LOOKERS, ONLY_SO
from agent_tui.permissions.shell.runners import RUNS_BY
from agent_tui.permissions.shell.wrappers import WRAPPERS


def test_no_letter_and_no_name_has_two_meanings() -> None:
    for name, looker in (*LOOKERS.items(), *ONLY_SO.items()):
        known = looker.options
        assert not set(known.flags) & set(known.valued), name
        assert len(set(known.flags)) == len(known.flags), name


def test_an_option_that_runs_programs_is_in_no_table_of_looks() -> None:
    for name, by in RUNS_BY.items():
        if name in LOOKERS:
            known = LOOKERS[name].options
            assert not set(by.letters) & set(known.flags + known.valued), name
            assert not {long[2:] for long in by.long} & (known.long | known.long_valued), name


def test_a_program_that_only_looks_runs_no_other() -> None:
    assert set(LOOKERS) & set(WRAPPERS) == {"command"}
    assert not set(LOOKERS) & set(ONLY_SO)
