"""``tf.gradients`` and the optimisers of ``tf.train``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.variables import Variable, assign_add, group, trainable_variables
from engine.errors import DtypeError
from engine.static import Node
from engine.static import gradients as core_gradients


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: Any = None,
    gate_gradients: Any = None,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> list[Tensor | None]:
    """Tensors for the derivative of the sum of ``ys`` by each of ``xs``: nodes are added to the graph."""
    targets = [convert(y) for y in (ys if isinstance(ys, list | tuple) else [ys])]
    sources = list(xs) if isinstance(xs, list | tuple) else [xs]
    graph = targets[0].graph
    graph.check_open()
    seeds: list[Node | None] | None = None
    if grad_ys is not None:
        given = grad_ys if isinstance(grad_ys, list | tuple) else [grad_ys]
        seeds = [None if g is None else convert(g, name=f"grad_ys_{i}")._node for i, g in enumerate(given)]
    nodes = [_source(x) for x in sources]
    try:
        found = core_gradients([t._node for t in targets], nodes, seeds, name=name)
    except DtypeError:
        return [None] * len(sources)
    return [None if node is None else graph.tensor(node) for node in found]


def _source(x: Any) -> Node:
    """The node by which to differentiate: a variable's is the variable itself, whichever read was used."""
    return x._node if isinstance(x, Variable) else convert(x)._node


_PAIRED = frozenset(
    {"AddV2", "Sub", "Mul", "RealDiv", "MatMul", "BatchMatMulV2", "BiasAdd", "Maximum", "Minimum", "Pow"}
)


def _gated(gradient: Any, variable: Any) -> Any:
    """The gradient behind the gate that the real graph has: all gradients of one op are there before any is used."""
    if gradient is None or gradient._node.mirrors is None or not isinstance(variable, Variable):
        return gradient
    node, graph = gradient._node, gradient.graph
    forward = graph.operation(node.mirrors)
    places = [place for place, read in enumerate(forward.inputs) if read is variable._snapshot]
    scope, grad, _ = node.name.rpartition("_grad/")
    if forward.type not in _PAIRED or len(places) != 1 or not grad or node.label == "AddN":
        return gradient
    name = f"{scope}_grad/tuple/control_dependency" + (f"_{places[0]}" if places[0] else "")
    return graph.tensor(
        graph.core.add(
            "identity", [node], name=graph.core.names.unique(name) + "/", role="gradient", mirrors=node.mirrors
        )
    )


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
            found_gradients = gradients(tensor, variables, grad_loss)
            if gate_gradients != self.GATE_NONE:
                found_gradients = [_gated(g, v) for g, v in zip(found_gradients, variables, strict=True)]
            return list(zip(found_gradients, variables, strict=True))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Operation:
        """One op that writes every variable by its gradient."""
        pairs = [(None if g is None else convert(g), v) for g, v in grads_and_vars]
        if not pairs:
            raise ValueError("No variables provided.")
        used = [(g, v) for g, v in pairs if g is not None]
        if not used:
            listed = [v.name for _, v in pairs]
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
                        updates.append(self._apply_dense(g, v))
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

    # -- slots -------------------------------------------------------------------------------------------------------
    def get_slot_names(self) -> list[str]:
        return sorted(self._slots)

    def get_slot(self, var: Any, name: str) -> Any:
        return self._slots.get(name, {}).get(var)

    def variables(self) -> list[Any]:
        return [v for slots in self._slots.values() for v in slots.values()]

    def _slot(self, var: Variable, name: str, value: float) -> Variable:
        known = self._slots.setdefault(name, {})
        if var not in known:
            kind = var.dtype.base_dtype._numpy
            start = np.full(tuple(n or 0 for n in var._node.shape or ()), value, kind)
            # Outside every scope: `w/Momentum` stands beside `w`.
            with var.graph.core.scope(None):
                known[var] = Variable(start, trainable=False, name=f"{var.op.name}/{self._name}")
        return known[var]


def get_global_step(graph: Any = None) -> Any:
    found = (graph or get_default_graph()).get_collection("global_step")
    return found[0] if found else None


def create_global_step(graph: Any = None) -> Any:
    chosen = graph or get_default_graph()
    if get_global_step(chosen) is not None:
        raise ValueError('"global_step" already exists.')
    with chosen.as_default(), chosen.core.scope(None):
        return Variable(
            np.array(0, np.int64), trainable=False, name="global_step", collections=["variables", "global_step"]
        )


def get_or_create_global_step(graph: Any = None) -> Any:
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The number of steps so far, in a session."""
    return int(sess.run(global_step_tensor))
