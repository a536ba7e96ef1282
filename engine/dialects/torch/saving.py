"""``torch.save`` and ``torch.load``: a pickle of plain data and tensors."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

MAGIC = b"stepgraph-save-1\n"


def save(obj: Any, f: Any, *_: Any, **__: Any) -> None:
    """Write an object to a file or a buffer."""
    data = MAGIC + pickle.dumps(obj)
    if isinstance(f, str | Path):
        Path(f).write_bytes(data)
    else:
        f.write(data)


def load(f: Any, map_location: Any = None, *_: Any, weights_only: bool = True, **__: Any) -> Any:
    """Read what :func:`save` wrote (files of the real framework are another format)."""
    data = Path(f).read_bytes() if isinstance(f, str | Path) else f.read()
    if not data.startswith(MAGIC):
        if not data:
            raise EOFError
        raise pickle.UnpicklingError(
            "this file was not written by the teaching engine's torch.save; files of the real framework cannot be "
            "read here"
        )
    return pickle.load(io.BytesIO(data[len(MAGIC) :]))
