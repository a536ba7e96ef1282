"""``torch.testing``."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine.dialects.torch.from_data import as_tensor
from engine.dialects.torch.tensor import Tensor

_LOOSE = {"float16": (1e-3, 1e-3), "float32": (1e-4, 1e-5), "float64": (1e-5, 1e-8)}
_TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


def assert_close(
    actual: Any, expected: Any, *, rtol: float | None = None, atol: float | None = None, equal_nan: bool = False,
    msg: Any = None, **_: Any,
) -> None:  # fmt: skip
    """Raise ``AssertionError`` unless two tensors (or sequences of them) are nearly equal."""
    if isinstance(actual, list | tuple):
        for a, b in zip(actual, expected, strict=True):
            assert_close(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan, msg=msg)
        return
    a = actual._array if isinstance(actual, Tensor) else np.asarray(actual)
    b = expected._array if isinstance(expected, Tensor) else np.asarray(expected)
    if a.shape != b.shape:
        raise AssertionError(
            f"The values for attribute 'shape' do not match: {Tensor(a).shape!r} != {Tensor(b).shape!r}."
        )
    if a.dtype != b.dtype:
        raise AssertionError(
            f"The values for attribute 'dtype' do not match: {Tensor(a).dtype!r} != {Tensor(b).dtype!r}."
        )
    usual = _TOLERANCES.get(a.dtype.name, (0.0, 0.0))
    r, t = usual[0] if rtol is None else rtol, usual[1] if atol is None else atol
    close = np.isclose(a, b, r, t, equal_nan)
    if close.all():
        return
    if msg is not None:
        raise AssertionError(msg)
    if a.ndim == 0:
        kind = "Scalars"
        raise AssertionError(f"{kind} are not close!\n\nExpected {b.item()} but got {a.item()}.")
    difference = np.abs(a.astype(np.float64) - b.astype(np.float64))
    worst = np.unravel_index(int(difference.argmax()), a.shape)
    raise AssertionError(
        f"Tensor-likes are not close!\n\nMismatched elements: {int((~close).sum())} / {a.size} "
        f"({100 * (~close).sum() / a.size:.1f}%)\nGreatest absolute difference: {difference.max()} at index "
        f"{tuple(int(i) for i in worst)} (up to {t} allowed)\nGreatest relative difference: "
        f"{(difference / np.abs(b)).max()} at index {tuple(int(i) for i in worst)} (up to {r} allowed)"
    )


def assert_allclose(
    actual: Any, expected: Any, rtol: float | None = None, atol: float | None = None, equal_nan: bool = True,
    msg: str = "",
) -> None:  # fmt: skip
    """What :func:`assert_close` was before 1.12: looser, and it does not look at types."""
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. Please "
        "use `torch.testing.assert_close()` instead. You can find detailed upgrade instructions in "
        "https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
        stacklevel=2,
    )
    a = actual if isinstance(actual, Tensor) else as_tensor(actual)
    b = expected if isinstance(expected, Tensor) else as_tensor(expected, dtype=a.dtype)
    if rtol is None and atol is None:
        rtol, atol = max(_LOOSE.get(t._array.dtype.name, (0.0, 0.0)) for t in (a, b))
    kind = np.result_type(a._array, b._array)
    both = (t._array.astype(kind) for t in (a, b))
    assert_close(*both, rtol=rtol, atol=atol, equal_nan=equal_nan, msg=msg or None)
