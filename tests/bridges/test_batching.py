"""Dynamic batching: groups, values and gradients against running one by one."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine import events
from engine.bridges.batching import Cell, Schedule, evaluate
from engine.errors import DtypeError, ShapeError, StateError


def a_network(width: int = 4):
    rng = np.random.default_rng(3)
    words = engine.tensor(rng.standard_normal((10, width)), requires_grad=True)
    w = engine.tensor(rng.standard_normal((2 * width, width)), requires_grad=True)
    calls = {"leaf": 0, "pair": 0}

    def leaf(word):
        calls["leaf"] += 1
        return engine.take(words, word)

    def pair(left, right):
        calls["pair"] += 1
        return engine.tanh(engine.concat(left, right, axis=1) @ w)

    return (words, w), leaf, pair, calls


TREES = [3, (1, 2), ((1, 2), (4, (5, 6))), (((7, 8), 9), 0), (0, (1, (2, (3, 4)))), 3]


def one(tree, leaf, pair):
    if isinstance(tree, int):
        return leaf(np.array([tree]))
    return pair(one(tree[0], leaf, pair), one(tree[1], leaf, pair))


def express(tree, leaf, pair):
    return leaf(tree) if isinstance(tree, int) else pair(express(tree[0], leaf, pair), express(tree[1], leaf, pair))


def test_values_and_gradients_are_those_of_one_by_one():
    parameters, leaf, pair, calls = a_network()
    weights = engine.tensor(np.random.default_rng(1).standard_normal((len(TREES), 4)))
    wanted = engine.concat(*[one(tree, leaf, pair) for tree in TREES], axis=0)
    (wanted * weights).sum().backward()
    gradients = [p.grad.numpy().copy() for p in parameters]
    for p in parameters:
        p.grad = None
    calls.update(leaf=0, pair=0)
    cells = Cell(leaf, name="leaf"), Cell(pair, name="pair")
    got = evaluate([express(tree, *cells) for tree in TREES])
    assert calls == {"leaf": 1, "pair": 4}
    np.testing.assert_allclose(got.detach().numpy(), wanted.detach().numpy(), rtol=1e-12)
    (got * weights).sum().backward()
    for p, g in zip(parameters, gradients, strict=True):
        np.testing.assert_allclose(p.grad.numpy(), g, rtol=1e-10)


def test_groups_are_by_depth_and_cell_across_expressions():
    _, leaf, pair, _ = a_network()
    cells = Cell(leaf, name="leaf"), Cell(pair, name="pair")
    schedule = Schedule([express(tree, *cells) for tree in TREES])
    assert [(g.depth, g.rows) for g in schedule.groups] == _counted() == [(1, 18), (2, 5), (3, 3), (4, 3), (5, 1)]
    assert [g.cell.name for g in schedule.groups] == ["leaf", "pair", "pair", "pair", "pair"]
    assert schedule.calls == sum(rows for _, rows in _counted())
    assert schedule.calls_saved == schedule.calls - len(_counted())
    assert f"{schedule.calls_saved} saved" in schedule.explain()


def _counted():
    found: dict[int, int] = {}

    def depth(tree):
        d = 1 if isinstance(tree, int) else 1 + max(depth(tree[0]), depth(tree[1]))
        found[d] = found.get(d, 0) + 1
        return d

    for tree in TREES:
        depth(tree)
    return sorted(found.items())


def test_a_shared_expression_runs_once():
    seen = []

    def square(x):
        seen.append(x.shape[0])
        return x * x

    cell = Cell(square)
    shared = cell(3.0)
    plus = Cell(lambda a, b: a + b)
    np.testing.assert_array_equal(
        evaluate([plus(shared, shared), plus(shared, cell(2.0)), shared]).numpy(), [18, 13, 9]
    )
    assert seen == [2]


def test_gradient_of_a_value_with_several_readers_adds_up():
    w = engine.tensor(3.0, requires_grad=True)
    scale = Cell(lambda x: x * w)
    plus = Cell(lambda a, b: a + b)
    x = scale(2.0)
    evaluate([plus(x, plus(x, x))]).sum().backward()
    assert w.grad.item() == 6.0


def test_ragged_sequences_stop_at_their_own_length():
    w = engine.tensor(0.5, requires_grad=True)
    step = Cell(lambda state, x: state * w + x, name="step")
    sequences = [[1.0], [1.0, 2.0, 3.0], [4.0, 5.0]]
    roots = []
    for sequence in sequences:
        state = 0.0
        for x in sequence:
            state = step(state, x)
        roots.append(state)
    schedule = Schedule(roots)
    assert [g.rows for g in schedule.groups] == [3, 2, 1]
    result = schedule.run()
    np.testing.assert_allclose(result.detach().numpy(), [1, 0.25 + 1 + 3, 7])
    result.sum().backward()
    # d/dw of (w + 2) w + 3 is 2 w + 2, of 4 w + 5 it is 4.
    assert w.grad.item() == pytest.approx(2 * 0.5 + 2 + 4)


def test_several_outputs_are_parts():
    cell = Cell(lambda h, c, x: (h + x, c * x), outputs=2, name="lstm")
    first = cell(1.0, 1.0, 2.0)
    h, c = cell(*first, 3.0)
    np.testing.assert_array_equal(evaluate([h, c, first[1]]).numpy(), [6, 6, 2])
    with pytest.raises(ShapeError, match="has 2 outputs"):
        evaluate([first])
    with pytest.raises(ShapeError, match=r"call\[0\]"):
        cell(first, 1.0, 1.0)


def test_calls_with_arguments_of_different_types_run_apart():
    rows = []

    def total(x):
        rows.append(x.shape)
        return engine.sum(x, axis=1)

    cell = Cell(total)
    result = evaluate([cell(np.ones(2)), cell(np.ones(3)), cell(np.ones(2) * 4)])
    np.testing.assert_array_equal(result.numpy(), [2, 3, 8])
    assert sorted(rows) == [(1, 3), (2, 2)]


def test_an_argument_may_be_a_constant_here_and_a_result_there():
    plus = Cell(lambda a, b: a + b)
    inner = plus(1.0, 2.0)
    result = evaluate([plus(inner, 10.0), plus(20.0, inner), plus(inner, inner)])
    np.testing.assert_array_equal(result.numpy(), [13, 23, 6])


def test_constant_tensors_get_gradients():
    x, y = (engine.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    cell = Cell(lambda a: a * a)
    evaluate([cell(x), cell(y), cell(np.float32([5, 5]))]).sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [2, 4])
    np.testing.assert_array_equal(y.grad.numpy(), [2, 4])


def test_very_deep_expressions_need_no_recursion():
    plus = Cell(lambda a, b: a + b)
    state = plus(0, 1)
    for _ in range(4999):
        state = plus(state, 1)
    assert evaluate([state]).numpy().tolist() == [5000]


def test_evaluating_twice_gives_the_same():
    cell = Cell(lambda x: x + 1)
    root = cell(cell(1))
    assert evaluate([root]).tolist() == evaluate([root]).tolist() == [3]


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: evaluate([]), ShapeError, "at least one call"),
        (lambda: evaluate([3]), DtypeError, "not int"),
        (lambda: Cell(3), TypeError, "not from int"),
        (lambda: Cell(lambda: 1)(), ShapeError, "at least one"),
        (lambda: Cell(lambda x: x)("text"), DtypeError, "an argument is str"),
        (lambda: evaluate([Cell(lambda x: engine.sum(x), name="f")(1.0)]), ShapeError, r"f got 1 rows .* \(\)"),
        (lambda: evaluate([Cell(lambda x: 3, name="f")(1.0)]), DtypeError, "f returned int"),
        (lambda: evaluate([Cell(lambda x: (x, x), name="f")(1.0)]), StateError, "declared with outputs=1"),
        (lambda: bool(Cell(lambda x: x)(1.0)), TypeError, "has not run yet"),
    ],
)
def test_misuse_says_what_to_do(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_roots_of_different_types_are_refused():
    cell = Cell(lambda x: x)
    with pytest.raises(ShapeError, match=r"different types .* evaluate expressions of one type"):
        evaluate([cell(1.0), cell(np.ones(2))])


class Listening:
    """Hands out ids as a recorder does, and keeps what it hears of batching."""

    def __init__(self):
        self.nodes = []
        self.groups = []

    def node_created(self, graph, op, inputs, output, **more):
        self.nodes.append(op)
        return len(self.nodes) - 1

    def batched(self, depth, function, rows, nodes):
        self.groups.append((depth, function, rows, [self.nodes[n] for n in nodes]))

    def graph_created(self, mode, name):
        return 0

    def __getattr__(self, name):
        return lambda *arguments, **more: None


def test_a_listener_hears_groups_with_their_nodes(monkeypatch):
    listening = Listening()
    monkeypatch.setattr(events, "listener", listening)
    double = Cell(lambda x: x + x, name="double")
    plus = Cell(lambda a, b: a * b, name="times")
    evaluate([plus(double(1.0), double(2.0)), double(3.0)])
    assert [group[:3] for group in listening.groups] == [(1, "double", 3), (2, "times", 1)]
    assert listening.groups[0][3] == ["input", "add"]
    assert [op for op in listening.groups[1][3] if op in ("take", "mul")] == ["take", "take", "mul"]


def test_the_benchmark_computes_the_same_both_ways():
    batching = pytest.importorskip("benchmarks.batching")
    trees = batching.Trees(count=20)
    wanted = trees.gradients(trees.one_by_one)
    got = trees.gradients(trees.batched)
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=2e-4, atol=1e-6)
    np.testing.assert_allclose(
        trees.batched().detach().numpy(), trees.one_by_one().detach().numpy(), rtol=1e-5, atol=1e-6
    )
