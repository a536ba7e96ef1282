"""Writes docs/ops.md from the table of ops: ``python tools/reference.py`` (``--check``: say whether it is current).

The example of an op is the first sample that its test uses; types and costs are what the table's own rules say of it.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(folder) for folder in (ROOT, ROOT / "tools") if str(folder) not in sys.path]

from generated_page import DOCS, write_or_check  # noqa: E402

from engine.ops import CORE, REQUIRED, TABLE, Op  # noqa: E402
from engine.ops.promotion import operand_dtype  # noqa: E402
from engine.tensor_type import TensorType  # noqa: E402

PAGE = DOCS / "ops.md"
HEAD = """# The ops

Generated from the table by `tools/reference.py`; `engine/ops/registry.py` says how an op is declared.

Every op is a function of the native API (`engine.matmul(a, b)`): on tensors it runs at once, on nodes of a graph it
adds a node. Most are methods of a tensor, too. Operands come first, attributes follow in order or by name. Dtypes are
promoted as PyTorch does it (`engine/ops/promotion.py`): integers never widen a float, and Python numbers take the dtype
of the tensors that they meet.

*Example* gives the types of one call as the op's own rule works them out, how many floating-point operations it takes,
and how many bytes it reads and writes at least. Gradients are written with ops of this table, so every one of them can
be differentiated again, to any order.
"""
ONE = {
    "": "as it is",
    "common": "as it is",
    "moved": "as it is",
    "float": "cast to float32 if it is no float",
    "bool": "cast to bool",
}
DTYPES = {
    "": "as they are",
    "common": "cast to their common dtype",
    "moved": "cast to their common dtype (texts stay texts)",
    "float": "cast to their common floating-point dtype, float32 for integers",
    "bool": "cast to bool",
}
STATE = "What a session does itself: methods of a graph (`g.placeholder`, `g.variable`, `g.assign_add`, `g.group`)."


def page() -> str:
    """The whole page."""
    families: dict[str, list[Op]] = {}
    for op in TABLE.values():
        if op.name in CORE:
            families.setdefault(op.family, []).append(op)
    lines = [HEAD, f"{len(CORE)} ops in {len(families)} families:", ""]
    for family, ops in families.items():
        lines.append(f"- [{title(family)}](#{anchor(title(family))}): {', '.join(f'`{op.name}`' for op in ops)}")
    for family, ops in families.items():
        lines += ["", f"## {title(family)}", "", said(family), ""]
        for op in ops:
            lines += entry(op)
    return "\n".join(lines).rstrip() + "\n"


def title(family: str) -> str:
    """A family's heading: its module's name in words."""
    return {"linalg": "Linear algebra", "matmul": "Products", "products": "Reductions to a product"}.get(
        family, family.capitalize().replace("_", " ")
    )


def anchor(heading: str) -> str:
    """The fragment that a heading gets."""
    return heading.lower().replace(" ", "-")


def said(family: str) -> str:
    """What the family's module says of itself."""
    if family == "state":
        return STATE
    return " ".join((import_module(f"engine.ops.{family}").__doc__ or "").split("\n\n")[0].split())


def entry(op: Op) -> list[str]:
    """One op."""
    lines = [f"### {op.name}", "", f"`{signature(op)}` &nbsp; ${op.formula}$", ""]
    words = described(op)
    if words:
        lines += [words, ""]
    lines.append(f"- Operands: {operands(op)}.")
    shape = "elementwise, shapes are broadcast" if op.elementwise else ""
    traits = [
        shape,
        "the result may be a view of the first operand" if op.view else "",
        "can write into a given buffer" if op.accepts_out else "",
        "stateful: never folded, merged or dropped" if op.stateful else "",
        f"reads its shape from a further operand as `{op.like}`" if op.like else "",
    ]
    if any(traits):
        lines.append(f"- Properties: {'; '.join(t for t in traits if t)}.")
    lines.append(f"- Gradient: {gradient(op)}.")
    lines += [f"- Example: {text}." for text in example(op)]
    lines += [f"- Drawn as `{op.symbol}`, category {op.category}.", ""]
    return lines


