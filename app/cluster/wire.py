"""A program and what is asked of it, as bytes that travel to a worker."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from typing import Any

from app.runner import Limits, Measure, Request


def pack(request: Request, measure: Measure | None) -> bytes:
    """``request`` (and how it is to be measured) as JSON.

    >>> unpack(pack(Request("print(1)", files=(("a.csv", b"1"),)), Measure(repeats=3)))[1].repeats
    3
    """
    fields = asdict(request)
    # What measures one run of a program is decided where it runs.
    del fields["measure"]
    fields["files"] = [[name, base64.b64encode(data).decode("ascii")] for name, data in request.files]
    return json.dumps({"request": fields, "measure": asdict(measure) if measure else None}).encode("ascii")


def unpack(data: bytes) -> tuple[Request, Measure | None]:
    """What :func:`pack` packed."""
    read: dict[str, Any] = json.loads(data)
    fields: dict[str, Any] = read["request"]
    files = tuple((name, base64.b64decode(text)) for name, text in fields.pop("files"))
    limits = Limits(**fields.pop("limits"))
    argv = tuple(fields.pop("argv"))
    measure = Measure(**read["measure"]) if read["measure"] else None
    return Request(**fields, argv=argv, limits=limits, files=files), measure
