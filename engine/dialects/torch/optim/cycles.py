"""Learning rates that go up and down within a training run."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch.optim.schedulers import LRScheduler, need_optimizer


def _for_groups(optimizer: Any, name: str, value: Any) -> list[float]:
    groups = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        return [value] * groups
    if len(value) != groups:
        raise ValueError(f"{name} must have the same length as optimizer.param_groups. Expected {groups} values.")
    return list(value)


class CyclicLR(LRScheduler):
    """Between two rates, up and down in straight lines."""

    __module__ = "torch.optim.lr_scheduler"

    def __init__(
        self, optimizer: Any, base_lr: Any, max_lr: Any, step_size_up: int = 2000, step_size_down: int | None = None,
        mode: str = "triangular", gamma: float = 1.0, scale_fn: Any = None, scale_mode: str = "cycle",
        cycle_momentum: bool = True, base_momentum: Any = 0.8, max_momentum: Any = 0.9, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        need_optimizer(optimizer)
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError("mode is invalid and scale_fn is None")
        lows = _for_groups(optimizer, "base_lr", base_lr)
        for group, low in zip(optimizer.param_groups, lows, strict=True):
            group["lr"] = low
        self.max_lrs = _for_groups(optimizer, "max_lr", max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up) + float(down)
        self.step_ratio = step_size_up / self.total_size
        self.mode, self.gamma, self._scale, self.scale_mode = mode, gamma, scale_fn, scale_mode
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
            self.base_momentums = _for_groups(optimizer, "base_momentum", base_momentum)
            self.max_momentums = _for_groups(optimizer, "max_momentum", max_momentum)
            for group, momentum in zip(optimizer.param_groups, self.max_momentums, strict=True):
                _set_momentum(group, momentum)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lows

    def _factor(self, cycle: float) -> float:
        if self._scale is not None:
            return float(self._scale(cycle if self.scale_mode == "cycle" else self.last_epoch))
        if self.mode == "triangular2":
            return float(0.5 ** (cycle - 1))
        return float(self.gamma**self.last_epoch) if self.mode == "exp_range" else 1.0

    def get_lr(self) -> list[float]:
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        share = place / self.step_ratio if place <= self.step_ratio else (place - 1) / (self.step_ratio - 1)
        factor = self._factor(cycle)
        if self.cycle_momentum:
            for group, low, high in zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                _set_momentum(group, high - (high - low) * share * factor)
        return [low + (high - low) * share * factor for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]


def _set_momentum(group: dict[str, Any], momentum: float) -> None:
    """The momentum of a group; of Adam and its relatives, the first beta."""
    if "betas" in group:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum


class OneCycleLR(LRScheduler):
    """Once up to the largest rate, and down to far below the first one."""

    __module__ = "torch.optim.lr_scheduler"

    def __init__(
        self, optimizer: Any, max_lr: Any, total_steps: int | None = None, epochs: int | None = None,
        steps_per_epoch: int | None = None, pct_start: float = 0.3, anneal_strategy: str = "cos",
        cycle_momentum: bool = True, base_momentum: Any = 0.85, max_momentum: Any = 0.95, div_factor: float = 25.0,
        final_div_factor: float = 1e4, three_phase: bool = False, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        need_optimizer(optimizer)
        if total_steps is not None:
            if total_steps <= 0 or not isinstance(total_steps, int):
                raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
            self.total_steps = total_steps
        elif epochs is not None and steps_per_epoch is not None:
            for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
                if value <= 0 or not isinstance(value, int):
                    raise ValueError(f"Expected positive integer {name}, but got {value}")
            self.total_steps = epochs * steps_per_epoch
        else:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        rise = float(pct_start * self.total_steps) - 1
        names = ("initial_lr", "max_lr", "min_lr")
        self._phases = (
            [(rise, 0, 1), (2 * rise, 1, 0), (self.total_steps - 1, 0, 2)]
            if three_phase
            else [(rise, 0, 1), (self.total_steps - 1, 1, 2)]
        )
        self._names, self._cosine = names, anneal_strategy == "cos"
        for group, high in zip(optimizer.param_groups, _for_groups(optimizer, "max_lr", max_lr), strict=True):
            group["initial_lr"], group["max_lr"] = high / div_factor, high
            group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
                raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
            lows, highs = (
                _for_groups(optimizer, name, value)
                for name, value in (("base_momentum", base_momentum), ("max_momentum", max_momentum))
            )
            for group, low, high in zip(optimizer.param_groups, lows, highs, strict=True):
                group["max_momentum"], group["base_momentum"] = high, low
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, share: float) -> float:
        if self._cosine:
            return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)
        return (end - start) * share + start

    def get_lr(self) -> list[float]:
        number = self.last_epoch
        if number > self.total_steps:
            raise ValueError(f"Tried to step {number} times. The specified number of total steps is {self.total_steps}")
        starts = [0.0, *(end for end, _, _ in self._phases[:-1])]
        place = next((i for i, phase in enumerate(self._phases) if number <= phase[0]), len(self._phases) - 1)
        end, first, last = self._phases[place]
        share = (number - starts[place]) / (end - starts[place])
        momenta = ("max_momentum", "base_momentum", "max_momentum")
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[self._names[first]], group[self._names[last]], share))
            if self.cycle_momentum:
                _set_momentum(group, self._between(group[momenta[first]], group[momenta[last]], share))
        return rates
