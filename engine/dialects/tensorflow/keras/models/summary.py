"""``model.summary()``: the table of layers, drawn with lines as Keras draws it."""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from typing import Any

from engine.dialects.tensorflow.keras import nest
from engine.dialects.tensorflow.keras.symbolic import FunctionOperation

_BOX = {"top": "┏━┳┓", "head": "┃", "under": "┡━╇┩", "row": "│", "between": "├─┼┤", "bottom": "└─┴┘"}


def print_summary(
    model: Any, line_length: Any = None, positions: Any = None, print_fn: Any = None, expand_nested: bool = False,
    show_trainable: bool = False,
) -> None:  # fmt: skip
    """Print name, output shape and size of each layer (and what it is connected to, where that is no line)."""
    from engine.dialects.tensorflow.keras.models.functional import Functional

    graph = isinstance(model, Functional) and not _is_line(model)
    if graph:
        longest, positions = 108, positions or [0.3, 0.56, 0.74, 1.0]
        header, sides = ["Layer (type)", "Output Shape", "Param #", "Connected to"], "llrl"
    else:
        longest, positions = 88, positions or [0.45, 0.80, 1.0]
        header, sides = ["Layer (type)", "Output Shape", "Param #"], "llr"
    if show_trainable:
        longest += 12
        positions = [p * 0.90 for p in positions] + [1.0]
        header, sides = [*header, "Trainable"], sides + "c"
    screen = shutil.get_terminal_size((80, 24)).columns
    length = line_length or min(longest, screen - 4)
    widths, at = [], 0
    for position in positions:
        widths.append(int(position * length) - at)
        at += widths[-1]
        if widths[-1] < 4:
            raise ValueError("Insufficient console width to print summary.")
    rows = [
        row for layer in (model._operations if isinstance(model, Functional) else model.layers)
        for row in _rows(layer, model, graph, show_trainable, expand_nested, 0)
    ]  # fmt: skip
    lines = [f'Model: "{model.name}"', *table(header, rows, widths, sides, length), *_totals(model)]
    text = "\n".join(lines)
    if print_fn is None:
        print(text)
    else:
        print_fn(text + "\n")


def _is_line(model: Any) -> bool:
    """Whether each layer has one input and one output, and none is used twice."""
    by_depth: dict[int, list[Any]] = {}
    for node in model._nodes:
        by_depth.setdefault(model._depths[id(node)], []).append(node)
    if any(len(nodes) > 1 or len(nodes[0].input_tensors) > 1 for nodes in by_depth.values()):
        return False
    mine = {id(node) for node in model._nodes}
    return all(sum(id(node) in mine for node in layer._inbound_nodes) <= 1 for layer in model.layers)


def _rows(layer: Any, model: Any, graph: bool, trainable: bool, nested: bool, level: int) -> list[list[str]]:
    prefix = "   " * level + "└ " if level else ""
    kind = layer.kind if isinstance(layer, FunctionOperation) else type(layer).__name__
    if isinstance(layer, FunctionOperation):
        size = "0"
    else:
        size = f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"
    row = [f"{prefix}{layer.name} ({kind})", _shape(layer), size]
    if graph:
        row.append(_connections(layer, model))
    if trainable:
        row.append(("Y" if layer.trainable else "N") if getattr(layer, "weights", None) else "-")
    found = [row]
    if nested and getattr(layer, "layers", None):
        for inner in layer.layers:
            found += _rows(inner, model, graph, trainable, nested, level + 1)
    return found


def _shape(layer: Any) -> str:
    if layer._inbound_nodes:
        shapes = nest.map_leaves(lambda x: str(tuple(x.shape)), layer._inbound_nodes[-1].outputs)
    elif getattr(layer, "_build_shapes", None):
        try:
            try:
                shapes = str(tuple(layer.output_shape)) if hasattr(layer, "output_shape") else None
            except AttributeError:
                shapes = None
            if shapes is None:
                found = layer.compute_output_shape(*layer._build_shapes.values())
                shapes = nest.map_shapes(lambda shape: _Text(tuple(shape)), found)
                shapes = str(shapes) if isinstance(shapes, _Text) else shapes
        except NotImplementedError:
            return "?"
    else:
        return "?"
    flat = nest.flatten(shapes)
    return str(flat[0]) if len(flat) == 1 else str(shapes).replace("'", "")


