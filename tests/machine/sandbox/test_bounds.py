"""Spots: the nearest counts, a later word wins, a folder comes before what is in it."""

from __future__ import annotations

from agent_tui.machine.sandbox.bounds import Cover, Network, Spot


def test_the_nearest_spot_counts_and_a_later_word_wins() -> None:
    cover = Cover()
    assert cover.at("/a/b") is None
    cover.put(Spot("/a", "write", is_dir=True))
    cover.put(Spot("/a/b", "read", is_dir=True))
    cover.put(Spot("/a/b", "closed", is_dir=True))
    found = [cover.at(path) for path in ("/a/x", "/a/b/c/d", "/ab", "/")]
    assert [None if spot is None else spot.reach for spot in found] == [
        "write",
        "closed",
        None,
        None,
    ]


def test_a_folder_comes_before_what_is_in_it() -> None:
    cover = Cover()
    for path in ("/a/b/c", "/z", "/a", "/", "/a/b"):
        cover.put(Spot(path, "read", is_dir=True))
    assert [spot.path for spot in cover.ordered()] == ["/", "/a", "/z", "/a/b", "/a/b/c"]


def test_the_network_is_open_with_a_host_only() -> None:
    assert not Network(denied=("x",), all_sockets=True).open
    assert Network(("x",)).open
