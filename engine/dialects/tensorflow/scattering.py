"""Writing some rows of a variable: ``tf.scatter_update`` and its kin; moving averages of variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import math_ops
from engine.dialects.tensorflow.build import apply, convert, hide
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.scopes import name_beside
from engine.dialects.tensorflow.strict_gathering import check_points, check_rows
from engine.dialects.tensorflow.variables import Variable, assign_sub, group, trainable_variables
from engine.ops.registry import op


def _rows(how: str) -> Callable[..., Any]:
    def kernel(a: Any, places: Any, updates: Any) -> Any:
        check_rows(places, len(a))
        found = np.array(a)
        if how == "update":
            found[places] = updates
        else:
            _UFUNCS[how].at(found, places, updates)
        return found

    return kernel


_UFUNCS: dict[str, np.ufunc] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum, "min": np.minimum,
}  # fmt: skip


def _points(how: str) -> Callable[..., Any]:
    """The same for single places (or slices) whose indices stand in the last axis of ``places``."""

    def kernel(a: Any, places: Any, updates: Any) -> Any:
        check_points(places, a.shape, "shape")
        found = np.array(a)
        key = tuple(np.moveaxis(places, -1, 0))
        if how == "update":
            found[key] = updates
        else:
            _UFUNCS[how].at(found, key, updates)
        return found

    return kernel


for _how in ("update", "add", "sub", "max", "min"):
    op(
        f"tf_put_points_{_how}", "a places updates", _points(_how), lambda a, places, updates: a, None,
        unpromoted=frozenset({"places"}), category="variable", symbol="[i]=",
    )  # fmt: skip


def _declared(how: str) -> Callable[..., Tensor]:
    op(
        f"tf_scatter_{how}",
        "a places updates",
        _rows(how),
        lambda a, places, updates: a,
        None,
        unpromoted=frozenset({"places"}),
        category="variable",
        symbol="[i]=",
    )
    label = f"Scatter{how.capitalize()}"

    def scatter(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Tensor:
        kind = ref.dtype.base_dtype
        changes = convert(updates, preferred=kind, name="updates")
        inputs = [("ref", ref._variable), ("indices", indices), ("updates", changes)]
        with ref.graph.as_default():
            new = apply(f"tf_scatter_{how}", label, f"{name or label}/rows", inputs, same_type=False)
            written = apply("assign", label, name, [("ref", ref._variable), ("value", new)])
        hide(ref.graph, [new._node], written._node)
        written.op._inputs = new.op.inputs
        return written

    scatter.__name__ = f"scatter_{how}"
    return scatter


scatter_update = _declared("update")
scatter_add = _declared("add")
scatter_sub = _declared("sub")
scatter_mul = _declared("mul")
scatter_div = _declared("div")
scatter_max = _declared("max")
scatter_min = _declared("min")


def _current(var: Any) -> Any:
    """A variable as it is when the op that reads it runs: after what the program says comes first."""
    return var._variable if isinstance(var, Variable) else var


class ExponentialMovingAverage:
    """Shadows of variables that follow them slowly: ``shadow -= (1 - decay) * (shadow - variable)``."""

    def __init__(
        self, decay: Any, num_updates: Any = None, zero_debias: bool = False, name: str = "ExponentialMovingAverage"
    ) -> None:
        self._decay, self._count, self._name = decay, num_updates, name
        self._averages: dict[Any, Variable] = {}

    @property
    def name(self) -> str:
        return self._name

    def apply(self, var_list: Any = None) -> Operation:
        """One op that brings all shadows forward; they are made at the first call."""
        found = trainable_variables() if var_list is None else list(var_list)
        for var in found:
            if var not in self._averages:
                graph = var.graph
                full = name_beside(var, self._name)
                with graph.as_default(), graph.core.scope(None):
                    start = var.initialized_value() if isinstance(var, Variable) else math_ops.multiply(var, 0.0)
                    self._averages[var] = Variable(
                        start, trainable=False, name=full, collections=["variables", "moving_average_variables"]
                    )
        with get_default_graph().name_scope(self._name) as scope:
            rate = math_ops.subtract(1.0, self._rate())
            updates = []
            for var in found:
                shadow = self._averages[var]
                updates.append(assign_sub(shadow, math_ops.multiply(math_ops.subtract(shadow, _current(var)), rate)))
            return group(*updates, name=scope)

    def _rate(self) -> Any:
        if self._count is None:
            return convert(self._decay, "float32", name="decay")
        from engine.dialects.tensorflow.casting import cast

        steps = cast(convert(self._count), "float32")
        early = math_ops.truediv(math_ops.add(1.0, steps), math_ops.add(10.0, steps))
        return math_ops.minimum(convert(self._decay, "float32", name="decay"), early)

    def average(self, var: Any) -> Variable | None:
        """The shadow of a variable."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """What the shadow of a variable is called."""
        return self._averages[var].op.name if var in self._averages else f"{var.op.name}/{self._name}"

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """For a saver: variables under the names of their shadows."""
        found = trainable_variables() if moving_avg_variables is None else moving_avg_variables
        return {self.average_name(var): var for var in found}
