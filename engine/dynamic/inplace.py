"""Writing into tensors: version counters, the tape of what was overwritten, and what happens to views.

An in-place op is its out-of-place twin whose result replaces the values of its first operand. A write into a view
changes
the view's base, whose past becomes a :class:`CopySlices` node: the gradient of the written region goes through the
op, the
rest passes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dynamic import modes, observe
from engine.dynamic.apply import edge_of, failure, record, refresh_view
from engine.dynamic.facade import NO_ATTRIBUTES, Primitive
from engine.dynamic.nodes import Edge, GradNode, sequence
from engine.dynamic.promote import agree
from engine.dynamic.tensor import InferenceError, Operand, Tensor, fresh
from engine.errors import DtypeError, ShapeError, StateError
from engine.ops.registry import TABLE, op
from engine.tensor_type import TensorType


class LeafWriteError(StateError):
    """A leaf that requires a gradient, or a view of one (``through_view``), would be overwritten while ops are
    recorded."""

    def __init__(self, through_view: bool) -> None:
        what = "a view of a leaf" if through_view else "a leaf"
        super().__init__(f"{what} that requires a gradient is being overwritten; do it under no_grad, or on a copy")
        self.through_view = through_view


class UnrecordedViewError(StateError):
    """A view that was made while nothing was recorded would be overwritten while ops are: its base could not learn of
    it."""

    def __init__(self) -> None:
        super().__init__("a view that was made under no_grad is being overwritten outside of it; do both in one place")


class PieceWriteError(StateError):
    """One of several views that an op gave at once would be overwritten while ops are recorded: ``piece`` of
    ``node``."""

    def __init__(self, piece: int, node: Any) -> None:
        super().__init__("one of several views of one tensor is being overwritten; write into a copy of it")
        self.piece, self.node = piece, node


class CastError(DtypeError):
    """The result of an in-place op has a dtype of a higher kind than what it is written into."""

    def __init__(self, result: Any, target: Any) -> None:
        super().__init__(
            f"a result of dtype {result} cannot be written into a tensor of dtype {target}; cast one of them"
        )
        self.result = result
        self.target = target


_KINDS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


if "overwrite" not in TABLE:  # a module may be loaded twice by tools
    op(
        "overwrite",
        "a b",
        lambda a, b: np.broadcast_to(np.asarray(b, a.dtype), a.shape),
        lambda a, b: TensorType(a.dtype, a.shape),
        {"b": lambda F, g: g},
        elementwise=True,
        category="control",
        symbol="=",
        formula=r"a \leftarrow b",
    )


def check_writable(target: Tensor) -> None:
    """Refuse to overwrite a leaf that requires a gradient, or a view of one, while ops are recorded.

    :raises LeafWriteError: it is one. :raises InferenceError: it was made in inference mode, which is over.
    :raises UnrecordedViewError: it is a view from a time when nothing was recorded.
    :raises PieceWriteError: it is one of several views that an op gave at once.
    :raises ValueError: several of its elements are one.
    """
    if target._storage.inference and not modes.inference:
        raise InferenceError(
            "a tensor that was made in inference mode is being overwritten outside of it; write into a copy"
        )
    view = target._view
    if view is not None:
        if not target._array.flags.writeable:
            raise ValueError("the memory is read-only: several elements share it")
        if modes.enabled and not view.recorded and view.base._requires_grad:
            raise UnrecordedViewError
        if view.piece is not None and modes.enabled and target._requires_grad:
            raise PieceWriteError(view.piece, target._grad_fn)
    if modes.enabled and target._requires_grad:
        if target._grad_fn is None:
            raise LeafWriteError(False)
        if view is not None and view.base._requires_grad and view.base._grad_fn is None:
            raise LeafWriteError(True)


def write(primitive: Primitive, operands: Sequence[Operand], attributes: dict[str, Any] = NO_ATTRIBUTES) -> Tensor:
    """Run an op and write its result into its first operand, which is returned.

    :raises LeafWriteError: see :func:`check_writable`.
    :raises CastError: the result's dtype does not fit.
    :raises ShapeError: the result has another shape than the target.
    """
    target = operands[0]
    assert isinstance(target, Tensor)
    listener = events.listener
    if listener is None and not attributes and _write_through(primitive, operands):
        return target
    if listener is not None and modes.tracer is not None:
        return modes.tracer.write(primitive, operands, attributes)  # type: ignore[no-any-return]
    told = None if listener is None else observe.describe(listener, primitive, operands, attributes)
    if listener is not None and told is not None and not attributes:
        start = events.clock()
        if _write_through(primitive, operands):
            _tell(listener, primitive, target, told, start, events.clock(), None, operands)
            return target
    try:
        check_writable(target)
        arrays: Any = [x._array for x in operands]
        if primitive.promotes:
            arrays = agree(primitive, arrays)
        start = events.clock()
        value = np.asarray(primitive.kernel(*arrays, **attributes))
        end = events.clock()
        old = target._array
        if value.shape != old.shape:
            raise ShapeError(
                f"{primitive.label}: the result has shape {value.shape}, which cannot be written into shape "
                f"{old.shape}",
                op=primitive.name, shapes=(old.shape, value.shape),
            )  # fmt: skip
        if _KINDS[value.dtype.kind] > _KINDS[old.dtype.kind]:
            raise CastError(value.dtype, old.dtype)
    except Exception as error:
        reason = failure(primitive, operands, attributes, error)
        if listener is not None and told is not None:
            observe.failed(listener, primitive, *told, reason)
        raise reason from None
    taped = modes.enabled and any(x._requires_grad for x in operands)
    before = operands
    if taped:
        before = _remember(primitive, operands)
    old[...] = value
    target._storage.version += 1
    node = None
    if taped:
        node = _tape(primitive, target, before, attributes)
    if listener is not None and told is not None:
        _tell(listener, primitive, target, told, start, end, node, before)
    return target


def _write_through(primitive: Primitive, operands: Sequence[Operand]) -> bool:
    """Let the kernel write straight into the target, where nothing needs its old values and nothing can go wrong; says
    whether it did. This is what an optimiser's step consists of."""
    if not primitive.writes_through:
        return False
    target, second = operands
    if target._storage.inference or target._view is not None:
        return False
    if modes.enabled and (target._requires_grad or second._requires_grad):
        return False
    old, other = target._array, second._array
    if old.dtype.kind != "f":
        return False
    if other.__class__ is np.ndarray:
        if other.dtype is not old.dtype or other.shape != old.shape:
            return False
    elif other.__class__ is not float and other.__class__ is not int:
        return False
    primitive.kernel(old, other, old)
    target._storage.version += 1
    return True


