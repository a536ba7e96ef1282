"""The base of optimizers: parameter groups, state, and writing parameters.

Steps compute on the arrays themselves and write in place, so they cost what NumPy costs; ``telling`` says what a
listener hears of them.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor, clear_gradient
from engine.dynamic import modes


class _Required:
    """Marks an option without a default."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


def clear_grad(parameter: Tensor, set_to_none: bool) -> None:
    """Forget a gradient, or make it zero."""
    gradient = parameter._grad
    if gradient is None:
        return
    if set_to_none:
        clear_gradient(parameter)
        parameter._grad = None
        return
    if gradient._grad_fn is not None:
        parameter._grad = gradient = Tensor(gradient._array)
    gradient._array[...] = 0
    gradient._storage.version += 1
    clear_gradient(parameter, gradient._array)


class Optimizer:
    """Updates parameters from their gradients. ``step`` is for subclasses to write."""

    __module__ = "torch.optim.optimizer"
    defaults: dict[str, Any]
    param_groups: list[dict[str, Any]]

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            kind = f"torch.{params.dtype.legacy}Tensor"
            raise TypeError(
                f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got {kind}"
            )
        self.defaults = defaults
        self._stepped = False
        self.state: Any = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if isinstance(groups[0], tuple) and len(groups[0]) == 2 and isinstance(groups[0][0], str):
            groups = [{"params": [p for _, p in groups], "param_names": [name for name, _ in groups]}]
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        group = dict(param_group)
        params = group["params"]
        group["params"] = [params] if isinstance(params, Tensor) else list(params)
        for p in group["params"]:
            if not isinstance(p, Tensor):
                kind = type(p)
                where = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {where}{kind.__name__}")
            if not p.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, value in self.defaults.items():
            if value is required and name not in group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            group.setdefault(name, value)
        seen = {id(p) for g in self.param_groups for p in g["params"]}
        if any(id(p) in seen for p in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters."""
        for group in self.param_groups:
            for p in group["params"]:
                clear_grad(p, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters once."""
        raise NotImplementedError

    def _loss(self, closure: Callable[[], Any] | None) -> Any:
        self._stepped = True
        if closure is None:
            return None
        with modes.grad_mode(True):
            return closure()

    # -- state --
    def state_dict(self) -> dict[str, Any]:
        """State and options, with parameters by number."""
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
            groups.append(
                {k: v for k, v in group.items() if k != "params"}
                | {"params": [numbers[id(p)] for p in group["params"]]}
            )
        state = {numbers[id(p)]: dict(values) for p, values in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over state and options of an optimizer of the same shape."""
        given = copy.deepcopy(state_dict)
        if len(given["param_groups"]) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(
            len(a["params"]) != len(b["params"]) for a, b in zip(given["param_groups"], self.param_groups, strict=True)
        ):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        numbers: dict[Any, Any] = {}
        for mine, other in zip(self.param_groups, given["param_groups"], strict=True):
            numbers.update(zip(other["params"], mine["params"], strict=True))
            mine.update({k: v for k, v in other.items() if k != "params"})
        self.state = defaultdict(dict)
        for number, values in given["state"].items():
            self.state[numbers[number]] = values

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for place, group in enumerate(self.param_groups):
            lines += [""] * (place > 0) + [f"Parameter Group {place}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join(lines) + "\n)"

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}


def active(group: dict[str, Any]) -> Iterable[Any]:
    """The parameters of a group that have a gradient."""
    return [p for p in group["params"] if p._grad is not None]


def count_step(values: dict[str, Any], more: float = 1.0) -> float:
    """One more step of a parameter, counted in a tensor as the framework does."""
    if "step" not in values:
        values["step"] = Tensor(np.asarray(0.0, np.float32))
    values["step"]._array += np.float32(more)
    return float(values["step"]._array)
