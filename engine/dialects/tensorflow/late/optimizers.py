"""The optimisers of 1.x while executing eagerly: ``apply_gradients`` writes at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import optimizers as graph
from engine.dialects.tensorflow import train
from engine.dialects.tensorflow.eager import tape
from engine.dialects.tensorflow.eager.math_ops import FUNCTIONS as F
from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.graph import _stack

Loss = Callable[[], Any]


class Eager:
    """What they share: slots by variable, and the loss as a function."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._slots: dict[str, dict[int, ResourceVariable]] = {}

    def get_name(self) -> str:
        return self._name

    def get_slot_names(self) -> list[str]:
        return sorted(self._slots)

    def get_slot(self, var: Any, name: str) -> Any:
        return self._slots.get(name, {}).get(id(var))

    def variables(self) -> list[Any]:
        return [v for slots in self._slots.values() for v in slots.values()]

    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, grad_loss: Any = None, name: Any = None,
        **_more: Any,
    ) -> None:  # fmt: skip
        """One step on ``loss()``."""
        self.apply_gradients(self.compute_gradients(loss, var_list, grad_loss), global_step)

    def compute_gradients(self, loss: Any, var_list: Any = None, grad_loss: Any = None, **_more: Any) -> list[Any]:
        """(gradient, variable) pairs of ``loss()``."""
        if not callable(loss):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            )
        with tape.GradientTape() as running:
            value = loss()
        found = list(var_list) if var_list is not None else list(running.watched_variables())
        return list(zip(running.gradient(value, found, grad_loss), found, strict=True))

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: Any = None) -> None:
        """Write every variable by its gradient."""
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        used = [(convert(g), v) for g, v in pairs if g is not None]
        if not used:
            raise ValueError(f"No gradients provided for any variable: {[v.name for _, v in pairs]}.")
        for g, v in used:
            self._update(g, v)
        self._finish()
        if global_step is not None:
            global_step.assign_add(1)

    def _update(self, g: Any, v: Any) -> None:
        raise NotImplementedError

    def _finish(self) -> None:
        """After all variables."""

    def _slot(self, v: Any, name: str, start: float = 0.0) -> ResourceVariable:
        known = self._slots.setdefault(name, {})
        if id(v) not in known:
            value = np.full(v._array.shape, start, v._array.dtype)
            known[id(v)] = ResourceVariable(value, trainable=False, name=f"{v._name}/{self._name}")
        return known[id(v)]

    @staticmethod
    def _number(value: Any) -> Any:
        """A hyperparameter: a number, a tensor or a function that gives one."""
        return value() if callable(value) else value


class GradientDescent(Eager):
    """``v -= rate * g``."""

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(name)
        self._rate = learning_rate

    def _update(self, g: Any, v: Any) -> None:
        v.assign_sub(F["multiply"](g, self._number(self._rate)))


class Momentum(Eager):
    """``m = momentum * m + g``, then ``v -= rate * m``."""

    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self._rate, self._momentum, self._nesterov = learning_rate, momentum, use_nesterov

    def _update(self, g: Any, v: Any) -> None:
        m, rate, kept = self._slot(v, "momentum"), self._number(self._rate), self._number(self._momentum)
        m.assign(F["add"](F["multiply"](m, kept), g))
        if self._nesterov:
            ahead = F["multiply"](F["multiply"](m, kept), rate)
            v.assign_sub(F["add"](F["multiply"](g, rate), ahead))
        else:
            v.assign_sub(F["multiply"](m, rate))


class Adagrad(Eager):
    """``a += g ** 2``, then ``v -= rate * g / sqrt(a)``."""

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:  # fmt: skip
        super().__init__(name)
        self._rate, self._start = learning_rate, initial_accumulator_value

    def _update(self, g: Any, v: Any) -> None:
        total = self._slot(v, "accumulator", self._start)
        total.assign_add(F["square"](g))
        v.assign_sub(F["multiply"](F["multiply"](g, self._number(self._rate)), F["rsqrt"](total)))


class RMSProp(Eager):
    """The gradient over the root of its moving mean square."""

    def __init__(
        self, learning_rate: Any, decay: float = 0.9, momentum: float = 0.0, epsilon: float = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = "RMSProp",
    ) -> None:  # fmt: skip
        super().__init__(name)
        if centered:
            raise NotImplementedError("RMSPropOptimizer(centered=True) is not known while executing eagerly")
        self._rate, self._decay, self._momentum, self._epsilon = learning_rate, decay, momentum, epsilon

    def _update(self, g: Any, v: Any) -> None:
        mean, m = self._slot(v, "rms", 1.0), self._slot(v, "momentum")
        mean.assign_add(F["multiply"](F["subtract"](F["square"](g), mean), 1 - self._decay))
        step = F["multiply"](F["multiply"](g, self._number(self._rate)), F["rsqrt"](F["add"](mean, self._epsilon)))
        m.assign(F["add"](F["multiply"](m, self._momentum), step))
        v.assign_sub(m)


class Adam(Eager):
    """Moving means of gradient and square, with the bias of the first steps taken out."""

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
        use_locking: bool = False, name: str = "Adam",
    ) -> None:  # fmt: skip
        super().__init__(name)
        self._rate, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._power1, self._power2 = np.float32(beta1), np.float32(beta2)

    def _update(self, g: Any, v: Any) -> None:
        m, s = self._slot(v, "m"), self._slot(v, "v")
        one = np.float32(1)
        rate = np.float32(self._number(self._rate)) * np.sqrt(one - self._power2) / (one - self._power1)
        m.assign_add(F["multiply"](F["subtract"](g, m), one - np.float32(self._beta1)))
        s.assign_add(F["multiply"](F["subtract"](F["square"](g), s), one - np.float32(self._beta2)))
        v.assign_sub(F["divide"](F["multiply"](m, rate), F["add"](F["sqrt"](s), self._epsilon)))

    def _finish(self) -> None:
        self._power1 *= np.float32(self._beta1)
        self._power2 *= np.float32(self._beta2)


class _OfMode(type):
    """Calling the class gives the optimiser of the mode in which the program is."""

    eager: Any
    graph: Any

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return (cls.graph if _stack else cls.eager)(*args, **kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.eager | cls.graph)


def _class(name: str, eager: Any, of_graphs: Any) -> Any:
    return _OfMode(name, (), {"eager": eager, "graph": of_graphs})


CLASSES = {
    "Optimizer": _class("Optimizer", Eager, train.Optimizer),
    "GradientDescentOptimizer": _class("GradientDescentOptimizer", GradientDescent, graph.GradientDescentOptimizer),
    "MomentumOptimizer": _class("MomentumOptimizer", Momentum, graph.MomentumOptimizer),
    "AdagradOptimizer": _class("AdagradOptimizer", Adagrad, graph.AdagradOptimizer),
    "RMSPropOptimizer": _class("RMSPropOptimizer", RMSProp, graph.RMSPropOptimizer),
    "AdamOptimizer": _class("AdamOptimizer", Adam, graph.AdamOptimizer),
}
