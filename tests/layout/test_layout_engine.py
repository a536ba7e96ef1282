"""Graphviz, the deadline, the cache, hostile text, and time."""

from __future__ import annotations

import copy
import json
import re
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.layout import LayoutError, document, dot, layering, layout
from app.layout.cache import Cache
from app.layout.columns import column

Programs = dict[str, Callable[[], Any]]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    document._CACHE.clear()
    yield
    document._CACHE.clear()
    dot.command.cache_clear()


def without_time(trace: dict[str, Any]) -> str:
    text = json.dumps(layout(trace), sort_keys=True, allow_nan=False)
    return re.sub(r'"seconds": [\d.e-]+', "", text)


def command_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    script = tmp_path / "dot"
    script.write_text(f"#!{sys.executable}\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(dot, "command", lambda: str(script))


def test_the_same_trace_gives_the_same_layout(program: dict[str, Any]) -> None:
    before = copy.deepcopy(program)
    first = without_time(program)
    document._CACHE.clear()
    assert without_time(program) == first
    assert without_time(program) == first, "from the cache"
    assert program == before, "the trace is not changed"


def test_the_same_structure_shares_one_layout(builder: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    b = builder()
    b.node("relu", [b.node("tensor", role="input", variable="x")])
    b.graph("dynamic")
    b.node("relu", [b.node("tensor", role="input", variable="z")])
    calls = []
    place = dot.place
    monkeypatch.setattr(dot, "place", lambda *a: calls.append(1) or place(*a))
    one, two = layout(b.trace())["graphs"]
    assert len(calls) == 1
    assert one["hash"] == two["hash"]
    assert one["slots"]["x"] == two["slots"]["x"]
    assert (one["slots"]["slot"], two["slots"]["slot"]) == ([0, 1], [2, 3])


@pytest.mark.parametrize("name", dot.COMMANDS)
def test_either_command_serves(name: str, programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dot, "COMMANDS", (name,))
    dot.command.cache_clear()
    try:
        found = dot.command()
    except dot.DotError:
        pytest.skip(f"{name} is not installed")
    assert Path(found).name.startswith(name)
    graph = layout(programs["xor_torch"]().trace())["graphs"][0]
    assert (graph["engine"], graph["note"]) == ("dot", "")
    assert dot.place(3, [(0, 1), (1, 2)]) == [(0, 0.0 + 0.25), (1, 0.25), (2, 0.25)]


def test_a_missing_command_says_what_to_install(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dot, "COMMANDS", ("no-such-command",))
    dot.command.cache_clear()
    graph = layout(programs["xor_torch"]().trace())["graphs"][0]
    assert graph["engine"] == "layered"
    assert "graphviz-pure" in graph["note"]


def test_past_the_deadline_a_simpler_layout_says_so(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command_that(tmp_path, monkeypatch, "import time; time.sleep(60)")
    start = time.perf_counter()
    graph = layout(programs["rnn"]().trace(), deadline=0.3)["graphs"][0]
    assert time.perf_counter() - start < 5
    assert graph["engine"] == "layered"
    assert graph["note"].startswith("Graphviz needed more than 0.1 s")
    assert len(graph["slots"]["slot"]) == len(set(graph["slots"]["slot"])) > 100
    monkeypatch.undo()
    assert layout(programs["rnn"]().trace())["graphs"][0]["engine"] == "dot", "a layout made in haste is not kept"


@pytest.mark.parametrize(
    "body",
    ["import sys; sys.exit(1)", "print('nonsense')", "print('graph 1 x\\nnode n0 nan')", "print('node n0 1 1')", ""],
)
def test_a_command_that_fails_is_no_failure(
    body: str, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command_that(tmp_path, monkeypatch, body)
    graph = layout(programs["two_branches"]().trace())["graphs"][0]
    assert graph["engine"] == "layered"
    assert graph["note"].endswith(".")


def test_the_simpler_layout_keeps_boxes_apart(program: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dot, "COMMANDS", ("no-such-command",))
    dot.command.cache_clear()
    for graph in layout(program)["graphs"]:
        s = graph["slots"]
        corners = set(zip(s["x"], s["y"], strict=True))
        assert len(corners) == len(s["slot"])


def test_graphviz_sees_no_text_of_the_program(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    source = dot.source
    monkeypatch.setattr(dot, "source", lambda *a: seen.append(source(*a)) or seen[-1])
    document_text = json.dumps(layout(programs["hostile"]().trace()))
    assert seen
    assert all(re.fullmatch(r'[\w\s{}\[\]=".,;>-]*', text) for text in seen)
    assert "script" not in document_text
    assert len(document_text) < 10_000


def test_long_edges_are_not_given_to_graphviz_and_still_drawn(
    builder: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    b = builder()
    first = last = b.node("a", [b.node("x", role="input")])
    for _ in range(20):
        last = b.node("b", [last])
    b.node("c", [last, first])
    seen = []
    source = dot.source
    monkeypatch.setattr(dot, "source", lambda *a: seen.append(a[1]) or source(*a))
    graph = layout(b.trace())["graphs"][0]
    assert len(seen[0]) == 21
    e = graph["edges"]
    ends = list(zip(e["source"], e["target"], strict=True))
    assert len(ends) == 23
    assert e["via"][ends.index((first, last + 1))], "it goes around"


def test_packed_columns_are_read(programs: Programs) -> None:
    trace = programs["xor_torch"]().trace()
    plain = without_time(trace)
    for table in (trace["nodes"], trace["edges"]):
        for name, values in table.items():
            table[name] = {"delta": [b - a for a, b in zip([0, *values], values, strict=False)]}
    trace["nodes"]["serves"] = {"rle": [-1, len(column(trace["nodes"], "graph"))]}
    assert without_time(trace) == plain


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        ("nodes", "slot", [0]),
        ("nodes", "graph", {"huffman": []}),
        ("edges", "target", [10**6]),
        ("nodes", "type", ["a"]),
    ],
)
def test_tables_that_do_not_fit_are_refused(table: str, name: str, value: Any, programs: Programs) -> None:
    trace = programs["xor_torch"]().trace()
    if isinstance(value, list) and table == "edges":
        value = value + trace[table][name][1:]
    trace[table][name] = value
    with pytest.raises(LayoutError, match=r"table|column"):
        layout(trace)


def test_the_cache_forgets_the_oldest_and_survives_threads() -> None:
    cache: Cache[int] = Cache(8)

    def work(seed: int) -> None:
        for i in range(500):
            cache.put(str((seed * i) % 20), i)
            cache.get(str(i % 20))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(cache.get(str(i)) is not None for i in range(20)) == 8


def test_ranks_keep_late_inputs_late() -> None:
    edges = [(i, i + 1) for i in range(10)] + [(11, 10)]
    assert layering.ranks(12, edges)[11] == layering.ranks(12, edges)[10] - 1


def test_hundreds_of_slots_take_well_under_a_second(programs: Programs) -> None:
    trace = programs["rnn"](42).trace()  # type: ignore[call-arg]
    start = time.perf_counter()
    graph = layout(trace)["graphs"][0]
    assert 450 < len(graph["slots"]["slot"]) < 550
    assert time.perf_counter() - start < 1.5, "0.1 s alone; leaves room for a busy machine"
