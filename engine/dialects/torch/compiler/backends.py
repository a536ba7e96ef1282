"""What makes a function of a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.bridges.script import trace
from engine.dialects.torch.compiler.messages import InvalidBackend
from engine.dialects.torch.tensor import FACADE, Tensor

Backend = Callable[..., Any]


def eager(gm: Any, example_inputs: Any, **_: Any) -> Any:
    """The graph as it is."""
    return gm.forward


def inductor(gm: Any, example_inputs: Any, **_: Any) -> Any:
    """The graph on the static mode: optimised, planned, one Python function of NumPy calls."""
    if any(not isinstance(x, Tensor) for x in example_inputs):
        return gm.forward  # a number that changes from call to call would be built in
    return trace(gm.forward, *example_inputs, facade=FACADE)


_BACKENDS: dict[str, Backend] = {
    "eager": eager, "aot_eager": eager, "aot_eager_decomp_partition": eager, "inductor": inductor,
}  # fmt: skip


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """The names of backends that PyTorch lists."""
    return ["cudagraphs", "inductor", "openxla", "tvm"]


def register_backend(compiler_fn: Any = None, name: str | None = None, tags: Any = ()) -> Any:
    """Give a backend a name. A decorator."""
    if compiler_fn is None:
        return lambda function: register_backend(function, name, tags)
    _BACKENDS[name or compiler_fn.__name__] = compiler_fn
    return compiler_fn


def lookup(backend: Any) -> Backend:
    """The backend of a name, or the function itself.

    :raises InvalidBackend: there is none.
    """
    if not isinstance(backend, str):
        return backend  # type: ignore[no-any-return]
    found = _BACKENDS.get(backend)
    if found is None:
        raise InvalidBackend(
            f"Invalid backend: '{backend}', see `torch._dynamo.list_backends()` for available backends."
        )
    return found


class CompileCounter:
    """A backend that counts the graphs that it is given, and their calls."""

    def __init__(self) -> None:
        self.clear()

    def __call__(self, gm: Any, example_inputs: Any) -> Any:
        self.frame_count += 1
        self.op_count += sum(n.op.startswith("call_") for n in gm.graph.nodes)
        return gm.forward

    def clear(self) -> None:
        self.frame_count = self.op_count = 0
