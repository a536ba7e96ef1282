"""The native API in dynamic mode: functions, methods, operators, gradients, writing in place, custom functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.errors import StepgraphError
from engine.native.functions import OF_GRAPHS, function_names
from engine.native.methods import in_place, is_method
from engine.ops import CORE, TABLE
from engine.ops.promotion import operand_dtype
from engine.tensor_type import TensorType
from tests.ops import samples_elementwise, samples_layers, samples_more, samples_reductions, samples_shapes  # noqa: F401
from tests.ops.samples import SAMPLES, Sample


def test_every_op_is_a_function() -> None:
    assert {name for name in CORE if callable(getattr(engine, name, None))} >= CORE - OF_GRAPHS
    assert function_names() == CORE - OF_GRAPHS
    assert set(function_names()) <= set(dir(engine))


def test_names_of_the_package() -> None:
    folders = {path.name.removesuffix(".py") for path in Path(engine.__path__[0]).iterdir()}
    parts = {name for name in folders if not name.startswith("_")}
    assert parts <= engine._PARTS
    assert not engine._PARTS & (function_names() | set(engine.__all__))
    with pytest.raises(AttributeError, match=r"nearest: engine\.sigmoid"):
        _ = engine.sigmid


@pytest.mark.parametrize("s", SAMPLES, ids=str)
def test_functions_give_what_kernels_give(s: Sample) -> None:
    op = TABLE[s.op]
    values = list(s.operands)
    places = [i for i in range(len(values)) if op.variadic or op.inputs[i] not in op.unpromoted]
    types = [TensorType(x.dtype, x.shape) if isinstance(x, np.ndarray) else x for x in values]
    dtype = operand_dtype(op.promotion, *(types[i] for i in places))
    cast = [
        x.astype(dtype) if dtype is not None and i in places and isinstance(x, np.ndarray) else x
        for i, x in enumerate(values)
    ]
    with np.errstate(all="ignore"):
        expected = np.asarray(op.kernel(*cast, **s.attributes))
        attributes = dict(s.attributes)
        if s.op == "getitem":  # takes what stands between brackets
            attributes["index"] = tuple(slice(*p) if isinstance(p, tuple) else p for p in attributes["index"])
        found = getattr(engine, s.op)(
            *(engine.tensor(x) if isinstance(x, np.ndarray) else x for x in values), **attributes
        )
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.numpy(), expected)


def test_methods_and_operators() -> None:
    x, y = engine.tensor([[1.0, -2.0], [3.0, 4.0]]), engine.tensor([[2.0, 2.0], [0.5, 1.0]])
    a, b = x.numpy(), y.numpy()
    for found, expected in (
        (x + y, a + b), (x - 1, a - 1), (1 - x, 1 - a), (x * 2.5, a * 2.5), (x / y, a / b), (2 / y, 2 / b),
        (x // y, a // b),
        (x % y, a % b), (y**2, b**2), (2**y, 2**b), (x @ y, a @ b), (-x, -a), (abs(x), abs(a)), (x > y, a > b),
        (x <= 1, a <= 1), (x == y, a == b), (x != 1, a != 1), ((x > 0) & (y > 1), (a > 0) & (b > 1)),
        (~(x > 0), ~(a > 0)),
        (x.T, a.T), (x.sum(axis=0), a.sum(0)), (x.reshape([4]), a.reshape(4)), (x[0], a[0]), (x[:, 1], a[:, 1]),
        (x[x > 0], a[a > 0]), (x[engine.tensor([1, 0])], a[[1, 0]]), (x.maximum(y), np.maximum(a, b)),
    ):  # fmt: skip
        assert isinstance(found, engine.Tensor)
        np.testing.assert_array_equal(found.numpy(), expected)
    assert (x + 1).dtype == np.float32
    assert (engine.tensor([1, 2]) / 2).dtype == np.float32
    assert [float(v) for v in x[0]] == [1.0, -2.0]
    assert engine.concat(x, y, axis=1).shape == engine.concat([x, y], axis=1).shape == (2, 4)
    assert sum(is_method(op) for op in TABLE.values()) > 100


def test_writing_in_place() -> None:
    x = engine.tensor([1.0, 2.0, 3.0])
    row = x[1:]
    x += 1
    row.mul_(2.0)
    x[0] = 9
    assert x.tolist() == [9.0, 6.0, 8.0]
    assert x.version == row.version == 3
    assert engine.tensor([-1.0, 1.0]).relu_().tolist() == [0.0, 1.0]
    assert engine.tensor([1.0, 5.0]).clip_(low=2.0).tolist() == [2.0, 5.0]
    assert sum(in_place(op) for op in TABLE.values()) > 30


def test_gradients_through_a_write() -> None:
    w = engine.tensor([1.0, 2.0], requires_grad=True)
    x = w * 3.0
    x[0] = w[1] * 10.0
    x.sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [0.0, 13.0]


def test_gradients_accumulate_and_clear() -> None:
    w = engine.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(2):
        (w * w).sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [4.0, 8.0]
    w.grad = None
    loss = (w**3).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    assert w.grad.tolist() == [6.0, 24.0]


def test_grad_of_any_order() -> None:
    x = engine.tensor(2.0, requires_grad=True)
    first = engine.grad(x**4, x, create_graph=True)
    second = engine.grad(first, x, create_graph=True)
    third = engine.grad(second, x)
    assert (first.item(), second.item(), third.item()) == (32.0, 48.0, 48.0)
    assert engine.grad(x * x, [x, engine.tensor(1.0, requires_grad=True)])[1] is None


def test_no_grad_detach_and_leaves() -> None:
    x = engine.tensor([1.0], requires_grad=True)
    with engine.no_grad():
        assert not engine.is_grad_enabled()
        assert (x * 2.0).is_leaf
    y = x * 2.0
    assert not y.is_leaf
    assert y.detach().is_leaf
    assert not y.detach().requires_grad
    kept = y.retain_grad()
    (y * y).sum().backward()
    assert kept.grad is not None
    assert kept.grad.tolist() == [4.0]


def test_hooks() -> None:
    x = engine.tensor(1.0, requires_grad=True)
    y = x * 2.0
    seen: list[float] = []
    remove = y.register_hook(lambda g: seen.append(g.item()))  # type: ignore[func-returns-value]
    x.register_hook(lambda g: g * 100.0)
    (y * 3.0).backward(retain_graph=True)
    remove()
    remove()
    (y * 3.0).backward()
    assert seen == [3.0]
    assert x.grad is not None
    assert x.grad.item() == 1200.0


class Doubled(engine.Function):
    """Twice the input, with a gradient that is wrong on purpose: 7."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.save(x)
        return x * factor, x + 1.0

    @staticmethod
    def backward(ctx, first, second):
        (x,) = ctx.saved
        return first * 7.0 + second * x, None


