"""AutoGraph on symbolic tensors: what statements of control flow become in the graph of a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from engine.bridges.function.key import flatten, rebuild
from engine.dialects.tensorflow import control_plumbing, math_ops
from engine.dialects.tensorflow.build import convert
from engine.dialects.tensorflow.function import user_code
from engine.dialects.tensorflow.function.func_graph import FuncGraph, building
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.handles import Tensor
from engine.dialects.tensorflow.shapes import TensorShape
from engine.static import Node
from engine.static.building_control import fits

Values = tuple[Any, ...]
_PLAIN = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


class Unusable:
    """A variable that has no value after a statement: using it fails, in the words of the statement."""

    def __init__(self, kind: type[Exception], text: str) -> None:
        self.__dict__.update(_kind=kind, _text=text, _place=user_code.here())

    def _unusable(self) -> Any:
        return self._fail()

    def _fail(self, *_: Any, **__: Any) -> Any:
        error = self.__dict__["_kind"](self.__dict__["_text"])
        error._place = self.__dict__["_place"]
        raise error

    def __getattr__(self, name: str) -> Any:
        if name == "__array_priority__":
            return 1000
        return self._fail()

    __call__ = __bool__ = __iter__ = __len__ = __getitem__ = __float__ = __int__ = __index__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = _fail
    __rmatmul__ = __neg__ = __lt__ = __le__ = __gt__ = __ge__ = __array__ = __pow__ = __mod__ = __floordiv__ = _fail


def _is_value(leaf: Any) -> bool:
    """Whether a variable can depend on a tensor."""
    return isinstance(leaf, (Tensor, *_PLAIN)) or hasattr(type(leaf), "_captured") or hasattr(type(leaf), "with_flow")


def _missing(leaf: Any) -> bool:
    return isinstance(leaf, Unusable) or type(leaf).__name__ == "Undefined"


class Staging:
    """How AutoGraph's operators deal with symbolic tensors; see :mod:`engine.bridges.function.autograph.operators`."""

    @staticmethod
    def logical_and(a: Any, b: Any) -> Any:
        return math_ops.logical_and(a, b)

    @staticmethod
    def logical_or(a: Any, b: Any) -> Any:
        return math_ops.logical_or(a, b)

    @staticmethod
    def logical_not(a: Any) -> Any:
        return math_ops.logical_not(a)

    @staticmethod
    def range(*arguments: Any) -> Any:
        """``range`` with a symbolic tensor among its arguments."""
        from engine.dialects.tensorflow.spaced import range_

        return range_(*arguments)

    @staticmethod
    def length(x: Any) -> Any:
        """``len`` of a tensor: a number if it is known."""
        from engine.dialects.tensorflow.array_ops import shape

        tensor = convert(x)
        if tensor.shape.ndims == 0:
            raise ValueError(f"len requires a non-scalar tensor, got one of shape {shape(tensor)}")
        known = None if tensor.shape.ndims is None else tensor.shape.as_list()[0]
        return shape(tensor)[0] if known is None else known

    @staticmethod
    def cast(x: Any, kind: type) -> Any:
        """``int(x)``, ``float(x)``, ``bool(x)``."""
        from engine.dialects.tensorflow.casting import cast

        return cast(convert(x), {int: "int32", float: "float32", bool: "bool"}[kind])

    @staticmethod
    def rows(iterated: Any) -> tuple[Any, Callable[[Any], Any]]:
        """How many rows there are, and what gives one."""
        from engine.dialects.tensorflow.indexing_ops import gather

        tensor = convert(iterated)
        return Staging.length(tensor), lambda i: gather(tensor, i)

    @staticmethod
    def choose(
        test: Any, then: Callable[..., Values], otherwise: Callable[..., Values], values: Values, names: Sequence[str]
    ) -> Values:
        """What the variables are after an ``if``."""
        graph = get_default_graph()
        tensor = convert(test)
        if tensor.dtype.base_dtype.name != "bool":
            tensor = math_ops.not_equal(tensor, np.zeros((), tensor.dtype.base_dtype._numpy))
        seen: list[tuple[Any, list[Any], list[Any]]] = []

        def way(block: Callable[..., Values]) -> Callable[[], list[Node]]:
            def run() -> list[Node]:
                found: list[tuple[str, Any]] = []
                structure = flatten(block(*values), "", found)
                leaves = [leaf for _, leaf in found]
                first = seen[0][1] if seen else None
                flows: list[Any] = []
                for place, leaf in enumerate(leaves):
                    if first is not None and (place >= len(first) or not _is_value(first[place])):
                        flows.append(None)
                    elif _is_value(leaf):
                        flows.append(convert(control_plumbing.flow_of(leaf)))
                    else:
                        flows.append(None if first is None else _filler(seen[0][2][place]))
                seen.append((structure, leaves, flows))
                if len(seen) == 1:
                    return [flow._node for flow in flows if flow is not None]
                _alike(seen[0], seen[1], names)
                pairs = [(a, b) for a, b in zip(seen[0][2], flows, strict=True) if a is not None]
                fitting: list[Any] = [b if a.dtype.base_dtype == b.dtype.base_dtype else _filler(a) for a, b in pairs]
                return [tensor._node for tensor in fitting]

            return run

        with graph.as_default():
            nodes = control_plumbing.build_checked(
                graph, lambda: graph.core.cond(tensor._node, way(then), way(otherwise), name="cond", effects=True)
            )
        flat: list[Any] = list(nodes)
        named(graph, flat, "If")
        outputs = iter(flat)
        result: list[Any] = []
        (structure, first, flows), (_, second, others) = seen
        labels = list(names) if len(names) == len(first) else [""] * len(first)
        for label, a, b, flow, other in zip(labels, first, second, flows, others, strict=True):
            made = None if flow is None else graph.tensor(next(outputs))
            result.append(_joined(label, a, b, flow, other, made))
        return rebuild(structure, iter(result))  # type: ignore[no-any-return]

    @staticmethod
    def repeat(
        met: Any,
        test: Callable[..., Any],
        body: Callable[..., Values],
        values: Values,
        names: Sequence[str],
        weakens: bool = False,
    ) -> Values:
        """What the variables are after a loop; ``weakens``: their shapes become as open as a pass leaves them."""
        return _Loop(test, body, values, names, weakens).built()


