"""What stands where: the picture means something."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from app.layout import layout

Programs = dict[str, Callable[[], Any]]


class Placed:
    """The first graph of a program, by what the slots are."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.graph = layout(trace)["graphs"][0]
        s = self.graph["slots"]
        nodes, strings, definitions = trace["nodes"], trace["strings"], trace["definitions"]
        first: dict[int, int] = {}
        for node, slot in enumerate(nodes["slot"]):
            first.setdefault(slot, node)
        self.at: dict[int, tuple[float, float]] = {}
        self.named: dict[str, int] = {}
        self.label: dict[int, str] = {}
        self.role: dict[int, str] = {}
        self.mirror: dict[int, int] = {}
        for i, slot in enumerate(s["slot"]):
            node = first[slot]
            self.at[slot] = s["x"][i] + s["width"][i] / 2, s["y"][i] + s["height"][i] / 2
            definition = definitions[nodes["definition"][node]]
            self.label[slot], self.role[slot] = definition["label"], definition["role"]
            for column in ("name", "variable"):
                if nodes[column][node] >= 0:
                    self.named[strings[nodes[column][node]]] = slot
            mirrors = nodes["mirrors"][node]
            self.mirror[slot] = nodes["slot"][mirrors] if mirrors >= 0 else -1
        e = self.graph["edges"]
        self.edges = list(zip(e["source"], e["target"], e["kind"], e["sides"], e["via"], strict=True))

    def of(self, role: str) -> list[int]:
        return [slot for slot, found in self.role.items() if found == role]

    def x(self, slot: int) -> float:
        return self.at[slot][0]

    def y(self, slot: int) -> float:
        return self.at[slot][1]


@pytest.fixture
def placed(programs: Programs) -> Callable[[str], Placed]:
    return lambda name: Placed(programs[name]().trace())


@pytest.mark.parametrize("name", ["linear_torch", "xor_torch", "rnn", "two_branches", "residual", "while_chain"])
def test_forward_runs_right_and_backward_runs_left(name: str, placed: Callable[[str], Placed]) -> None:
    p = placed(name)
    ops = set(p.of("op"))
    for source, target, kind, _, _ in p.edges:
        if kind == "data" and source in ops and target in ops and p.y(target) < min(p.y(g) for g in p.of("gradient")):
            assert p.x(source) < p.x(target)
        if kind == "grad" and p.role[target] == "gradient":
            assert p.x(target) < p.x(source)


@pytest.mark.parametrize("name", ["linear_torch", "xor_torch", "rnn", "two_branches", "residual"])
def test_a_gradient_stands_under_the_op_it_mirrors(name: str, placed: Callable[[str], Placed]) -> None:
    p = placed(name)
    gradients = p.of("gradient")
    assert gradients
    for gradient in gradients:
        assert p.x(gradient) == p.x(p.mirror[gradient])
        assert p.y(gradient) > max(p.y(other) for other in gradients if p.mirror[other] == p.mirror[gradient]) - 1
    lowest = max(p.y(p.mirror[gradient]) for gradient in gradients)
    assert min(p.y(gradient) for gradient in gradients) > lowest
    # A mirror: what is further above the axis is further below it.
    for a in gradients:
        for b in gradients:
            if p.y(p.mirror[a]) < p.y(p.mirror[b]):
                assert p.y(a) > p.y(b)


def test_a_linear_model_is_one_line_with_shelf_and_foot(placed: Callable[[str], Placed]) -> None:
    p = placed("xor_torch")
    line = [s for s in p.of("op") if p.label[s] in ("mm", "add", "relu", "mse_loss")]
    assert len(line) == 6
    assert len({p.y(s) for s in line}) == 1
    assert p.y(p.named["X"]) == p.y(line[0])
    assert p.x(p.named["X"]) < p.x(line[0])
    shelf = [p.named[n] for n in ("W1", "b1", "W2", "b2", "y")]
    assert len({p.y(s) for s in shelf}) == 1
    assert p.y(shelf[0]) < p.y(line[0])
    assert [p.x(s) for s in shelf] == [p.x(s) for s in line if p.label[s] != "relu"]
    for storage in p.of("accumulate"):
        assert p.x(storage) == p.x(p.mirror[storage])
        assert p.y(storage) > max(p.y(g) for g in p.of("gradient"))
    for update in p.of("update"):
        assert p.y(update) > max(p.y(s) for s in p.of("accumulate"))
        assert p.x(update) in {p.x(s) for s in shelf}
    straight = {"data", "grad", "mirror"}
    assert all(not via for _, _, kind, _, via in p.edges if kind in straight)


