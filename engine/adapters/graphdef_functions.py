"""Functions of a GraphDef's library: decisions, loops and calls of TensorFlow 2 become regions and nodes of the graph.

A row ``While``, ``If``, ``Case`` or ``PartitionedCall`` names functions; each is read anew wherever it is called, with
the caller's nodes as its arguments, into names behind that of the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.adapters.graphdef_values import shape_of
from engine.errors import GraphError
from engine.static.decisions import build_case, build_cond
from engine.static.loops import build_while
from engine.static.node import Node

if TYPE_CHECKING:
    from engine.adapters.graphdef_reader import Reader

_WORDS = 80
_DEEPEST = 30
_MOST_ROWS = 50_000
_RESOURCE = 20

_OUTPUTS = {
    "TopKV2": ("values", "indices"), "Switch": ("output_false", "output_true"), "Merge": ("output", "value_index"),
    "SparseSoftmaxCrossEntropyWithLogits": ("loss", "backprop"), "MaxPoolWithArgmax": ("output", "argmax"),
    "SoftmaxCrossEntropyWithLogits": ("loss", "backprop"), "BroadcastGradientArgs": ("r0", "r1"),
}  # fmt: skip
"""Outputs that have names of their own; of other ops the number behind the name is that of the output."""


@dataclass(frozen=True, eq=False)
class Row:
    """A row of a function, with inputs written as in a graph: ``name:1``, not ``name:indices:0``."""

    name: str
    op: str
    input: Sequence[str]
    attr: Mapping[str, Any] = field(default_factory=dict)


class Library:
    """The functions of one GraphDef, by name, and how much has been read from them.

    :raises GraphError: two have the same name.
    """

    def __init__(self, functions: Sequence[Any] = ()) -> None:
        self.functions = {one.signature.name: one for one in functions}
        if len(self.functions) < len(functions):
            raise GraphError("two functions of this GraphDef have the same name")
        self.depth = self.rows = 0

    def body(self, name: str) -> tuple[list[Row], list[str], list[str]]:
        """The rows of a function (its arguments first), what it gives, and what has to run because of its effects."""
        if name not in self.functions:
            raise GraphError(f"the function {name[:_WORDS]!r} is not in this GraphDef")
        found = self.functions[name]
        if self.depth >= _DEEPEST:
            raise GraphError(f"the function {name[:_WORDS]!r} is called through more than {_DEEPEST} others")
        self.rows += len(found.node_def)
        if self.rows > _MOST_ROWS:
            raise GraphError(f"its functions come to more than {_MOST_ROWS:,} nodes where they are called")
        ops = {row.name: row.op for row in found.node_def}
        rows = [Row(argument.name, "_Arg", ()) for argument in found.signature.input_arg]
        rows += (Row(row.name, row.op, [_plain(text, ops) for text in row.input], row.attr) for row in found.node_def)
        wanted = [argument.name for argument in found.signature.output_arg]
        if missing := [one for one in wanted if one not in found.ret]:
            raise GraphError(f"the function {name[:_WORDS]!r} does not say what its output {missing[0][:_WORDS]!r} is")
        return rows, [_plain(found.ret[one], ops) for one in wanted], list(found.control_ret.values())


def _plain(text: str, ops: Mapping[str, str]) -> str:
    """An input as it would be written in a graph."""
    name, _, rest = text.partition(":")
    if not rest or text.startswith("^"):
        return text
    output, _, number = rest.partition(":")
    names = _OUTPUTS.get(ops.get(name, ""), ())
    place = names.index(output) if output in names else int(number) if number.isdecimal() else 0
    return f"{name}:{place}" if place else name


def _called(reader: Reader, name: str, arguments: Sequence[Node], word: str) -> tuple[list[Node], list[Node]]:
    """What a function gives for these arguments, and what has to run; its nodes join the present region."""
    library = reader.library
    rows, results, effects = library.body(name)
    count = sum(row.op == "_Arg" for row in rows)
    if count != len(arguments):
        raise GraphError(f"the function {name[:_WORDS]!r} takes {count} arguments, not {len(arguments)}")
    inner = type(reader)(rows, reader.graph, f"{reader.prefix}{reader.row.name}/{word}", library)
    inner.arguments = dict(zip((row.name for row in rows), arguments, strict=False))
    library.depth += 1
    try:
        inner.read()
    finally:
        library.depth -= 1
    return [inner.value(text) for text in results], [inner.made[text] for text in effects if text in inner.made]


def _given(reader: Reader, results: Sequence[Node]) -> Node:
    """Note what the present row gives; its first output is what its name stands for."""
    for i, node in enumerate(results[1:], 1):
        reader.ports[f"{reader.row.name}:{i}"] = node
    return results[0]


def _function(reader: Reader, attribute: str) -> str:
    return str(reader.attr(attribute).func.name)


def _branch(reader: Reader, name: str, inputs: Sequence[Node], word: str) -> Callable[[], list[Node | None]]:
    return lambda: list(_called(reader, name, inputs, f"{word}/")[0]) or [None]


def _if(reader: Reader, inputs: list[Node]) -> Node:
    then, other = _function(reader, "then_branch"), _function(reader, "else_branch")
    branches = (_branch(reader, then, inputs[1:], "true"), _branch(reader, other, inputs[1:], "false"))
    with reader.graph.control_dependencies(reader.control):
        title = f"{reader.title(reader.row.name)}/"
        return _given(reader, build_cond(reader.graph, inputs[0], *branches, name=title, effects=True))


def _case(reader: Reader, inputs: list[Node]) -> Node:
    names = [one.name for one in reader.attr("branches").list.func]
    if not names:
        raise GraphError("it has no branches")
    graph = reader.graph
    branches = [_branch(reader, name, inputs[1:], f"branch{i}") for i, name in enumerate(names)]
    with graph.control_dependencies(reader.control), graph.scope(f"{reader.title(reader.row.name)}/"):
        # Any number that is none of a branch stands for the last.
        pairs = [(graph.apply("equal", inputs[0], i), one) for i, one in enumerate(branches[:-1])]
        found: Any = build_case(graph, pairs, branches[-1], name="case") if pairs else branches[0]()
    return _given(reader, found)


def _while(reader: Reader, inputs: list[Node]) -> Node:
    condition, body = _function(reader, "cond"), _function(reader, "body")
    kinds = list(reader.attr("T").list.type)
    carried = [i for i, kind in enumerate(kinds) if kind != _RESOURCE and i < len(inputs)]
    shapes = reader.attr("output_shapes").list.shape if "output_shapes" in reader.row.attr else ()
    invariants = [shape_of(shapes[i]) if i < len(shapes) else ... for i in carried]

    def called(name: str, word: str) -> Callable[..., tuple[list[Node], list[Node]]]:
        def call(*variables: Node) -> tuple[list[Node], list[Node]]:
            given = list(inputs)  # variables of the graph are not carried: every pass writes the same ones
            for i, variable in zip(carried, variables, strict=True):
                given[i] = variable
            return _called(reader, name, given, f"{word}/")

        return call

    ask, go = called(condition, "condition"), called(body, "body")

    def wanted(*variables: Node) -> Node:
        results, _ = ask(*variables)
        if len(results) != 1:
            raise GraphError(f"the function {condition[:_WORDS]!r} gives {len(results)} values, not one")
        return results[0]

    def following(*variables: Node) -> list[Node]:
        results, _ = go(*variables)
        if len(results) != len(inputs):
            raise GraphError(f"the function {body[:_WORDS]!r} gives {len(results)} values for {len(inputs)} variables")
        return [results[i] for i in carried]

    with reader.graph.control_dependencies(reader.control):
        last = build_while(
            reader.graph, wanted, following, [inputs[i] for i in carried], shape_invariants=invariants,
            name=f"{reader.title(reader.row.name)}/", effects=True,
        )  # fmt: skip
    results = list(inputs)
    for i, node in zip(carried, last, strict=True):
        results[i] = node
    return _given(reader, results)


def _call(reader: Reader, inputs: list[Node]) -> Node:
    name, title = _function(reader, "f"), reader.row.name
    results, effects = _called(reader, name, inputs, "")
    if not results:
        return reader.raw("group", [], {}, role="control", control=effects)
    if effects:
        results = [
            reader.raw("identity", [node], {}, f"{title}/result" + (f"_{i}" if i else ""), control=effects)
            for i, node in enumerate(results)
        ]
    return _given(reader, results)


def _argument(reader: Reader, _inputs: list[Node]) -> Node:
    if reader.row.name not in reader.arguments:
        raise GraphError("an argument stands outside of a function")
    return reader.arguments[reader.row.name]


CALLS: dict[str, Callable[[Reader, list[Node]], Node]] = {
    "If": _if,
    "StatelessIf": _if,
    "Case": _case,
    "StatelessCase": _case,
    "While": _while,
    "StatelessWhile": _while,
    "PartitionedCall": _call,
    "StatefulPartitionedCall": _call,
    "_Arg": _argument,
}
"""Rows that name functions, and the arguments of functions."""
