"""The modules ``torch.optim`` and below it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from engine.dialects.torch.new_modules import new_module, own_classes
from engine.dialects.torch.optim import adam, adaptive, combined, cycles, lbfgs, optimizer, schedulers, sgd
from engine.dialects.torch.public_names import name_methods


def optim_modules() -> list[ModuleType]:
    scheduler_classes = {
        name: value
        for source in (schedulers, cycles, combined)
        for name, value in vars(source).items()
        if isinstance(value, type) and value.__module__ == "torch.optim.lr_scheduler"
    }
    classes = own_classes(sgd, adam, adaptive, lbfgs, optimizer)
    name_methods(classes.values(), ("__init__",))
    made = [
        new_module("torch.optim", **classes),
        new_module("torch.optim.lr_scheduler", **scheduler_classes, _LRScheduler=schedulers.LRScheduler),
        new_module("torch.optim.optimizer", Optimizer=optimizer.Optimizer, required=optimizer.required),
    ]
    known = {m.__name__ for m in made}
    homes: dict[str, dict[str, Any]] = {}
    for name, value in classes.items():
        if value.__module__ not in known:
            homes.setdefault(value.__module__, {})[name] = value
    return made + [new_module(name, **content) for name, content in homes.items()]
