"""Switching the names of 1.x to eager execution. Inside ``with tf.Graph().as_default()`` and in the functions of
datasets they build graphs still."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any

from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.late.names import eager_names, refusals

_LATE = "tf.enable_eager_execution must be called at program startup."


_current: list[Mode] = []


def executing_eagerly() -> bool:
    """Whether the program that runs executes eagerly here."""
    return bool(_current) and _current[-1].executing_eagerly()


class Mode:
    """Whether the program executes eagerly; one for each run."""

    def __init__(self, modules: Mapping[str, ModuleType]) -> None:
        self._modules = modules
        self.switched = False
        _current[:] = [self]

    def executing_eagerly(self) -> bool:
        return self.switched and not graphs._stack

    def enable(self, config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
        """``tf.enable_eager_execution``.

        :raises ValueError: the default graph has ops already.
        """
        if self.switched:
            return
        if graphs._stack or graphs.get_default_graph().core.nodes:
            raise ValueError(_LATE)
        self.switched = True
        for part, found in eager_names().items():
            for prefix in ("tensorflow", "tensorflow.compat.v1"):
                module = self._modules.get(f"{prefix}.{part}" if part else prefix)
                if module is not None:
                    self._install(module, part, found)

    def _install(self, module: ModuleType, part: str, found: Mapping[str, Any]) -> None:
        title = f"tf.{part}." if part else "tf."
        refused = refusals(part)
        for name, now in list(vars(module).items()):
            if name in found or name.startswith("_"):
                continue
            if isinstance(now, FunctionType) and name in refused:
                vars(module)[name] = self._either(refused[name](title + name), now)
        for name, eager in found.items():
            graph = vars(module).get(name)
            both = isinstance(graph, FunctionType) and callable(eager)
            vars(module)[name] = self._either(eager, graph) if both and graph is not None else eager

    @staticmethod
    def _either(eager: Callable[..., Any], graph: Callable[..., Any]) -> Callable[..., Any]:
        """A function of both modes: which one is meant shows when it is called."""

        @wraps(graph)
        def function(*args: Any, **kwargs: Any) -> Any:
            return (graph if graphs._stack else eager)(*args, **kwargs)

        return function
