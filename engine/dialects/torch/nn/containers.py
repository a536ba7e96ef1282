"""Modules that hold modules."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.dialects.torch.nn.module import Module, _indent, _tell, type_name


class Sequential(Module):
    """Calls its modules one after another."""

    __module__ = "torch.nn.modules.container"

    def __init__(self, *arguments: Any) -> None:
        super().__init__()
        if len(arguments) == 1 and isinstance(arguments[0], OrderedDict):
            for name, module in arguments[0].items():
                self.add_module(name, module)
        else:
            for place, module in enumerate(arguments):
                self.add_module(str(place), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def _key(self, index: int) -> str:
        size = len(self._modules)
        place = operator.index(index)
        if not -size <= place < size:
            raise IndexError(f"index {place} is out of range")
        return str(list(self._modules)[place])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._key(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: Any) -> None:
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        for key in keys:
            delattr(self, key)
        _renumber(self, list(self._modules.values()))

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(
                "add operator supports only objects of Sequential class, but " + str(type(other)) + " is given."
            )
        return Sequential(*self, *other)

    def append(self, module: Module) -> Sequential:
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Sequential:
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Sequential:
        modules = list(self._modules.values())
        modules.insert(index, module)
        _renumber(self, modules)
        return self

    def pop(self, index: int) -> Any:
        module = self[index]
        del self[index]
        return module


def _renumber(owner: Module, modules: list[Any]) -> None:
    for key in list(owner._modules):
        delattr(owner, key)
    for place, module in enumerate(modules):
        owner.add_module(str(place), module)


class ModuleList(Module):
    """A list whose modules are registered."""

    __module__ = "torch.nn.modules.container"

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def _key(self, index: int) -> str:
        size = len(self._modules)
        place = operator.index(index)
        if not -size <= place < size:
            raise IndexError(f"index {place} is out of range")
        return str(place + size if place < 0 else place)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[self._key(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self._modules.values())
        del modules[index]
        _renumber(self, modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module) -> ModuleList:
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> None:
        modules = list(self._modules.values())
        modules.insert(index, module)
        _renumber(self, modules)

    def __repr__(self) -> str:
        """Equal neighbours are shown once, with their count."""
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        groups: list[list[Any]] = []
        for place, text in enumerate(texts):
            if groups and groups[-1][2] == text:
                groups[-1][1] = place
            else:
                groups.append([place, place, text])
        lines = []
        for first, last, text in groups:
            name = f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            lines.append(_indent(name))
        return self._get_name() + "(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    """A dictionary whose modules are registered."""

    __module__ = "torch.nn.modules.container"

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        self.update(modules or {})

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        if not isinstance(module, Module):
            raise TypeError(f"{type_name(module)} is not a Module subclass")
        self._modules[key] = module
        if not hasattr(type(self), key):
            object.__setattr__(self, key, module)
        _tell(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]
        self.__dict__.pop(key, None)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def keys(self) -> Any:
        return self._modules.keys()

    def values(self) -> Any:
        return self._modules.values()

    def items(self) -> Any:
        return self._modules.items()

    def update(self, modules: Any) -> None:
        for key, module in modules.items() if isinstance(modules, Mapping | ModuleDict) else modules:
            self[key] = module

    def pop(self, key: str) -> Any:
        module = self[key]
        del self[key]
        return module
