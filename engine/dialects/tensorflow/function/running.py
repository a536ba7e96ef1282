"""Running a function's graph: variables come from outside and go back there, gradients go on a tape as one op."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.bridges.function.concrete import Region
from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow.eager.tensor import FACADE, running_tapes
from engine.dialects.tensorflow.function.func_graph import FuncGraph
from engine.dialects.tensorflow.function.user_code import is_users
from engine.dialects.tensorflow.runtime_messages import runtime_message
from engine.dialects.tensorflow.session import BaseSession
from engine.dynamic import modes
from engine.dynamic.tensor import Tensor as EngineTensor
from engine.errors import FeedError, StepgraphError
from engine.static import Node
from engine.static import Session as Core


class FunctionSession(BaseSession):
    """Runs the graph of a function. Nodes in, arrays out, as the engine's own sessions do."""

    def __init__(self, graph: FuncGraph, title: str) -> None:
        super().__init__(graph=graph)
        self._title = title
        self.restart_random()

    def run(self, nodes: Any, feeds: Any = None, *_: Any, **__: Any) -> Any:  # type: ignore[override]
        """The values of nodes."""
        return self._run(list(nodes), dict(feeds or {})) if nodes else []

    def hold(self, node: Node, array: np.ndarray[Any, Any]) -> None:
        """Give a variable the value that it has outside."""
        held = self._core.hold(node)
        if held.initialised and held.array.tobytes() == array.tobytes():
            return
        self._core.load(node, array)

    def restart_random(self) -> None:
        """Random ops begin their streams again."""
        self._core = Core(self._graph.core, compile_at_once=True)
        self._core.keeps_writes = True

    def _translated(self, error: StepgraphError) -> Exception:
        node = getattr(error, "node", None)
        if isinstance(error, FeedError) or node is None:
            return errors.InvalidArgumentError(None, None, f"{error} [Op:{self._title}]")
        cause = error.__cause__ if isinstance(error.__cause__, errors.OpError) else None
        kind = errors.InvalidArgumentError if cause is None else type(cause)
        text = (runtime_message(node, error) if cause is None else str(cause)).removesuffix(" 0 0")
        found = kind(
            None,
            None,
            f"Graph execution error:\n\nDetected at node {node.name} defined at (most recent call last):\n"
            f"{_calls()}{text}\n\t [[{{{{node {node.name}}}}}]] [Op:{self._title}]",
        )
        found.kernel = (node.label, text)
        return found


class FunctionRegion(Region):
    """The graph of a function as an op of eager execution."""

    session: Any

    def _feeds(self, values: Sequence[EngineTensor]) -> dict[Node, Any]:
        feeds: dict[Node, Any] = {}
        for node, value in zip(self.inputs, values, strict=True):
            if node.op == "variable":
                self.session.hold(node, value._array)
            else:
                feeds[node] = value._array
        return feeds

    def _tensor(self, node: Node, value: Any) -> EngineTensor:
        assert node.type is not None
        if node.type.dtype.kind != "O":
            return super()._tensor(node, value)
        text = np.empty(np.shape(value), object)
        text[...] = value
        return super()._tensor(node, text)

    def called(self, values: Sequence[EngineTensor], extra: Sequence[Node]) -> tuple[list[Any], list[Any]]:
        """Outputs as eager tensors, and the plain values of ``extra``; on the tape only if one runs."""
        if running_tapes:
            return self.run(values, extra)
        before = modes.set_enabled(False)
        try:
            return self.run(values, extra)
        finally:
            modes.set_enabled(before)


def region_of(graph: FuncGraph, title: str, inputs: Sequence[Node], outputs: Sequence[Node]) -> FunctionRegion:
    """The region of a finished graph."""
    return FunctionRegion(graph.core, FunctionSession(graph, title), inputs, outputs, FACADE)  # type: ignore[arg-type]


def _calls() -> str:
    """Where the program called the function."""
    frames = [frame for frame in traceback.extract_stack() if is_users(frame.filename)]
    return "".join(f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}\n\n' for frame in frames)
