"""Optimisers of ``tf.train`` that few programs use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.dialects.tensorflow.handles import Operation, Tensor
from engine.dialects.tensorflow.optimizers import _hyper
from engine.dialects.tensorflow.train import Optimizer
from engine.dialects.tensorflow.update_steps import Steps
from engine.dialects.tensorflow.variables import Variable


class AdadeltaOptimizer(Optimizer):
    """Steps as large as former steps: ``w -= rate * gradient * sqrt(steps + epsilon) / sqrt(gradients + epsilon)``,
    both of them averages of squares."""

    def __init__(
        self, learning_rate: Any = 0.001, rho: float = 0.95, epsilon: float = 1e-8, use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        for v in variables:
            self._slot(v, "accum", 0.0)
            self._slot(v, "accum_update", 0.0)

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "lr")
        self._factors = [_hyper(self._rho, "rho"), _hyper(self._epsilon, "epsilon")]

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        a, u = self.get_slot(var, "accum"), self.get_slot(var, "accum_update")
        rho, epsilon = self._factors
        steps = Steps(var.graph, "ApplyAdadelta")
        rest = steps.op("sub", 1.0, rho)
        squares = steps.op("add", steps.op("mul", a, rho), steps.op("mul", steps.op("square", grad), rest))
        gradients = steps.write("assign", a, squares)
        size = steps.op("sqrt", steps.op("add", u, epsilon))
        step = steps.op("mul", steps.op("mul", size, steps.op("rsqrt", steps.op("add", gradients, epsilon))), grad)
        moved = steps.op("add", steps.op("mul", u, rho), steps.op("mul", steps.op("square", step), rest))
        written = steps.write("assign", u, moved)
        with var.graph.core.control_dependencies([written]):
            change = steps.op("mul", step, self._rate)
        return steps.done("assign_sub", var, change, [var, a, u, self._rate, *self._factors, grad])


class FtrlOptimizer(Optimizer):
    """Follow the regularized leader."""

    def __init__(
        self, learning_rate: Any, learning_rate_power: float = -0.5, initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0, use_locking: bool = False,
        name: str = "Ftrl", **_more: Any,
    ) -> None:  # fmt: skip
        if initial_accumulator_value < 0.0:
            raise ValueError(f"`initial_accumulator_value` needs to be positive or zero: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._power, self._initial = learning_rate, learning_rate_power, initial_accumulator_value
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        for v in variables:
            self._slot(v, "accum", self._initial, plain=False)
            self._slot(v, "linear", 0.0)

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")
        self._factors = [
            _hyper(x, n)
            for x, n in (
                (self._l1, "l1_regularization_strength"),
                (self._l2, "l2_regularization_strength"),
                (self._power, "learning_rate_power"),
            )
        ]

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        a, linear = self.get_slot(var, "accum"), self.get_slot(var, "linear")
        l1, l2, power = self._factors
        steps = Steps(var.graph, "ApplyFtrl")
        op = steps.op
        up = op("neg", power)
        new = op("add", a, op("square", grad))
        before, after = op("div", op("pow", a, up), self._rate), op("div", op("pow", new, up), self._rate)
        moved = steps.write("assign_add", linear, op("sub", grad, op("mul", op("sub", after, before), var)))
        below = op("add", after, op("mul", 2.0, l2))
        clipped = op("maximum", op("minimum", moved, l1), op("neg", l1))
        value = op("div", op("sub", clipped, moved), below)
        kept = steps.write("assign", a, new)
        with var.graph.core.control_dependencies([kept]):
            value = op("identity", value)
        return steps.done("assign", var, value, [var, a, linear, grad, self._rate, *self._factors])


class ProximalGradientDescentOptimizer(Optimizer):
    """A step down, then shrunk by what the norms of the weights cost."""

    def __init__(
        self, learning_rate: Any, l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0,
        use_locking: bool = False, name: str = "ProximalGradientDescent",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _prepare(self) -> None:
        self._rate = _hyper(self._learning_rate, "learning_rate")
        self._factors = [_hyper(self._l1, "l1_regularization_strength"), _hyper(self._l2, "l2_regularization_strength")]

    def _apply_dense(self, grad: Tensor, var: Variable) -> Operation:
        l1, l2 = self._factors
        steps = Steps(var.graph, "ApplyProximalGradientDescent")
        op = steps.op
        stepped = op("sub", var, op("mul", grad, self._rate))
        left = op("maximum", op("sub", op("abs", stepped), op("mul", self._rate, l1)), 0.0)
        value = op("div", op("mul", op("sign", stepped), left), op("add", 1.0, op("mul", self._rate, l2)))
        return steps.done("assign", var, value, [var, self._rate, *self._factors, grad])
