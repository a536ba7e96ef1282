"""How tensors print: PyTorch's rules for digits, columns, line breaks, summaries and suffixes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch.types import BY_ARRAY, DEFAULT


class _Options:
    precision = 4
    threshold = 1000.0
    edgeitems = 3
    linewidth = 80
    sci_mode: bool | None = None


OPTIONS = _Options()
_PROFILES = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, math.inf, 3, 80)}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors print from now on."""
    if profile is not None:
        OPTIONS.precision, OPTIONS.threshold, OPTIONS.edgeitems, OPTIONS.linewidth = _PROFILES[profile]
    for name, value in (
        ("precision", precision), ("threshold", threshold), ("edgeitems", edgeitems), ("linewidth", linewidth),
    ):  # fmt: skip
        if value is not None:
            setattr(OPTIONS, name, value)
    OPTIONS.sci_mode = sci_mode


class _Format:
    """One format for all elements of a tensor: integers, fixed or scientific notation, and the common width."""

    def __init__(self, values: Any) -> None:
        self.is_float = values.dtype.kind == "f"
        self.whole = True
        self.scientific = False
        self.width = 1
        flat = values.reshape(-1)
        if not self.is_float:
            self.width = max([self.width, *(len(str(v)) for v in flat.tolist())])
            return
        finite = flat[np.isfinite(flat) & (flat != 0)]
        if finite.size == 0:
            return
        wide = finite.astype(np.float64)
        size = np.abs(wide)
        largest, smallest = float(size.max()), float(size.min())
        self.whole = bool(np.all(wide == np.ceil(wide)))
        ratio = largest / smallest > 1000.0
        self.scientific = ratio or largest > 1.0e8 or (not self.whole and smallest < 1.0e-4)
        if OPTIONS.sci_mode is not None:
            self.scientific = OPTIONS.sci_mode
        texts = [self._number(v) for v in wide.tolist()]
        self.width = max([self.width, *map(len, texts)])

    def _number(self, value: float) -> str:
        if self.scientific:
            return f"{value:.{OPTIONS.precision}e}"
        if self.whole:
            text = f"{value:.0f}"
            return text if math.isinf(value) or math.isnan(value) else text + "."
        return f"{value:.{OPTIONS.precision}f}"

    def text(self, value: Any) -> str:
        """One element, padded on the left."""
        return (self._number(float(value)) if self.is_float else str(value)).rjust(self.width)


class _ComplexFormat:
    """Real and imaginary parts have a format each."""

    def __init__(self, values: Any) -> None:
        self.real, self.imag = _Format(values.real), _Format(values.imag)
        self.width = self.real.width + self.imag.width + 2

    def text(self, value: complex) -> str:
        sign = "-" if np.signbit(value.imag) else "+"
        return f"{self.real.text(value.real)}{sign}{self.imag.text(abs(value.imag)).lstrip()}j"


def body(array: Any, indent: int) -> str:
    """The numbers of ``array`` in brackets; ``indent``: characters before the first one on its line."""
    summary = array.size > OPTIONS.threshold
    shown = _edges(array) if summary else array
    form = _ComplexFormat(shown) if array.dtype.kind == "c" else _Format(shown)
    return _block(array, indent, summary, form)


def _edges(array: Any) -> Any:
    """The elements that a summary shows."""
    for axis in range(array.ndim):
        if array.shape[axis] > 2 * OPTIONS.edgeitems:
            n = OPTIONS.edgeitems
            keep = np.r_[0:n, array.shape[axis] - n : array.shape[axis]]
            array = np.take(array, keep, axis)
    return array


def _block(array: Any, indent: int, summary: bool, form: Any) -> str:
    if array.ndim == 0:
        return str(form.text(array.item()))
    n = OPTIONS.edgeitems
    cut = summary and array.shape[0] > 2 * n
    if array.ndim == 1:
        values = array.tolist()
        texts = [form.text(v) for v in ((values[:n] + values[-n:]) if cut else values)]
        if cut:
            texts.insert(n, " ...")
        per_line = max(1, int((OPTIONS.linewidth - indent) // (form.width + 2)))
        lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)] or [""]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    if cut:
        parts = [_block(array[i], indent + 1, summary, form) for i in range(n)]
        parts.append("...")
        parts += [_block(array[i], indent + 1, summary, form) for i in range(array.shape[0] - n, array.shape[0])]
    else:
        parts = [_block(array[i], indent + 1, summary, form) for i in range(array.shape[0])]
    separator = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return f"[{separator.join(parts)}]"


def with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """``text`` and what follows the numbers, broken where the line gets too long."""
    line = len(text) - text.rfind("\n") + 1
    pieces = [text]
    for suffix in suffixes:
        if line + len(suffix) + 2 > OPTIONS.linewidth:
            pieces.append(",\n" + " " * indent + suffix)
            line = indent + len(suffix)
        else:
            pieces.append(", " + suffix)
            line += len(suffix) + 2
    return "".join(pieces) + ")"


def tensor_text(array: Any, requires_grad: bool, grad_name: str | None) -> str:
    """What ``repr`` of a tensor says.

    >>> print(tensor_text(np.array([1.5, 2.0], np.float32), False, "AddBackward0"))
    tensor([1.5000, 2.0000], grad_fn=<AddBackward0>)
    """
    prefix = "tensor("
    ours = BY_ARRAY[array.dtype]
    suffixes: list[str] = []
    if array.size == 0:
        if array.ndim != 1:
            suffixes.append(f"size={array.shape}")
        if ours is not DEFAULT.float:
            suffixes.append(f"dtype={ours!r}")
        numbers = "[]"
    else:
        if ours is not DEFAULT.float and ours.name not in ("int64", "bool") and not _default_complex(ours.name):
            suffixes.append(f"dtype={ours!r}")
        numbers = body(array, len(prefix))
    if grad_name is not None:
        suffixes.append(f"grad_fn=<{grad_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return with_suffixes(prefix + numbers, suffixes, len(prefix))


def _default_complex(name: str) -> bool:
    return name == ("complex64" if DEFAULT.float.name == "float32" else "complex128")
