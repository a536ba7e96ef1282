"""The one place through which every op of the dynamic mode passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine import events
from engine.dynamic import modes, observe
from engine.dynamic.facade import NO_ATTRIBUTES, Primitive
from engine.dynamic.nodes import AccumulateGrad, Edge, GradNode
from engine.dynamic.promote import agree
from engine.dynamic.tensor import InferenceError, Operand, Tensor, fresh
from engine.dynamic.views import View
from engine.errors import BoundsError, StepgraphError
from engine.tensor_type import TensorType

_ndarray = np.ndarray


def apply(primitive: Primitive, operands: Sequence[Operand], attributes: dict[str, Any] = NO_ATTRIBUTES) -> Tensor:
    """Run an op on tensors (and Python numbers) and note on the tape how its gradient goes.

    :raises BaseException: whatever the dialect says about operands that don't fit.
    """
    if events.listener is not None:
        return apply_observed(events.listener, primitive, operands, attributes)
    arrays: Any = [x._array for x in operands]
    try:
        promotes = primitive.promotes
        if promotes:
            first = arrays[0]
            if first.__class__ is not _ndarray or (promotes & 1 and first.dtype.kind not in "fc"):
                arrays = agree(primitive, arrays)
            elif promotes > 1:
                dtype = first.dtype
                for array in arrays:
                    if array.__class__ is _ndarray:
                        if array.dtype is dtype:
                            continue
                    elif array.__class__ is not complex and dtype.kind == "f":
                        continue  # NumPy lets a Python number take the array's dtype
                    arrays = agree(primitive, arrays)
                    break
        value = primitive.kernel(*arrays, **attributes) if attributes else primitive.kernel(*arrays)
    except Exception as error:
        raise failure(primitive, operands, attributes, error) from None
    if value.__class__ is not _ndarray:
        value = np.asarray(value)
    out = fresh(primitive.result, value)
    if modes.enabled and primitive.differentiable:
        mask, bit = 0, 1
        for x in operands:
            if x._requires_grad:
                mask |= bit
            bit += bit
        if mask:
            record(primitive, operands, attributes, out, mask)
    if primitive.is_view:
        note_view(primitive, operands, attributes, out)
    return out


def record(
    primitive: Primitive, operands: Sequence[Operand], attributes: dict[str, Any], out: Tensor, mask: int
) -> GradNode | None:
    """Put the op on the tape: make its gradient node and hang it on ``out``."""
    if out._array.dtype.kind not in "fc":
        return None
    recipe = primitive.recipes.get(mask << 20 | len(operands)) or primitive.recipe(mask, len(operands))
    return recipe.tape(out, attributes, *operands)


def edge_of(tensor: Tensor) -> Edge:
    """Where the gradient of a tensor that requires one goes next."""
    if tensor._view is not None:
        refresh_view(tensor)
    if tensor._grad_fn is not None:
        return tensor._grad_fn
    if tensor._accumulate is None:
        if tensor._storage.inference:
            raise InferenceError("an inference tensor cannot receive a gradient")
        tensor._accumulate = AccumulateGrad(tensor)
    return tensor._accumulate


def refresh_view(tensor: Tensor) -> None:
    """After its base was written to, make a view look at the base's new past."""
    view = tensor._view
    assert view is not None
    if view.version == tensor._storage.version:
        return
    view.version = tensor._storage.version
    base = view.base
    if base._grad_fn is None:
        if not base._requires_grad or tensor._grad_fn is None:
            return
    elif not isinstance(base._grad_fn, GradNode) or tensor._grad_fn is base._grad_fn:
        return
    with modes.grad_mode(True):
        current: Tensor = base
        for place, (primitive, attributes) in enumerate(view.chain, 1):
            if place == len(view.chain):
                primitive = primitive.facade.rewritten(primitive)
            array = primitive.kernel(current._array, **attributes)
            step = fresh(primitive.result, np.asarray(array))
            record(primitive, (current,), attributes, step, 1)
            current = step
    tensor._grad_fn = current._grad_fn
    tensor._requires_grad = True


def note_view(primitive: Primitive, operands: Sequence[Operand], attributes: dict[str, Any], out: Tensor) -> None:
    """Where a result looks at its operand's memory, say so (a reshape may have had to copy)."""
    source = operands[0]
    array, base = source._array, out._array.base
    if (base is array or base is array.base) and base is not None:
        pass  # the usual case, without asking NumPy
    elif out._array is not array and (base is None or not np.may_share_memory(out._array, array)):
        return
    if not isinstance(source, Tensor):
        return
    storage = out._storage = source._storage
    if storage.inference:
        return  # nothing will ask how it came about
    view = source._view
    link = (primitive, attributes)
    if view is None:
        out._view = View(source, (link,), storage.version)
    else:
        out._view = View(view.base, (*view.chain, link), storage.version)
        out._view.piece = None if view.piece is None else 0


def failure(
    primitive: Primitive, operands: Sequence[Operand], attributes: Mapping[str, Any], error: BaseException
) -> BaseException:
    """What to raise for an op that failed: the type rule's reason if it has one, in the dialect's words."""
    if not isinstance(error, StepgraphError) or isinstance(error, BoundsError):
        types = [TensorType(x._array.dtype, x._array.shape) if isinstance(x, Tensor) else x._array for x in operands]
        try:
            primitive.op.type_rule(*types, **attributes)
        except StepgraphError as reason:
            error = reason
        except Exception:
            pass  # the rule does not understand the operands either: the kernel's own error stands
    return primitive.facade.explain(primitive, operands, attributes, error)


def apply_observed(
    listener: events.Listener, primitive: Primitive, operands: Sequence[Operand], attributes: dict[str, Any]
) -> Tensor:
    """:func:`apply` while somebody listens: the same, with every event told."""
    if modes.tracer is not None:
        return modes.tracer.trace(primitive, operands, attributes)  # type: ignore[no-any-return]
    inputs, shown = observe.describe(listener, primitive, operands, attributes)
    try:
        arrays: Any = [x._array for x in operands]
        if primitive.promotes:
            arrays = agree(primitive, arrays)
        clock, kernel = events.clock, primitive.kernel
        start = clock()
        value = kernel(*arrays, **attributes) if attributes else kernel(*arrays)
        end = clock()
    except Exception as error:
        told = failure(primitive, operands, attributes, error)
        observe.failed(listener, primitive, inputs, shown, told)
        raise told from None
    if value.__class__ is not _ndarray:
        value = np.asarray(value)
    out = fresh(primitive.result, value)
    if primitive.is_view:
        note_view(primitive, operands, attributes, out)
    out._node = observe.ran(listener, primitive, inputs, shown, out, start, end)
    if modes.enabled and primitive.differentiable:
        mask, bit = 0, 1
        for x in operands:
            if x._requires_grad:
                mask |= bit
            bit += bit
        if mask:
            node = record(primitive, operands, attributes, out, mask)
            if node is not None:
                observe.taped(listener, node, operands, out)
    return out
