"""The optimisers of ``tf.train``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.indexed_slices import IndexedSlices
from engine.dialects.tensorflow.math_ops import sqrt
from engine.dialects.tensorflow.scattering import scatter_add, scatter_sub
from engine.dialects.tensorflow.train import Optimizer
from engine.dialects.tensorflow.update_steps import Steps
from engine.dialects.tensorflow.variables import Variable, assign, assign_sub, group


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
        steps = Steps(var.graph, "ApplyGradientDescent")
        return steps.done("assign_sub", var, steps.op("mul", grad, self._rate), [var, self._rate, grad])

    def _apply_rows(self, grad: IndexedSlices, var: Variable) -> Operation:
        return scatter_sub(var, grad.indices, grad.values * self._rate).op  # each row counts


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
        return self._apply(grad, var, None)

    def _apply_sparse(self, values: Tensor, rows: Tensor, grad: IndexedSlices, var: Variable) -> Operation:
        return self._apply(values, var, rows)

    def _apply(self, grad: Tensor, var: Variable, rows: Tensor | None) -> Operation:
        m = self.get_slot(var, "momentum")
        steps = Steps(var.graph, "ApplyMomentum", rows)
        moved = steps.write("assign", m, steps.op("add", steps.op("mul", steps.read(m), self._factor), grad))
        step = steps.op("mul", steps.now(moved), self._rate)
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
            self._slot(v, "accumulator", self._initial, plain=False)

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        return self._apply(grad, var, None)

    def _apply_sparse(self, values: Tensor, rows: Tensor, grad: IndexedSlices, var: Variable) -> Operation:
        return self._apply(values, var, rows)

    def _apply(self, grad: Tensor, var: Variable, rows: Tensor | None) -> Operation:
        a = self.get_slot(var, "accumulator")
        steps = Steps(var.graph, "ApplyAdagrad", rows)
        total = steps.write("assign_add", a, steps.op("square", grad))
        step = steps.op("div", steps.op("mul", grad, self._rate), steps.op("sqrt", steps.now(total)))
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
        super().__init__(use_locking, name)
        self._centered = centered
        self._learning_rate, self._decay, self._momentum, self._epsilon = learning_rate, decay, momentum, epsilon

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        for v in variables:
            self._slot(v, "rms", 1.0)
            if self._centered:
                self._slot(v, "mg", 0.0)
            self._slot(v, "momentum", 0.0)

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")
        self._factors = [
            _hyper(x, n) for x, n in ((self._decay, "decay"), (self._momentum, "momentum"), (self._epsilon, "epsilon"))
        ]

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        return self._apply(grad, var, None)

    def _apply_sparse(self, values: Tensor, rows: Tensor, grad: IndexedSlices, var: Variable) -> Operation:
        return self._apply(values, var, rows)

    def _apply(self, grad: Tensor, var: Variable, rows: Tensor | None) -> Operation:
        rms, m = self.get_slot(var, "rms"), self.get_slot(var, "momentum")
        decay, momentum, epsilon = self._factors
        steps = Steps(var.graph, "ApplyCenteredRMSProp" if self._centered else "ApplyRMSProp", rows)
        away = steps.op("sub", steps.op("square", grad), steps.read(rms))
        change = steps.op("mul", away, steps.op("sub", 1.0, decay))
        level = steps.now(steps.write("assign_add", rms, change))
        inputs = [var, rms, m, self._rate, *self._factors, grad]
        if self._centered:
            mg = self.get_slot(var, "mg")
            drift = steps.op("mul", steps.op("sub", grad, steps.read(mg)), steps.op("sub", 1.0, decay))
            mean = steps.now(steps.write("assign_add", mg, drift))
            level = steps.op("sub", level, steps.op("square", mean))
            inputs.insert(1, mg)
        step = steps.op("div", steps.op("mul", grad, self._rate), steps.op("sqrt", steps.op("add", level, epsilon)))
        moved = steps.write("assign", m, steps.op("add", steps.op("mul", steps.read(m), momentum), step))
        return steps.done("assign_sub", var, steps.now(moved), inputs)


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
        steps = Steps(var.graph, "ApplyAdam")
        rate = steps.op(
            "div",
            steps.op("mul", self._rate, steps.op("sqrt", steps.op("sub", 1.0, second._snapshot))),
            steps.op("sub", 1.0, first._snapshot),
        )
        mean = steps.write("assign_add", m, steps.op("mul", steps.op("sub", grad, m), steps.op("sub", 1.0, beta1)))
        square = steps.op("sub", steps.op("square", grad), v)
        spread = steps.write("assign_add", v, steps.op("mul", square, steps.op("sub", 1.0, beta2)))
        step = steps.op("div", steps.op("mul", mean, rate), steps.op("add", steps.op("sqrt", spread), epsilon))
        return steps.done(
            "assign_sub", var, step, [var, m, v, first._snapshot, second._snapshot, self._rate, *self._factors, grad]
        )

    def _apply_sparse(self, values: Tensor, rows: Tensor, grad: IndexedSlices, var: Variable) -> Operation:
        """Averages shrink everywhere and grow in the rows: what that does is a graph of its own."""
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        first, second = self._powers[var.graph]
        beta1, beta2, epsilon = self._factors
        rate = self._rate * sqrt(1.0 - second._snapshot) / (1.0 - first._snapshot)
        scaled = values * (1.0 - beta1)
        with var.graph.control_dependencies([assign(m, m * beta1)]):
            mean = scatter_add(m, rows, scaled)
        scaled = values * values * (1.0 - beta2)
        with var.graph.control_dependencies([assign(v, v * beta2)]):
            spread = scatter_add(v, rows, scaled)
        update = assign_sub(var, rate * mean / (sqrt(spread) + epsilon))
        return group(update, mean, spread)

    def _finish(self, updates: Sequence[Any]) -> list[Any]:
        graph = updates[0].graph
        written = []
        with graph.control_dependencies(updates):
            for power, beta in zip(self._powers[graph], self._factors[:2], strict=True):
                written.append(power.assign(power._snapshot * beta))
        return written
