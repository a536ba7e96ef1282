"""Functions of ``Lambda`` layers in files: their code is only run if the program says so."""

from __future__ import annotations

import base64
import marshal
from collections.abc import Iterator
from contextlib import contextmanager
from types import CellType, FunctionType
from typing import Any

_allowed = [False]

_REFUSED = (
    "Requested the deserialization of a Python lambda. This carries a potential risk of arbitrary code execution and "
    "thus it is disallowed by default. If you trust the source of the artifact, you can override this error by passing "
    "`safe_mode=False` to the loading function, or calling `keras.config.enable_unsafe_deserialization()`."
)


@contextmanager
def allowed(value: bool) -> Iterator[None]:
    """Whether functions of files may be made inside."""
    before = _allowed[0]
    _allowed[0] = value or before
    try:
        yield
    finally:
        _allowed[0] = before


def enable_unsafe_deserialization() -> None:
    _allowed[0] = True


def described(function: Any) -> dict[str, Any]:
    """A lambda as data."""
    code = base64.b64encode(marshal.dumps(function.__code__)).decode()
    closure = tuple(cell.cell_contents for cell in function.__closure__) if function.__closure__ else None
    return {"class_name": "__lambda__", "config": {"code": code, "defaults": function.__defaults__, "closure": closure}}


def made(config: dict[str, Any]) -> Any:
    """The lambda of such data.

    :raises ValueError: the program has not allowed it.
    """
    if not _allowed[0]:
        raise ValueError(_REFUSED)
    code = marshal.loads(base64.b64decode(config["code"]))
    cells = tuple(CellType(value) for value in config["closure"] or ())
    defaults = config["defaults"]
    import sys

    scope = vars(sys.modules.get("__main__", sys))
    return FunctionType(code, scope, "<lambda>", tuple(defaults) if defaults else None, cells or None)
