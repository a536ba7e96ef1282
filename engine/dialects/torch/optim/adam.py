"""Adam and its relatives: steps of about ``lr``, whatever the size of the gradients."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch.optim.optimizer import count_step
from engine.dialects.torch.optim.stepper import Stepper, add_quotient, decayed, move_square, move_towards
from engine.dialects.torch.optim.telling import array_state
from engine.dialects.torch.tensor import Tensor

_OPTIONS: dict[str, Any] = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0}


def _moments(p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> tuple[Any, Any, Any, float]:
    """One more step of the moving means: (gradient, mean, mean of squares, number of the step)."""
    step = count_step(state)
    mean, square = array_state(state, "exp_avg", p), array_state(state, "exp_avg_sq", p)
    if group.get("decoupled_weight_decay") and group["weight_decay"]:
        p *= p.dtype.type(1 - lr * group["weight_decay"])
    else:
        g = decayed(g, p, group["weight_decay"])
    beta1, beta2 = group["betas"]
    move_towards(mean, g, 1 - beta1)
    move_square(square, g, beta2)
    return g, mean, square, step


class Adam(Stepper):
    """The mean of gradients over the root of the mean of their squares."""

    __module__ = "torch.optim.adam"
    _options: ClassVar = _OPTIONS | {"amsgrad": False}
    _group = "lr betas eps weight_decay amsgrad maximize foreach capturable differentiable fused decoupled_weight_decay"
    _decoupled = False

    def __init__(self, params: Any, *arguments: Any, **options: Any) -> None:
        self._decoupled = bool(options.pop("decoupled_weight_decay", type(self)._decoupled))
        super().__init__(params, *arguments, **options)

    def _check(self, values: dict[str, Any]) -> None:
        super()._check(values)
        values["decoupled_weight_decay"] = self._decoupled

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        beta1, beta2 = group["betas"]
        _, mean, square, step = _moments(p, g, state, group, lr)
        if group["amsgrad"]:
            largest = array_state(state, "max_exp_avg_sq", p)
            np.maximum(largest, square, out=largest)
            square = largest
        kind = p.dtype.type
        size = np.sqrt(square) / kind(math.sqrt(1 - beta2**step)) + kind(group["eps"])
        add_quotient(p, mean, size, -(lr / (1 - beta1**step)))

    def _writes(self, group: dict[str, Any]) -> int:
        return 2 if group["decoupled_weight_decay"] and group["weight_decay"] else 1


class AdamW(Adam):
    """Adam whose weight decay does not go through the gradient."""

    __module__ = "torch.optim.adamw"
    _options: ClassVar = _OPTIONS | {"weight_decay": 1e-2, "amsgrad": False}
    _decoupled = True


class Adamax(Stepper):
    """Adam with the largest gradient instead of the mean square."""

    __module__ = "torch.optim.adamax"
    _options: ClassVar = _OPTIONS | {"lr": 2e-3, "foreach": None}
    _group = "lr betas eps weight_decay foreach maximize differentiable capturable"

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        beta1, beta2 = group["betas"]
        step = count_step(state)
        mean, norm = array_state(state, "exp_avg", p), array_state(state, "exp_inf", p)
        g = decayed(g, p, group["weight_decay"])
        move_towards(mean, g, 1 - beta1)
        kind = p.dtype.type
        np.maximum(norm * kind(beta2), np.abs(g) + kind(group["eps"]), out=norm)
        add_quotient(p, mean, norm, -(lr / (1 - beta1**step)))


class NAdam(Stepper):
    """Adam with Nesterov's momentum."""

    __module__ = "torch.optim.nadam"
    _options: ClassVar = _OPTIONS | {"lr": 2e-3, "momentum_decay": 4e-3, "decoupled_weight_decay": False}
    _group = (
        "lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize foreach capturable differentiable"
    )

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        beta1, beta2 = group["betas"]
        if "mu_product" not in state:
            state["mu_product"] = Tensor(np.asarray(1.0, np.float32))
        g, mean, square, step = _moments(p, g, state, group, lr)
        now, after = (beta1 * (1.0 - 0.5 * 0.96 ** (number * group["momentum_decay"])) for number in (step, step + 1))
        state["mu_product"]._array *= np.float32(now)
        product = float(state["mu_product"]._array)
        kind = p.dtype.type
        size = np.sqrt(square / kind(1 - beta2**step)) + kind(group["eps"])
        add_quotient(p, g, size, -lr * (1.0 - now) / (1.0 - product))
        add_quotient(p, mean, size, (-lr * after) / (1.0 - product * after))

    def _writes(self, group: dict[str, Any]) -> int:
        return 3 if group["decoupled_weight_decay"] and group["weight_decay"] else 2


class RAdam(Stepper):
    """Adam that waits with the mean of squares until it is known well enough."""

    __module__ = "torch.optim.radam"
    _options: ClassVar = _OPTIONS | {"decoupled_weight_decay": False}
    _group = "lr betas eps weight_decay maximize foreach capturable decoupled_weight_decay differentiable"

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        beta1, beta2 = group["betas"]
        _, mean, square, step = _moments(p, g, state, group, lr)
        kind = p.dtype.type
        most = 2 / (1 - beta2) - 1
        known = most - 2 * step * beta2**step / (1 - beta2**step)
        change = mean / kind(1 - beta1**step) * kind(lr)
        if known > 5.0:
            factor = ((known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known)) ** 0.5
            change = change * (kind((1 - beta2**step) ** 0.5) / (np.sqrt(square) + kind(group["eps"]))) * kind(factor)
        p -= change
