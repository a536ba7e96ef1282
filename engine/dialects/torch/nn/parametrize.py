"""``torch.nn.utils.parametrize``: a parameter that modules compute from others, each time that it is read.

The module gets a class of its own, in which the name is a property; what the value is computed from lives in
``module.parametrizations.<name>``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.dialects.torch.autograd import no_grad
from engine.dialects.torch.nn.containers import ModuleDict, ModuleList
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.tensor import Tensor

_enabled = 0
_cache: dict[tuple[int, str], Any] = {}


@contextmanager
def cached() -> Iterator[None]:
    """While this lasts, each parametrized tensor is computed once."""
    global _enabled
    _enabled += 1
    try:
        yield
    finally:
        _enabled -= 1
        if not _enabled:
            _cache.clear()


class ParametrizationList(ModuleList):
    """What computes one tensor, and the ``original`` (or ``original0``, ``original1`` …) that it is computed from."""

    __module__ = "torch.nn.utils.parametrize"

    def __init__(self, modules: Sequence[Module], original: Any, unsafe: bool = False) -> None:
        super().__init__(modules)
        self.unsafe = unsafe
        new = original
        for module in reversed(list(modules)):
            if hasattr(module, "right_inverse"):
                new = _inverse(module, new)
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            _check_dtype(original, new, "right_inverse")
            with no_grad():
                original.data = new
            _register(self, "original", original)
        else:
            for i, part in enumerate(new):
                held = (
                    Parameter(part, requires_grad=original.requires_grad) if isinstance(original, Parameter) else part
                )
                _register(self, f"original{i}", held)
        if not unsafe:
            given = self()
            if not isinstance(given, Tensor):
                raise ValueError(
                    f"A parametrization must return a tensor. Got {type(given).__name__}.",
                )
            _check_dtype(original, given, "forward")
            if given.shape != original.shape:
                raise ValueError(
                    "The parametrization may not change the shape of the tensor, unless `unsafe` flag is enabled.\n"
                    f"original.shape: {original.shape}\nparametrized.shape: {given.shape}"
                )

    def originals(self) -> list[Any]:
        """What the tensor is computed from."""
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{i}") for i in range(self.ntensors)]

    def right_inverse(self, value: Any) -> None:
        """Make the originals such that the tensor becomes ``value``."""
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = _inverse(module, value)
            for original, part in zip(self.originals(), [value] if self.is_tensor else value, strict=True):
                original.data = part

    def forward(self) -> Any:
        first, *others = list(self)
        value = first(*self.originals())
        for module in others:
            value = module(value)
        return value


def _inverse(module: Any, value: Any) -> Any:
    try:
        return module.right_inverse(value)
    except NotImplementedError:
        return value


def _check_dtype(original: Any, value: Any, of: str) -> None:
    if original.dtype != value.dtype:
        raise ValueError(
            f"The parametrization's {of} may not change the dtype of the tensor, unless the `unsafe` flag is enabled.\n"
            f"original.dtype: {original.dtype}\nparametrized.dtype: {value.dtype}"
        )


def _register(module: Any, name: str, tensor: Any) -> None:
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def is_parametrized(module: Any, tensor_name: str | None = None) -> bool:
    """Whether a module has a parametrized tensor, or this one."""
    held = module._modules.get("parametrizations")
    if not isinstance(held, ModuleDict):
        return False
    return len(held) > 0 if tensor_name is None else tensor_name in held


def _property(name: str) -> property:
    def read(self: Any) -> Any:
        if not _enabled:
            return self.parametrizations[name]()
        key = id(self), name
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def write(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    return property(read, write)


def _give_class(module: Any) -> None:
    kind: Any = type(module)

    def copied(self: Any, memo: dict[int, Any]) -> Any:
        """The class belongs to one module: a copy gets its own."""
        found = memo.get(id(self))
        if found is None:
            found = memo[id(self)] = kind.__new__(kind)
            for key, value in self.__dict__.items():
                found.__dict__[key] = copy.deepcopy(value, memo)
            own = {name: value for name, value in vars(type(self)).items() if name != "__dict__"}
            _become(found, type(self).__name__, kind, own)
        return found

    body = {"__deepcopy__": copied, "__module__": "torch.nn.utils.parametrize"}
    _become(module, f"Parametrized{kind.__name__}", kind, body)


def _become(module: Any, name: str, base: Any, body: dict[str, Any]) -> None:
    module.__class__ = type(name, (base,), body)


def register_parametrization(module: Any, tensor_name: str, parametrization: Module, *, unsafe: bool = False) -> Any:
    """From now on ``module.<tensor_name>`` is what ``parametrization`` makes of it.

    :raises ValueError: there is no such parameter or buffer, or its shape or dtype would change.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        found = module.parametrizations[tensor_name]
        if not unsafe:
            value = getattr(module, tensor_name)
            given = parametrization(value)
            if given.shape != value.shape:
                raise ValueError(
                    "Registering a parametrization may not change the shape of the tensor, unless the `unsafe` flag is "
                    f"enabled.\nmodule.{tensor_name}.shape: {value.shape}\n"
                    f"parametrization(module.{tensor_name}).shape: {given.shape}"
                )
        found.append(parametrization)
        found.unsafe = found.unsafe or unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _give_class(module)
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, _property(tensor_name))
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    return module


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """The tensor by itself again: as computed last, or (where there is one) the original.

    :raises ValueError: it is not parametrized, or has several originals to go back to.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    held = module.parametrizations[tensor_name]
    original = held.originals()[0]
    if leave_parametrized:
        with no_grad():
            value = getattr(module, tensor_name)
        if held.is_tensor:
            original.data = value
        else:
            original = Parameter(value) if isinstance(original, Parameter) else value
    elif not held.is_tensor:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
            "sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Any) -> type:
    """The class of a module without its parametrizations."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)
