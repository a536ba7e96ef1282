"""Graphs that are too large for a picture: what is drawn of them, in what time, and what the notes say."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from app.layout import dot, layout, reading
from app.layout.budget import Budget
from app.layout.document import _CACHE
from app.layout.placing import Placing
from app.layout.reading import read


def trace_of(reads: Sequence[Sequence[int]]) -> dict[str, Any]:
    """A dynamic graph of one node for each list, which holds what the node reads."""
    count = len(reads)
    edges = [(source, node) for node, sources in enumerate(reads) for source in sources]
    none = [-1] * count
    return {
        "strings": ["dynamic", "data"],
        "types": [{"dtype": "float32", "shape": [3]}],
        "definitions": [{"label": "mul", "op": "mul", "role": "op", "category": "arith"}],
        "graphs": {"mode": [0]},
        "nodes": {
            **dict.fromkeys(("plan", "name", "variable", "mirrors", "serves", "episode"), none),
            **dict.fromkeys(("graph", "definition", "type"), [0] * count),
            "slot": list(range(count)),
        },
        "edges": {
            "source": [source for source, _ in edges],
            "target": [target for _, target in edges],
            "kind": [1] * len(edges),
        },
    }


def chain(length: int) -> dict[str, Any]:
    return trace_of([[node - 1] if node else [] for node in range(length)])


def test_of_a_long_chain_the_first_nodes_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_SLOTS", 50)
    [graph] = layout(chain(1234))["graphs"]
    assert sorted(graph["slots"]["slot"]) == list(range(50))
    assert set(graph["edges"]["source"]) | set(graph["edges"]["target"]) <= set(graph["slots"]["slot"])
    assert graph["note"] == ("Only the first 50 of 1,234 nodes are drawn: run fewer iterations to see the whole graph.")


def test_what_is_left_out_is_no_part_of_a_cached_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_SLOTS", 20)
    _CACHE.clear()
    notes = [layout(chain(length))["graphs"][0]["note"] for length in (30, 20, 40)]
    assert [note[:35] for note in notes] == [
        "Only the first 20 of 30 nodes are d",
        "",
        "Only the first 20 of 40 nodes are d",
    ]


def test_too_many_edges_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_LINKS", 60)
    [graph] = layout(trace_of([range(node) for node in range(31)]))["graphs"]
    assert len(graph["slots"]["slot"]) == 31
    assert len(graph["edges"]["kind"]) == 60
    assert "the first 60 of 465 edges" in graph["note"]


def test_a_graph_without_time_is_missing_and_the_note_says_so() -> None:
    _CACHE.clear()
    document = layout(chain(300), deadline=0.0)
    assert document["graphs"] == []
    assert document["note"].startswith("The graph could not be drawn: 0 s were not enough")


def test_the_plain_layout_of_5000_slots_is_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_SLOTS", 5000)
    monkeypatch.setattr(dot, "COMMANDS", ("no-such-command",))
    dot.command.cache_clear()
    [structure] = read(chain(5000))
    started = time.thread_time()
    assert Placing(structure, Budget(60)).run().engine == "layered"
    assert time.thread_time() - started < 2
    dot.command.cache_clear()
