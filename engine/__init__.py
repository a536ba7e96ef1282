"""A small tensor engine: one table of ops, a dynamic mode (a tape) and a static mode (compiled graphs).

Dynamic: an op runs when it is called, and the tape remembers it::

    >>> import engine
    >>> w = engine.tensor([1.0, 2.0], requires_grad=True)
    >>> loss = engine.sum(w * w)
    >>> loss.backward()
    >>> w.grad
    tensor([2., 4.])

Static: an op is a node of a graph, and a session compiles what it is asked for::

    >>> g = engine.Graph()
    >>> x = g.placeholder((None, 2), name="x")
    >>> y = engine.sum(x * x)
    >>> dx, = engine.gradients(y, [x])
    >>> print(engine.Session(g).run(dx, {x: [[1, 2]]}))
    [[2. 4.]]

Recorded, for a page or a notebook to play (``docs/notebooks.md``)::

    >>> with engine.record() as run:
    ...     _ = engine.sum(w * w)
    >>> run.trace["end"]["kind"]
    'ok'

Every op of ``docs/ops.md`` is a function here: on tensors it runs, on nodes it adds a node. Nothing is loaded before a
name is used, so ``import engine`` costs next to nothing and its parts can be imported one by one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.native import *  # noqa: F403
    from engine.recording import record as record

_PARTS = frozenset(
    ["adapters", "bridges", "dialects", "dynamic", "errors", "events", "measure", "native", "ops", "passes", "places",
     "recording", "scratch", "standin_data", "static", "tensor_type", "trace"]
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """A part of the package, or a name of the native API, loaded when it is first asked for."""
    if name in _PARTS:
        try:
            return import_module(f"engine.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"engine.{name}":
                raise
    elif name == "__all__":  # the names are listed in one place: engine.native
        return import_module("engine.native").__all__
    elif name == "record":  # not of the native API, which knows no recording
        return import_module("engine.recording").record
    elif not name.startswith("_"):
        found = import_module("engine.native").find(name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'engine' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*import_module("engine.native").names(), *_PARTS, "record"})
