"""Slots, episodes, steps and phases, on programs that call the listener by hand (no dialect takes part)."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from engine.recording import record
from engine.trace.reading import table
from engine.trace.validate import validate

PRELUDE = """
import numpy as np
from engine import events
from engine.tensor_type import TensorType
T = TensorType(np.dtype("float32"), (2,))
L = events.listener
g = L.graph_created("dynamic", "")
ones = np.ones(2, np.float32)
def leaf(role="input"):
    node = L.node_created(g, "leaf", (), T, role=role, label="leaf")
    L.variable_written(node, ones, "initial", storage=node)
    return node
def op(name, *inputs):
    node = L.node_created(g, name, [(i, 0) for i in inputs], T, label=name)
    L.op_ran(node, ones * len(inputs), 5, 10, storage=node)
    return node
def grad(mirrors, *onward):
    onward = {"next": onward}
    return L.node_created(g, "mul", (), T, role="gradient", label="MulBackward0", attributes=onward, mirrors=mirrors)
"""
LINES = PRELUDE.count("\n")


def recorded(body: str) -> dict[str, Any]:
    trace = record(PRELUDE + textwrap.dedent(body))
    assert trace["end"]["kind"] == "ok", trace["end"]
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    return trace


def labels(trace: dict[str, Any]) -> list[str]:
    definitions = trace["definitions"]
    return [definitions[node["definition"]]["label"] for node in table(trace, "nodes")]


TRAINING = """
x = leaf()
w = leaf("variable")
acc = L.node_created(g, "accumulate", (), T, role="accumulate", label="AccumulateGrad", mirrors=w)
for step in range(3):
    y = op("mul", x, w)
    f = grad(y, acc)
    z = op("mul", y, y)
    h = grad(z, f)
    L.backward_started(h, ones)
    L.gradient_ran(h, [ones], 1, 2)
    L.gradient_ran(f, [ones, None], 1, 2)
    L.gradient_accumulated(acc, ones, step > 0, storage=9)
    L.graph_freed([h, f])
    L.backward_ended(h)
    s = op("sub_", w, x)
    L.variable_written(w, ones * step, "in-place", storage=1, version=step)
    L.gradient_cleared(acc)  # to None
    print(step)
