"""Every op of the table, by samples: values, first and second derivatives, types, dtypes, buffers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from engine.ops import CORE, TABLE, F
from engine.ops.promotion import operand_dtype
from engine.tensor_type import TensorType
from tests.ops import samples_elementwise, samples_layers, samples_more, samples_reductions, samples_shapes  # noqa: F401  (they fill SAMPLES)
from tests.ops.reference import R, Var, gradients
from tests.ops.samples import SAMPLES, Sample

# Random ops have tests of their own; the kernels of these belong to the static mode.
ELSEWHERE = {name for name in CORE if name.startswith("random_")} | {
    "placeholder", "constant", "variable", "assign", "assign_add", "assign_sub", "no_op", "group",
}  # fmt: skip
SIZE_BY_VALUES = {"masked_select", "nonzero"}
DRAWN = {"hinge", "ess", "sum", "shape", "fork", "enter", "pin", "shelf", "nabla"}
EPSILON = 1e-5


def is_real(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def kind_of_result(s: Sample) -> str:
    return np.asarray(s.expected(*s.operands)).dtype.kind


WITH_GRADIENT = [s for s in SAMPLES if TABLE[s.op].gradients and kind_of_result(s) == "f"]
every = pytest.mark.parametrize("s", SAMPLES, ids=str)
differentiable = pytest.mark.parametrize("s", WITH_GRADIENT, ids=str)
smooth = pytest.mark.parametrize("s", [s for s in WITH_GRADIENT if s.second], ids=str)
with_floats = pytest.mark.parametrize("s", [s for s in SAMPLES if any(map(is_real, s.operands))], ids=str)


def type_of(x: Any) -> Any:
    return TensorType(x.dtype, x.shape) if isinstance(x, np.ndarray) else x


def run(s: Sample, operands: Any = None) -> Any:
    """The op on the operands, cast as a mode would cast them."""
    op = TABLE[s.op]
    values = list(s.operands if operands is None else operands)
    places = [i for i in range(len(values)) if op.variadic or op.inputs[i] not in op.unpromoted]
    dtype = operand_dtype(op.promotion, *(type_of(values[i]) for i in places))
    for i in places:
        if dtype is not None and isinstance(values[i], np.ndarray):
            values[i] = values[i].astype(dtype)
    with np.errstate(all="ignore"):
        return op.kernel(*values, **s.attributes)


def test_every_op_has_a_sample() -> None:
    assert CORE - {s.op for s in SAMPLES} == ELSEWHERE


@every
def test_forward(s: Sample) -> None:
    expected = np.asarray(s.expected(*s.operands))
    result = np.asarray(run(s))
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-12)


def weights(like: Any, seed: int) -> Any:
    return np.random.default_rng(seed).uniform(0.5, 1.5, np.shape(like))


def slopes(s: Sample, operands: list[Any]) -> list[Any]:
    """First derivatives of the weighted sum of the result, by the table."""
    leaves = [Var(x) if is_real(x) else x for x in operands]
    out = getattr(R, s.op)(*leaves, **s.attributes)
    sent = gradients(out, weights(out.value, 1), [x for x in leaves if isinstance(x, Var)])
    zeros = [np.zeros(x.shape) for x in operands if is_real(x)]
    return [
        z if g is None else np.asarray(g.value if isinstance(g, Var) else g) for g, z in zip(sent, zeros, strict=True)
    ]


def differences(function: Any, operands: list[Any], place: int) -> Any:
    """The derivative of a scalar function by one operand, from values on both sides."""
    x = operands[place]
    result = np.zeros(x.shape)
    for i in np.ndindex(x.shape):
        sides = []
        for sign in (1, -1):
            moved = x.copy()
            moved[i] += sign * EPSILON
            sides.append(function([*operands[:place], moved, *operands[place + 1 :]]))
        result[i] = (sides[0] - sides[1]) / (2 * EPSILON)
    return result


def places_of(s: Sample) -> list[int]:
    return [i for i, x in enumerate(s.operands) if is_real(x)]


def has_gradient(s: Sample, place: int) -> bool:
    op = TABLE[s.op]
    return op.inputs[0 if op.variadic else place] in op.gradients


@differentiable
def test_first_derivative(s: Sample) -> None:
    operands = list(s.operands)
    result = run(s)

    def scalar(moved: list[Any]) -> float:
        out = run(s, moved)
        return float(np.sum(out * weights(out, 1)))

    tolerance = 1e-6 if np.asarray(result).dtype == np.float64 else 5e-3
    for g, place in zip(slopes(s, operands), places_of(s), strict=True):
        if has_gradient(s, place):
            if s.op == "cast":  # rounds: no differences to see
                expected = weights(result, 1)
            else:
                expected = differences(scalar, operands, place)
            np.testing.assert_allclose(g, expected, rtol=tolerance, atol=tolerance, err_msg=f"operand {place}")


@smooth
def test_second_derivative(s: Sample) -> None:
    operands, places = list(s.operands), places_of(s)

    def scalar(moved: list[Any]) -> float:
        return float(sum(np.sum(g * weights(g, 2 + i)) for i, g in enumerate(slopes(s, moved))))

    leaves = [Var(x) if is_real(x) else x for x in operands]
    tracked = [x for x in leaves if isinstance(x, Var)]
    out = getattr(R, s.op)(*leaves, **s.attributes)
    first = gradients(out, Var(weights(out.value, 1)), tracked)
    total = None
    for i, g in enumerate(first):
        if g is not None:
            part = R.sum(R.mul(g, weights(g.value, 2 + i)))
            total = part if total is None else R.add(total, part)
    assert total is not None
    second = gradients(total, np.ones(()), tracked)
    for g2, place in zip(second, places, strict=True):
        got = np.zeros(operands[place].shape) if g2 is None else getattr(g2, "value", g2)
        np.testing.assert_allclose(
            got, differences(scalar, operands, place), rtol=1e-5, atol=1e-6, err_msg=f"operand {place}"
        )


@every
def test_type_rule(s: Sample) -> None:
    result = np.asarray(run(s))
    types = [type_of(x) for x in s.operands]
    rule = TABLE[s.op].type_rule(*types, **s.attributes)
    if s.op in SIZE_BY_VALUES:
        assert rule.shape is not None
        assert rule.shape[0] is None
    else:
        assert rule == TensorType(result.dtype, result.shape)
    for place, t in enumerate(types):
        if not isinstance(t, TensorType):
            continue
        unknown: list[Any] = [None]
        for hidden in itertools.product((False, True), repeat=len(t.shape)):
            unknown += [tuple(None if h else d for h, d in zip(hidden, t.shape, strict=True))]
        for shape in unknown:
            changed = [*types[:place], TensorType(t.dtype, shape), *types[place + 1 :]]
            said = TABLE[s.op].type_rule(*changed, **s.attributes)
            assert said.dtype == result.dtype
            if said.shape is not None:
                assert len(said.shape) == result.ndim, (shape, said)
                assert all(d is None or d == r for d, r in zip(said.shape, result.shape, strict=True)), (shape, said)


@with_floats
def test_float32_stays_float32(s: Sample) -> None:
    narrow = [x.astype(np.float32) if is_real(x) else x for x in s.operands]
    result = run(s, narrow)
    wide = np.asarray(run(s))
    if wide.dtype.kind == "f":
        assert result.dtype == np.float32
        np.testing.assert_allclose(result, wide, rtol=2e-3, atol=2e-4)
    op = TABLE[s.op]
    if not op.gradients or wide.dtype.kind != "f":
        return
    leaves = [Var(x) if is_real(x) else x for x in narrow]
    out = getattr(R, s.op)(*leaves, **s.attributes)
    tracked = [x for x in leaves if isinstance(x, Var)]
    for leaf, g in zip(tracked, gradients(out, Var(np.ones(out.value.shape, np.float32)), tracked), strict=True):
        if g is not None:
            assert g.value.dtype == np.float32, f"gradient of {s.op} is {g.value.dtype}"
            assert g.value.shape == leaf.value.shape


@pytest.mark.parametrize("s", [s for s in SAMPLES if TABLE[s.op].accepts_out], ids=str)
def test_out_buffer(s: Sample) -> None:
    expected = np.asarray(run(s))
    buffer = np.full(expected.shape, 7, expected.dtype)
    op = TABLE[s.op]
    with np.errstate(all="ignore"):
        returned = op.kernel(*s.operands, out=buffer, **s.attributes)
    assert returned is buffer
    np.testing.assert_array_equal(buffer, expected)
    for place, x in enumerate(s.operands):  # elementwise ops may overwrite an operand
        if op.elementwise and isinstance(x, np.ndarray) and (x.shape, x.dtype) == (expected.shape, expected.dtype):
            operands = [np.array(y) for y in s.operands]
            with np.errstate(all="ignore"):
                op.kernel(*operands, out=operands[place], **s.attributes)
            np.testing.assert_array_equal(operands[place], expected)


@every
def test_operands_are_left_alone_and_views_are_declared(s: Sample) -> None:
    before = [np.array(x) for x in s.operands]
    result = np.asarray(run(s))
    for x, old in zip(s.operands, before, strict=True):
        np.testing.assert_array_equal(x, old)
    shared = [i for i, x in enumerate(s.operands) if isinstance(x, np.ndarray) and np.shares_memory(result, x)]
    assert shared == [] or (shared == [0] and TABLE[s.op].view), f"{s.op} shares memory with operands {shared}"


@pytest.mark.parametrize("name", sorted(name for name in CORE if TABLE[name].like))
def test_twins_share_the_declaration(name: str) -> None:
    op, twin = TABLE[name], TABLE[TABLE[name].like]
    assert op.gradients.keys() == twin.gradients.keys() or twin.variadic
    assert list(op.attributes)[1:] == list(twin.attributes)
    assert (op.category, op.formula, op.view) == (twin.category, twin.formula, twin.view)


@every
def test_flops_count(s: Sample) -> None:
    op = TABLE[s.op]
    if op.flops is not None:
        count = op.flops(np.shape(run(s)), *(np.shape(x) for x in s.operands), **s.attributes)
        assert isinstance(count, int)
        assert count > 0


@pytest.mark.parametrize("name", sorted(CORE))
def test_declaration_is_complete(name: str) -> None:
    op = TABLE[name]
    assert op.symbol in DRAWN or 1 <= len(op.symbol) <= 3, f"{op.symbol!r} is no glyph and too long for a tile"
    assert op.formula
    assert op.differentiable or not op.gradients
    assert getattr(F, name) is op.kernel
    hash(tuple(v for v in op.attributes.values()))