def test_passes_of_a_loop_share_the_places(programs: Programs) -> None:
    one, two = (Placed(programs["linear_torch"](passes).trace()) for passes in (1, 2))  # type: ignore[call-arg]
    assert one.at == two.at


def test_bands_follow_each_other_and_hold_their_slots(placed: Callable[[str], Placed]) -> None:
    graph = placed("xor_torch").graph
    assert [band["name"] for band in graph["bands"]] == ["variables", "forward", "backward", "gradients", "updates"]
    s = graph["slots"]
    for y, height, band in zip(s["y"], s["height"], s["band"], strict=True):
        found = graph["bands"][band]
        assert found["y"] <= y
        assert y + height <= found["y"] + found["height"]


def test_branches_get_rows_of_their_own_and_share_nothing(placed: Callable[[str], Placed]) -> None:
    p = placed("two_branches")
    left, right = p.named["left"], p.named["right"]
    assert p.x(left) == p.x(right)
    assert p.y(left) != p.y(right)
    for side in ("left", "right"):
        assert p.x(p.named[f"W_{side}"]) < p.x(p.named[side])
        assert 0 < p.y(p.named[side]) - p.y(p.named[f"W_{side}"]) < 140, "a shelf of its own, right above"


def test_plumbing_is_left_out_and_edges_through_it_are_joined(placed: Callable[[str], Placed]) -> None:
    p = placed("linear_tf1")
    assert "W/read" not in p.named
    assert "W/Assign" not in p.named
    joined = [(s, t) for s, t, kind, _, _ in p.edges if kind == "data"]
    assert (p.named["W"], p.named["MatMul"]) in joined


def test_what_the_optimiser_made_is_tied_to_what_it_replaced(placed: Callable[[str], Placed]) -> None:
    p = placed("linear_tf1")
    kinds = {(s, t): kind for s, t, kind, _, _ in p.edges}
    assert kinds[p.named["div"], p.named["folded"]] == "origin"
    assert kinds[p.named["folded"], p.named["mul"]] == "rewired"
    assert kinds[p.named["div"], p.named["mul"]] == "data"


def test_plans_of_many_calls_share_the_place_of_their_constants(builder: Callable[[str], Any]) -> None:
    b = builder("static")
    total = b.node("Add", [b.node("Const", role="constant"), b.node("Const", role="constant")])
    made = [b.node("Const", role="constant", plan=plan) for plan in range(3)]
    for plan, node in enumerate(made):
        b.event("rewrite", plan=plan, action=-1, old=b.listed([total]), new=b.listed([node]), reason=-1)
    p = Placed(b.trace())
    assert len({p.at[node] for node in made}) == 1


def test_fetches_have_a_door_and_a_way_to_it(placed: Callable[[str], Placed]) -> None:
    p = placed("linear_tf1")
    doors = {d["slot"]: d for d in p.graph["doors"] if d["kind"] == "fetch"}
    assert set(doors) == {p.named["loss"], p.named["pred"], p.named["train"]}
    assert doors[p.named["loss"]]["y"] == p.y(p.named["loss"])
    assert (doors[p.named["loss"]]["side"], doors[p.named["loss"]]["via"]) == ("r", [])
    assert doors[p.named["pred"]]["via"][0][0] == p.x(p.named["pred"])
    assert doors[p.named["pred"]]["via"][0][1] == doors[p.named["pred"]]["y"]