def _weaker(shape: Any, other: Any) -> Any:
    """The shape that says no more than either of two."""
    if shape is None or other is None or len(shape) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(shape, other, strict=True))


def _filler(like: Tensor | None) -> Tensor | None:
    """Something of the same type that nobody will read."""
    if like is None:
        return None
    kind = like.dtype.base_dtype._numpy
    shape = [1 if n is None else n for n in (like._node.shape or ())]
    return convert(np.full(shape, b"", object) if kind.kind == "O" else np.zeros(shape, kind))


def _alike(first: Any, second: Any, names: Sequence[str]) -> None:
    if first[0] != second[0]:
        raise TypeError(
            f"{', '.join(repr(n) for n in names) or 'the value'} does not have the same nested structure in the main "
            "and else branches."
        )


def _joined(name: str, a: Any, b: Any, flow: Any, other: Any, made: Any) -> Any:
    """One variable after a decision."""
    subject = f"'{name}'" if name else "'retval_'"
    if a is b and not _is_value(a):
        return a
    if _missing(a) or _missing(b):
        if a is b:
            return a
        missing = "main" if _missing(a) else "else"
        return Unusable(ValueError, f"{subject} must also be initialized in the {missing} branch")
    if made is None or not _is_value(b):
        if type(a) is type(b) and not _is_value(a) and a == b:
            return a
        if not name:
            lacking = "main" if a is None else "else"
            return Unusable(ValueError, f"the {lacking} branch must also have a return statement.")
        branch, none = ("main", a is None) if not _is_value(a) else ("else", b is None)
        if none:
            return Unusable(ValueError, f"{subject} is None at the end of the {branch} branch.")
        return Unusable(
            TypeError,
            f"{subject} is of type {type(b if _is_value(a) else a).__name__} in one branch of an if on a "
            "tensor; only tensors and numbers can depend on a tensor",
        )
    if flow.dtype.base_dtype != other.dtype.base_dtype:
        return Unusable(
            TypeError,
            f"{subject} has dtype {flow.dtype.base_dtype.name} in the main branch, but dtype "
            f"{other.dtype.base_dtype.name} in the else branch",
        )
    return control_plumbing.with_flow_of(b if hasattr(type(b), "with_flow") else a, made)


