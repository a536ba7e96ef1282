"""Programs that make graphs of programs (fx, TorchScript, compile): what they print is, byte for byte, what PyTorch
2.13 prints (``graph_programs/*.out`` are its answers), and what a recording keeps of them."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dialects import importer
from engine.recording import record
from engine.trace.columns import decode

PROGRAMS = sorted((Path(__file__).parent / "graph_programs").glob("*.py"))


@pytest.fixture
def served() -> Iterator[None]:
    with warnings.catch_warnings():
        importer.install("torch")
        yield
    importer.uninstall({"torch"})


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_prints_what_the_framework_prints(
    path: Path, served: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some save what they made
    output = io.StringIO()
    scope: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(path.read_text(), str(path), "exec", dont_inherit=True), scope)
    assert output.getvalue() == path.with_suffix(".out").read_text()


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 11


def static_graphs(program: str) -> list[str]:
    """The names of the static graphs that a recording has."""
    trace = record(program)
    assert trace["end"]["kind"] == "ok", trace["end"]
    graphs, strings = trace["graphs"], trace["strings"]
    rows = zip(graphs["mode"], graphs["name"], strict=True)
    return [strings[name] for mode, name in rows if strings[mode] == "static"]


def test_a_symbolic_trace_is_a_graph_of_its_own_with_the_edits_of_it() -> None:
    program = """
import torch
from torch import fx

def f(x):
    return torch.relu(x) + 1

gm = fx.symbolic_trace(f)
for node in gm.graph.nodes:
    if node.target is torch.relu:
        with gm.graph.inserting_after(node):
            new = gm.graph.call_function(torch.tanh, (node.args[0],))
        node.replace_all_uses_with(new)
        gm.graph.erase_node(node)
gm.recompile()
print(gm(torch.ones(2)))
"""
    trace = record(program)
    assert trace["end"]["kind"] == "ok"
    assert static_graphs(program) == ["f"]
    assert len(trace["events"]["edited"]["edge"]) >= 3


def test_breaks_and_recompiles_name_their_graphs() -> None:
    names = static_graphs(
        """
import torch

@torch.compile(backend="eager")
def f(x):
    y = x * 2
    if y.sum() > 0:
        y = y + 1
    return y - 1

f(torch.ones(2))
f(torch.ones(3))
"""
    )
    assert names == [
        "f",
        "f, after a graph break in line 7",
        "f: recompiled, tensor 'x' size mismatch at index 0. expected 2, actual 3",
        "f, after a graph break in line 7: recompiled, tensor 'y' size mismatch at index 0. expected 2, actual 3",
    ]


def test_guards_breaks_and_recompiles_are_events() -> None:
    trace = record(
        """
import torch

@torch.compile(backend="eager")
def f(x):
    y = x * 2
    if y.sum() > 0:
        y = y + 1
    return y - 1

@torch.compile(backend="eager")
def whole(x):
    return torch.sin(x) + 1

f(torch.ones(2))
f(torch.ones(2))
f(torch.ones(3))
for _ in range(3):
    whole(torch.ones(2))
"""
    )
    rows, strings = trace["events"]["specialised"], trace["strings"]
    told = [[strings[decode(rows[name])[i]] for name in ("function", "what", "why")] for i in range(6)]
    size = "size mismatch at index 0. expected 2, actual 3"
    assert told == [
        ["f", "broken", "Data-dependent branching"],
        ["f", "compiled", "tensor 'x': Float [2]"],
        ["f, part 2", "compiled", "tensor 'y': Float [2]"],
        ["f", "compiled again", f"tensor 'x' {size}"],
        ["f, part 2", "compiled again", f"tensor 'y' {size}"],
        ["whole", "compiled", "tensor 'x': Float [2]"],
    ]
    lines = trace["program"]["source"].splitlines()
    sine = next(i for i, line in enumerate(lines, 1) if "torch.sin" in line)
    assert list(decode(trace["events"]["line"]["line"])).count(sine) == 1  # a hit leaves the Python part out


def test_a_script_keeps_its_decisions_and_loops_as_regions() -> None:
    program = """
import torch

@torch.jit.script
def f(x, n: int):
    for i in range(n):
        if i > 1:
            x = x * 2
        else:
            x = x + 1
    return x
"""
    trace = record(program)
    assert static_graphs(program) == ["f"]
    strings = trace["strings"]
    assert sorted(strings[name] for name in trace["regions"]["name"]) == ["body", "false", "true"]