def test_doors_of_many_fetches_stand_apart(builder: Callable[[str], Any]) -> None:
    b = builder("static")
    chain = [b.node("x", role="input")]
    for _ in range(5):
        chain.append(b.node("Add", [chain[-1], chain[-1]]))
    b.event("run", plan=0, run=0, fetches=b.listed(chain[1:]), feeds=b.listed([]))
    places = sorted(d["y"] for d in Placed(b.trace()).graph["doors"] if d["kind"] == "fetch")
    assert len(places) == 5
    assert all(below - above >= 18 for above, below in pairwise(places))


def test_clearing_a_gradient_in_place_is_an_update_of_it(builder: Callable[[], Any]) -> None:
    b = builder()
    w = b.node("tensor", role="variable", variable="w")
    grad = b.node("AccumulateGrad", role="accumulate", mirrors=w)
    step, zero = b.node("sub_", [w, grad], role="update"), b.node("zero_", [grad], role="update")
    kinds = {(s, t): kind for s, t, kind, _, _ in Placed(b.trace()).edges}
    assert kinds == {(w, step): "update", (grad, step): "grad", (grad, zero): "update"}


def test_a_structure_without_forward_ops_is_laid_out_as_it_is(placed: Callable[[str], Placed]) -> None:
    p = placed("gradients_only")
    assert len(p.at) == 4
    assert len({x for x, _ in p.at.values()}) > 2


def test_a_leaf_that_becomes_a_parameter_stands_on_the_shelf(builder: Callable[[], Any]) -> None:
    b = builder()
    x = b.node("tensor", role="input", variable="x")
    b.node("relu", [x])
    parameter = b.definitions.setdefault(("tensor", "variable", "variable"), len(b.definitions))
    b.event("role", node=x, definition=parameter)
    p = Placed(b.trace())
    assert p.graph["slots"]["form"][0] == "variable"
    assert p.y(0) < p.y(1)


def test_gradients_of_gradients_lie_below_the_gradients(placed: Callable[[str], Placed]) -> None:
    p = placed("second_order_tf1")
    first = [p.named[n] for n in ("seed", "left", "right", "slope")]
    second = [p.named[n] for n in ("seed_1", "curved_0", "curved_1", "curve")]
    assert max(map(p.y, first)) < min(map(p.y, second))
    kinds = {(s, t): kind for s, t, kind, _, _ in p.edges}
    assert kinds[p.named["left"], p.named["slope"]] == "grad"
    assert kinds[p.named["seed"], p.named["curved_0"]] == "saved"
    wall = p.graph["wall"]
    assert p.x(p.named["x"]) < wall["x"] < p.x(p.named["slope"]) < p.x(p.named["y"])


def test_what_initialises_variables_stands_at_the_foot(placed: Callable[[str], Placed]) -> None:
    p = placed("initial_values")
    assert {band["name"] for band in p.graph["bands"]} == {"variables", "updates"}
    for name in ("a", "b"):
        noise, start, init = (p.named[n] for n in (f"{name}/noise", f"{name}/start", "init"))
        assert p.x(noise) < p.x(start) < p.x(init)
        assert p.y(noise) == p.y(start) > p.y(p.named[name])
    kinds = {(s, t): kind for s, t, kind, _, _ in p.edges}
    assert kinds[p.named["a/start"], p.named["init"]] == "control"
    assert kinds[p.named["c/start"], p.named["c"]] == "update"


def test_a_shared_weight_stands_with_the_line_that_uses_it(placed: Callable[[str], Placed]) -> None:
    p = placed("rnn")
    line = [s for s in p.of("op") if p.label[s] in ("tanh", "add")]
    assert len({p.y(s) for s in line}) == 1
    inputs = [p.named[f"x{t}"] for t in range(10)]
    assert len({p.y(s) for s in inputs}) == 1
    assert p.y(p.named["Wh"]) < p.y(line[0]) < p.y(p.named["Wx"]) < p.y(inputs[0])


def test_a_long_chain_is_one_straight_line(placed: Callable[[str], Placed]) -> None:
    p = placed("while_chain")
    chain = [s for s in p.of("op") if p.label[s] == "mul"]
    assert len(chain) == 9
    assert len({p.y(s) for s in chain}) == 1
    steps = [p.x(b) - p.x(a) for a, b in pairwise(chain)]
    assert max(steps) - min(steps) <= 24
