"""Every op of the table, called with operands and attributes that do not fit: whatever is refused is refused in the
family's words, with the op, what it was given and the line of the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine import StepgraphError, tensor
from engine.ops import CORE
from tests.ops import samples_elementwise, samples_layers, samples_more, samples_reductions, samples_shapes  # noqa: F401  (they fill SAMPLES)
from tests.ops.samples import SAMPLES, Sample

HERE = Path(__file__).name
UNFIT = (99, "x", None, (7, 8, 9), 2.5)
OPS = sorted({sample.op for sample in SAMPLES if sample.op in CORE and hasattr(engine, sample.op)})


def _spoiled(sample: Sample) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    arrays = [np.asarray(x) for x in sample.operands]
    for place, array in enumerate(arrays):
        others = [
            np.zeros((*array.shape, 5), array.dtype),
            np.zeros((array.shape[0] + 3, *array.shape[1:]) if array.ndim else (3,), array.dtype),
            array.reshape(-1)[:1].reshape(()) if array.size else array,
            array.astype(bool) if array.dtype != bool else array.astype(np.float32),
            array.astype(np.float32) + 0.5
            if array.dtype.kind in "iu"
            else np.nan_to_num(array, posinf=3, neginf=-3).astype(np.int64),
        ]
        for other in others:
            yield [*arrays[:place], other, *arrays[place + 1 :]], sample.attributes
    for name in sample.attributes:
        for value in UNFIT:
            yield arrays, {**sample.attributes, name: value}


@pytest.mark.parametrize("op", OPS)
def test_in_the_words_of_the_family(op: str) -> None:
    function = getattr(engine, op)
    for sample in (one for one in SAMPLES if one.op == op):
        for arrays, attributes in _spoiled(sample):
            operands = [tensor(array) for array in arrays]
            try:
                with np.errstate(all="ignore"):
                    function(*operands, **attributes)
            except StepgraphError as error:
                text = str(error)
                assert HERE in text, text
                assert text.startswith((op, f"{attributes.get('dtype')!r} is no dtype")), text
                if operands and "is no dtype" not in text and "basic index" not in text:
                    assert f"{arrays[0].dtype} {arrays[0].shape}" in text, text
