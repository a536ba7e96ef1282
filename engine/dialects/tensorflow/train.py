"""``tf.gradients`` and the optimisers of ``tf.train``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow import indexing_ops
from engine.dialects.tensorflow.array_ops import shape
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.gradients import gradients
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexed_slices import IndexedSlices
from engine.dialects.tensorflow.initializers import Constant, Ones, Zeros
from engine.dialects.tensorflow.scopes import get_variable, name_beside
from engine.dialects.tensorflow.segments import unsorted_segment_sum
from engine.dialects.tensorflow.variables import Variable, assign_add, group, trainable_variables


class Optimizer:
    """What the optimisers share: ``minimize`` is ``compute_gradients`` followed by ``apply_gradients``."""

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._name = name
        self._slots: dict[str, dict[Any, Variable]] = {}

    def get_name(self) -> str:
        return self._name

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = 1,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Operation:
        """One op that makes one step."""
        pairs = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        if not [v for g, v in pairs if g is not None]:
            listed = [repr(v) for _, v in pairs]
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support "
                "gradients, between "
                f"variables [{', '.join(chr(34) + text + chr(34) for text in listed)}] and loss {loss}."
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = 1,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Tensor | None, Any]]:
        """(gradient, variable) pairs; the gradient is ``None`` where the loss does not depend on the variable."""
        tensor = convert(loss)
        if not tensor.dtype.base_dtype.is_floating:
            raise ValueError(
                f"Invalid type {tensor.dtype.base_dtype!r} for {tensor.name}, expected: [tf.float32, tf.float64, "
                "tf.float16, tf.bfloat16]."
            )
        with tensor.graph.as_default():
            found = trainable_variables() if var_list is None else var_list
            variables = list(found) if isinstance(found, list | tuple) else [found]
            if not variables:
                raise ValueError("No variables to optimize.")
            found_gradients = gradients(tensor, variables, grad_loss, gate_gradients=gate_gradients == self.GATE_OP)
            return list(zip(found_gradients, variables, strict=True))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """One op that writes every variable by its gradient."""
        pairs = [(g if g is None or isinstance(g, IndexedSlices) else convert(g), v) for g, v in grads_and_vars]
        if not pairs:
            raise ValueError("No variables provided.")
        used = [(g, v) for g, v in pairs if g is not None]
        if not used:
            listed = [str(v) for _, v in pairs]
            raise ValueError(f"No gradients provided for any variable: {listed}.")
        graph = used[0][1].graph
        graph.check_open()
        title = name or self._name
        with graph.as_default():
            with graph.core.control_dependencies(None):
                self._create_slots([v for _, v in used])
            with graph.name_scope(title) as scope:
                self._prepare()
                updates: list[Any] = []
                for g, v in used:
                    with graph.name_scope(f"update_{v.op.name}"):
                        how: Any = self._apply_rows if isinstance(g, IndexedSlices) else self._apply_dense
                        updates.append(how(g, v))
                updates += self._finish(updates)
                if global_step is None:
                    return group(*updates, name=scope)
                with graph.control_dependencies([group(*updates, name="update")]):
                    return assign_add(global_step, np.array(1, global_step.dtype._numpy), name=scope).op

    # -- what each optimiser says for itself -------------------------------------------------------------------------
    def _create_slots(self, variables: Sequence[Variable]) -> None:
        return None

    def _prepare(self) -> None:
        return None

    def _finish(self, updates: Sequence[Any]) -> list[Any]:
        return []

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        raise NotImplementedError

    def _apply_rows(self, grad: IndexedSlices, var: Variable) -> Operation:
        """As :meth:`_apply_dense` for the gradient of a table: rows with the same number are added up first."""
        numbers, places = indexing_ops.unique(grad.indices)
        values = unsorted_segment_sum(grad.values, places, shape(numbers)[0])
        return self._apply_sparse(values, numbers, grad, var)

    def _apply_sparse(self, values: Tensor, rows: Tensor, grad: IndexedSlices, var: Variable) -> Operation:
        """Update with rows of a gradient, each there once; unless an optimiser says otherwise, with the whole."""
        return self._apply_dense(convert(grad), var)

    # -- slots -------------------------------------------------------------------------------------------------------
    def get_slot_names(self) -> list[str]:
        return sorted(self._slots)

    def get_slot(self, var: Any, name: str) -> Any:
        return self._slots.get(name, {}).get(var)

    def variables(self) -> list[Any]:
        return [v for slots in self._slots.values() for v in slots.values()]

    def _slot(self, var: Variable, name: str, value: float, plain: bool = True) -> Variable:
        """The variable that goes with ``var`` under ``name``; ``plain``: filled with zeros or ones, not a constant."""
        known = self._slots.setdefault(name, {})
        if var not in known:
            kind = var.dtype.base_dtype
            start = {0.0: Zeros(), 1.0: Ones()}.get(value) if plain else None
            start = start or Constant(value)
            sizes = [n or 0 for n in var._node.shape or ()]
            full = name_beside(var, self._name)
            with var.graph.core.scope(None):
                known[var] = Variable(lambda: start(sizes, kind), trainable=False, name=full, dtype=kind)
        return known[var]


def get_global_step(graph: Any = None) -> Any:
    found = (graph or get_default_graph()).get_collection("global_step")
    return found[0] if found else None


def create_global_step(graph: Any = None) -> Any:
    chosen = graph or get_default_graph()
    if get_global_step(chosen) is not None:
        raise ValueError('"global_step" already exists.')
    with chosen.as_default(), chosen.core.scope(None):
        return get_variable(
            "global_step", [], "int64", Zeros(), trainable=False, collections=["variables", "global_step"]
        )


def get_or_create_global_step(graph: Any = None) -> Any:
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The number of steps so far, in a session."""
    return int(sess.run(global_step_tensor))
