"""What recordings of real programs show: structure, episodes, phases, names, values, failing nodes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.recording import record
from engine.trace.reading import printed, table
from engine.trace.validate import validate

LINEAR = """\
import torch

x = torch.tensor([[0.0], [1.0], [2.0]])
y = torch.tensor([[1.0], [3.0], [5.0]])
w = torch.zeros(1, 1, requires_grad=True)
for step in range(3):
    pred = x @ w
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
    print(step, round(loss.item(), 4))
"""

SESSION = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, shape=[None, 1], name="x")
y = tf.placeholder(tf.float32, shape=[None, 1], name="y")
w = tf.Variable([[0.0]], name="w")
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        _, value = sess.run([train, loss], feed_dict={x: [[0.0], [1.0], [2.0]], y: [[1.0], [3.0], [5.0]]})
        print(step, round(float(value), 4))
"""


def recorded(source: str) -> dict[str, Any]:
    trace = record(source)
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    return trace


@pytest.fixture(scope="module")
def linear() -> dict[str, Any]:
    return recorded(LINEAR)


@pytest.fixture(scope="module")
def session() -> dict[str, Any]:
    return recorded(SESSION)


def labelled(trace: dict[str, Any]) -> list[tuple[str, str]]:
    """(label, the program's name) of each node."""
    strings, definitions = trace["strings"], trace["definitions"]
    return [
        (definitions[node["definition"]]["label"], strings[node["variable"]] if node["variable"] >= 0 else "")
        for node in table(trace, "nodes")
    ]


def phase_names(trace: dict[str, Any]) -> list[tuple[str, int]]:
    return [(trace["strings"][phase["name"]], phase["episode"]) for phase in table(trace, "phases")]


def code(trace: dict[str, Any], span: int) -> str:
    """The text of a span that lies in one line."""
    place = table(trace, "spans")[span]
    return trace["program"]["source"].splitlines()[place["line"] - 1][place["column"] : place["end_column"]]


def test_both_modes_print_the_same(linear: dict[str, Any], session: dict[str, Any]) -> None:
    expected, w = "", 0.0
    for step in range(3):
        errors = [x * w - y for x, y in ((0.0, 1.0), (1.0, 3.0), (2.0, 5.0))]
        expected += f"{step} {round(sum(e * e for e in errors) / 3, 4)}\n"
        w -= 0.1 * 2 / 3 * (errors[1] + 2 * errors[2])
    assert printed(linear) == printed(session) == expected
    assert (linear["program"]["dialect"], session["program"]["dialect"]) == ("torch", "tf1")
    assert "Line 1" in linear["program"]["reason"]


def test_a_dynamic_training_loop(linear: dict[str, Any]) -> None:
    names = labelled(linear)
    assert [name for name in names if name[1] in ("x", "y", "w", "pred", "loss")][:3] == [
        (names[0][0], "x"), (names[1][0], "y"), (names[2][0], "w"),
    ]  # fmt: skip
    assert sum(name == "pred" for _, name in names) == 3
    assert phase_names(linear) == [
        ("init", -1),
        *((name, episode) for episode in range(3) for name in ("forward", "backward", "update")),
    ]
    per_pass = [[node["slot"] for node in table(linear, "nodes") if node["episode"] == one] for one in range(3)]
    new_in_first = set(per_pass[0]) - set(per_pass[1])
    # The first pass also makes the node where w's gradients arrive.
    roles = [linear["definitions"][slot["definition"]]["role"] for slot in table(linear, "slots")]
    assert [roles[slot] for slot in new_in_first] == ["accumulate"]
    assert per_pass[1] == per_pass[2]


def test_expressions_stand_behind_ops(linear: dict[str, Any]) -> None:
    ran = table(linear, "events.ran")
    nodes = table(linear, "nodes")
    shown = [code(linear, nodes[row["node"]]["span"]) for row in ran[:4]]
    assert shown == ["x @ w", "pred - y", "(pred - y) ** 2", "((pred - y) ** 2).mean()"]


def test_every_forward_op_has_its_gradient(linear: dict[str, Any]) -> None:
    nodes, definitions, strings = table(linear, "nodes"), linear["definitions"], linear["strings"]
    gradients = [n for n, node in enumerate(nodes) if definitions[node["definition"]]["role"] == "gradient"]
    assert len(gradients) == 12
    for one in gradients:
        forward = definitions[nodes[nodes[one]["mirrors"]]["definition"]]
        assert forward["role"] == "op"
        onward = [e for e in table(linear, "edges") if e["source"] == one and strings[e["kind"]] == "data"]
        assert onward
        targets = {definitions[nodes[e["target"]]["definition"]]["role"] for e in onward}
        assert targets <= {"gradient", "accumulate"}


def test_values_are_those_of_their_step(linear: dict[str, Any]) -> None:
    values = linear["values"]
    written = [values[row["value"]]["data"] for row in table(linear, "events.written")]
    weights = [data[0] for data in written if len(data) == 1]
    assert weights[0] == 0
    assert len(weights) == 4
    gradients = [values[row["value"]]["data"][0] for row in table(linear, "events.accumulated")]
    for before, after, gradient in zip(weights, weights[1:], gradients, strict=False):
        assert after == pytest.approx(before - 0.1 * gradient, rel=1e-5)


