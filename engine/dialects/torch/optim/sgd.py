"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import events
from engine.dialects.torch.optim.optimizer import Optimizer, checked, written
from engine.dialects.torch.tensor import Tensor


class SGD(Optimizer):
    """``p -= lr * grad``, with momentum, weight decay and Nesterov's variant."""

    __module__ = "torch.optim.sgd"

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: Any = None,
        differentiable: bool = False,
        fused: Any = None,
    ) -> None:
        checked("learning rate", lr, lr < 0.0)
        checked("momentum value", momentum, momentum < 0.0)
        checked("weight_decay value", weight_decay, weight_decay < 0.0)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov":
                nesterov,
                "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused,
            },
        )  # fmt: skip

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        loss = None if closure is None else self._loss(closure)
        for group in self.param_groups:
            lr, momentum, decay = group["lr"], group["momentum"], group["weight_decay"]
            nesterov, dampening, sign = group["nesterov"], group["dampening"], -1 if group["maximize"] else 1
            plain = not momentum and not decay and sign == 1
            for p in group["params"]:
                if p._grad is None:
                    continue
                start = 0 if events.listener is None else events.clock()
                array, g = p._array, p._grad._array
                if not plain:
                    g = self._direction(p, g * sign if sign < 0 else g, momentum, decay, dampening, nesterov)
                np.subtract(array, g * lr, array)
                written(p, "SGD", start)
        return loss

    def _direction(self, p: Any, g: Any, momentum: float, decay: float, dampening: float, nesterov: bool) -> Any:
        if decay:
            g = g + decay * p._array
        if not momentum:
            return g
        state = self.state[p]
        buffer = state.get("momentum_buffer")
        if buffer is None:
            buffer = state["momentum_buffer"] = Tensor(np.array(g))
        else:
            array = buffer._array
            array *= momentum
            array += (1 - dampening) * g
        return g + momentum * buffer._array if nesterov else buffer._array
