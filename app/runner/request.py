"""What a run is asked to do."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

QUESTIONS = 5
"""How often a program's patience may be used up. A program can pretend to wait; this bounds how long."""


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

    ``interactive``: when that text is used up, the program waits for more (:meth:`app.runner.Run.answer`), for at most
    ``patience`` seconds at a time (and :data:`QUESTIONS` times that in all), which do not count as running. Then, as
    without it, there is no more input.

    >>> Request("print(1)").limits.seconds
    10
    """

    source: str
    name: str = "main.py"
    argv: tuple[str, ...] = ()
    stdin: str | None = None
    interactive: bool = False
    patience: float = 120.0
    limits: Limits = Limits()

    def to_json(self) -> bytes:
        """The configuration as ``engine.recording.config.RunConfig`` reads it; ASCII, whatever the texts hold."""
        return json.dumps({
            "source": self.source, "name": self.name, "argv": list(self.argv), "stdin": self.stdin or "",
            "interactive": self.interactive,
            "limits": asdict(self.limits),
        }).encode("ascii")  # fmt: skip