def test_the_clock_runs_forward_and_kernels_lie_within_it(linear: dict[str, Any]) -> None:
    times = [step["time"] for step in table(linear, "steps")]
    assert times == sorted(times)
    end = linear["seconds"]["program"] * 1e9
    assert all(0 <= row["start"] <= row["start"] + row["duration"] <= end for row in table(linear, "events.ran"))
    assert linear["seconds"]["total"] == pytest.approx(
        linear["seconds"]["program"] + linear["seconds"]["recorder"], abs=1e-6
    )


def test_the_life_of_a_session(session: dict[str, Any]) -> None:
    phases = phase_names(session)
    assert [name for name, episode in phases if episode < 0][:4] == ["build", "optimise", "compile", "init"]
    assert [phase for phase in phases if phase[1] >= 0] == [
        ("optimise", 0), ("compile", 0), ("run", 0), ("run", 1), ("run", 2),
    ]  # fmt: skip
    assert [loop["split"] for loop in table(session, "loops")] == [1]
    first_value = table(session, "events.ran")[0]["seq"]
    built = [row["seq"] for row, node in zip(table(session, "events.node"), table(session, "nodes"), strict=True)
             if node["plan"] < 0]  # fmt: skip
    assert max(built) < first_value


def test_a_static_graph_knows_its_gradients(session: dict[str, Any]) -> None:
    names = dict.fromkeys(name for name in labelled(session) if name[1])
    assert [name for _, name in names] == ["x", "y", "w", "loss", "train"]
    fetched = table(session, "events.fetched")
    assert [session["values"][row["value"]]["shape"] for row in fetched] == [[], [], []]


@pytest.mark.parametrize(
    ("source", "line", "operands", "words"),
    [
        (
            "import torch\na = torch.ones(2, 3)\nb = torch.ones(2, 3)\nc = a @ b\n",
            4,
            [("a", "float32 [2, 3]"), ("b", "float32 [2, 3]")],
            "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
        ),
        (
            "import tensorflow as tf\na = tf.placeholder('float', [2, 3])\nb = tf.ones([2, 3])\nc = tf.matmul(a, b)\n",
            4,
            [("a", "float32 [2, 3]"), ("b", "float32 [2, 3]")],
            "Dimensions must be equal, but are 3 and 2",
        ),
    ],
)
def test_a_mismatch_is_a_step(source: str, line: int, operands: list[tuple[str, str]], words: str) -> None:
    trace = recorded(source)
    error = trace["end"]["error"]
    assert error["line"] == line
    assert words in error["message"]
    assert [(one["name"], one["type"]) for one in error["operands"]] == operands
    failed = table(trace, "events.failed")
    assert [row["node"] for row in failed] == [error["node"]]
    kinds = [trace["strings"][step["kind"]] for step in table(trace, "steps")]
    assert kinds[-2:] == ["failed", "error"]
    assert "engine" not in error["traceback"].replace("engine.dialects", "")


def test_a_graph_that_changes_with_the_data_grows() -> None:
    trace = recorded(
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = x * 2\n"
        "while y.norm() < 20:\n    y = y * 2\ny.sum().backward()\nprint(x.grad.tolist())\n"
    )
    assert printed(trace) == "[16.0, 16.0]\n"
    assert [loop["split"] for loop in table(trace, "loops")] == [0]
    slots = [node["slot"] for node in table(trace, "nodes")]
    assert len(set(slots)) == len(slots)


def test_a_recurrent_network_is_one_graph_in_each_step() -> None:
    trace = recorded(
        "import torch\nW = torch.ones(2, 2, requires_grad=True)\ndata = torch.ones(3, 2)\nfor step in range(2):\n"
        "    h = torch.zeros(2)\n    for t in range(3):\n        h = torch.tanh(W @ h + data[t])\n"
        "    h.sum().backward()\n    with torch.no_grad():\n        for p in [W]:\n            p -= p.grad\n"
        "            p.grad = None\n"
    )
    assert [loop["split"] for loop in table(trace, "loops")] == [1, 0, 0]
    assert {episode["parent"] for episode in table(trace, "episodes")} == {-1}


def test_a_large_tensor_is_small() -> None:
    trace = recorded("import torch\nbig = torch.zeros(2000, 2000)\nbig[10, 10] = 7.0\nhalf = big * 0.5\n")
    assert len(json.dumps(trace)) < 100_000
    value = next(v for v in reversed(trace["values"]) if v.get("shape") == [2000, 2000])
    assert (value["max"], value["min"], value["zeros"]) == (3.5, 0, 3_999_999)
    assert (value["grid"]["rows"], value["grid"]["columns"]) == (24, 24)
    assert value["grid"]["data"][0] > 0 == value["grid"]["data"][1]
