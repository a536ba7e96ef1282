"""What a run is asked to do."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Limits:
    """What ends a run: wall-clock ``seconds``, ``memory_bytes`` on top of the idle engine, ``output_bytes``,
    ``events``."""

    seconds: float = 10
    memory_bytes: int = 512 << 20
    output_bytes: int = 1 << 20
    events: int = 200_000

    def __post_init__(self) -> None:
        if not (self.seconds > 0 and self.memory_bytes > 0 and self.output_bytes > 0 and self.events > 0):
            raise ValueError(f"every limit must be more than nought: {self}")


@dataclass(frozen=True)
class Request:
    """One program: ``source`` text, ``name`` of its file in tracebacks, ``argv`` after the name, ``stdin`` text or
    None.

    >>> Request("print(1)").limits.seconds
    10
    """

    source: str
    name: str = "main.py"
    argv: tuple[str, ...] = ()
    stdin: str | None = None
    limits: Limits = Limits()

    def to_json(self) -> bytes:
        """The configuration as ``engine.recording.config.RunConfig`` reads it; ASCII, whatever the texts hold."""
        return json.dumps({
            "source": self.source, "name": self.name, "argv": list(self.argv), "stdin": self.stdin or "",
            "limits": asdict(self.limits),
        }).encode("ascii")  # fmt: skip
