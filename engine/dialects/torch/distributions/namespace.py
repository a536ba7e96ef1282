"""The modules ``torch.distributions`` and below it."""

from __future__ import annotations

from types import ModuleType

from engine.dialects.torch.distributions import (
    constraints,
    continuous,
    discrete,
    distribution,
    divergences,
    gamma_family,
    joint,
    transforms,
)
from engine.dialects.torch.new_modules import new_module, own_classes, public


def distribution_modules() -> list[ModuleType]:
    """All of them, made anew."""
    classes = own_classes(distribution, continuous, gamma_family, discrete, joint, transforms)
    kl = public(divergences, "kl_divergence register_kl")
    made = [
        new_module("torch.distributions", **classes, **kl),
        new_module("torch.distributions.constraints", **public(constraints, constraints.NAMES)),
        new_module("torch.distributions.kl", **kl),
        new_module("torch.distributions.utils", **public(distribution, "broadcast_all probs_to_logits clamp_probs")),
    ]
    homes: dict[str, dict[str, type]] = {}
    for name, value in classes.items():
        homes.setdefault(value.__module__, {})[name] = value
    return made + [new_module(name, **content) for name, content in homes.items()]
