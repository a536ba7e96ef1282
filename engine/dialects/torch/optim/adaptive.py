"""Optimizers that scale each element's step by what its gradients were."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.optim.optimizer import Optimizer, active, array_state, checked, count_step, written


def _check_betas(betas: tuple[float, float]) -> None:
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


class _Stepper(Optimizer):
    """An optimizer whose work is one function of a parameter, its gradient and its state."""

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        loss = self._loss(closure)
        for group in self.param_groups:
            for p in active(group):
                start = 0 if events.listener is None else events.clock()
                g = p._grad._array
                if group.get("maximize"):
                    g = -g
                self._update(p._array, g, self.state[p], group)
                written(p, type(self).__name__, start)
        return loss

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        raise NotImplementedError


class Adam(_Stepper):
    """Steps of about ``lr``, whatever the size of the gradients."""

    __module__ = "torch.optim.adam"
    _decoupled = False

    def __init__(
        self, params: Any, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, amsgrad: bool = False, *, foreach: Any = None, maximize: bool = False,
        capturable: bool = False, differentiable: bool = False, fused: Any = None,
    ) -> None:  # fmt: skip
        checked("learning rate", lr, lr < 0.0)
        checked("epsilon value", eps, eps < 0.0)
        _check_betas(betas)
        checked("weight_decay value", weight_decay, weight_decay < 0.0)
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize":
                maximize,
                "foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused,
                "decoupled_weight_decay": self._decoupled,
            },
        )  # fmt: skip

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        step = count_step(state)
        mean, square = array_state(state, "exp_avg", p), array_state(state, "exp_avg_sq", p)
        if group["weight_decay"]:
            if group["decoupled_weight_decay"]:
                p *= 1 - group["lr"] * group["weight_decay"]
            else:
                g = g + group["weight_decay"] * p
        mean += (g - mean) * (1 - beta1)
        square *= beta2
        square += (1 - beta2) * g * g
        if group["amsgrad"]:
            largest = array_state(state, "max_exp_avg_sq", p)
            np.maximum(largest, square, out=largest)
            square = largest
        denominator = np.sqrt(square) / math.sqrt(1 - beta2**step) + group["eps"]
        p -= group["lr"] / (1 - beta1**step) * (mean / denominator)


class AdamW(Adam):
    """Adam whose weight decay does not go through the gradient."""

    __module__ = "torch.optim.adamw"
    _decoupled = True

    def __init__(self, params: Any, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 1e-2, **options: Any) -> None:  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, **options)


class Adamax(_Stepper):
    """Adam with the largest gradient instead of the mean square."""

    __module__ = "torch.optim.adamax"

    def __init__(
        self, params: Any, lr: float = 2e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, foreach: Any = None, *, maximize: bool = False, differentiable: bool = False,
        capturable: bool = False,
    ) -> None:  # fmt: skip
        checked("learning rate", lr, lr < 0.0)
        _check_betas(betas)
        super().__init__(
            params,
            {
                "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach, "maximize":
                maximize,
                "differentiable": differentiable, "capturable": capturable,
            },
        )  # fmt: skip

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        beta1, beta2 = group["betas"]
        step = count_step(state)
        mean, norm = array_state(state, "exp_avg", p), array_state(state, "exp_inf", p)
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        mean += (g - mean) * (1 - beta1)
        np.maximum(norm * beta2, np.abs(g) + group["eps"], out=norm)
        p -= group["lr"] / (1 - beta1**step) * (mean / norm)


class Adagrad(_Stepper):
    """Steps over the root of the sum of all squared gradients so far."""

    __module__ = "torch.optim.adagrad"

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: Any = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: Any = None,
    ) -> None:
        checked("learning rate", lr, lr < 0.0)
        super().__init__(
            params,
            {
                "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
                "differentiable": differentiable, "fused": fused,
            },
        )  # fmt: skip
        for group in self.param_groups:
            for p in group["params"]:
                array_state(self.state[p], "sum", p._array)[...] = initial_accumulator_value

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        step = count_step(state)
        total = array_state(state, "sum", p)
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        total += g * g
        p -= group["lr"] / (1 + (step - 1) * group["lr_decay"]) * (g / (np.sqrt(total) + group["eps"]))


class RMSprop(_Stepper):
    """Steps over the root of a moving mean of squared gradients."""

    __module__ = "torch.optim.rmsprop"

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: Any = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        checked("learning rate", lr, lr < 0.0)
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered, "weight_decay":
                weight_decay,
                "capturable": capturable, "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            },
        )  # fmt: skip

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        count_step(state)
        square = array_state(state, "square_avg", p)
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        square *= group["alpha"]
        square += (1 - group["alpha"]) * g * g
        if group["centered"]:
            mean = array_state(state, "grad_avg", p)
            mean += (g - mean) * (1 - group["alpha"])
            size = np.sqrt(square - mean * mean) + group["eps"]
        else:
            size = np.sqrt(square) + group["eps"]
        if group["momentum"] > 0:
            buffer = array_state(state, "momentum_buffer", p)
            buffer *= group["momentum"]
            buffer += g / size
            p -= group["lr"] * buffer
        else:
            p -= group["lr"] * (g / size)


class Adadelta(_Stepper):
    """Steps scaled by the ratio of past steps to past gradients."""

    __module__ = "torch.optim.adadelta"

    def __init__(
        self, params: Any, lr: float = 1.0, rho: float = 0.9, eps: float = 1e-6, weight_decay: float = 0, foreach:
        Any = None,
        *, capturable: bool = False, maximize: bool = False, differentiable: bool = False,
    ) -> None:  # fmt: skip
        checked("learning rate", lr, lr < 0.0)
        super().__init__(
            params,
            {
                "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize, "capturable":
                capturable,
                "foreach": foreach, "differentiable": differentiable,
            },
        )  # fmt: skip

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        rho, eps = group["rho"], group["eps"]
        count_step(state)
        square, change = array_state(state, "square_avg", p), array_state(state, "acc_delta", p)
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        square *= rho
        square += (1 - rho) * g * g
        delta = np.sqrt(change + eps) / np.sqrt(square + eps) * g
        change *= rho
        change += (1 - rho) * delta * delta
        p -= group["lr"] * delta