def signature(op: Op) -> str:
    """``name(operands, attributes=defaults)``."""
    parts = [f"*{op.inputs[0]}"] if op.variadic else list(op.inputs)
    for name, default in op.attributes.items():
        shown = str(default) if isinstance(default, np.dtype) else repr(default)
        parts.append(name if default is REQUIRED else f"{name}={shown}")
    return f"{op.name}({', '.join(parts)})"


def described(op: Op) -> str:
    """The first paragraph of the kernel's docstring, where the kernel is a function of ours."""
    if not inspect.isfunction(op.kernel) or op.family == "state":
        return ""
    return " ".join((op.kernel.__doc__ or "").split("\n\n")[0].replace("``", "`").split())


def operands(op: Op) -> str:
    """The operands and what happens to their dtypes."""
    if not op.inputs:
        return "none"
    names = f"any number of `{op.inputs[0]}`" if op.variadic else ", ".join(f"`{name}`" for name in op.inputs)
    kept = [f"`{name}`" for name in op.inputs if name in op.unpromoted]
    left = f" ({', '.join(kept)} left as it is)" if op.promotion and kept else ""
    words = ONE if len(op.inputs) == 1 and not op.variadic else DTYPES
    return f"{names}, {words[op.promotion]}{left}"


def gradient(op: Op) -> str:
    """For which operands, and what is kept for it."""
    if not op.differentiable:
        return "not differentiable"
    kept = [f"`{name}`" for name in (*op.inputs, "out") if name in op.saves]
    keeps = ", ".join(kept).replace("`out`", "the result") or "no values"
    without = [f"`{name}`" for name in op.inputs if name not in op.gradients]
    none = f"; none for {', '.join(without)}" if without else ""
    return f"for {', '.join(f'`{name}`' for name in op.gradients)}, keeps {keeps}{none}"


def example(op: Op) -> list[str]:
    """The types of a call by the op's rule, with its costs."""
    found = sample(op)
    if found is None:
        return []
    values, attributes = found
    promoted = [i for i in range(len(values)) if op.variadic or op.inputs[i] not in op.unpromoted]
    types = [TensorType(x.dtype, x.shape) if isinstance(x, np.ndarray) else x for x in values]
    result = op.type_rule(*types, **attributes)
    dtype = operand_dtype(op.promotion, *(types[i] for i in promoted))
    cast = [
        TensorType(dtype if dtype is not None and i in promoted else t.dtype, t.shape)
        for i, t in enumerate(types)
        if isinstance(t, TensorType)
    ]
    given = ", ".join(text(t) if isinstance(t, TensorType) else f"the number {t}" for t in types)
    with_attributes = ", ".join(f"{key}={value}" for key, value in attributes.items())
    call = " with ".join(part for part in (given, f"`{with_attributes}`" if attributes else "") if part)
    costs = []
    if op.flops is not None and result.is_known:
        shapes = [() if not isinstance(t, TensorType) else t.shape for t in types]
        costs.append(f"{op.flops(result.shape, *shapes, **attributes)} flops")
    moved = op.bytes(result, *cast)
    if moved is not None:
        costs.append(f"{moved} bytes" if moved else "no bytes (a view)")
    return [f"{call} → {text(result)}{': ' if costs else ''}{', '.join(costs)}"]


RANDOM: dict[str, dict[str, Any]] = {
    "random_uniform": {"shape": (2, 3)},
    "random_normal": {"shape": (2, 3)},
    "random_bernoulli": {"shape": (2, 3)},
    "random_range": {"shape": (4,), "low": 0, "high": 10},
    "random_permutation": {"size": 5},
}


def sample(op: Op) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Operands and attributes of one call: the first sample that the op's test uses."""
    if op.name in RANDOM:
        return (), RANDOM[op.name]
    for name in ("elementwise", "layers", "more", "reductions", "shapes"):
        import_module(f"tests.ops.samples_{name}")
    samples = import_module("tests.ops.samples").SAMPLES
    return next(((s.operands, s.attributes) for s in samples if s.op == op.name), None)


def text(type: TensorType) -> str:
    """``float32 (2, 3)``; unknown dimensions are ``?``."""
    return f"{type.dtype} {'(...)' if type.shape is None else str(tuple(type.shape)).replace('None', '?')}"


if __name__ == "__main__":
    sys.exit(write_or_check(PAGE.name, page(), __doc__, "python tools/reference.py"))