def test_custom_functions() -> None:
    x = engine.tensor([1.0, 2.0], requires_grad=True)
    a, b = Doubled.apply(x, 2.0)
    assert a.tolist() == [2.0, 4.0]
    (a.sum() + b.sum()).backward(retain_graph=True)
    assert x.grad is not None
    assert x.grad.tolist() == [8.0, 9.0]
    a.sum().backward()
    with pytest.raises(engine.StateError, match="Doubled: the saved tensors were freed"):
        a.sum().backward()


def test_custom_function_sees_writes() -> None:
    x = engine.tensor([1.0], requires_grad=True)
    y = x * 1.0
    a, _ = Doubled.apply(y, 2.0)
    y.add_(1.0)
    with pytest.raises(engine.StateError, match=r"Doubled: a saved tensor .float32 .1,.. was modified in place"):
        a.sum().backward()


def test_a_chain_of_100_000_nodes() -> None:
    x = engine.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.backward()
    assert x.grad is not None
    assert x.grad.item() == 1.0


ERRORS = {
    "shape": (
        lambda x: engine.matmul(x, engine.tensor([[1.0, 2.0]])),
        engine.ShapeError,
        ["matmul", "float32 (2, 3)", "float32 (1, 2)", "must be equal"],
    ),
    "broadcast": (
        lambda x: x + engine.tensor([1.0, 2.0]),
        engine.ShapeError,
        ["add", "(2, 3)", "(2,)", "make them equal"],
    ),
    "dtype": (
        lambda x: engine.neg(x > 0),
        engine.DtypeError,
        ["neg", "bool (2, 3)", "cast it"],
    ),
    "index": (
        lambda x: x[7],
        engine.BoundsError,
        ["getitem", "7", "float32 (2, 3)", "use -2 to 1"],
    ),
    "rows": (
        lambda x: engine.take(x, [5]),
        engine.BoundsError,
        ["take", "5", "int64 (1,)", "use -2 to 1"],
    ),
    "nothing": (
        lambda x: engine.add(x, None),
        engine.DtypeError,
        ["add", "'b' is None"],
    ),
    "text": (
        lambda x: engine.tensor("seven"),
        engine.DtypeError,
        ["tensor"],
    ),
    "ragged": (
        lambda x: engine.tensor([[1], [1, 2]]),
        engine.ShapeError,
        ["tensor", "different lengths"],
    ),
    "singular": (
        lambda x: engine.inverse(engine.zeros_like(x[:, :2])),
        StepgraphError,
        ["inverse", "float32 (2, 2)", "singular"],
    ),
    "seed": (
        lambda x: (x * x).backward(),
        engine.ShapeError,
        ["backward", "(2, 3)", "sum or mean"],
    ),
    "seed shape": (
        lambda x: (x * x).backward([1.0]),
        engine.ShapeError,
        ["backward", "(1,)", "(2, 3)"],
    ),
    "constant": (
        lambda x: x.detach().sum().backward(),
        engine.StateError,
        ["backward", "float32 ()", "requires_grad=True"],
    ),
    "leaf": (
        lambda x: x.add_(1.0),
        engine.StateError,
        ["add", "float32 (2, 3)", "no_grad"],
    ),
    "numpy": (
        lambda x: x.numpy(),
        engine.StateError,
        ["numpy", "float32 (2, 3)", "detach"],
    ),
    "item": (
        lambda x: x.item(),
        engine.ShapeError,
        ["item", "(2, 3)"],
    ),
    "integer": (
        lambda x: engine.tensor([1], requires_grad=True),
        engine.DtypeError,
        ["requires_grad", "int64 (1,)", "cast"],
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_op_operands_and_fix(case: str) -> None:
    run, kind, words = ERRORS[case]
    with pytest.raises(StepgraphError) as caught:
        run(engine.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True))
    assert isinstance(caught.value, kind)
    for word in words:
        assert word in str(caught.value)


def test_freed_and_modified_say_so() -> None:
    x = engine.tensor([1.0], requires_grad=True)
    y = engine.exp(x)
    y.sum().backward()
    with pytest.raises(engine.StateError, match="retain_graph=True"):
        y.sum().backward()
    z = engine.exp(x)
    z.add_(1.0)
    with pytest.raises(engine.StateError, match=r"ExpGradient.*modified in place.*float32 \(1,\)"):
        z.sum().backward()


def test_importing_costs_nothing_and_loads_nothing() -> None:
    program = "import engine, sys; print(sorted(n for n in sys.modules if n.startswith(('engine', 'numpy'))))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['engine']"
    program = "import engine, sys; engine.tensor(1.0); print('engine.static' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


@pytest.mark.parametrize("size", [4, 512])
def test_gradients_share_no_memory(size: int) -> None:
    w, v, u = (engine.tensor(np.ones((size, size), np.float32), requires_grad=True) for _ in range(3))
    seed = engine.tensor(np.full((size, size), 2.0, np.float32))
    y = (w + v) * u
    y.backward(seed)
    arrays = [x.grad.numpy() for x in (w, v, u)] + [seed.numpy(), *(x.detach().numpy() for x in (w, v, u))]
    for i, first in enumerate(arrays):
        for second in arrays[:i]:
            assert not np.shares_memory(first, second)
    engine.identity(w).backward(seed)
    (w @ v).backward(seed)
    np.testing.assert_array_equal(w.grad.numpy(), np.full((size, size), 2.0 + 2.0 + 2.0 * size, np.float32))
    assert seed.numpy().max() == 2.0


def test_a_gradient_that_is_a_saved_value_is_copied() -> None:
    w = engine.tensor(np.ones((512, 512), np.float32), requires_grad=True)
    factor = engine.tensor(np.full((512, 512), 3.0, np.float32))
    (w * factor).backward(np.ones((512, 512), np.float32))
    with engine.no_grad():
        w.grad.mul_(2.0)
    assert factor.numpy().max() == 3.0
