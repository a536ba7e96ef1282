"""Decisions and loops in GraphDefs: TensorFlow's frames run here with its values, ours come back with theirs.

``tensorflow_frames`` is a graph of ``tf.compat.v1`` (2.21): a decision inside a decision, a loop, and a decision in a
loop in a loop that runs at most four times; three runs of its session.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.adapters import graphdef
from engine.errors import GraphError
from engine.static import Graph, Session

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("run", range(3))
def test_frames_of_tensorflow_have_its_values(run: int) -> None:
    g = graphdef.loads((FIXTURES / "tensorflow_frames.pb").read_bytes())
    with np.load(FIXTURES / "tensorflow_frames.npz") as found:
        given = {key: found[key][run] for key in found.files}
    session = Session(g)
    session.run(g.find("init"))
    feeds = {g.find(key[3:]): value for key, value in given.items() if key.startswith("in:")}
    for key, value in given.items():
        if key.startswith("out:"):
            np.testing.assert_allclose(session.run(g.find(key[4:]), feeds), value, rtol=1e-5, err_msg=key)


def _sample() -> tuple[Graph, list[str]]:
    g = Graph()
    x, n = g.placeholder((), name="x"), g.placeholder((), "int32", name="n")
    v = g.variable(2.0, name="v")
    g.initializer("init")
    y = g.cond(g.apply("greater", x, 0.0), lambda: x * v, lambda: v * 3.0, name="decision")
    bump = g.cond(
        g.apply("greater", x, 0.0), lambda: g.add("assign_add", [v, g.constant(1.0)]), lambda: v * 1.0,
        name="bump", effects=True,
    )  # fmt: skip

    def body(i: Any, s: Any) -> Any:
        _, inner = g.while_loop(
            lambda j, r: g.apply("less", j, i),
            lambda j, r: (j + 1, r + g.cond(g.apply("greater", r, x), lambda: v * 1.0, lambda: x * 3.0)),
            (0, s),
            name="inner",
        )
        return i + 1, inner

    i, s = g.while_loop(lambda i, s: g.apply("less", i, n), body, (0, x), maximum_iterations=4, name="outer")
    return g, [y.name, i.name, s.name, bump.name, "v"]


@pytest.mark.parametrize("text", [False, True])
def test_decisions_and_loops_come_back(text: bool) -> None:
    g, names = _sample()
    again = graphdef.loads_text(graphdef.dumps_text(g)) if text else graphdef.loads(graphdef.dumps(g))
    for x, n in ((3.0, 6), (-3.0, 2), (1.0, 0)):
        runs = []
        for one in (g, again):
            session = Session(one)
            session.run(one.find("init"))
            runs.append([session.run(one.find(name), {one.find("x"): x, one.find("n"): n}) for name in names])
        np.testing.assert_array_equal(*runs)


def test_a_loop_that_keeps_all_passes_is_refused() -> None:
    g = Graph()
    g.map_fn(lambda row: row * 2.0, g.placeholder((3,), name="x"))
    with pytest.raises(GraphError, match=r"for_loop.* has no form in a GraphDef"):
        graphdef.dumps(g)


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ('node { name: "m" op: "Merge" input: "a" input: "a" }', "'m' merges what no decision has made"),
        ('node { name: "e" op: "Exit" input: "a" }', "'e' leaves a loop, but is in none"),
        (
            'node { name: "i" op: "Enter" input: "a" attr { key: "frame_name" value { s: "f" } } }'
            'node { name: "e" op: "Exit" input: "i" }',
            "the loop 'f' has no LoopCond",
        ),
        (
            'node { name: "p" op: "Placeholder" attr { key: "dtype" value { type: DT_BOOL } } }'
            'node { name: "s" op: "Switch" input: "a" input: "p" } node { name: "m" op: "Merge" input: "s" }',
            "merges nothing from the branch 'true'",
        ),
    ],
)
def test_broken_frames_say_what_is_wrong(rows: str, error: str) -> None:
    first = 'node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }'
    with pytest.raises(GraphError, match=error):
        graphdef.loads_text(first + rows)
