"""From an op's declared gradients to two straight-line functions: what to save, and how to run back.

For an op and the set of operands that need a gradient (a bit mask) the functions are written once, as Python text, and
kept. So running an op costs no interpretation of declarations, and nothing is saved that no gradient asks for::

    mul, both operands:     save = (a, a's version, b, b's version)
                            run  = (f_a(F, g, b), f_b(F, g, a))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.dynamic.nodes import GradNode, sequence
from engine.dynamic.tensor import InferenceError, Number
from engine.ops.registry import Op


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """How to save and to run back one op for one set of operands.

    ``tape(out, attributes, *operands)`` makes a node and hangs it on ``out``: where gradients go (``edges``), what to
    ``repair``, and what is ``saved``: for each saved operand the tensor and its version, for a saved result its array,
    storage and version, then shapes and dtypes. ``run(F, g, node)`` gives one gradient for each operand, on arrays;
    ``replay`` does so on tensors. ``operands`` are the positions of saved operands, ``saves_out``: the result is kept.
    """

    tape: Callable[..., GradNode]
    run: Callable[[Any, Any, Any], tuple[Any, ...]]
    replay: Callable[[Any, Any, Any], tuple[Any, ...]]
    operands: tuple[int, ...]
    saves_out: bool
    holds_values: bool
    source: str


@dataclass(slots=True)
class _Wanted:
    """What gradient functions turned out to ask for, while their calls are written."""

    operands: set[int] = field(default_factory=set)
    traits: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    out: bool = False


def write_recipe(op: Op, mask: int, count: int, node_class: type[GradNode], helpers: dict[str, Any]) -> Recipe:
    """Write the recipe of ``op`` with ``count`` operands for the operands whose bits are set in ``mask``.

    ``helpers`` provides ``changed(node, position)`` (raises: a saved tensor was modified; -1 is the result),
    ``freed(node, g)`` (raises), ``rebuild(node)`` (the result as a tensor) and ``unsaved(node, operands, error)``
    (what to raise for an inference tensor).
    """
    stem = op.inputs[0]
    names = [f"{stem}_{i}" for i in range(count)] if op.variadic else list(op.inputs[:count])
    wanted, calls = _Wanted(), []
    from engine.dynamic.apply import edge_of  # apply stands on this module

    scope: dict[str, Any] = {
        **helpers, "edge_of": edge_of, "Number": Number, "InferenceError": InferenceError,
        "new": object.__new__, "Node": node_class, "following": sequence.__next__,
    }  # fmt: skip
    for position, name in enumerate(names):
        gradient = op.gradients.get(stem if op.variadic else name)
        if gradient is None or not mask >> position & 1:
            calls.append("None")
            continue
        scope[f"vjp_{position}"] = gradient.function
        arguments = [_argument(op, need, names, position, wanted) for need in gradient.needs]
        calls.append(f"vjp_{position}({', '.join(['F', 'g', *arguments])})")
    scope.update({f"default_{name}": op.attributes.get(name) for name in wanted.attributes})
    source = _write_tape(op, names, mask, wanted) + _write_runs(names, wanted, calls)
    exec(compile(source, f"<gradient of {op.name}>", "exec"), scope)
    operands = tuple(sorted(wanted.operands))
    holds = bool(operands) or wanted.out
    made = Recipe(scope["tape"], scope["run"], scope["replay"], operands, wanted.out, holds, source)
    scope["recipe"] = made
    return made


def _argument(op: Op, need: str, names: list[str], position: int, wanted: _Wanted) -> str:
    """The text of one argument of a gradient function; notes what it makes us save."""
    if op.variadic:
        stem = op.inputs[0]
        if need == "index":
            return str(position)
        if need == stem:
            wanted.operands.update(range(len(names)))
            return f"({', '.join(names)},)"
        if need == f"{stem}_shapes":
            wanted.traits.update(f"{name}_shape" for name in names)
            return f"({', '.join(f'{name}_shape' for name in names)},)"
    if need in names:
        wanted.operands.add(names.index(need))
        return need
    if need == "out":
        wanted.out = True
        return need
    stem, _, trait = need.rpartition("_")
    if trait in ("shape", "dtype") and (stem in names or stem == "out"):
        wanted.traits.add(need)
        return need
    if need in op.inputs:
        return "None"  # an optional operand that was left out
    wanted.attributes.add(need)
    return f"_{need}"


_TRAITS = {
    "shape": "() if {0}.__class__ is Number else {0}._array.shape",
    "dtype": "None if {0}.__class__ is Number else {0}._array.dtype",
}


_EDGE = (
    "edge if {0}._view is None and ((edge := {0}._grad_fn) is not None or (edge := {0}._accumulate) is not None) "
    "else edge_of({0})"
)


def _write_tape(op: Op, names: list[str], mask: int, wanted: _Wanted) -> str:
    """How to make a node. Its number is drawn last: what its edges lead to, perhaps made just now, has lower ones."""
    needy = [name if mask >> place & 1 else "" for place, name in enumerate(names)]
    kept = [part for i in sorted(wanted.operands) for part in (names[i], f"{names[i]}._storage.version")]
    if wanted.out:
        kept += ["out._array", "out._storage", "out._storage.version"]
    kept += [_TRAITS[t.rpartition("_")[2]].format(t.rpartition("_")[0]) for t in sorted(wanted.traits)]
    lines = [
        f"def tape(out, attributes, {', '.join(names)}):",
        "    node = new(Node)",
        "    node.recipe = recipe",
        "    node.attributes = attributes",
        "    try:",
        f"        node.edges = ({', '.join(_EDGE.format(name) if name else 'None' for name in needy)},)",
        f"        node.saved = ({', '.join(kept)},)" if kept else "        node.saved = None",
        "    except InferenceError as error:",
        f"        raise unsaved(node, ({', '.join(names)},), error) from None",
    ]
    if len(names) > 1 and (op.elementwise or op.promotion):
        tests = [f"{name}._array.dtype is not dtype" for name in needy if name]
        if op.elementwise:
            tests += [f"{name}._array.shape != shape" for name in needy if name]
        parts = [f"({name}._array.shape, {name}._array.dtype)" if name else "None" for name in needy]
        lines += [
            "    dtype, shape = out._array.dtype, out._array.shape",
            f"    if {' or '.join(tests)}:",
            f"        node.repair = ({', '.join(parts)},)",
        ]
    lines += [
        "    node.sequence = following()",
        "    out._grad_fn = node",
        "    out._requires_grad = True",
        "    return node",
    ]
    return "\n".join(lines) + "\n\n"


def _write_runs(names: list[str], wanted: _Wanted, calls: list[str]) -> str:
    """The two ways back: on arrays and on tensors."""
    operands, traits = sorted(wanted.operands), sorted(wanted.traits)
    fields = [part for i in operands for part in (names[i], f"version_{i}")]
    if wanted.out:
        fields += ["out", "storage_out", "version_out"]
    fields += traits
    functions = []
    for function in ("run", "replay"):
        body = [f"def {function}(F, g, node):"]
        if operands or wanted.out:
            body += ["    if node.saved is None:", "        freed(node, g)"]
        if fields:
            body.append(f"    {', '.join(fields)}, = node.saved")
        for i in operands:
            body += [f"    if {names[i]}._storage.version != version_{i}:", f"        changed(node, {i})"]
            if function == "run":
                body.append(f"    {names[i]} = {names[i]}._array")
            else:
                body += [f"    if {names[i]}.__class__ is Number:", f"        {names[i]} = {names[i]}._array"]
        if wanted.out:
            body += ["    if storage_out.version != version_out:", "        changed(node, -1)"]
            if function == "replay":
                body.append("    out = rebuild(node)")
        if wanted.attributes:
            named = sorted(wanted.attributes)
            body += ["    attributes = node.attributes", "    if attributes:"]
            body += [f"        _{name} = attributes.get({name!r}, default_{name})" for name in named]
            body += ["    else:", *(f"        _{name} = default_{name}" for name in named)]
        functions.append([*body, f"    return ({', '.join(calls)},)"])
    return "\n\n".join("\n".join(lines) for lines in functions) + "\n"
