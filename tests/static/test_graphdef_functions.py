"""Functions in the library of a GraphDef: graphs of TensorFlow 2.21 run here with its values; hostile ones are refused.

``tensorflow_functions`` is a ``tf.function``: a loop with a decision and a call of another function in it, ``top_k``,
``split`` and a choice of three, run with ``n`` from 0 to 5. ``tensorflow_writing_functions`` is a graph of
``tf.compat.v1`` with control flow of version 2: a decision that writes a variable, a loop that writes another at most
four times, and the gradient of a decision; four runs of one session.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.adapters import graphdef
from engine.adapters.graphdef_schema import GraphDef
from engine.errors import GraphError
from engine.static import Session

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("n", range(6))
def test_loop_decision_choice_and_call(n: int) -> None:
    g = graphdef.loads((FIXTURES / "tensorflow_functions.pb").read_bytes())
    given = np.load(FIXTURES / "tensorflow_functions.npz")
    names = ["Identity", "Identity_1", "Identity_2", "Identity_3"]
    found = Session(g).run([g.find(name) for name in names], {g.find("x"): given["x"], g.find("n"): np.int32(n)})
    for i, value in enumerate(found):
        np.testing.assert_array_equal(value, given[f"out{n}_{i}"], err_msg=names[i])
        assert value.dtype == given[f"out{n}_{i}"].dtype


def test_functions_write_the_variables_of_the_graph() -> None:
    g = graphdef.loads((FIXTURES / "tensorflow_writing_functions.pb").read_bytes())
    given = np.load(FIXTURES / "tensorflow_writing_functions.npz")
    session = Session(g)
    session.run(g.find("init"))
    for run in range(4):
        feeds = {g.find(name): given[f"{name}{run}"] for name in ("x", "n")}
        values = dict(zip("ysg", session.run([g.find(name) for name in ("y", "s", "grad")], feeds), strict=True))
        after = dict(zip(("v", "count"), session.run([g.find("v"), g.find("count")]), strict=True))
        for name, value in {"y": values["y"], "s": values["s"], "grad": values["g"], **after}.items():
            np.testing.assert_array_equal(value, given[f"{name}{run}"], err_msg=f"{name} of run {run}")


def _calling(functions: dict[str, list[tuple[str, str, list[str], str]]], results: dict[str, str]) -> bytes:
    """A graph that calls ``f``; rows are name, op, inputs and the function called; each function takes ``x``."""
    message = GraphDef()
    x = message.node.add(name="x", op="Placeholder")
    x.attr["dtype"].type = 1
    call = message.node.add(name="call", op="PartitionedCall", input=["x"])
    call.attr["f"].func.name = "f"
    for name, rows in functions.items():
        made = message.library.function.add()
        made.signature.name = name
        made.signature.input_arg.add(name="x", type=1)
        made.signature.output_arg.add(name="y", type=1)
        for row, op, inputs, called in rows:
            node = made.node_def.add(name=row, op=op, input=inputs)
            if called:
                node.attr["f"].func.name = called
        made.ret["y"] = results[name]
    return bytes(message.SerializeToString())


def test_a_call_reads_a_function_anew() -> None:
    twice = [("a", "PartitionedCall", ["x"], "g"), ("b", "PartitionedCall", ["a:output:0"], "g")]
    data = _calling({"f": twice, "g": [("s", "Square", ["x"], "")]}, {"f": "b:output:0", "g": "s:y:0"})
    g = graphdef.loads(data)
    assert Session(g).run(g.find("call/b/s"), {g.find("x"): 3.0}) == 81.0


def _twice(name: str) -> list[tuple[str, str, list[str], str]]:
    return [("a", "PartitionedCall", ["x"], name), ("b", "PartitionedCall", ["a:output:0"], name)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (_calling({}, {}), "node 'call' (PartitionedCall): the function 'f' is not in this GraphDef"),
        (
            _calling({"f": [("a", "PartitionedCall", ["x"], "f")]}, {"f": "a:output:0"}),
            "is called through more than 30 others",
        ),
        (
            _calling({chr(102 + i): _twice(chr(103 + i)) for i in range(20)} | {"z": []},
                     {chr(102 + i): "b:output:0" for i in range(20)} | {"z": "x"}),
            "its functions come to more than 50,000 nodes where they are called",
        ),
        (_calling({"f": [("a", "Square", ["nobody"], "")]}, {"f": "a:y:0"}), "reads 'nobody', which is not in this"),
        (_calling({"f": []}, {"f": "nobody:y:0"}), "'nobody'"),
    ],
    ids=["missing", "calls itself", "a bomb", "reads nothing", "gives nothing"],
)  # fmt: skip
def test_refused(data: bytes, words: str) -> None:
    with pytest.raises(GraphError) as caught:
        graphdef.loads(data)
    assert words in str(caught.value)


def test_an_argument_outside_of_a_function_is_refused() -> None:
    message: Any = GraphDef()
    message.node.add(name="x", op="_Arg")
    with pytest.raises(GraphError, match="an argument stands outside of a function"):
        graphdef.loads(message.SerializeToString())