def _remember(primitive: Primitive, operands: Sequence[Operand]) -> list[Operand]:
    """The operands as they were, with copies of values that the gradient needs and that are about to go."""
    target = operands[0]
    assert isinstance(target, Tensor)
    mask = sum(1 << i for i, x in enumerate(operands) if x._requires_grad)
    recipe = primitive.recipe(mask, len(operands)) if primitive.differentiable else None
    needed = recipe is not None and any(operands[i] is target for i in recipe.operands)
    old = fresh(primitive.facade.tensor, target._array.copy() if needed else target._array)
    if target._requires_grad:
        old._grad_fn = edge_of(target)
        old._requires_grad = True
    old._node = target._node
    return [old if x is target else x for x in operands]


def _tape(
    primitive: Primitive, target: Tensor, before: Sequence[Operand], attributes: dict[str, Any]
) -> GradNode | None:
    mask = sum(1 << i for i, x in enumerate(before) if x._requires_grad)
    view = target._view
    if view is None:
        return record(primitive, before, attributes, target, mask)
    scratch = fresh(primitive.facade.tensor, target._array)
    scratch._storage = target._storage
    node = record(primitive, before, attributes, scratch, mask)
    if node is None:
        return None
    base = view.base
    base_edge = edge_of(base) if base._requires_grad else None
    slices = CopySlices(node, view.chain, base._array.shape, base._array.dtype, base_edge)
    base._grad_fn = slices
    base._requires_grad = True
    target._requires_grad = True
    refresh_view(target)
    return slices


def _tell(
    listener: events.Listener, primitive: Primitive, target: Tensor, told: Any, start: int, end: int,
    node: GradNode | None, before: Sequence[Operand],
) -> None:  # fmt: skip
    """A taped write makes a new value of the graph; any other changes the value of the node that it writes into."""
    inputs, shown = told
    if node is None:
        observe.ran(listener, primitive, inputs, shown, target, start, end, "update", target._node)
        return
    target._node = update = observe.ran(listener, primitive, inputs, shown, target, start, end)
    if target._view is not None:
        target._view.base._node = update
    observe.taped(listener, node, before, target)


class CopySlices(GradNode):
    """The past of a base after one of its views was written to."""

    __slots__ = ("chain", "dtype", "inner", "shape")

    label = "CopySlices"

    def __init__(self, inner: GradNode, chain: Any, shape: tuple[int, ...], dtype: Any, base_edge: Edge | None) -> None:
        self.sequence = next(sequence)
        self.inner = inner
        self.chain = chain
        self.shape = shape
        self.dtype = dtype
        self.edges = (base_edge, *inner.edges[1:])
        self.attributes = {}
        self.saved = inner.saved
        self.recipe = None

    @property
    def holds_values(self) -> bool:
        return self.inner.holds_values

    def run_by_hand(self, work: Any, g: Any) -> Sequence[Any]:
        """Send the region's gradient through the op that was written, and put what comes back in its place."""
        if self.saved is None:
            self.inner.saved = None
        inner = self.inner
        assert inner.recipe is not None
        if work.create:
            return self._replay(work, g)
        whole = np.array(g)
        region = whole
        for primitive, attributes in self.chain:
            region = primitive.kernel(region, **attributes)
        gradients = inner.recipe.run(work.F, region.copy(), inner)
        if inner.repair is not None:
            gradients = work.repair(inner, gradients)
        region[...] = 0 if gradients[0] is None else gradients[0]
        return (whole, *gradients[1:])

    def _replay(self, work: Any, g: Tensor) -> Sequence[Any]:
        """The same, recorded: the region is taken out by view ops and put back by their gradients."""
        inner, F = self.inner, work.F
        assert inner.recipe is not None
        step: Tensor = fresh(type(g), np.zeros(self.shape, self.dtype))
        step._requires_grad = True
        links: list[GradNode] = []
        region: Any = g
        for primitive, attributes in self.chain:
            after = fresh(primitive.result, np.asarray(primitive.kernel(step._array, **attributes)))
            link = record(primitive, (step,), attributes, after, 1)
            assert link is not None
            links.append(link)
            step = after
            region = getattr(F, primitive.name)(region, **attributes)
        gradients = inner.recipe.replay(F, region, inner)
        if inner.repair is not None:
            gradients = work.repair(inner, gradients)
        change = F.neg(region) if gradients[0] is None else F.sub(gradients[0], region)
        for link in reversed(links):
            assert link.recipe is not None
            (change,) = link.recipe.replay(F, change, link)
        return (F.add(g, change), *gradients[1:])
