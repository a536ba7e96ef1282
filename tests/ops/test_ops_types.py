"""Type rules, promotion and the words of errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

from engine.errors import BoundsError, DtypeError, ShapeError, StateError, StepgraphError
from engine.ops import TABLE, F, Op
from engine.ops.indexing import Slice, describe_index
from engine.ops.promotion import operand_dtype, promote, result_dtype
from engine.ops.registry import op
from engine.ops.type_rules import broadcast
from engine.tensor_type import TensorType
from tests.ops.reference import R, Var, gradients

f4, f8, i4, i8, b1 = (np.dtype(name) for name in ("f4", "f8", "i4", "i8", "?"))
SHAPES = st.lists(st.integers(0, 3), max_size=3).map(tuple)


def tensor(dtype: str, *shape: int | None) -> TensorType:
    return TensorType(np.dtype(dtype), shape)


# -- promotion --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ((tensor("f4", 3), tensor("f8", 3)), f8),
        ((tensor("i8", 3), tensor("f4", 3)), f4),
        ((tensor("?", 3), tensor("i4", 3)), i4),
        ((tensor("i4", 3), tensor("i8", 3)), i8),
        ((tensor("f4", 3), tensor("f8")), f4),  # a tensor without dimensions only counts by category
        ((tensor("i8", 3), tensor("f8")), f8),
        ((tensor("f4"), tensor("f8")), f8),
        ((tensor("f4", 3), 2.5), f4),
        ((tensor("f4", 3), 2), f4),
        ((tensor("i8", 3), 2.5), f4),
        ((tensor("i4", 3), 2), i4),
        ((tensor("?", 3), 2), i8),
        ((tensor("?", 3), True), b1),
        ((tensor("?", 3), 1j), np.dtype("c8")),
        ((TensorType(f4, None), tensor("f8")), f4),
    ],
)
def test_result_dtype(operands: Any, expected: Any) -> None:
    assert result_dtype(*operands) == expected
    assert result_dtype(*reversed(operands)) == expected


def test_operand_dtype_by_promotion() -> None:
    assert operand_dtype("float", tensor("i8", 3)) == f4
    assert operand_dtype("float", tensor("f8", 3)) == f8
    assert operand_dtype("bool", tensor("f8", 3)) == b1
    assert operand_dtype("", tensor("f8", 3)) is None


def test_promotion_refuses_what_is_no_number() -> None:
    with pytest.raises(DtypeError, match="is not a number"):
        promote(np.dtype("U3"), f4)
    with pytest.raises(DtypeError, match="no operands"):
        result_dtype()


# -- broadcasting -----------------------------------------------------------------------------------------------------
@given(SHAPES, SHAPES)
def test_broadcast_agrees_with_numpy(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    try:
        expected = np.broadcast_shapes(a, b)
    except ValueError:
        with pytest.raises(ShapeError, match="do not broadcast"):
            broadcast("add", tensor("f4", *a), tensor("f4", *b))
    else:
        assert broadcast("add", tensor("f4", *a), tensor("f4", *b)) == expected


@given(mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3), st.data())
def test_unknown_dimensions_never_contradict_the_result(shapes: Any, data: st.DataObject) -> None:
    hidden = [tuple(None if data.draw(st.booleans()) else d for d in shape) for shape in shapes.input_shapes]
    said = broadcast("add", *(tensor("f4", *shape) for shape in hidden))
    assert said is not None
    assert len(said) == len(shapes.result_shape)
    assert all(d in (None, r) for d, r in zip(said, shapes.result_shape, strict=True))


@given(
    mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3), st.sampled_from(["add", "mul", "div", "where"])
)
def test_gradients_of_broadcast_operands(shapes: Any, name: str) -> None:
    a, b = (Var(np.full(shape, 2.0)) for shape in shapes.input_shapes)
    out = R.where(np.True_, a, b) if name == "where" else getattr(R, name)(a, b)
    assert out.value.shape == shapes.result_shape
    first, second = gradients(out, np.ones(shapes.result_shape), [a, b])
    copies = out.value.size / a.value.size if a.value.size else 0
    slope = {"add": 1, "mul": 2, "div": 0.5, "where": 1}[name]
    assert first is not None
    assert second is not None
    np.testing.assert_allclose(getattr(first, "value", first), np.full(a.value.shape, slope * copies))
    assert R.shape(second) == b.value.shape


@given(SHAPES, SHAPES)
def test_sum_to_is_the_transpose_of_broadcast_to(small: tuple[int, ...], extra: tuple[int, ...]) -> None:
    big = (*extra, *(3 if d == 1 else d for d in small))
    x, y = np.random.default_rng(0).normal(size=big), np.random.default_rng(1).normal(size=small)
    down, up = F.sum_to(x, small), F.broadcast_to(y, big)
    assert down.shape == small
    assert np.sum(down * y) == pytest.approx(np.sum(x * up))


# -- errors: name of the op, shapes, the fix --------------------------------------------------------------------------
MATRIX, VECTOR = tensor("f4", 2, 3), tensor("f4", 3)
CASES: list[tuple[str, tuple[Any, ...], dict[str, Any], type[StepgraphError], tuple[str, ...]]] = [
    ("add", (MATRIX, tensor("f4", 2)), {}, ShapeError, ("add", "(2, 3)", "(2,)", "make them equal")),
    ("sub", (tensor("?", 2), tensor("?", 2)), {}, DtypeError, ("sub", "bool", "cast")),
    ("neg", (tensor("?", 2),), {}, DtypeError, ("neg", "bool")),
    ("matmul", (MATRIX, MATRIX), {}, ShapeError, ("matmul", "(2, 3)", "3 columns", "2 rows", "transpose")),
    ("matmul", (MATRIX, VECTOR), {}, ShapeError, ("second operand", "at least 2", "(3,)", "expand_dims")),
    ("matmul", (tensor("f4", 2, 2, 3), tensor("f4", 3, 3, 2)), {}, ShapeError, ("batch", "(2, 2, 3)")),
    ("matmul", (tensor("f4", None, 3), tensor("f4", 4, None)), {}, ShapeError, ("(?, 3)", "(4, ?)")),
    ("addmm", (VECTOR, MATRIX, MATRIX), {}, ShapeError, ("addmm", "3 columns", "2 rows")),
    ("addmm", (VECTOR, MATRIX, tensor("f4", 3, 2)), {}, ShapeError, ("addmm", "do not broadcast")),
    ("addmm", (tensor("f4", 4, 2, 2), MATRIX, tensor("f4", 3, 2)), {}, ShapeError, ("addmm", "(4, 2, 2)", "(2, 2)")),
    ("add_n", (MATRIX, VECTOR), {}, ShapeError, ("add_n", "(3,)")),
    ("einsum", (MATRIX, MATRIX), {"equation": "ij,jk->ik"}, ShapeError, ("'j' is 3", "and 2")),
    ("einsum", (MATRIX,), {"equation": "i->i"}, ShapeError, ("names 1 dimensions", "(2, 3)")),
    ("einsum", (MATRIX,), {"equation": "ij,jk"}, ShapeError, ("names 2 operands",)),
    ("einsum", (MATRIX,), {"equation": "ii->i"}, ShapeError, ("twice", "diagonal")),
    ("einsum", (MATRIX,), {"equation": "...j->j"}, ShapeError, ("ellipsis",)),
    ("einsum", (MATRIX,), {"equation": "ij->k"}, ShapeError, ("['k']",)),
    ("einsum", (MATRIX,), {"equation": "i1->i"}, ShapeError, ("only letters",)),
    ("conv2d", (tensor("f4", 1, 3, 8, 8), tensor("f4", 4, 2, 3, 3)), {}, ShapeError, ("3 channels", "want 2")),
    ("conv2d", (tensor("f4", 1, 2, 2, 8), tensor("f4", 4, 2, 3, 3)), {}, ShapeError, ("does not fit", "padding")),
    ("conv2d", (MATRIX, tensor("f4", 4, 2, 3, 3)), {}, ShapeError, ("must have 4 dimensions", "(2, 3)")),
    ("max_pool2d", (tensor("f4", 1, 1, 2, 2),), {"size": (3, 3)}, ShapeError, ("max_pool2d", "does not fit")),
    ("avg_pool2d", (tensor("i8", 1, 1, 2, 2),), {"size": (2, 2)}, DtypeError, ("avg_pool2d", "int64")),
    ("standardize", (MATRIX,), {"axis": 2}, ShapeError, ("standardize", "axis 2")),
    ("std", (tensor("i8", 3),), {}, DtypeError, ("std", "int64")),
    ("norm", (tensor("i8", 3),), {}, DtypeError, ("norm", "int64")),
    ("inverse", (MATRIX,), {}, ShapeError, ("square", "(2, 3)")),
    ("inverse", (tensor("f2", 2, 2),), {}, DtypeError, ("float16",)),
    ("solve", (tensor("f4", 2, 2), tensor("f4", 3, 1)), {}, ShapeError, ("needs 2 rows", "(3, 1)")),
    ("solve", (tensor("f4", 2, 2, 2), tensor("f4", 3, 2, 1)), {}, ShapeError, ("batches",)),
    ("cumsum", (MATRIX,), {"axis": 2}, ShapeError, ("axis 2",)),
    ("cumprod", (MATRIX,), {"axis": 2}, ShapeError, ("axis 2",)),
    ("topk", (MATRIX,), {"k": 4}, ShapeError, ("k = 4", "size 3")),
    ("sort", (MATRIX,), {"axis": 2}, ShapeError, ("axis 2",)),
    ("roll", (MATRIX,), {"shift": (1,), "axis": (0, 1)}, ShapeError, ("1 shifts for 2 axes",)),
    ("repeat", (MATRIX,), {"repeats": -1}, ShapeError, ("0 or more",)),
    ("tril", (VECTOR,), {}, ShapeError, ("tril", "at least 2")),
    ("put_diagonal", (VECTOR,), {"shape": (2, 2)}, ShapeError, ("(2,), not (3,)",)),
    ("embedding", (MATRIX, tensor("f4", 2)), {}, DtypeError, ("integers",)),
    ("gather_nd", (MATRIX, tensor("i8", 4, 3)), {}, ShapeError, ("too long",)),
    ("masked_select", (MATRIX, tensor("?", 3)), {}, ShapeError, ("(3,)", "(2, 3)", "broadcast")),
    ("masked_put", (VECTOR, VECTOR), {}, DtypeError, ("bool",)),
    ("l1_loss", (tensor("i8", 3), tensor("i8", 3)), {}, DtypeError, ("l1_loss",)),
    ("huber_loss", (MATRIX, tensor("f4", 2)), {}, ShapeError, ("huber_loss", "do not broadcast")),
    ("full", (), {"shape": (-1,)}, ShapeError, ("(-1,)",)),
    ("arange", (), {"start": 0, "stop": 1, "step": 0}, ShapeError, ("step of 0",)),
    ("linspace", (), {"start": 0, "stop": 1, "count": -1}, ShapeError, ("0 or more",)),
    ("eye", (), {"rows": -1}, ShapeError, ("-1 rows",)),
    ("random_bernoulli", (), {"shape": (2,), "p": 1.5}, ShapeError, ("between 0 and 1",)),
    ("random_range", (), {"shape": (2,), "low": 2, "high": 2}, ShapeError, ("no number",)),
    ("dot", (VECTOR, tensor("f4", 4)), {}, ShapeError, ("equally long",)),
    ("matvec", (MATRIX, tensor("f4", 2)), {}, ShapeError, ("3 columns", "2 elements")),
    ("outer", (MATRIX, VECTOR), {}, ShapeError, ("outer", "1 dimensions")),
    ("mean", (tensor("i8", 3),), {}, DtypeError, ("mean", "int64", "float32")),
    ("sum", (MATRIX,), {"axis": 2}, ShapeError, ("sum", "axis 2", "(2, 3)", "-2 to 1")),
    ("sum", (MATRIX,), {"axis": (0, -2)}, ShapeError, ("twice",)),
    ("sum", (tensor("f4"),), {"axis": 0}, ShapeError, ("a scalar has no axes",)),
    ("max", (tensor("f4", 0, 3),), {"axis": 0}, ShapeError, ("max", "no elements")),
    ("argmax", (MATRIX,), {"axis": (0, 1)}, DtypeError, ("argmax", "one integer")),
    ("reshape", (MATRIX,), {"shape": (4, 2)}, ShapeError, ("reshape", "6 elements", "has 8")),
    ("reshape", (MATRIX,), {"shape": (4, -1)}, ShapeError, ("no multiple of 4",)),
    ("reshape", (MATRIX,), {"shape": (-1, -1)}, ShapeError, ("at most one is -1",)),
    ("transpose", (MATRIX,), {"axes": (0, 0)}, ShapeError, ("each axis",)),
    ("expand_dims", (MATRIX,), {"axis": 4}, ShapeError, ("axis 4",)),
    ("squeeze", (MATRIX,), {"axis": 0}, ShapeError, ("size 2", "only size 1")),
    ("broadcast_to", (MATRIX,), {"shape": (3,)}, ShapeError, ("cannot be repeated",)),
    ("broadcast_to", (MATRIX,), {"shape": (1, 3)}, ShapeError, ("cannot be repeated",)),
    ("sum_to", (VECTOR,), {"shape": (2, 3)}, ShapeError, ("cannot be summed",)),
    ("cast", (MATRIX,), {"dtype": np.dtype("U2")}, DtypeError, ("no dtype for tensors",)),
    ("getitem", (MATRIX,), {"index": (2,)}, BoundsError, ("index 2", "axis 0", "size 2", "-2 to 1")),
    ("getitem", (MATRIX,), {"index": (0, 0, 0)}, ShapeError, ("too many",)),
    ("getitem", (MATRIX,), {"index": (..., ...)}, ShapeError, ("one ellipsis",)),
    ("getitem", (MATRIX,), {"index": (Slice(None, None, 0),)}, ShapeError, ("step",)),
    ("select", (MATRIX,), {"axis": 1, "index": 3}, BoundsError, ("index 3",)),
    ("take", (MATRIX, tensor("f4", 2)), {}, DtypeError, ("indices must be integers",)),
    ("gather", (MATRIX, tensor("i8", 2)), {}, ShapeError, ("as many dimensions",)),
    ("one_hot", (tensor("f4", 2),), {"depth": 3}, DtypeError, ("integers",)),
    ("one_hot", (tensor("i8", 2),), {"depth": -1}, ShapeError, ("negative",)),
    ("concat", (MATRIX, VECTOR), {}, ShapeError, ("concat", "(2, 3), (3,)", "axis 0")),
    ("concat", (MATRIX, tensor("f4", 2, 4)), {}, ShapeError, ("differ in more than axis 0",)),
    ("stack", (MATRIX, VECTOR), {}, ShapeError, ("same shape",)),
    ("pad", (MATRIX,), {"widths": ((1, 1),)}, ShapeError, ("one (before, after)",)),
    ("tile", (MATRIX,), {"repeats": (2,)}, ShapeError, ("one number",)),
    ("where", (MATRIX, MATRIX, MATRIX), {}, DtypeError, ("condition", "x != 0")),
    ("softmax", (tensor("i8", 3),), {}, DtypeError, ("softmax", "int64")),
    ("gelu", (MATRIX,), {"approximate": "x"}, ShapeError, ('"none" or "tanh"',)),
    ("mse_loss", (MATRIX, MATRIX), {"reduction": "max"}, ShapeError, ('"mean", "sum" or "none"',)),
    ("cross_entropy", (MATRIX, tensor("i8", 3)), {}, ShapeError, ("(2, 3)", "(2,)", "(3,)", "class number")),
    ("cross_entropy", (MATRIX, tensor("f4", 2)), {}, DtypeError, ("class numbers", "float32")),
    ("random_uniform", (), {"shape": (None, 2)}, ShapeError, ("(?, 2)",)),
    ("random_normal", (), {"shape": (2,), "dtype": i8}, DtypeError, ("int64",)),
    ("assign", (MATRIX, VECTOR), {}, ShapeError, ("assign", "(3,)", "(2, 3)")),
    ("assign", (tensor("i8", 3), VECTOR), {}, DtypeError, ("float32", "int64")),
    ("assign_add", (tensor("?", 3), tensor("?", 3)), {}, DtypeError, ("bool",)),
]


@pytest.mark.parametrize(
    ("name", "types", "attributes", "kind", "words"), CASES, ids=lambda x: x if isinstance(x, str) else ""
)
def test_error_says_what_to_do(name: str, types: Any, attributes: Any, kind: Any, words: tuple[str, ...]) -> None:
    with pytest.raises(kind) as caught:
        TABLE[name].type_rule(*types, **attributes)
    for word in words:
        assert word in str(caught.value)
    assert str(caught.value).startswith(name)
    if isinstance(caught.value, ShapeError):
        assert caught.value.op == name


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: F.take(np.zeros((2, 3)), np.array([0, 2])), ("take", "0 to 2", "(2, 3)", "-2 to 1")),
        (lambda: F.gather(np.zeros((2, 3)), np.array([[5]]), 1), ("gather", "size 3")),
        (lambda: F.put(np.zeros((1, 3)), np.array([7]), (2, 3)), ("put", "7")),
        (lambda: F.ungather(np.zeros((1, 1)), np.array([[5]]), (2, 3), 1), ("ungather", "size 3")),
        (lambda: F.embedding(np.zeros((2, 3)), np.array([-1])), ("embedding", "2 rows", "0 to 1")),
        (lambda: F.gather_nd(np.zeros((2, 3)), np.array([[1, 3]])), ("gather_nd", "axis 1", "size 3")),
        (lambda: F.scatter_nd(np.zeros(1), np.array([[2, 0]]), (2, 3)), ("scatter_nd", "axis 0", "size 2")),
        (lambda: F.cross_entropy(np.zeros((2, 3)), np.array([0, 3])), ("cross_entropy", "0 to 3", "3 classes")),
        (lambda: F.cross_entropy(np.zeros((2, 3)), np.array([-1, 0])), ("cross_entropy", "-1 to 0", "0 to 2")),
    ],
)
def test_indices_out_of_bounds(call: Any, words: tuple[str, ...]) -> None:
    with pytest.raises(BoundsError) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("name", ["inverse", "solve", "cholesky"])
def test_singular_matrices(name: str) -> None:
    operands = (np.zeros((2, 2)), np.ones((2, 1)))[: len(TABLE[name].inputs)]
    with pytest.raises(
        StepgraphError, match=rf"{name}: the matrix of shape \(2, 2\) is (singular|not positive definite)"
    ):
        TABLE[name].kernel(*operands)


def test_index_descriptions() -> None:
    assert describe_index(np.int64(2)) == (2,)
    assert hash(describe_index((slice(1, None), None, ...))) == hash((Slice(1), None, ...))
    for bad in (True, 1.0, [0, 1], np.array([0])):
        with pytest.raises(DtypeError, match="no basic index"):
            describe_index((bad,) if not isinstance(bad, np.ndarray) else (np.array([0, 1]),))


# -- state ops --------------------------------------------------------------------------------------------------------
def test_state_ops() -> None:
    assert TABLE["placeholder"].type_rule(f4, (None, 2)) == tensor("f4", None, 2)
    assert TABLE["constant"].type_rule(np.zeros(3)) == tensor("f8", 3)
    assert TABLE["assign"].type_rule(tensor("f4", 3), tensor("f4", None)) == tensor("f4", 3)
    assert TABLE["group"].type_rule(MATRIX, VECTOR).shape == (0,)
    assert all(TABLE[name].stateful for name in ("variable", "assign", "assign_add", "assign_sub"))
    with pytest.raises(StateError, match="no kernel"):
        TABLE["assign"].kernel(np.zeros(2), np.zeros(2))


# -- the registry -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("add", "a b", None, lambda a, b: a), "declared twice"),
        (("t1", "a", None, lambda a: a, {"b": lambda F, g: g}), "does not take"),
        (("t2", "g out", None, lambda g, out: g), "something else"),
    ],
)
def test_wrong_declarations(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        op(*arguments)
    assert arguments[0] == "add" or arguments[0] not in TABLE


def test_unknown_category() -> None:
    with pytest.raises(ValueError, match="no category"):
        op("t3", "a", np.negative, lambda a: a, category="sport")


@pytest.mark.parametrize(
    ("name", "arguments", "keywords", "message"),
    [
        ("add", ("x",), {}, "a, b"),
        ("reshape", ("x",), {}, "needs shape"),
        ("sum", ("x", 0, True, 3), {}, "has 2"),
        ("sum", ("x",), {"axes": 1}, "no attribute 'axes'"),
        ("concat", (), {}, "parts"),
    ],
)
def test_wrong_calls(name: str, arguments: Any, keywords: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        TABLE[name].bind(arguments, keywords)


def test_what_backward_keeps() -> None:
    kept: dict[str, Op] = {name: TABLE[name] for name in ("add", "mul", "relu", "sum", "matmul", "exp", "max")}
    assert {name: set(op.saves) for name, op in kept.items()} == {
        "add": set(),
        "mul": {"a", "b"},
        "relu": {"out"},
        "sum": set(),
        "matmul": {"a", "b"},
        "exp": {"out"},
        "max": {"a", "out"},
    }


def test_unknown_op() -> None:
    with pytest.raises(AttributeError, match="no op 'frobnicate'"):
        F.frobnicate(1)
