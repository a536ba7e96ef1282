"""Optimizers that scale each element's step by the squares of its gradients so far."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch.optim.optimizer import count_step
from engine.dialects.torch.optim.stepper import Stepper, add_quotient, add_scaled, decayed, move_square, move_towards
from engine.dialects.torch.optim.telling import array_state


class Adagrad(Stepper):
    """Steps over the root of the sum of all squared gradients so far."""

    __module__ = "torch.optim.adagrad"
    _options: ClassVar = {
        "lr": 1e-2, "lr_decay": 0, "weight_decay": 0, "initial_accumulator_value": 0, "eps": 1e-10, "foreach": None,
    }  # fmt: skip
    _group = "lr lr_decay eps weight_decay initial_accumulator_value foreach maximize differentiable fused"

    def __init__(self, params: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(params, *arguments, **options)
        for group in self.param_groups:
            for p in group["params"]:
                count_step(self.state[p], 0.0)
                array_state(self.state[p], "sum", p._array)[...] = group["initial_accumulator_value"]

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        step = count_step(state)
        total = array_state(state, "sum", p)
        g = decayed(g, p, group["weight_decay"])
        add_scaled(total, g * g, 1.0)
        size = np.sqrt(total) + p.dtype.type(group["eps"])
        add_quotient(p, g, size, -(lr / (1 + (step - 1) * group["lr_decay"])))


class RMSprop(Stepper):
    """Steps over the root of a moving mean of squared gradients."""

    __module__ = "torch.optim.rmsprop"
    _options: ClassVar = {
        "lr": 1e-2, "alpha": 0.99, "eps": 1e-8, "weight_decay": 0, "momentum": 0, "centered": False,
        "capturable": False, "foreach": None, "maximize": False, "differentiable": False,
    }  # fmt: skip
    _group = "lr momentum alpha eps centered weight_decay capturable foreach maximize differentiable"

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        count_step(state)
        square = array_state(state, "square_avg", p)
        g = decayed(g, p, group["weight_decay"])
        move_square(square, g, group["alpha"])
        spread = square
        if group["centered"]:
            mean = array_state(state, "grad_avg", p)
            move_towards(mean, g, 1 - group["alpha"])
            spread = square - mean * mean
        size = np.sqrt(spread) + p.dtype.type(group["eps"])
        if group["momentum"] > 0:
            kept = array_state(state, "momentum_buffer", p)
            kept *= p.dtype.type(group["momentum"])
            kept += g / size
            add_scaled(p, kept, -lr)
        else:
            add_quotient(p, g, size, -lr)


class Adadelta(Stepper):
    """Steps scaled by the ratio of past steps to past gradients."""

    __module__ = "torch.optim.adadelta"
    _options: ClassVar = {"lr": 1.0, "rho": 0.9, "eps": 1e-6, "weight_decay": 0, "foreach": None}
    _group = "lr rho eps weight_decay maximize capturable foreach differentiable"

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        kind = p.dtype.type
        eps = kind(group["eps"])
        count_step(state)
        square, change = array_state(state, "square_avg", p), array_state(state, "acc_delta", p)
        g = decayed(g, p, group["weight_decay"])
        move_square(square, g, group["rho"])
        delta = np.sqrt(change + eps) / np.sqrt(square + eps) * g
        move_square(change, delta, group["rho"])
        add_scaled(p, delta, -lr)
