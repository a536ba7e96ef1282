"""``torch.save`` and ``torch.load``: a pickle of plain data and tensors."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.dialects.torch.types import dtype

MAGIC = b"stepgraph-save-1\n"
PLAIN = frozenset(
    [
        "collections.OrderedDict", "collections.Counter", "builtins.set", "builtins.frozenset", "builtins.complex",
        "builtins.bytearray", "torch.Size", "torch.device", "torch.Tensor", "torch.nn.parameter.Parameter",
        "numpy.ndarray", "numpy.dtype", "numpy._core.multiarray._reconstruct",
    ]
)  # fmt: skip
"""What a file may name unasked, as in PyTorch; and NumPy's arrays, in which tensors lie here."""
_OWN = "engine.dialects.torch."
_REFUSED = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, \033[1mdo those "
    "steps only if you trust the source of the checkpoint\033[0m. \n\t(1) In PyTorch 2.6, we changed the "
    "default value of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running "
    "`torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code "
    "execution. Do it only if you got the file from a trusted source.\n\t(2) Alternatively, to load with "
    "`weights_only=True` please check the recommended steps in the following error message.\n\t"
    "WeightsUnpickler error: Unsupported global: GLOBAL {name} was not an allowed global by default. Please "
    "use `torch.serialization.add_safe_globals([{name}])` or the `torch.serialization.safe_globals([{name}])` "
    "context manager to allowlist this global if you trust this class/function.\n\nCheck the documentation of "
    "torch.load to learn more about types accepted by default with weights_only "
    "https://pytorch.org/docs/stable/generated/torch.load.html."
)
_safe: list[Any] = []


def save(obj: Any, f: Any, *_: Any, **__: Any) -> None:
    """Write an object to a file or a buffer."""
    data = MAGIC + pickle.dumps(obj)
    if isinstance(f, str | Path):
        Path(f).write_bytes(data)
    else:
        f.write(data)


def load(f: Any, map_location: Any = None, *_: Any, weights_only: bool | None = None, **__: Any) -> Any:
    """Read what :func:`save` wrote (files of the real framework are another format).

    :raises pickle.UnpicklingError: it is no such file; or it holds more than weights, and ``weights_only`` is not
        ``False``.
    """
    data = Path(f).read_bytes() if isinstance(f, str | Path) else f.read()
    if not data.startswith(MAGIC):
        if not data:
            raise EOFError
        raise pickle.UnpicklingError(
            "this file was not written by the teaching engine's torch.save; files of the real framework cannot be "
            "read here"
        )
    reader = pickle.Unpickler if weights_only is False else _WeightsUnpickler
    return reader(io.BytesIO(data[len(MAGIC) :])).load()


class _WeightsUnpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        name = f"{module_name}.{global_name}"
        found = super().find_class(module_name, global_name)
        if name in PLAIN or name.startswith(_OWN) or isinstance(found, dtype) or any(found is one for one in _safe):
            return found
        raise pickle.UnpicklingError(_REFUSED.format(name=name.removeprefix("builtins.")))


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Let :func:`load` make these classes and call these functions."""
    _safe.extend(safe_globals)


def get_safe_globals() -> list[Any]:
    """What was let in."""
    return list(_safe)


def clear_safe_globals() -> None:
    """Forget what was let in."""
    _safe.clear()


@contextmanager
def safe_globals(safe_globals: list[Any]) -> Iterator[None]:
    """The same for a block."""
    before = list(_safe)
    add_safe_globals(safe_globals)
    try:
        yield
    finally:
        _safe[:] = before


NAMES = "save load add_safe_globals get_safe_globals clear_safe_globals safe_globals"
