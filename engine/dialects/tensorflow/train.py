"""``tf.gradients`` and the optimisers of ``tf.train``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import convert, hide
from engine.dialects.tensorflow.graph import Graph, Operation, Tensor, get_default_graph
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
        with tensor.graph.as_default():
            found = trainable_variables() if var_list is None else var_list
            variables = list(found) if isinstance(found, list | tuple) else [found]
            if not variables:
                raise ValueError("No variables to optimize.")
            return list(zip(gradients(tensor, variables, grad_loss), variables, strict=True))

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


class _Steps:
    """Engine nodes of one update: the real graph has a single op here, so all but the last are hidden under it."""

    def __init__(self, graph: Graph, tf_type: str) -> None:
        self.graph = graph
        self.tf_type = tf_type
        self.before = len(graph.core.nodes)

    def op(self, name: str, *operands: Any) -> Node:
        return self.graph.core.apply(name, *(x._node if hasattr(x, "_node") else x for x in operands))

    def write(self, name: str, var: Variable, value: Any) -> Node:
        return self.graph.core.add(name, [var._node, value._node if hasattr(value, "_node") else value], role="update")

    def done(self, how: str, var: Variable, value: Any, inputs: Sequence[Any]) -> Operation:
        core = self.graph.core
        node = core.add(
            how, [var._node, value._node if hasattr(value, "_node") else value], label=self.tf_type, role="update"
        )
        hide(self.graph, core.nodes[self.before : node.index], node)
        operation = self.graph.operation(node)
        operation._inputs = [x if isinstance(x, Tensor) else x._variable for x in inputs]
        return operation


def _hyper(value: Any, name: str, var_dtype: Any = None) -> Tensor:
    value = value() if callable(value) else value
    return convert(value, name=name)


class GradientDescentOptimizer(Optimizer):
    """``w -= rate * gradient``."""

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        steps = _Steps(var.graph, "ApplyGradientDescent")
        return steps.done("assign_sub", var, steps.op("mul", grad, self._rate), [var, self._rate, grad])


class MomentumOptimizer(Optimizer):
    """``m = momentum * m + gradient``; ``w -= rate * m``."""

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        for v in variables:
            self._slot(v, "momentum", 0.0)

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")
        self._factor = _hyper(self._momentum, "momentum")

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        m = self.get_slot(var, "momentum")
        steps = _Steps(var.graph, "ApplyMomentum")
        moved = steps.write("assign", m, steps.op("add", steps.op("mul", m, self._factor), grad))
        step = steps.op("mul", moved, self._rate)
        if self._use_nesterov:
            step = steps.op("add", steps.op("mul", grad, self._rate), steps.op("mul", step, self._factor))
        return steps.done("assign_sub", var, step, [var, m, self._rate, grad, self._factor])


class AdagradOptimizer(Optimizer):
    """``a += gradient^2``; ``w -= rate * gradient / sqrt(a)``."""

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._initial = learning_rate, initial_accumulator_value

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        for v in variables:
            self._slot(v, "accumulator", self._initial)

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        a = self.get_slot(var, "accumulator")
        steps = _Steps(var.graph, "ApplyAdagrad")
        total = steps.write("assign_add", a, steps.op("square", grad))
        step = steps.op("div", steps.op("mul", grad, self._rate), steps.op("sqrt", total))
        return steps.done("assign_sub", var, step, [var, a, self._rate, grad])


class RMSPropOptimizer(Optimizer):
    """``r = decay * r + (1 - decay) * gradient^2``; ``m = momentum * m + rate * gradient / sqrt(r + epsilon)``; ``w
    -= m``."""

    def __init__(
        self,
        learning_rate: Any,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        if centered:
            raise NotImplementedError("tf.train.RMSPropOptimizer: centered=True is not known here")
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum, self._epsilon = learning_rate, decay, momentum, epsilon

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        for v in variables:
            self._slot(v, "rms", 1.0)
            self._slot(v, "momentum", 0.0)

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")
        self._factors = [
            _hyper(x, n) for x, n in ((self._decay, "decay"), (self._momentum, "momentum"), (self._epsilon, "epsilon"))
        ]

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        rms, m = self.get_slot(var, "rms"), self.get_slot(var, "momentum")
        decay, momentum, epsilon = self._factors
        steps = _Steps(var.graph, "ApplyRMSProp")
        change = steps.op("mul", steps.op("sub", steps.op("square", grad), rms), steps.op("sub", 1.0, decay))
        level = steps.write("assign_add", rms, change)
        step = steps.op("div", steps.op("mul", grad, self._rate), steps.op("sqrt", steps.op("add", level, epsilon)))
        moved = steps.write("assign", m, steps.op("add", steps.op("mul", m, momentum), step))
        return steps.done("assign_sub", var, moved, [var, rms, m, self._rate, *self._factors, grad])


class AdamOptimizer(Optimizer):
    """Moving averages of the gradient and of its square, corrected for their start at zero."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._powers: dict[Graph, tuple[Variable, Variable]] = {}

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        graph = variables[0].graph
        if graph not in self._powers:
            kind = variables[0].dtype.base_dtype._numpy
            with graph.core.scope(None):
                self._powers[graph] = (
                    Variable(np.array(self._beta1, kind), trainable=False, name="beta1_power"),
                    Variable(np.array(self._beta2, kind), trainable=False, name="beta2_power"),
                )
        for v in variables:
            self._slot(v, "m", 0.0)
            self._slot(v, "v", 0.0)

    def variables(self) -> list[Any]:
        return [*(v for pair in self._powers.values() for v in pair), *super().variables()]

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")
        self._factors = [
            _hyper(x, n) for x, n in ((self._beta1, "beta1"), (self._beta2, "beta2"), (self._epsilon, "epsilon"))
        ]

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        first, second = self._powers[var.graph]
        beta1, beta2, epsilon = self._factors
        steps = _Steps(var.graph, "ApplyAdam")
        rate = steps.op(
            "div",
            steps.op("mul", self._rate, steps.op("sqrt", steps.op("sub", 1.0, second._snapshot))),
            steps.op("sub", 1.0, first._snapshot),
        )
        mean = steps.write("assign_add", m, steps.op("mul", steps.op("sub", grad, m), steps.op("sub", 1.0, beta1)))
        square = steps.op("sub", steps.op("square", grad), v)
        spread = steps.write("assign_add", v, steps.op("mul", square, steps.op("sub", 1.0, beta2)))
        step = steps.op("div", steps.op("mul", mean, rate), steps.op("add", steps.op("sqrt", spread), epsilon))
        return steps.done("assign_sub", var, step, [var, m, v, first, second, self._rate, *self._factors, grad])

    def _finish(self, updates: Sequence[Any]) -> list[Any]:
        from engine.dialects.tensorflow.math_ops import multiply

        graph = updates[0].graph
        written = []
        with graph.control_dependencies(updates):
            for power, beta in zip(self._powers[graph], self._factors[:2], strict=True):
                written.append(power.assign(multiply(power, beta)))
        return written


def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """``rate * decay_rate ** (step / decay_steps)``; in steps if ``staircase``."""
    from engine.dialects.tensorflow.math_ops import cast, floor, multiply, pow_, truediv

    graph = get_default_graph()
    with graph.name_scope(name or "ExponentialDecay") as scope:
        rate = convert(learning_rate, name="learning_rate")
        kind = rate.dtype.base_dtype
        passed = truediv(cast(global_step, kind), cast(convert(decay_steps), kind))
        if staircase:
            passed = floor(passed)
        return multiply(rate, pow_(cast(convert(decay_rate), kind), passed), name=scope)


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
