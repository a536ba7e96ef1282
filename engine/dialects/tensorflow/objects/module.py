"""``tf.Module``: an object that knows its variables."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

from engine.dialects.tensorflow.eager.variable import ResourceVariable
from engine.dialects.tensorflow.function.control import name_scope


def _flat(value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """What lists, tuples and dictionaries hold, with the way there."""
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            for path, leaf in _flat(item):
                yield (place, *path), leaf
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            for path, leaf in _flat(value[key]):
                yield (key, *path), leaf
    else:
        yield (), value


class Module:
    """Holds variables, functions and other modules as attributes.

    >>> module = Module(name="net")
    >>> module.w = ResourceVariable([1.0], name="w")
    >>> [v.name for v in module.trainable_variables]
    ['w:0']
    """

    __module__ = "tensorflow.python.module.module"
    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()

    def __init__(self, name: str | None = None) -> None:
        if name is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid "
                "class name)."
            )
        self._name = name or snake_case(type(self).__name__)

    @property
    def name(self) -> str:
        """The name given, or the class's in words."""
        return self.__dict__.get("_name") or snake_case(type(self).__name__)

    @property
    def name_scope(self) -> Any:
        """A scope in which variables get the module's name in front of theirs."""
        return name_scope(f"{self.name}/")

    @property
    def variables(self) -> tuple[Any, ...]:
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Any, ...]:
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Any, ...]:
        return tuple(self._flatten(predicate=lambda x: isinstance(x, Module)))

    def _flatten(
        self, recursive: bool = True, predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Any = None, with_path: bool = False, expand_composites: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """Attributes in the order of their names, those of the modules among them afterwards."""
        seen = {id(self)}
        waiting: list[tuple[tuple[Any, ...], Module]] = [((), self)]
        while waiting:
            path, module = waiting.pop(0)
            inner: list[tuple[tuple[Any, ...], Module]] = []
            for key in sorted(vars(module), key=attribute_traversal_key):
                if key in module._TF_MODULE_IGNORED_PROPERTIES:
                    continue
                for rest, leaf in _flat(vars(module)[key]):
                    if id(leaf) in seen:
                        continue
                    if predicate is None or predicate(leaf):
                        seen.add(id(leaf))
                        yield ((*path, key, *rest), leaf) if with_path else leaf
                    if recursive and isinstance(leaf, Module):
                        seen.add(id(leaf))
                        inner.append(((*path, key, *rest), leaf))
            waiting[:0] = inner

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """A method that runs in the module's name scope. A decorator."""

        @functools.wraps(method)
        def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _is_variable(leaf: Any) -> bool:
    return isinstance(leaf, ResourceVariable)


def snake_case(name: str) -> str:
    """``MyLayer2D`` as ``my_layer2d``.

    >>> snake_case("DenseNet"), snake_case("MLP")
    ('dense_net', 'mlp')
    """
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)(?<!_)[A-Z](?=[a-z]))", r"_\1", name).lower().lstrip("_")
