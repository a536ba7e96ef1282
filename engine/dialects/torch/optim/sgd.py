"""Stochastic gradient descent, and its averaged variant."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch.optim.optimizer import count_step
from engine.dialects.torch.optim.stepper import Stepper, add_scaled, added, decayed
from engine.dialects.torch.optim.telling import array_state
from engine.dialects.torch.tensor import Tensor


class SGD(Stepper):
    """``p -= lr * grad``, with momentum, weight decay and Nesterov's variant."""

    __module__ = "torch.optim.sgd"
    _options: ClassVar = {"lr": 1e-3, "momentum": 0, "dampening": 0, "weight_decay": 0, "nesterov": False}
    _group = "lr momentum dampening weight_decay nesterov maximize foreach differentiable fused"

    def _check(self, values: dict[str, Any]) -> None:
        super()._check(values)
        if values["nesterov"] and (values["momentum"] <= 0 or values["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        momentum = group["momentum"]
        g = decayed(g, p, group["weight_decay"])
        if momentum:
            first = state.get("momentum_buffer") is None
            kept = array_state(state, "momentum_buffer", g, np.array)
            if not first:
                kept *= p.dtype.type(momentum)
                add_scaled(kept, g, 1 - group["dampening"])
            g = added(g, kept, momentum) if group["nesterov"] else kept
        add_scaled(p, g, -lr)


class ASGD(Stepper):
    """Gradient descent that also keeps the mean of where it has been."""

    __module__ = "torch.optim.asgd"
    _options: ClassVar = {
        "lr": 1e-2, "lambd": 1e-4, "alpha": 0.75, "t0": 1e6, "weight_decay": 0, "foreach": None, "maximize": False,
        "differentiable": False, "capturable": False,
    }  # fmt: skip
    _group = "lr lambd alpha t0 weight_decay foreach maximize differentiable capturable"
    _unchecked = frozenset({"alpha"})

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        if "eta" not in state:
            state.update(eta=Tensor(np.asarray(lr, np.float32)), mu=Tensor(np.asarray(1.0, np.float32)))
        step = count_step(state)
        average = array_state(state, "ax", p)
        eta, mu = float(state["eta"]._array), float(state["mu"]._array)
        p_step = decayed(g, p, group["weight_decay"])
        p *= p.dtype.type(1 - group["lambd"] * eta)
        add_scaled(p, p_step, -eta)
        if mu == 1:
            average[...] = p
        else:
            average += (p - average) * p.dtype.type(mu)
        state["eta"]._array[...] = lr / (1 + group["lambd"] * lr * step) ** group["alpha"]
        state["mu"]._array[...] = 1 / max(1, step - group["t0"])

    def _writes(self, group: dict[str, Any]) -> int:
        return 2


class Rprop(Stepper):
    """Steps that grow while the sign of the gradient stays, and shrink when it changes."""

    __module__ = "torch.optim.rprop"
    _options: ClassVar = {"lr": 1e-2, "etas": (0.5, 1.2), "step_sizes": (1e-6, 50)}
    _group = "lr etas step_sizes foreach maximize differentiable capturable"

    def _check(self, values: dict[str, Any]) -> None:
        super()._check(values)
        down, up = values["etas"]
        if not 0.0 < down < 1.0 < up:
            raise ValueError(f"Invalid eta values: {down}, {up}")

    def _update(self, p: Any, g: Any, state: dict[str, Any], group: dict[str, Any], lr: float) -> None:
        count_step(state)
        kind = p.dtype.type
        previous = array_state(state, "prev", p)
        size = array_state(state, "step_size", p, lambda like: np.full_like(like, lr))
        down, up = map(kind, group["etas"])
        change = np.sign(g * previous)
        size *= np.where(change > 0, up, np.where(change < 0, down, kind(1)))
        np.clip(size, *group["step_sizes"], out=size)
        g = np.where(change < 0, kind(0), g)
        p -= np.sign(g) * size
        previous[...] = g
