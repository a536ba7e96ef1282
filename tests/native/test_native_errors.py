"""Errors of the native API: one family, each naming the op, its operands, the line of the program and the fix."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import BoundsError, DtypeError, FeedError, GraphError, ShapeError, StateError, StepgraphError, tensor
from engine.bridges import function as bridge
from engine.static import editor

HERE = Path(__file__).name
Case = tuple[str, type[StepgraphError], list[str], Callable[[], Any]]


def parameter(*shape: int) -> Any:
    return tensor(np.ones(shape or (2,), np.float32), requires_grad=True)


def graph() -> tuple[engine.Graph, Any, Any]:
    """A graph, its placeholder ``x`` of (?, 3) and its variable ``w`` of (1, 2)."""
    g = engine.Graph()
    return g, g.placeholder((None, 3), name="x"), g.variable([[1.0, 2.0]], name="w")


def run(build: Callable[[engine.Graph, Any, Any], Any], feeds: Any = None, times: int = 1) -> None:
    g, x, w = graph()
    session = engine.Session(g)
    fetch = build(g, x, w)
    for _ in range(times):
        session.run(fetch, None if feeds is None else {x: feeds})


def twice(build: Callable[[Any], Any], w: Any = None) -> None:
    loss = engine.sum(build(parameter() if w is None else w))
    loss.backward()
    loss.backward()


def overwritten() -> None:
    w, x = parameter(), tensor([1.0, 2.0])
    y = engine.sum(w * x)
    x.add_(1.0)
    y.backward()


def finalized() -> None:
    g, x, _ = graph()
    g.finalize()
    engine.relu(x)


def escaped() -> None:
    g, x, _ = graph()
    kept: list[Any] = []

    def keep() -> Any:
        kept.append(x * 2.0)
        return kept[0]

    g.cond(g.constant(True), keep, lambda: x)
    _ = kept[0] + 1.0


def cycle() -> None:
    _, x, _ = graph()
    y = engine.relu(x)
    z = engine.tanh(y)
    editor.reroute_ts(z, x, can_modify=[y])


def closed() -> None:
    g, x, _ = graph()
    session = engine.Session(g)
    session.close()
    session.run(x)


DYNAMIC: list[Case] = [
    ("shapes", ShapeError, ["add", "(2,)", "(3,)", "make them equal"], lambda: tensor([1.0] * 2) + tensor([1.0] * 3)),
    ("matmul", ShapeError, ["matmul", "float32 (2, 3)", "float32 (2, 3)", "must be equal"],
     lambda: engine.matmul(np.ones((2, 3), np.float32), tensor(np.ones((2, 3), np.float32)))),
    ("reshape", ShapeError, ["reshape", "float32 (2,)", "(3,)", "keep"], lambda: tensor([1.0, 2.0]).reshape((3,))),
    ("concat", ShapeError, ["concat", "float32 (1,)", "float32 (1, 1)", "agree"],
     lambda: engine.concat([tensor([1.0]), tensor([[1.0]])])),
    ("axis", ShapeError, ["sum", "axis 3", "float32 (1,)", "use"], lambda: engine.sum(tensor([1.0]), axis=3)),
    ("axis of a method", ShapeError, ["softmax", "axis 2", "float32 (1,)", "use"],
     lambda: tensor([1.0]).softmax(axis=2)),
    ("ragged", ShapeError, ["tensor", "lengths"], lambda: tensor([[1.0], [1.0, 2.0]])),
    ("item", ShapeError, ["item", "(2,)", "index"], lambda: tensor([1.0, 2.0]).item()),
    ("bools", DtypeError, ["sub", "bool (1,)", "cast"], lambda: tensor([True]) - tensor([False])),
    ("float indices", DtypeError, ["take", "float32 (1,)", "cast"], lambda: engine.take(tensor([1.0]), tensor([1.0]))),
    ("None", DtypeError, ["add", "None", "operands are"], lambda: tensor([1.0]) + None),
    ("a word", DtypeError, ["mul", "str", "operands are"], lambda: tensor([1.0]) * "two"),
    ("integers need no gradient", DtypeError, ["requires_grad", "int64 (1,)", "cast"],
     lambda: tensor([1], requires_grad=True)),
    ("rows", BoundsError, ["take", "5", "float32 (2,)", "use -2 to 1"],
     lambda: engine.take(tensor([1.0, 2.0]), tensor([5]))),
    ("index", BoundsError, ["getitem", "7", "float32 (2,)", "use -2 to 1"], lambda: tensor([1.0, 2.0])[7]),
    ("classes", BoundsError, ["cross_entropy", "float32 (1, 2)", "int64 (1,)", "use 0 to 1"],
     lambda: engine.cross_entropy(tensor([[1.0, 2.0]]), tensor([5]))),
    ("indices", ShapeError, ["getitem", "float32 (2,)", "too many"], lambda: tensor([1.0, 2.0])[0, 0]),
    ("a leaf", StateError, ["add", "float32 (2,)", "no_grad"], lambda: parameter().add_(1.0)),
    ("a view of a leaf", StateError, ["mul", "float32 (2, 1)", "no_grad"],
     lambda: parameter().reshape((2, 1)).mul_(2.0)),
    ("in place, dtype", DtypeError, ["add", "int64 (2,)", "cast"], lambda: tensor([1, 2]).add_(1.5)),
    ("in place, shape", ShapeError, ["add", "(2, 2)", "float32 (2,)"],
     lambda: tensor([1.0, 2.0]).add_(tensor([[1.0, 2.0], [3.0, 4.0]]))),
    ("freed mul", StateError, ["Mul", "a: float32 (2,)", "b: float32 (2,)", "retain_graph"],
     lambda: twice(lambda w: w * w)),
    ("freed exp", StateError, ["Exp", "a: float32 (2,)", "result: float32 (2,)", "retain_graph"],
     lambda: twice(engine.exp)),
    ("freed matmul", StateError, ["Matmul", "b: float32 (3, 4)", "result: float32 (2, 4)", "retain_graph"],
     lambda: twice(lambda w: tensor(np.ones((2, 3), np.float32)) @ w, parameter(3, 4))),
    ("freed inside", StateError, ["Tanh", "the result of add", "retain_graph"],
     lambda: twice(lambda w: engine.tanh(w + 1.0))),
    ("overwritten", StateError, ["Mul", "operand 1", "float32 (2,)", "copy"], overwritten),
    ("no gradient", StateError, ["backward", "float32 (1,)", "requires_grad"], lambda: tensor([1.0]).backward()),
    ("no seed", ShapeError, ["backward", "(2,)", "sum"], lambda: (parameter() * 2.0).backward()),
    ("seed", ShapeError, ["backward", "(3,)", "(2,)", "equal"], lambda: (parameter() * 2.0).backward([1.0, 2.0, 3.0])),
    ("grad", ShapeError, ["grad", "float32 (1,)", "float32 (2,)", "equal"],
     lambda: setattr(parameter(), "grad", tensor([1.0]))),
    ("grad of what needs none", StateError, ["grad", "float32 (2,)", "requires_grad"],
     lambda: engine.grad(engine.sum(parameter()), tensor([1.0, 2.0]))),
    ("numpy", StateError, ["numpy", "float32 (2,)", "detach"], lambda: parameter().numpy()),
    ("hook", StateError, ["register_hook", "float32 (1,)", "requires_grad"],
     lambda: tensor([1.0]).register_hook(lambda g: g)),
]  # fmt: skip

STATIC: list[Case] = [
    ("shapes", ShapeError, ["matmul", "x: float32 (?, 3)", "w: float32 (1, 2)", "transpose"],
     lambda: run(lambda g, x, w: x @ w)),
    ("dtypes", DtypeError, ["sub", "bool (?, 3)", "cast"], lambda: run(lambda g, x, w: (x > 0.0) - (x < 0.0))),
    ("a tensor among nodes", GraphError, ["mul", "float32 (1,)", "placeholder"],
     lambda: run(lambda g, x, w: x * tensor([1.0]))),
    ("a tensor before nodes", GraphError, ["mul", "float32 (1,)", "placeholder"],
     lambda: run(lambda g, x, w: tensor([1.0]) * x)),
    ("None among nodes", DtypeError, ["mul", "None", "operands are"], lambda: run(lambda g, x, w: x * None)),
    ("a word among nodes", DtypeError, ["relu", "str", "operands are"],
     lambda: run(lambda g, x, w: g.apply("relu", "x"))),
    ("another graph", GraphError, ["add", "float32 (?, 3)", "float32 (1, 2)", "same graph"],
     lambda: graph()[1] + graph()[2]),
    ("no such node", GraphError, ["'plasholder'", "the nearest are 'placeholder'"],
     lambda: engine.Graph().placeholder(()).graph.find("plasholder")),
    ("nothing like it", GraphError, ["'nope'", "4 nodes"], lambda: graph()[0].find("nope")),
    ("finalized", GraphError, ["relu", "float32 (?, 3)", "before finalize"], finalized),
    ("out of a branch", GraphError, ["cond/true/mul", "float32 (?, 3)", "return it"], escaped),
    ("a write to a placeholder", GraphError, ["assign", "float32 (?, 3)", "variable()"],
     lambda: run(lambda g, x, w: g.assign(x, [[1.0, 2.0, 3.0]]))),
    ("a write of another shape", ShapeError, ["assign", "float32 (1, 2)", "float32 (3,)", "equal"],
     lambda: run(lambda g, x, w: g.assign(w, [1.0, 2.0, 3.0]))),
    ("the predicate", DtypeError, ["cond", "float32 (?, 3)", "compare"],
     lambda: run(lambda g, x, w: g.cond(x, lambda: x, lambda: x))),
    ("branches", DtypeError, ["cond", "float32", "int32", "cast"],
     lambda: run(lambda g, x, w: g.cond(g.constant(True), lambda: g.constant(1.0), lambda: g.constant(1)))),
    ("a loop's predicate", ShapeError, ["while", "(1,)", "reduce"],
     lambda: run(lambda g, x, w: g.while_loop(lambda i: i < 3.0, lambda i: i, [g.constant([1.0])]))),
    ("gradients of integers", DtypeError, ["differentiate", "int32", "floating-point"],
     lambda: run(lambda g, x, w: engine.gradients(g.constant(1, name="one"), [x]))),
    ("gradients across graphs", GraphError, ["gradients", "'x'", "float32 (?, 3)", "one graph"],
     lambda: engine.gradients(graph()[2], [graph()[1]])),
    ("a cycle", GraphError, ["cycle", "relu", "tanh"], cycle),
    ("reroute, shapes", GraphError, ["'w'", "(1, 2)", "'x'", "stand for"],
     lambda: run(lambda g, x, w: editor.reroute_ts(w, x))),
    ("not fed", FeedError, ["'x'", "float32 (?, 3)", "feed it"], lambda: run(lambda g, x, w: x * 2.0)),
    ("fed a shape", FeedError, ["(?, 3)", "(2, 4)", "feed one"], lambda: run(lambda g, x, w: x * 2.0, np.ones((2, 4)))),
    ("fed a word", FeedError, ["float32", "str"], lambda: run(lambda g, x, w: x * 2.0, "abc")),
    ("fed by name", FeedError, ["str", "placeholder itself"], lambda: engine.Session(graph()[0]).run([], {"x": 1})),  # type: ignore[dict-item]
    ("fed elsewhere", FeedError, ["'x'", "float32 (?, 3)", "another graph", "own graph"],
     lambda: engine.Session(graph()[0]).run([], {graph()[1]: 1})),
    ("fetched by name", FeedError, ["str", "fetches are"], lambda: engine.Session(graph()[0]).run("x")),
    ("fetched elsewhere", FeedError, ["'x'", "float32 (?, 3)", "another graph", "session of that graph"],
     lambda: engine.Session(graph()[0]).run(graph()[1])),
    ("no value yet", StateError, ["'w'", "float32 (1, 2)", "initializer"], lambda: run(lambda g, x, w: w * 2.0)),
    ("closed", StateError, ["closed", "new Session"], closed),
    ("no graph", GraphError, ["session", "int"], lambda: engine.Session(3)),  # type: ignore[arg-type]
    ("a run's shapes", ShapeError, ["add", "(2, 3)", "(4, 3)", "make them equal"],
     lambda: run(lambda g, x, w: x + engine.ones_like(engine.concat([x, x], axis=0)), np.ones((2, 3)), 2)),
    ("a run's rows", BoundsError, ["take", "int64 (2, 3)", "use"],
     lambda: run(lambda g, x, w: engine.take(engine.ones_like(x), engine.cast(x, np.int64) * 9), np.ones((2, 3)), 2)),
]  # fmt: skip


@pytest.mark.parametrize("case", [*DYNAMIC, *STATIC], ids=lambda case: case[0])
def test_message(case: Case) -> None:
    _, kind, words, program = case
    with pytest.raises(kind) as caught:
        program()
    text = str(caught.value)
    for word in words:
        assert word in text, text
    # The last thing it says is which line of the program was running.
    ran = re.search(r"\(([^()]*), line (\d+)\)$", text)
    assert ran is not None, text
    assert Path(ran[1]).name == HERE
    lines = {trace.lineno + 1 for trace in caught.traceback if Path(str(trace.path)).name == HERE}
    assert int(ran[2]) in lines
    assert caught.value.place == (ran[1], int(ran[2]))
    assert text.count(", line ") <= 2, "the line that runs, and the one that made the node"


def test_the_line_that_made_a_node() -> None:
    g = engine.Graph()
    line = sys._getframe().f_lineno + 1
    x = g.placeholder((None,), name="x")
    with pytest.raises(FeedError, match=rf"made at .*{HERE}, line {line}\] \(.*, line {line + 3}\)$"):
        # (the feed is missing)
        engine.Session(g).run(x * 2.0)


def test_nothing_is_half_applied() -> None:
    g, _x, w = graph()
    index = g.placeholder((), "int64", name="i")
    session = engine.Session(g)
    session.run(g.initializer())
    with g.control_dependencies([g.assign_add(w, [[1.0, 1.0]])]):
        fails = engine.take(engine.identity(w), index, axis=1)
    for _ in range(3):
        with pytest.raises(BoundsError):
            session.run(fails, {index: 9})
        assert session.run(w).tolist() == [[1.0, 2.0]]
    assert session.run(fails, {index: 1}).tolist() == [3.0]


def test_a_traced_function_names_the_line_too() -> None:
    def program(a: Any, b: Any) -> Any:
        return a @ b

    with pytest.raises(ShapeError, match=rf"matmul.*{HERE}, line \d+\)$"):
        bridge.function(program)(tensor(np.ones((2, 3))), tensor(np.ones((2, 3))))
