"""``ge.sgv``: a part of a graph with what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.dialects.tensorflow.graph import Graph
from engine.dialects.tensorflow.graph_editor.selecting import check_graphs, flat, get_name_scope_ops, select_ops_and_ts
from engine.dialects.tensorflow.handles import Operation, Tensor


class SubGraphView:
    """``ops`` in the order given; ``inputs`` are read from outside, ``outputs`` are read outside or by nobody.

    A view is a picture of a moment: edits change the graph, not the view (those that an edit is given are brought up
    to date).
    """

    def __init__(self, inside_ops: Iterable[Operation] = (), passthrough_ts: Iterable[Tensor] = ()) -> None:
        self._ops = list(dict.fromkeys(inside_ops))
        self._through = list(dict.fromkeys(passthrough_ts))
        check_graphs(*self._ops, *self._through)
        everything: list[Any] = [*self._ops, *self._through]
        self._graph = everything[0].graph if everything else None
        self._inputs: list[Tensor] = []
        self._outputs: list[Tensor] = []
        self.refresh()

    def refresh(self) -> SubGraphView:
        """See the graph as it is now."""
        inside = set(self._ops)
        read = [t for op in self._ops for t in op.inputs]
        self._inputs = [*dict.fromkeys(t for t in read if t.op not in inside), *self._through]
        outputs = []
        readers: dict[Tensor, set[Operation]] = {}
        if self._graph is not None:
            for op in self._graph.get_operations():
                for t in op.inputs:
                    readers.setdefault(t, set()).add(op)
        for t in (t for op in self._ops for t in op.outputs):
            found = readers.get(t, set())
            if not found or found - inside:
                outputs.append(t)
        self._outputs = [*outputs, *self._through]
        return self

    ops = property(lambda self: list(self._ops))
    inputs = property(lambda self: list(self._inputs))
    outputs = property(lambda self: list(self._outputs))
    passthroughs = property(lambda self: list(self._through))
    connected_inputs = property(lambda self: [t for t in self._inputs if t not in self._through])
    connected_outputs = property(lambda self: [t for t in self._outputs if t not in self._through])

    @property
    def graph(self) -> Any:
        return self._graph

    def copy(self) -> SubGraphView:
        found = SubGraphView(self._ops, self._through)
        found._inputs, found._outputs = list(self._inputs), list(self._outputs)
        return found

    def op(self, op_id: int) -> Operation:
        return self._ops[op_id]

    def find_op_by_name(self, op_name: str) -> Operation:
        """The op of this name. :raises AssertionError: it is not in the view."""
        for op in self._ops:
            if op.name == op_name:
                return op
        raise AssertionError(f'Operation "{op_name}" not in sub-graph')

    def is_passthrough(self, t: Tensor) -> bool:
        return t in self._through

    def input_index(self, t: Tensor) -> int:
        """Where ``t`` stands among the inputs. :raises ValueError: nowhere."""
        return _index(self._inputs, t, "input")

    def output_index(self, t: Tensor) -> int:
        """Where ``t`` stands among the outputs. :raises ValueError: nowhere."""
        return _index(self._outputs, t, "output")

    def consumers(self) -> list[Operation]:
        """Who reads the outputs outside."""
        return list(dict.fromkeys(op for t in self._outputs for op in t.consumers() if op not in self._ops))

    def remap_inputs(self, new_input_indices: Iterable[int]) -> SubGraphView:
        """The same part with its inputs in another order; a left-out input is none any more."""
        found = self.copy()
        found._inputs = _picked(self._inputs, new_input_indices, "input")
        return found

    def remap_outputs(self, new_output_indices: Iterable[int]) -> SubGraphView:
        """The same part with its outputs in another order; an output may come twice."""
        found = self.copy()
        found._outputs = _picked(self._outputs, new_output_indices, "output", twice=True)
        return found

    def remap(self, new_input_indices: Any = None, new_output_indices: Any = None) -> SubGraphView:
        found = self
        if new_input_indices is not None:
            found = found.remap_inputs(new_input_indices)
        return found if new_output_indices is None else found.remap_outputs(new_output_indices)

    def remap_default(self, remove_input_map: bool = True, remove_output_map: bool = True) -> SubGraphView:
        """The same part with all its inputs and outputs."""
        found, fresh = self.copy(), SubGraphView(self._ops, self._through)
        if remove_input_map:
            found._inputs = fresh._inputs
        if remove_output_map:
            found._outputs = fresh._outputs
        return found

    def __bool__(self) -> bool:
        return self._graph is not None

    def __enter__(self) -> SubGraphView:
        return self

    def __exit__(self, *_: object) -> None:
        """Views need no closing."""

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"
        lines = [f"SubGraphView (graphid={id(self._graph)}):"]
        for title, names in (
            ("ops", [op.name for op in self._ops]),
            ("inputs", [self._named(t) for t in self._inputs]),
            ("outputs", [self._named(t) for t in self._outputs]),
        ):
            lines += (
                [f"** {title}[{len(names)}]:", *(f"  {name}" for name in names)] if names else [f"** {title}: empty"]
            )
        return "\n".join(lines) + "\n"

    def _named(self, t: Tensor) -> str:
        return f"{t.name} (passthrough)" if t in self._through else t.name


def _index(tensors: list[Tensor], t: Tensor, word: str) -> int:
    if t not in tensors:
        raise ValueError(f"Can't find {t.name} in {word} list: {[found.name for found in tensors]}.")
    return tensors.index(t)


def _picked(tensors: list[Tensor], indices: Iterable[int], word: str, twice: bool = False) -> list[Tensor]:
    chosen = [int(index) for index in indices]
    if any(not 0 <= index < len(tensors) for index in chosen) or (not twice and len(set(chosen)) < len(chosen)):
        raise ValueError(f"Out of range {word} indices: {chosen}; there are {len(tensors)}")
    return [tensors[index] for index in chosen]


def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of ops, tensors (which pass through), patterns (with ``graph=``) or another view."""
    if len(args) == 1 and isinstance(args[0], SubGraphView) and not kwargs:
        return args[0]
    given = [item for arg in args for item in (arg.ops if isinstance(arg, SubGraphView) else flat(arg))]
    return SubGraphView(*select_ops_and_ts(*given, **kwargs))


def sgv_scope(scope: str, graph: Graph | None = None) -> SubGraphView:
    """A view of everything below a name scope."""
    from engine.dialects.tensorflow.graph import get_default_graph

    return SubGraphView(get_name_scope_ops(graph or get_default_graph(), scope))
