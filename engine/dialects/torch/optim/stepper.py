"""What the optimizers share: options given in a table, the walk over parameters, and arithmetic as PyTorch's kernels do
it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from engine import events
from engine.dialects.torch.optim.optimizer import Optimizer, active
from engine.dialects.torch.optim.telling import Step, one_op
from engine.dialects.torch.tensor import Tensor

_SWITCHES = {"foreach": None, "maximize": False, "capturable": False, "differentiable": False, "fused": None}
"""Options that every optimizer knows; all but ``maximize`` choose between implementations and change nothing here."""
_EXACT = 1 << 16
"""Up to so many elements, ``add_scaled`` rounds once, as a fused multiply-add does."""

Check = tuple[str, Callable[[Any], bool]]
NOT_NEGATIVE: Callable[[Any], bool] = lambda value: value >= 0
CHECKS: dict[str, Check] = {
    "lr": ("learning rate", NOT_NEGATIVE),
    "eps": ("epsilon value", NOT_NEGATIVE),
    "rho": ("rho value", lambda value: 0 <= value <= 1),
} | {
    name: (f"{name} value", NOT_NEGATIVE)
    for name in ("momentum", "weight_decay", "alpha", "lr_decay", "initial_accumulator_value", "momentum_decay")
}
"""What an option is called when it is refused, and when it is good."""


def check_betas(betas: Any) -> None:
    """Refuse decay rates outside [0, 1)."""
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


class Stepper(Optimizer):
    """An optimizer whose work is one function of a parameter, its gradient and its state."""

    _options: ClassVar[dict[str, Any]] = {}
    """The options with their defaults, in the order of the arguments."""
    _group: ClassVar[str] = ""
    """The options in the order in which a group lists them, where that is another one."""
    _unchecked: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, params: Any, *arguments: Any, **options: Any) -> None:
        known = self._options | {name: value for name, value in _SWITCHES.items() if name in self._group.split()}
        name = type(self).__name__
        for option in options:
            if option not in known:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{option}'")
        if len(arguments) > len(self._options):
            raise TypeError(
                f"{name}.__init__() takes from 2 to {len(self._options) + 2} positional arguments but "
                f"{len(arguments) + 2} were given"
            )
        values = known | dict(zip(self._options, arguments, strict=False)) | options
        self._check(values)
        super().__init__(params, {option: values[option] for option in self._group.split()})

    def _check(self, values: dict[str, Any]) -> None:
        """Refuse bad options in PyTorch's words."""
        lr = values["lr"]
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value in values.items():
            if name == "betas":
                check_betas(value)
            elif name in CHECKS and name not in self._unchecked and not CHECKS[name][1](value):
                raise ValueError(f"Invalid {CHECKS[name][0]}: {value}")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        loss = self._loss(closure)
        for group in self.param_groups:
            lr = group["lr"]
            rate = float(lr) if isinstance(lr, Tensor) else lr
            writes = self._writes(group)
            for p in active(group):
                p._storage.version += writes
                if events.listener is None:
                    self._change(p._array, p._grad._array, self.state[p], group, rate)
                else:
                    step = Step(events.listener, p, type(self).__name__)
                    self._change(*step.arrays(), self.state[p], group, rate)
                    step.end()
        return loss

    def _writes(self, group: dict[str, Any]) -> int:
        """How often a step writes to a parameter, for those who count versions."""
        return 1

    def _change(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        self._update(p, -g if group.get("maximize") else g, state, group, lr)

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        raise NotImplementedError


@one_op("add", 2, ["alpha"])
def add_scaled(a: Any, b: Any, factor: float) -> None:
    """``a += factor * b`` in place. Float32 is rounded once, like the fused multiply-add of PyTorch's kernels."""
    if a.dtype == np.float32 and a.size <= _EXACT:
        np.add(a, np.multiply(b, float(np.float32(factor)), dtype=np.float64), a, casting="same_kind")
    else:
        a += b * a.dtype.type(factor)


@one_op("addcdiv", 3, ["value"])
def add_quotient(a: Any, b: Any, c: Any, factor: float) -> None:
    """``a += factor * b / c`` in place, from left to right."""
    a += a.dtype.type(factor) * b / c


@one_op("addcmul", 3, ["value"])
def add_product(a: Any, b: Any, c: Any, factor: float) -> None:
    """``a += factor * b * c`` in place, from left to right; rounded as ``add_scaled`` is."""
    scaled = b * a.dtype.type(factor)
    if a.dtype == np.float32 and a.size <= _EXACT:
        np.add(a, np.multiply(scaled, c, dtype=np.float64), a, casting="same_kind")
    else:
        a += scaled * c


@one_op("add", 2, ["alpha"], in_place=False)
def added(a: Any, b: Any, factor: float) -> Any:
    """``a + factor * b``."""
    out = np.array(a)
    add_scaled(out, b, factor)
    return out


def decayed(g: Any, p: Any, weight_decay: float) -> Any:
    """The gradient with that of the weights' squared length."""
    return added(g, p, weight_decay) if weight_decay else g


@one_op("lerp", 2, ["weight"])
def move_towards(mean: Any, g: Any, share: float) -> None:
    """A moving mean takes in ``share`` of a new value."""
    if share < 0.5:
        add_scaled(mean, g - mean, share)
    else:
        mean[...] = g - (g - mean) * mean.dtype.type(1 - share)


def move_square(square: Any, g: Any, rate: float) -> None:
    """A moving mean of squares keeps ``rate`` of the old ones."""
    square *= square.dtype.type(rate)
    add_product(square, g, g, 1 - rate)
