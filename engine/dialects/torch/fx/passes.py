"""Passes over graphs: shapes of what its nodes give."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.dialects.torch.fx.interpreter import Interpreter
from engine.dialects.torch.fx.node import Node, map_aggregate
from engine.dialects.torch.tensor import Tensor


class _Format:
    """A memory format: there is one here."""

    def __repr__(self) -> str:
        return "torch.contiguous_format"


contiguous_format = _Format()


class TensorMetadata(NamedTuple):
    """What is known of a tensor without its values."""

    shape: Any
    dtype: Any
    requires_grad: bool
    stride: tuple[int, ...]
    memory_format: Any
    is_quantized: bool
    qparams: dict[str, Any]


TensorMetadata.__module__ = "torch.fx.passes.shape_prop"


def metadata(tensor: Tensor) -> TensorMetadata:
    """What is known of ``tensor``."""
    order = contiguous_format if tensor.is_contiguous() else None
    return TensorMetadata(tensor.shape, tensor.dtype, tensor.requires_grad, tensor.stride(), order, False, {})


class ShapeProp(Interpreter):
    """Runs a graph and notes the shape and dtype of every result in ``node.meta``."""

    __module__ = "torch.fx.passes.shape_prop"

    def __init__(self, gm: Any, fake_mode: Any = None) -> None:
        super().__init__(gm)

    def run_node(self, n: Node) -> Any:
        result = super().run_node(n)
        found = False

        def note(value: Any) -> Any:
            nonlocal found
            if isinstance(value, Tensor):
                found = True
                return metadata(value)
            return value

        meta = map_aggregate(result, note)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args: Any) -> Any:
        """Run the graph on these arguments."""
        return super().run(*args)
