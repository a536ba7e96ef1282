"""docs/ops.md is what the table says."""

from __future__ import annotations

from engine.ops import CORE, TABLE
from engine.tensor_type import TensorType
from tools import reference


def test_page_is_current() -> None:
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "run python tools/reference.py"


def test_page_lists_every_op_with_an_example() -> None:
    lines = reference.page().splitlines()
    assert {line[4:] for line in lines if line.startswith("### ")} == CORE
    for name in CORE:
        op = TABLE[name]
        assert op.family
        assert reference.example(op) or op.family == "state", name


def test_bytes() -> None:
    import numpy as np

    f, i = np.dtype("float32"), np.dtype("int64")
    table, rows = TensorType(f, (1000, 8)), TensorType(i, (3,))
    assert TABLE["matmul"].bytes(TensorType(f, (2, 4)), TensorType(f, (2, 3)), TensorType(f, (3, 4))) == 4 * (
        8 + 6 + 12
    )
    assert TABLE["take"].bytes(TensorType(f, (3, 8)), table, rows) == 2 * 3 * 8 * 4 + 3 * 8
    assert TABLE["zeros_like"].bytes(table, table) == 32000
    assert TABLE["transpose"].bytes(table, table) == 0
    assert TABLE["relu"].bytes(TensorType(f, (None,)), TensorType(f, (None,))) is None
