"""What a run is asked to do."""

from __future__ import annotations

import base64
import json
import posixpath
from dataclasses import asdict, dataclass

from engine.recording.config import Measuring

QUESTIONS = 5
"""How often a program's patience may be used up. A program can pretend to wait; this bounds how long."""


FILES_BYTES = 15 << 20
"""What the files beside a program may hold in all; the rest of its 16 MB is for what it writes."""
FILES = 1000
MAX_REPEATS = 25


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
class Measure:
    """A program is to be measured: ``repeats`` runs of it, as many as begin within ``seconds``; ``line`` is that of the
    function, loop or statement that matters (0: the whole program)."""

    repeats: int = 7
    line: int = 0
    seconds: float = 60.0

    def __post_init__(self) -> None:
        if not (0 < self.repeats <= MAX_REPEATS and self.line >= 0 and self.seconds > 0):
            raise ValueError(f"a measurement has 1 to {MAX_REPEATS} repeats: {self}")


@dataclass(frozen=True)
class Request:
    """One program: ``source`` text, ``name`` of its file in tracebacks, ``argv`` after the name, ``stdin`` text or
    None.

    ``interactive``: when that text is used up, the program waits for more (:meth:`app.runner.Run.answer`), for at most
    ``patience`` seconds at a time (and :data:`QUESTIONS` times that in all), which do not count as running. Then, as
    without it, there is no more input.

    ``files`` are (name, contents) of files that lie beside the program: names are relative to its folder.

    ``measure``: the program is measured in this one run, and what comes of it is no trace
    (:mod:`app.runner.measurement`).

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
    files: tuple[tuple[str, bytes], ...] = ()
    measure: Measuring | None = None
    owner: str = ""
    """Whose program it is: of each owner one runs at a time, the others wait. Without one, any number run."""

    def __post_init__(self) -> None:
        if len(self.files) > FILES or sum(len(data) for _, data in self.files) > FILES_BYTES:
            raise ValueError(f"the files beside a program may be {FILES:,}, and hold {FILES_BYTES >> 20} MB in all")
        for name, _ in self.files:
            if (
                not name
                or "\0" in name
                or name.startswith("/")
                or posixpath.normpath(name).split("/")[0] in ("..", ".")
            ):
                raise ValueError(f"{name!r} is no name for a file beside a program")

    def to_json(self, *, files: bool = True) -> bytes:
        """The configuration as ``engine.recording.config.RunConfig`` reads it, with ``files`` (name, base64) beside it
        if they are wanted; ASCII, whatever the texts hold."""
        encoded = [[name, base64.b64encode(data).decode("ascii")] for name, data in self.files] if files else []
        return json.dumps({
            "files": encoded,
            "source": self.source, "name": self.name, "argv": list(self.argv), "stdin": self.stdin or "",
            "interactive": self.interactive,
            "limits": asdict(self.limits),
            "measure": asdict(self.measure) if self.measure is not None else None,
        }).encode("ascii")  # fmt: skip