def named(graph: Any, outputs: list[Any], word: str) -> None:
    """The owner of a decision or loop under the name that the real graph has, and in its order among effects."""
    owner = outputs[0].inputs[0][0] if outputs else graph.core.nodes[-1]
    if isinstance(graph, FuncGraph):
        from engine.dialects.tensorflow.function.func_graph import _acts

        owner.label = word if _acts(owner) else f"Stateless{word}"
        graph.after_control(owner)
        operation = graph.operation(owner)
        operation.outputs[:] = [Tensor(operation, place, node) for place, node in enumerate(outputs)]
        for tensor, node in zip(operation.outputs, outputs, strict=True):
            graph.operation(node)._inputs = [tensor]
    else:
        graph.hidden.add(owner)


class _Loop:
    """A loop that is being built."""

    def __init__(
        self,
        test: Callable[..., Any],
        body: Callable[..., Values],
        values: Values,
        names: Sequence[str],
        weakens: bool = False,
    ) -> None:
        self.test, self.body, self.values, self.weakens = test, body, values, weakens
        self.names = list(names)
        self.graph = get_default_graph()

    def built(self) -> Values:
        values = self._started()
        found: list[tuple[str, Any]] = []
        structure = flatten(values, "", found)
        leaves = [leaf for _, leaf in found]
        carried = [i for i, leaf in enumerate(leaves) if _is_value(leaf)]
        names = self.names if len(self.names) == len(leaves) else [""] * len(leaves)
        tensors = [convert(control_plumbing.flow_of(leaves[i])) for i in carried]
        arrays = list(leaves)
        changed: dict[int, Any] = {}
        graph = self.graph
        shapes: list[Any] = [t._node.shape for t in tensors]
        options: list[tuple[Any, Any]] = []
        weakening = False

        def filled(nodes: Sequence[Node]) -> Values:
            full = list(arrays)
            for place, node in zip(carried, nodes, strict=True):
                full[place] = control_plumbing.with_flow_of(arrays[place], graph.tensor(node))
            return rebuild(structure, iter(full))  # type: ignore[no-any-return]

        def condition(*nodes: Node) -> Node:
            tested = convert(self.test(*filled(nodes)))
            if tested.shape.ndims and tested.shape.num_elements() == 1:
                from engine.dialects.tensorflow.array_ops import reshape

                tested = reshape(tested, [])
            return tested._node

        def step(*nodes: Node) -> list[Node]:
            given = filled(nodes)
            _options.append([])
            try:
                after = self.body(*given)
            finally:
                wished = _options.pop()
            options[:] = [(carried.index(i), shape) for i, shape in _placed(wished, given) if i in carried]
            kept: list[tuple[str, Any]] = []
            nested = flatten(after, "", kept)
            if nested != structure:
                raise ValueError(
                    f"{', '.join(repr(n) for n in self.names)} does not have the same nested structure after one "
                    "iteration."
                )
            results: list[Node] = []
            for i, (_, leaf) in enumerate(kept):
                if i not in carried:
                    if leaf is not leaves[i]:
                        changed[i] = leaf
                    continue
                place = carried.index(i)
                if weakening:
                    shapes[place] = _weaker(shapes[place], convert(control_plumbing.flow_of(leaf))._node.shape)
                results.append(self._checked(names[i], leaf, tensors[place], shapes[place], bool(options))._node)
                if hasattr(type(leaf), "with_flow"):
                    arrays[i] = leaf
            return results

        def build() -> Any:
            return control_plumbing.build_checked(
                graph,
                lambda: graph.core.while_loop(
                    condition,
                    step,
                    [t._node for t in tensors],
                    shape_invariants=list(shapes),
                    name="while",
                    effects=True,
                ),
            )

        with graph.as_default():
            try:
                if isinstance(graph, FuncGraph) and _wants_options(self.body):
                    with graph.scratch(), suppress(ValueError):
                        build()
                    for place, shape in options:
                        shapes[place] = TensorShape(shape)._dims
                if isinstance(graph, FuncGraph) and self.weakens:
                    weakening, before = True, None
                    while shapes != before:
                        before = list(shapes)
                        with graph.scratch(), suppress(ValueError):
                            build()
                    weakening = False
                nodes = build()
            finally:
                options.clear()
        flat = list(nodes)
        named(graph, flat, "While")
        last = list(arrays)
        for place, node in zip(carried, flat, strict=True):
            last[place] = control_plumbing.with_flow_of(arrays[place], graph.tensor(node))
        for i in changed:
            last[i] = Unusable(ValueError, f"'{names[i]}' must be defined before the loop.")
        return rebuild(structure, iter(last))  # type: ignore[no-any-return]

    def _checked(self, name: str, leaf: Any, before: Tensor, shape: Any, open_: bool) -> Tensor:
        """A variable after one pass, if it can be carried on."""
        kind = before.dtype.base_dtype
        if leaf is None:
            raise ValueError(f"'{name}' is None at the end of the iteration.")
        if _missing(leaf):
            raise ValueError(f"'{name}' must be defined before the loop.")
        result = convert(control_plumbing.flow_of(leaf))
        if result.dtype.base_dtype != kind:
            raise TypeError(
                f"'{name}' has dtype {kind.name} before the loop, but dtype {result.dtype.base_dtype.name} after one "
                "iteration"
            )
        if not fits(result._node.shape, shape):
            raise ValueError(
                f"'{name}' has shape {TensorShape(before._node.shape)} before the loop, but shape {result.shape} after "
                "one iteration. Use tf.autograph.experimental.set_loop_options to set shape invariants."
            )
        return result

    def _started(self) -> Values:
        """The variables before the loop; those that only get a value inside start with zeros of its type."""
        found: list[tuple[str, Any]] = []
        structure = flatten(self.values, "", found)
        leaves = [leaf for _, leaf in found]
        if not any(_missing(leaf) for leaf in leaves) or not isinstance(self.graph, FuncGraph):
            return self.values
        later: list[tuple[str, Any]] = []
        with self.graph.scratch():
            tensors = [convert(leaf) if isinstance(leaf, (*_PLAIN, Tensor)) else leaf for leaf in leaves]
            flatten(self.body(*rebuild(structure, iter(tensors))), "", later)
            if len(later) != len(leaves):
                return self.values
            kinds = [
                (t.dtype.base_dtype._numpy, t._node.shape)
                if _missing(leaf)
                and _is_value(after)
                and not hasattr(type(after), "with_flow")
                and (t := convert(after)) is not None
                else None
                for leaf, (_, after) in zip(leaves, later, strict=True)
            ]
        for place, kind in enumerate(kinds):
            if kind is not None:
                shape = [0 if n is None else n for n in (kind[1] or ())]
                blank: Any = np.full(shape, b"", object) if kind[0].kind == "O" else np.zeros(shape, kind[0])
                leaves[place] = convert(blank)
        return rebuild(structure, iter(leaves))  # type: ignore[no-any-return]


_options: list[list[tuple[Any, Any]]] = []


def set_loop_options(
    parallel_iterations: Any = None, swap_memory: Any = None, maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:  # fmt: skip
    """Says of the loop around it which shapes may change."""
    if _options and shape_invariants:
        _options[-1] += list(shape_invariants)


def _wants_options(body: Any) -> bool:
    """Whether the body of a loop, or a body inside of it, sets options."""
    code = getattr(body, "__code__", None)
    waiting = [code] if code is not None else []
    cells = [c.cell_contents for c in (getattr(body, "__closure__", None) or ()) if _full(c)]
    waiting += [c.__code__ for c in cells if hasattr(c, "__code__")]
    return any("set_loop_options" in one.co_names for one in waiting)


def _full(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _placed(wished: list[tuple[Any, Any]], given: Values) -> list[tuple[int, Any]]:
    leaves: list[tuple[str, Any]] = []
    flatten(given, "", leaves)
    return [
        (place, shape)
        for tensor, shape in wished
        for place, (_, leaf) in enumerate(leaves)
        if control_plumbing.flow_of(leaf) is control_plumbing.flow_of(tensor)
    ]


__all__ = ["Staging", "Unusable", "building", "set_loop_options"]