"""


def test_passes_of_a_training_loop_share_slots() -> None:
    trace = recorded(TRAINING)
    nodes = table(trace, "nodes")
    assert [node["slot"] for node in nodes] == [0, 1, 2] + 3 * [3, 4, 5, 6, 7]
    assert [node["episode"] for node in nodes] == [-1] * 3 + [0] * 5 + [1] * 5 + [2] * 5
    assert [slot["count"] for slot in table(trace, "slots")] == [1, 1, 1, 3, 3, 3, 3, 3]
    assert table(trace, "loops") == [{"line": LINES + 5, "end_line": LINES + 19, "split": 1}]


def test_episodes_cover_the_passes() -> None:
    trace = recorded(TRAINING)
    episodes, steps = table(trace, "episodes"), table(trace, "steps")
    assert [(e["loop"], e["parent"], e["index"]) for e in episodes] == [(0, -1, 0), (0, -1, 1), (0, -1, 2)]
    assert [e["last"] + 1 for e in episodes[:-1]] == [e["first"] for e in episodes[1:]]
    assert episodes[-1]["last"] == len(steps) - 1
    in_second = [trace["strings"][step["kind"]] for step in steps[episodes[1]["first"] : episodes[1]["last"] + 1]]
    expected = "line ran ran backward gradient gradient accumulated freed ran written cleared output"
    assert [kind for kind in in_second if kind != "line"] == expected.split()[1:]


def test_phases_go_forward_backward_update_in_each_episode() -> None:
    trace = recorded(TRAINING)
    phases = [
        (trace["strings"][phase["name"]], phase["episode"]) for phase in table(trace, "phases") if phase["episode"] >= 0
    ]
    assert phases == [(name, episode) for episode in range(3) for name in ("forward", "backward", "update")]
    first = table(trace, "phases")[0]
    assert (trace["strings"][first["name"]], first["first"]) == ("init", 0)


def test_what_comes_after_a_training_loop_is_no_update() -> None:
    trace = recorded(TRAINING + "\nlast = 1\nprint(last)\n")
    names, phases, steps = trace["strings"], table(trace, "phases"), table(trace, "steps")
    last = phases[-1]
    assert (names[last["name"]], names[last["label"]], last["episode"]) == ("run", "Program", -1)
    assert [names[step["kind"]] for step in steps[last["first"] :]] == ["line", "output"]


def test_a_loop_that_feeds_itself_is_one_growing_graph() -> None:
    trace = recorded(
        """
        x = leaf()
        for step in range(3):
            x = op("mul", x, x)
        """
    )
    assert [loop["split"] for loop in table(trace, "loops")] == [0]
    assert [node["slot"] for node in table(trace, "nodes")] == [0, 1, 2, 3]
    assert table(trace, "episodes") == []


def test_a_parameter_does_not_count_as_feeding() -> None:
    # w = w - g makes a new leaf in each pass, which the next pass reads.
    trace = recorded(
        """
        x = leaf()
        w = leaf("variable")
        for step in range(3):
            y = op("mul", x, w)
            w = op("sub", w, y)
            L.role_changed(w, "variable")
        """
    )
    assert [loop["split"] for loop in table(trace, "loops")] == [1]
    assert len(table(trace, "events.role")) == 3


def test_a_loop_that_updates_parameters_is_part_of_one_pass() -> None:
    trace = recorded(
        """
        a, b = leaf("variable"), leaf("variable")
        for p in (a, b):
            s = op("sub_", p, op("mul", p))
            L.variable_written(p, ones, "in-place", storage=p, version=1)
        """
    )
    assert [loop["split"] for loop in table(trace, "loops")] == [0]


def test_what_passes_gather_for_later_is_one_graph() -> None:
    trace = recorded(
        """
        x = leaf()
        losses = []
        for i in range(3):
            losses.append(op("mul", x))
        last = op("neg", op("stack", *losses))
        """
    )
    assert [loop["split"] for loop in table(trace, "loops")] == [0]


def test_the_last_pass_may_be_used_after_the_loop() -> None:
    trace = recorded("x = leaf()\nfor i in range(3):\n    y = op('mul', x)\nz = op('neg', y)\n")
    assert [loop["split"] for loop in table(trace, "loops")] == [1]


def test_ordinary_loops_have_no_episodes() -> None:
    trace = recorded("total = 0\nx = leaf()\nfor i in range(5):\n    total += i\n")
    assert [loop["split"] for loop in table(trace, "loops")] == [0]


def test_inner_loops_share_slots_across_outer_passes() -> None:
    trace = recorded(
        """
        x = leaf()
        for epoch in range(2):
            for batch in range(3):
                y = op("mul", x, x)
            z = op("add", x, x)
        """
    )
    slots = [node["slot"] for node in table(trace, "nodes")]
    assert slots == [0, 1, 1, 1, 2, 1, 1, 1, 2]
    episodes = table(trace, "episodes")
    assert [(e["loop"], e["parent"], e["index"]) for e in episodes] == [
        (0, -1, 0), (1, 0, 0), (1, 0, 1), (1, 0, 2), (0, -1, 1), (1, 4, 0), (1, 4, 1), (1, 4, 2),
    ]  # fmt: skip
    outer, inner = episodes[0], episodes[1:4]
    assert outer["first"] <= inner[0]["first"]
    assert inner[-1]["last"] <= outer["last"]


def test_different_branches_have_different_slots() -> None:
    trace = recorded(
        """
        x = leaf()
        for step in range(4):
            if step % 2:
                y = op("mul", x, x)
            else:
                y = op("mul", x, x)
            a, b = op("neg", y), op("neg", y)
        """
    )
    slots = [node["slot"] for node in table(trace, "nodes")]
    # neg hangs on different nodes in the two branches, so it has other places there.
    assert slots == [0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]


def test_edges_of_gradients_go_where_gradients_go() -> None:
    trace = recorded(
        """
        x = leaf()
        y = op("mul", x, x)
        f = grad(y)
        z = op("mul", y, x)
        h = L.node_created(g, "mul", (), T, role="gradient", label="MulBackward0", attributes={"next": (f, -1)},
                           saved=(y, x), mirrors=z, control=(x,))
        """
    )
    kinds = trace["strings"]
    edges = {(e["source"], e["target"], kinds[e["kind"]], e["port"], e["input"]) for e in table(trace, "edges")}
    assert edges == {
        (0, 1, "data", 0, 0), (0, 1, "data", 0, 1), (1, 3, "data", 0, 0), (0, 3, "data", 0, 1),
        (4, 2, "data", 0, 0), (1, 4, "saved", 0, 0), (0, 4, "saved", 0, 1), (0, 4, "control", 0, 0),
    }  # fmt: skip
    (mul, *_), attributes = [d for d in trace["definitions"] if d["role"] == "gradient"], trace["definitions"]
    assert mul["attributes"] == {}
    assert len([d for d in attributes if d["role"] == "gradient"]) == 1


def test_nodes_have_the_students_names_and_places() -> None:
    trace = recorded("first = leaf()\n")
    (node,) = table(trace, "nodes")
    # A node's number is an ordinary integer here, so no variable is bound to it.
    assert node["variable"] == -1
    assert trace["types"][node["type"]] == {"dtype": "float32", "shape": [2]}


def test_steps_begin_with_what_led_to_them() -> None:
    trace = recorded("x = leaf()\ny = op('neg', x)\n")
    steps, ran = table(trace, "steps"), table(trace, "events.ran")
    nodes = table(trace, "nodes")
    step = next(step for step in steps if trace["strings"][step["kind"]] == "ran")
    assert step["seq"] <= nodes[1]["seq"] < ran[0]["seq"]
    seqs = [step["seq"] for step in steps]
    assert seqs == sorted(set(seqs))
    assert seqs[0] == 0


STATIC = """
s = L.graph_created("static", "")
def add(op, *inputs, role="op", plan=-1):
    return L.node_created(s, op, [(i, 0) for i in inputs], T, label=op, name=op, role=role, plan=plan)
