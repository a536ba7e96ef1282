"""``torch.nn.utils.prune``: weights that are held at nought by a mask.

A pruned parameter ``weight`` becomes ``weight_orig`` (a parameter) and ``weight_mask`` (a buffer); before each call of
the module their product is ``weight`` again.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from typing import Any

from engine.dialects.torch.creation import ones_like, zeros_like
from engine.dialects.torch.joining import cat
from engine.dialects.torch.order import topk
from engine.dialects.torch.reductions import norm
from engine.dialects.torch.sampling import rand_like


class BasePruningMethod(ABC):
    """A way of choosing what to prune. One's own has ``PRUNING_TYPE`` and ``compute_mask``."""

    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = "unstructured"
    _tensor_name: str

    def __call__(self, module: Any, inputs: Any) -> None:
        object.__setattr__(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The new mask, of which ``default_mask`` is the old one."""

    def apply_mask(self, module: Any) -> Any:
        """The parameter times its mask."""
        name = self._tensor_name
        return getattr(module, f"{name}_mask").to(dtype=getattr(module, f"{name}_orig").dtype) * getattr(
            module, f"{name}_orig"
        )

    @classmethod
    def apply(
        cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune ``module.<name>``, on top of what was pruned there before."""
        olds = [
            (key, hook)
            for key, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
        ]
        method: BasePruningMethod = cls(*args, **kwargs)
        method._tensor_name = name
        for key, old in olds:
            container = PruningContainer()
            container._tensor_name = name
            for part in old if isinstance(old, PruningContainer) else (old,):
                container.add_pruning_method(part)
            container.add_pruning_method(method)
            method = container
            del module._forward_pre_hooks[key]
        weight = getattr(module, name)
        if importance_scores is None:
            importance_scores = weight
        elif importance_scores.shape != weight.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter                     {name} of {module}"
            )
        if not olds:
            original = module._parameters[name]
            delattr(module, name)
            module.register_parameter(f"{name}_orig", original)
            before = ones_like(original.detach())
        else:
            before = getattr(module, f"{name}_mask").detach().clone()
        try:
            mask = method.compute_mask(importance_scores.detach(), default_mask=before)
        except Exception:
            if not olds:
                delattr(module, f"{name}_orig")
                module.register_parameter(name, original)
            raise
        module.register_buffer(f"{name}_mask", mask)
        object.__setattr__(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """``t`` with what this method prunes at nought."""
        scores = t if importance_scores is None else importance_scores
        return t * self.compute_mask(scores, ones_like(t) if default_mask is None else default_mask)

    def remove(self, module: Any) -> None:
        """The pruned parameter as one of its own again."""
        name = self._tensor_name
        weight, original = self.apply_mask(module), getattr(module, f"{name}_orig")
        original.data = weight.data
        delattr(module, f"{name}_orig")
        delattr(module, f"{name}_mask")
        module.__dict__.pop(name, None)
        module.register_parameter(name, original)


class PruningContainer(BasePruningMethod):
    """Several prunings of one parameter, one after another."""

    __module__ = "torch.nn.utils.prune"

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        for method in args[0] if len(args) == 1 and not isinstance(args[0], BasePruningMethod) else args:
            self._tensor_name = method._tensor_name
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods = (*self._pruning_methods, method)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Any:
        return iter(self._pruning_methods)

    def __getitem__(self, index: Any) -> Any:
        return self._pruning_methods[index]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The old mask, and what the newest method prunes of the rest."""
        method: Any = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        kind = method.PRUNING_TYPE
        if kind == "unstructured":
            kept: Any = mask == 1
        elif kind == "structured":
            dim = method.dim if method.dim >= 0 else t.ndim + method.dim
            channels = mask.sum(dim=[d for d in range(t.ndim) if d != dim]) != 0
            kept = tuple(channels if d == dim else slice(None) for d in range(t.ndim))
        elif kind == "global":
            kept = (slice(None),) * t.ndim
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {kind}")
        combined = mask.clone()
        combined[kept] = method.compute_mask(t[kept], default_mask=mask[kept]).to(dtype=t.dtype)
        return combined


def _amount(amount: Any) -> None:
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if (isinstance(amount, numbers.Integral) and amount < 0) or (
        not isinstance(amount, numbers.Integral) and (float(amount) > 1.0 or float(amount) < 0.0)
    ):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")


def _count(amount: Any, size: int) -> int:
    """How many of ``size`` an amount, a number or a part of them, is."""
    found = amount if isinstance(amount, int) else round(amount * size)
    if isinstance(amount, int) and amount > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return int(found)


class Identity(BasePruningMethod):
    """Prunes nothing."""

    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask


class _Amount(BasePruningMethod):
    def __init__(self, amount: Any) -> None:
        _amount(amount)
        self.amount = amount


class RandomUnstructured(_Amount):
    """Prunes elements by chance."""

    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone()
        if count:
            mask.view(-1)[topk(rand_like(t).view(-1), k=count).indices] = 0
        return mask


class L1Unstructured(_Amount):
    """Prunes the smallest elements."""

    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone()
        if count:
            mask.view(-1)[topk(t.abs().view(-1), k=count, largest=False).indices] = 0
        return mask


def _channels(t: Any, scores: Any, count: int, largest: bool, dim: int, mask: Any) -> Any:
    """``mask`` without all but the channels with the best scores."""
    kept = topk(scores, k=t.shape[dim] - count, largest=largest).indices
    channels = zeros_like(t)
    channels[tuple(kept if d == dim % t.ndim else slice(None) for d in range(t.ndim))] = 1
    return channels * mask.to(dtype=channels.dtype)


class RandomStructured(_Amount):
    """Prunes whole channels by chance."""

    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        from engine.dialects.torch.sampling import rand

        count = _count(self.amount, t.shape[self.dim])
        return _channels(t, rand(t.shape[self.dim]), count, True, self.dim, default_mask) if count else default_mask


class LnStructured(_Amount):
    """Prunes the channels with the smallest norms."""

    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.n, self.dim = n, dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        count = _count(self.amount, t.shape[self.dim])
        if not count:
            return default_mask
        sizes = norm(t, self.n, [d for d in range(t.ndim) if d != self.dim % t.ndim])
        return _channels(t, sizes, count, True, self.dim, default_mask)


class CustomFromMask(BasePruningMethod):
    """Prunes what a given mask says."""

    __module__ = "torch.nn.utils.prune"
    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module: Any, name: str) -> Any:
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: Any) -> Any:
    RandomUnstructured.apply(module, name, amount=amount)
    return module


def l1_unstructured(module: Any, name: str, amount: Any, importance_scores: Any = None) -> Any:
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: Any, dim: int) -> Any:
    RandomStructured.apply(module, name, amount=amount, dim=dim)
    return module


def ln_structured(module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None) -> Any:
    LnStructured.apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Any, name: str, mask: Any) -> Any:
    CustomFromMask.apply(module, name, mask=mask)
    return module


def global_unstructured(parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any) -> None:
    """Prune several parameters as if they were one: ``parameters`` are (module, name) pairs."""
    if not isinstance(parameters, tuple | list):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = importance_scores or {}
    pairs = [(module, name, scores.get((module, name), getattr(module, name)).detach()) for module, name in parameters]
    whole = cat([value.reshape(-1) for _, _, value in pairs])
    masks = [getattr(module, f"{name}_mask", ones_like(value)).reshape(-1) for module, name, value in pairs]
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE is supported for the `pruning_method`. Found method {pruning_method} of '
            f"type {method.PRUNING_TYPE}"
        )
    container.add_pruning_method(method)
    final = container.compute_mask(whole, cat(masks))
    start = 0
    for module, name, value in pairs:
        custom_from_mask(module, name, mask=final[start : start + value.numel()].view_as(value))
        start += value.numel()


def remove(module: Any, name: str) -> Any:
    """Make the pruning of ``module.<name>`` permanent."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: Any) -> bool:
    """Whether something in a module is pruned."""
    return any(
        isinstance(hook, BasePruningMethod)
        for _, inner in module.named_modules()
        for hook in inner._forward_pre_hooks.values()
    )


NAMES = (
    "BasePruningMethod PruningContainer Identity RandomUnstructured L1Unstructured RandomStructured LnStructured "
    "CustomFromMask identity random_unstructured l1_unstructured random_structured ln_structured custom_from_mask "
    "global_unstructured remove is_pruned"
)
