"""``tf.compat.v1`` inside programs of 2.x: the names of 1.x, eager until a graph is the default one."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.namespace import tf1_modules

PREFIX = "tensorflow.compat.v1"


def first_version(modules: Mapping[str, ModuleType]) -> dict[str, ModuleType]:
    """``tensorflow.compat``, ``tensorflow.compat.v1`` and ``v2`` for a program whose modules of 2.x are these."""
    old = tf1_modules()
    old["tensorflow"].enable_eager_execution()
    found = {name: module for name, module in old.items() if name.startswith(PREFIX)}
    first = found[PREFIX]
    version: dict[str, Any] = {
        "disable_eager_execution": graphs.graph_mode, "disable_v2_behavior": graphs.graph_mode,
        "enable_eager_execution": lambda *_, **__: None, "enable_v2_behavior": lambda: None,
        "executing_eagerly": lambda: not graphs._stack,
        "executing_eagerly_outside_functions": lambda: not graphs._stack or graphs._stack[-1].building_function,
        "__version__": modules["tensorflow"].__version__,
    }  # fmt: skip
    vars(first).update(version)
    for name in ("function", "Module", "TensorSpec", "autograph", "init_scope"):
        vars(first).setdefault(name, vars(modules["tensorflow"])[name])
    compat = ModuleType("tensorflow.compat")
    compat.__path__ = []
    compat.v1, compat.v2 = first, modules["tensorflow"]  # type: ignore[attr-defined]
    compat.as_str = compat.as_text = lambda text, encoding="utf-8": (  # type: ignore[attr-defined]
        text.decode(encoding) if isinstance(text, bytes) else text
    )
    compat.as_bytes = lambda text, encoding="utf-8": (  # type: ignore[attr-defined]
        text.encode(encoding) if isinstance(text, str) else text
    )
    modules["tensorflow"].compat = compat  # type: ignore[attr-defined]
    return {**found, "tensorflow.compat": compat, "tensorflow.compat.v2": modules["tensorflow"]}