p = add("placeholder", role="input")
v = add("variable", role="variable")
m = add("mul", p, v)
def run(fetch, initial=False, compile=True, plan=None):
    if plan is None:
        plan = L.optimise_started(s, [fetch], [p])
        L.rewritten(plan, "removed", [v], [], "not needed")
        folded = add("const", role="constant", plan=plan)
        L.rewritten(plan, "folded", [m], [folded], "constant")
        L.pass_ended(plan, "dead code", 3, 2, 10, 20)
        L.compiled(plan, 2, 2, 1, "def f(): pass", 20, 30)
    r = L.run_started(plan, [fetch], [p])
    if initial:
        L.variable_written(v, ones, "initial", run=r, storage=0)
    else:
        L.fed(p, ones, r)
        L.op_ran(m, ones, 1, 2, run=r)
        L.fetched(m, ones, r)
    L.run_ended(r)
    return plan
run(v, initial=True)
plan = run(m)
for i in range(2):
    run(m, plan=plan)
"""


def test_the_life_of_a_static_graph() -> None:
    trace = recorded(STATIC)
    names, phases = trace["strings"], table(trace, "phases")
    told = [(names[p["name"]], names[p["label"]], p["plan"]) for p in phases]
    assert told == [
        ("build", "Build the graph", -1),
        ("optimise", "Optimise", 0),
        ("compile", "Compile", 0),
        ("init", "Prepare", 0),
        ("optimise", "Optimise", 1),
        ("compile", "Compile", 1),
        ("run", "Run 1", 1),
        ("run", "Run 2, pass 1", 1),
        ("run", "Run 3, pass 2", 1),
    ]
    plans, lists = table(trace, "plans"), trace["lists"]
    assert [(lists[plan["fetches"]], lists[plan["feeds"]]) for plan in plans] == [([1], [0]), ([2], [0])]
    folded = [node for node in table(trace, "nodes") if node["plan"] >= 0]
    assert [(node["plan"], names[node["name"]]) for node in folded] == [(0, "const"), (1, "const")]
    rewrites = [(names[r["action"]], lists[r["old"]], lists[r["new"]]) for r in table(trace, "events.rewrite")]
    assert rewrites == [("removed", [1], []), ("folded", [2], [3]), ("removed", [1], []), ("folded", [2], [4])]
    assert len({node["slot"] for node in table(trace, "nodes")}) == len(table(trace, "nodes"))


def test_an_operand_of_the_failing_op_is_told() -> None:
    trace = record(
        PRELUDE
        + textwrap.dedent(
            """
            x = leaf()
            node = L.node_created(g, "matmul", [(x, 0)], None, label="mm")
            error = ValueError("shapes do not match")
            L.op_failed(node, error)
            raise error
            """
        )
    )
    error = trace["end"]["error"]
    assert (error["node"], error["operands"], error["defined_line"]) == (1, [{"name": "", "type": "float32 [2]"}], None)
    validate(trace)


def test_a_gradient_cleared_to_zero_holds_zeros() -> None:
    trace = recorded("""
    w = leaf("variable")
    acc = L.node_created(g, "accumulate", (), T, role="accumulate", label="AccumulateGrad", mirrors=w)
    L.gradient_accumulated(acc, ones, False)
    L.gradient_cleared(acc, ones * 0)
    L.gradient_cleared(acc)
    """)
    first, second = table(trace, "events.cleared")
    assert [trace["strings"][row["how"]] for row in (first, second)] == ["zero", "none"]
    assert (trace["values"][first["value"]]["data"], second["value"]) == ([0, 0], -1)
