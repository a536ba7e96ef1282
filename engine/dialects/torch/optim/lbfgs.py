"""L-BFGS without a line search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.torch.optim.optimizer import Optimizer, written


class LBFGS(Optimizer):
    """A quasi-Newton method; ``step`` calls its closure several times."""

    __module__ = "torch.optim.lbfgs"

    def __init__(
        self, params: Any, lr: float = 1, max_iter: int = 20, max_eval: int | None = None, tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9, history_size: int = 100, line_search_fn: str | None = None,
    ) -> None:  # fmt: skip
        if line_search_fn is not None:
            raise NotImplementedError("the teaching engine's LBFGS has no line search: leave line_search_fn out")
        super().__init__(
            params,
            {
                "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )  # fmt: skip
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _gradient(self) -> Any:
        parts = [
            np.zeros(p._array.size, p._array.dtype) if p._grad is None else p._grad._array.reshape(-1)
            for p in self.param_groups[0]["params"]
        ]
        return np.concatenate(parts)

    def _move(self, step: float, direction: Any) -> None:
        place = 0
        for p in self.param_groups[0]["params"]:
            size = p._array.size
            p._array += step * direction[place : place + size].reshape(p._array.shape)
            written(p, "LBFGS")
            place += size

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        group = self.param_groups[0]
        state = self.state[group["params"][0]]
        first_loss = self._loss(closure)
        loss = float(first_loss)
        evaluations = 1
        gradient = self._gradient()
        if np.abs(gradient).max() <= group["tolerance_grad"]:
            return first_loss
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] = state.get("n_iter", 0) + 1
            if state["n_iter"] == 1:
                direction, scale = -gradient, 1.0
                pairs: list[Any] = []
            else:
                direction, pairs, scale = self._direction(gradient, state, group["history_size"])
            previous, previous_loss = gradient.copy(), loss
            step = min(1.0, 1.0 / np.abs(gradient).sum()) * group["lr"] if state["n_iter"] == 1 else group["lr"]
            slope = float(gradient @ direction)
            state.update(d=direction, t=step, pairs=pairs, scale=scale, prev=previous)
            if slope > -group["tolerance_change"]:
                break
            self._move(step, direction)
            if iteration != group["max_iter"]:
                loss = float(self._loss(closure))
                gradient = self._gradient()
                evaluations += 1
            small = np.abs(direction * step).max() <= group["tolerance_change"]
            if (
                iteration == group["max_iter"] or evaluations >= group["max_eval"] or small
                or np.abs(gradient).max() <= group["tolerance_grad"]
                or abs(loss - previous_loss) < group["tolerance_change"]
            ):  # fmt: skip
                break
        return first_loss

    def _direction(self, gradient: Any, state: dict[str, Any], history: int) -> tuple[Any, list[Any], float]:
        """The quasi-Newton direction by the two-loop recursion."""
        pairs, scale = state["pairs"], state["scale"]
        y, s = gradient - state["prev"], state["d"] * state["t"]
        curvature = float(y @ s)
        if curvature > 1e-10:
            pairs = [*pairs[-(history - 1) :], (y, s, 1.0 / curvature)]
            scale = curvature / float(y @ y)
        q = -gradient
        weights = []
        for y, s, rho in reversed(pairs):
            a = float(s @ q) * rho
            weights.append(a)
            q = q - a * y
        direction = q * scale
        for (y, s, rho), a in zip(pairs, reversed(weights), strict=True):
            direction = direction + s * (a - float(y @ direction) * rho)
        return direction.astype(gradient.dtype), pairs, scale
