"""Control flow as calls, in both modes: ``tf.cond``, ``tf.while_loop``, ``tf.map_fn`` and their like."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np

from engine.bridges.function.key import flatten, rebuild
from engine.dialects.tensorflow import control_flow, functional_ops, surroundings, variables, while_loops
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager import array_ops
from engine.dialects.tensorflow.eager.tensor import Valued, convert
from engine.dialects.tensorflow.eager.variable import variable_scope
from engine.dialects.tensorflow.function.func_graph import FuncGraph
from engine.dialects.tensorflow.function.staging import Staging
from engine.dialects.tensorflow.handles import Tensor, numpy_value
from engine.dialects.tensorflow.nests import leaves, mapped, packed
from engine.dialects.tensorflow.shapes import TensorShape


def _in_function() -> bool:
    return bool(graphs._stack) and isinstance(graphs._stack[-1], FuncGraph)


class name_scope:
    """Names of ops made inside begin with ``name``."""

    __module__ = "tensorflow.python.framework.ops"

    def __init__(self, name: Any, default_name: Any = None, values: Any = None) -> None:
        if not isinstance(name, str | None) or name is default_name is None:
            raise ValueError("name for name_scope must be a string.")
        self._name, self._default, self._values = name, default_name, values
        self._open: list[AbstractContextManager[str]] = []

    @property
    def name(self) -> str:
        return str(self._name or self._default)

    def __enter__(self) -> str:
        scope = (
            surroundings.name_scope(self._name, self._default, self._values)
            if graphs._stack
            else variable_scope(self.name)
        )
        self._open.append(scope)
        return scope.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._open.pop().__exit__(*error)


name_scope.__name__ = name_scope.__qualname__ = "name_scope_v2"


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Ops made inside run after these; while executing eagerly all lines do."""
    if not graphs._stack:
        yield
        return
    given = [x for x in (control_inputs or []) if not isinstance(x, Valued)]
    with surroundings.control_dependencies(given if control_inputs is not None else None):
        yield


def group(*inputs: Any, name: str | None = None, **kwargs: Any) -> Any:
    """An op that has run when all of ``inputs`` have."""
    if not graphs._stack:
        return None
    return variables.group(*[x for x in inputs if not isinstance(x, Valued) and x is not None], name=name)


def no_op(name: str | None = None) -> Any:
    return variables.no_op(name) if graphs._stack else None


# -- decisions -------------------------------------------------------------------------------------------------------
def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """The result of ``true_fn()`` where ``pred`` is true, else of ``false_fn()``."""
    for word, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"'{word}' must be callable.")
    if not graphs._stack:
        return true_fn() if bool(pred) else false_fn()
    if not _in_function():
        return control_flow.cond(pred, true_fn, false_fn, name=name)
    if not isinstance(pred, Tensor | Valued):
        return true_fn() if pred else false_fn()
    result = Staging.choose(pred, lambda: (true_fn(),), lambda: (false_fn(),), (), ("",))[0]
    unusable = getattr(type(result), "_unusable", None)
    if unusable is not None:
        try:
            unusable(result)
        except TypeError as error:
            raise TypeError(_renamed(str(error))) from None
    return result


def _renamed(text: str) -> str:
    if "has dtype" in text:
        first, second = text.split("dtype ")[1].split(" ")[0], text.rsplit(" ", 4)[1]
        return (
            "true_fn and false_fn arguments to tf.cond must have the same number, type, and overall structure of "
            f"return values.\n\ntrue_fn output:  {first}\nfalse_fn output: {second}"
        )
    return text