class _Text:
    """A shape that a list shows without quotes."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape

    def __repr__(self) -> str:
        return str(self.shape)


def _connections(layer: Any, model: Any) -> str:
    mine = {id(node) for node in model._nodes}
    found = [
        f"{x._keras_history.operation.name}[{x._keras_history.node_index}][{x._keras_history.tensor_index}]"
        for node in layer._inbound_nodes if id(node) in mine
        for x in node.input_tensors
    ]  # fmt: skip
    return ", ".join(found) or "-"


# -- totals ------------------------------------------------------------------------------------------------------------
def _count(weights: Any) -> tuple[int, float]:
    kept = {id(w): w for w in weights}.values()
    return sum(math.prod(w.shape) for w in kept), sum(w._array.nbytes for w in kept)


def _bytes(size: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if size / 1024 < 1:
            return f"{size:.2f} {unit}"
        size /= 1024
    return f"{size:.2f} TB"


def _totals(model: Any) -> list[str]:
    parts = {"Trainable": _count(model.trainable_weights), "Non-trainable": _count(model.non_trainable_weights)}
    optimizer = model.optimizer if getattr(model, "compiled", False) else None
    if optimizer is not None and optimizer.built:
        parts["Optimizer"] = _count(optimizer.variables)
    whole = sum(count for count, _ in parts.values()), sum(size for _, size in parts.values())
    return [
        f" Total params: {whole[0]:,} ({_bytes(whole[1])})",
        *(f" {name} params: {count:,} ({_bytes(size)})" for name, (count, size) in parts.items()),
    ]


# -- the table ---------------------------------------------------------------------------------------------------------
def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int], sides: str, length: int
) -> list[str]:
    """A table with lines between all rows, ``length`` characters wide."""
    outer = [width + 2 for width in widths]
    left, count = sum(outer) - (length - len(outer) - 1), len(outer)
    for place in range(len(outer)):
        less = min(outer[place], round(left / count)) if left > 0 else 0
        outer[place] -= less
        left, count = left - less, count - 1
    inner = [width - 2 for width in outer]

    def rule(which: str) -> str:
        first, line, cross, last = tuple(_BOX[which])
        return first + cross.join(line * width for width in outer) + last

    def drawn(cells: Sequence[str], edge: str) -> list[str]:
        wrapped = [_wrapped(cell, width) for cell, width in zip(cells, inner, strict=True)]
        height = max(len(lines) for lines in wrapped)
        found = []
        for number in range(height):
            parts = [
                _aligned(lines[number] if number < len(lines) else "", width, side)
                for lines, width, side in zip(wrapped, inner, sides, strict=True)
            ]
            found.append(edge + edge.join(f" {part} " for part in parts) + edge)
        return found

    lines = [rule("top"), *drawn(header, _BOX["head"]), rule("under")]
    for place, row in enumerate(rows):
        lines += ([rule("between")] if place else []) + drawn(row, _BOX["row"])
    return [*lines, rule("bottom")]


def _aligned(text: str, width: int, side: str) -> str:
    return text.rjust(width) if side == "r" else text.center(width) if side == "c" else text.ljust(width)


def _wrapped(text: str, width: int) -> list[str]:
    """Words on lines; a word that is too long is cut off."""
    lines: list[str] = []
    used = 0
    for word in _words(text):
        size = len(word.rstrip())
        if lines and width - used >= size:
            lines[-1] += word
            used += len(word)
        else:
            lines.append(word)
            used = len(word)
    return [_cut(line.rstrip(), width) for line in lines] or [""]


def _words(text: str) -> list[str]:
    """Words, each with the spaces behind it (and those before the first)."""
    import re

    return re.findall(r"\s*\S+\s*", text)


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"
