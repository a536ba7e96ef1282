"""Modules that hold parameters in lists and dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.tensor import Tensor


class ParameterList(Module):
    """A list whose parameters are registered."""

    __module__ = "torch.nn.modules.container"

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__()
        self.extend(values)

    def append(self, value: Any) -> ParameterList:
        parameter = value if isinstance(value, Parameter) else Parameter(value) if isinstance(value, Tensor) else value
        self.register_parameter(str(len(self._parameters)), parameter)
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        for value in values:
            self.append(value)
        return self

    def __getitem__(self, index: int) -> Any:
        return list(self._parameters.values())[index]

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def __setitem__(self, index: int, value: Any) -> None:
        name = list(self._parameters)[index]
        setattr(self, name, value if isinstance(value, Parameter) else Parameter(value))

    def extra_repr(self) -> str:
        return _listed(self, lambda p: str(p.dtype))


class ParameterDict(Module):
    """A dictionary whose parameters are registered."""

    __module__ = "torch.nn.modules.container"

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self.update(parameters or {})

    def update(self, parameters: Any) -> None:
        pairs = parameters.items() if isinstance(parameters, Mapping | ParameterDict) else parameters
        for name, value in pairs:
            self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        parameter = Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value
        self.register_parameter(name, parameter)

    def __getitem__(self, name: str) -> Any:
        return self._parameters[name]

    def __delitem__(self, name: str) -> None:
        delattr(self, name)

    def __contains__(self, name: object) -> bool:
        return name in self._parameters

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def keys(self) -> Any:
        return self._parameters.keys()

    def values(self) -> Any:
        return self._parameters.values()

    def items(self) -> Any:
        return self._parameters.items()

    def extra_repr(self) -> str:
        return _listed(self, lambda p: f"torch.{p.dtype.legacy}Tensor")


def _listed(module: Module, kind: Callable[[Parameter], str]) -> str:
    """A line for each parameter."""
    lines = []
    for name, p in module._parameters.items():
        size = "x".join(map(str, p.shape))
        lines.append(f"  ({name}): Parameter containing: [{kind(p)} of size {size}]")
    return "\n".join(lines)
