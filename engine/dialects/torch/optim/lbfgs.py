"""L-BFGS, with or without a line search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.torch.optim.line_search import Point, strong_wolfe
from engine.dialects.torch.optim.optimizer import Optimizer
from engine.dialects.torch.optim.stepper import add_scaled
from engine.dialects.torch.optim.telling import changing


class LBFGS(Optimizer):
    """A quasi-Newton method; ``step`` calls its closure several times."""

    __module__ = "torch.optim.lbfgs"

    def __init__(
        self, params: Any, lr: float = 1, max_iter: int = 20, max_eval: int | None = None, tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9, history_size: int = 100, line_search_fn: str | None = None,
    ) -> None:  # fmt: skip
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
            with changing(p, "LBFGS") as values:
                add_scaled(values, direction[place : place + size].reshape(p._array.shape), step)
            place += size

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        group = self.param_groups[0]
        state = self.state[group["params"][0]]
        first_loss = self._loss(closure)
        loss = float(first_loss)
        gradient = self._gradient()
        if np.abs(gradient).max() <= group["tolerance_grad"]:
            return first_loss
        evaluations, iterations = 1, 0
        state.setdefault("n_iter", 0)
        while iterations < group["max_iter"]:
            iterations += 1
            state["n_iter"] += 1
            direction = self._direction(gradient, state, group["history_size"])
            previous_loss = loss
            state["prev"] = gradient.copy()
            step = group["lr"]
            if state["n_iter"] == 1:
                step = min(1.0, float(1.0 / np.abs(gradient).sum())) * group["lr"]
            state.update(d=direction, t=step)
            slope = np.dot(gradient, direction)
            if float(slope) > -group["tolerance_change"]:
                break
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                start = Point(0, loss, gradient, slope)
                found, asked = strong_wolfe(
                    self._asking(closure, direction), start, step, np.abs(direction).max(), group["tolerance_change"]
                )
                loss, gradient, step = found.loss, found.gradient, found.length
                state["t"] = step
                self._move(step, direction)
                evaluations += asked
            else:
                self._move(step, direction)
                if iterations != group["max_iter"]:
                    loss = float(self._loss(closure))
                    gradient = self._gradient()
                    evaluations += 1
            if self._is_done(group, iterations, evaluations, direction, step, gradient, loss - previous_loss):
                break
        return first_loss

    def _is_done(
        self, group: dict[str, Any], iterations: int, evaluations: int, direction: Any, step: Any, gradient: Any,
        gained: float,
    ) -> bool:  # fmt: skip
        """Whether there is nothing more to do, or nothing more is allowed."""
        return bool(
            iterations == group["max_iter"] or evaluations >= group["max_eval"]
            or np.abs(gradient).max() <= group["tolerance_grad"]
            or np.abs(direction * gradient.dtype.type(step)).max() <= group["tolerance_change"]
            or abs(gained) < group["tolerance_change"]
        )  # fmt: skip

    def _asking(self, closure: Callable[[], Any], direction: Any) -> Callable[[Any], Point]:
        """What is found a step along ``direction`` from here; the parameters come back."""
        parameters = self.param_groups[0]["params"]
        here = [p._array.copy() for p in parameters]

        def ask(length: Any) -> Point:
            self._move(length, direction)
            loss = float(self._loss(closure))
            gradient = self._gradient()
            for p, values in zip(parameters, here, strict=True):
                with changing(p, "LBFGS") as held:
                    held[...] = values
            return Point(length, loss, gradient, np.dot(gradient, direction))

        return ask

    def _direction(self, gradient: Any, state: dict[str, Any], history: int) -> Any:
        """The quasi-Newton direction by the two-loop recursion, in the precision of the gradient."""
        if state["n_iter"] == 1:
            state.update(pairs=[], scale=gradient.dtype.type(1))
            return -gradient
        kind = gradient.dtype.type
        y, s = gradient - state["prev"], state["d"] * kind(state["t"])
        curvature = np.dot(y, s)
        if curvature > 1e-10:
            kept = state["pairs"][1:] if len(state["pairs"]) == history else state["pairs"]
            state["pairs"] = [*kept, (y, s, kind(1) / curvature)]
            state["scale"] = curvature / np.dot(y, y)
        q = -gradient
        weights = []
        for y, s, rho in reversed(state["pairs"]):
            weights.append(np.dot(s, q) * rho)
            add_scaled(q, y, -weights[-1])
        direction = q * state["scale"]
        for (y, s, rho), weight in zip(state["pairs"], reversed(weights), strict=True):
            add_scaled(direction, s, weight - np.dot(y, direction) * rho)
        return direction