def case(
    pred_fn_pairs: Any, default: Any = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """The result of the first function whose predicate is true."""
    if graphs._stack and not _in_function():
        return control_flow.case(pred_fn_pairs, default, exclusive, strict, name)
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    (pred, function), rest = pairs[0], pairs[1:]
    if not rest and default is None:
        return function()
    return cond(pred, function, (lambda: case(rest, default)) if rest else default)


def switch_case(branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case") -> Any:
    """The result of the function with this number; of the default (or the last one) where there is none."""
    given = branch_fns.items() if isinstance(branch_fns, dict) else enumerate(branch_fns)
    pairs = [tuple(x) if isinstance(x, tuple | list) else (i, x) for i, x in given]
    if branch_fns and isinstance(branch_fns, list | tuple) and isinstance(branch_fns[0], tuple | list):
        pairs = [tuple(x) for x in branch_fns]
    last = default or pairs[-1][1]
    if not graphs._stack:
        return dict(pairs).get(int(branch_index), last)()
    from engine.dialects.tensorflow import math_ops

    return case([(math_ops.equal(branch_index, number), function) for number, function in pairs], last)


# -- loops -----------------------------------------------------------------------------------------------------------
def while_loop(
    cond: Any, body: Any, loop_vars: Any, shape_invariants: Any = None, parallel_iterations: Any = 10,
    back_prop: bool = True, swap_memory: bool = False, maximum_iterations: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Runs ``body`` on the loop variables while ``cond`` of them is true."""
    if graphs._stack:
        return _graph_loop(cond, body, loop_vars, shape_invariants, maximum_iterations, name)
    if not callable(cond):
        raise TypeError("'cond' must be callable.")
    if not callable(body):
        raise TypeError("'body' must be callable.")
    values, done = loop_vars, 0
    while (maximum_iterations is None or done < int(maximum_iterations)) and bool(
        cond(*values) if isinstance(values, list | tuple) else cond(values)
    ):
        values = body(*values) if isinstance(values, list | tuple) else body(values)
        if not isinstance(values, list | tuple):
            values = (values,)
        done += 1
    found: list[tuple[str, Any]] = []
    structure = flatten(_as_given(values, loop_vars), "", found)
    kept = [x if isinstance(x, Valued) or hasattr(type(x), "write") else convert(x) for _, x in found]
    return rebuild(structure, iter(kept))


def _as_given(values: Any, given: Any) -> Any:
    return type(given)(values) if isinstance(given, list | tuple) and not hasattr(given, "_fields") else values


def _graph_loop(cond: Any, body: Any, loop_vars: Any, invariants: Any, most: Any, name: str | None) -> Any:
    graph = graphs.get_default_graph()
    result = while_loops.while_loop(
        cond, body, loop_vars, shape_invariants=invariants, maximum_iterations=most, name=name,
        return_same_structure=True,
    )  # fmt: skip
    if isinstance(graph, FuncGraph):
        owner = next(
            node for node in reversed(graph.core.nodes) if node.op == "while_loop" and node.region is graph.core._region
        )
        graph.hidden.discard(owner)
        from engine.dialects.tensorflow.function.func_graph import _acts

        owner.label = "While" if _acts(owner) else "StatelessWhile"
        graph.after_control(owner)
    return _as_given(result, loop_vars)


# -- over rows -------------------------------------------------------------------------------------------------------
def map_fn(
    fn: Any, elems: Any, dtype: Any = None, parallel_iterations: Any = None, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, name: str | None = None, fn_output_signature: Any = None,
) -> Any:  # fmt: skip
    """``fn`` of each row, stacked."""
    kind = fn_output_signature if fn_output_signature is not None else dtype
    if graphs._stack:
        return functional_ops.map_fn(fn, elems, dtype=kind, name=name)
    return _stacked([fn(row) for row in _rows(elems)])


def vectorized_map(fn: Any, elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """``fn`` of each row, stacked."""
    return map_fn(fn, elems)


def scan(fn: Any, elems: Any, initializer: Any = None, *_: Any, reverse: bool = False, **more: Any) -> Any:
    """All values of ``a = fn(a, row)``, stacked."""
    if graphs._stack:
        return functional_ops.scan(fn, elems, initializer, reverse=reverse)
    rows = list(_rows(elems))
    rows = rows[::-1] if reverse else rows
    state, found = (rows[0], [rows[0]]) if initializer is None else (mapped(convert, initializer), [])
    for row in rows[1:] if initializer is None else rows:
        state = fn(state, row)
        found.append(state)
    return _stacked(found[::-1] if reverse else found)


def foldl(fn: Any, elems: Any, initializer: Any = None, *_: Any, **more: Any) -> Any:
    """The last value of ``a = fn(a, row)``."""
    return _folded(fn, elems, initializer, False)


def foldr(fn: Any, elems: Any, initializer: Any = None, *_: Any, **more: Any) -> Any:
    """The last value of ``a = fn(a, row)``, from the last row to the first."""
    return _folded(fn, elems, initializer, True)


def _folded(fn: Any, elems: Any, initializer: Any, back: bool) -> Any:
    if graphs._stack:
        return (functional_ops.foldr if back else functional_ops.foldl)(fn, elems, initializer)
    rows = list(_rows(elems))
    rows = rows[::-1] if back else rows
    state = rows.pop(0) if initializer is None else mapped(convert, initializer)
    for row in rows:
        state = fn(state, row)
    return state


def _rows(elems: Any) -> Iterator[Any]:
    parts = [convert(x) for x in leaves(elems)]
    for place in range(len(parts[0])):
        row = [part[place] for part in parts]
        yield row[0] if not isinstance(elems, list | tuple | dict) or _is_data(elems) else packed(elems, row)


def _is_data(elems: Any) -> bool:
    """Whether a list is rows itself, and no structure of tensors."""
    return isinstance(elems, list) and not any(isinstance(x, Valued | np.ndarray | list | tuple) for x in elems)


def _stacked(found: Sequence[Any]) -> Any:
    columns = [array_ops.stack(list(column)) for column in zip(*(leaves(one) for one in found), strict=True)]
    return packed(found[0], columns)


# -- shapes ----------------------------------------------------------------------------------------------------------
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor if it is known without running anything."""
    return tensor.numpy() if isinstance(tensor, Valued) else numpy_value(tensor)


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Any:
    """``x``, whose shape has to be this one."""
    if graphs._stack:
        from engine.dialects.tensorflow.array_ops import identity

        out = identity(x, name=name or "EnsureShape")
        out.set_shape(shape)
        return out
    tensor = convert(x)
    if not TensorShape(shape).is_compatible_with(tensor._array.shape):
        from engine.dialects.tensorflow.eager.messages import failed

        wanted = TensorShape(shape)
        text = f"Shape of tensor EnsureShape {list(tensor.shape)} is not compatible with expected shape {wanted}."
        raise failed("EnsureShape", text.replace(", ", ","))
    return tensor


Function = Callable[..., Any]
