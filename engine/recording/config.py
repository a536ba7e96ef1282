"""What one run is asked to do: plain data, as it travels from the server to the child."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a run: seconds of wall clock, bytes of memory (0: none), bytes of output, events of the journal."""

    seconds: float = 10.0
    memory_bytes: int = 0
    output_bytes: int = 1 << 20
    events: int = 300_000


@dataclass(frozen=True, slots=True)
class Measuring:
    """The program is measured (:mod:`engine.measure`), not recorded: in a ``survey`` with all loops marked and a
    listener for kernels, else with ``loops`` (numbers) marked. ``line``: that of the target, 0 for none."""

    survey: bool = False
    loops: tuple[int, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class RunConfig:
    """One program: ``source`` text, ``name`` of its file in tracebacks, ``argv`` after the name, ``stdin`` text.

    ``interactive``: when that text is used up, more comes from descriptor 0. ``measure``: instead of being recorded.

    >>> RunConfig.from_json(RunConfig("print(1)").to_json()).source
    'print(1)'
    """

    source: str
    name: str = "main.py"
    argv: tuple[str, ...] = ()
    stdin: str = ""
    limits: Limits = field(default_factory=Limits)
    interactive: bool = False
    measure: Measuring | None = None

    def to_json(self) -> str:
        """The configuration as JSON text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> RunConfig:
        """Read what :meth:`to_json` wrote. :raises ValueError: something is missing or of the wrong type."""
        raw: Any = json.loads(text)
        if not isinstance(raw, dict) or not isinstance(raw.get("source"), str):
            raise ValueError("a run's configuration is a JSON object with the text 'source'")
        limits = raw.get("limits") or {}
        measure = raw.get("measure")
        try:
            return cls(
                source=raw["source"],
                name=str(raw.get("name", "main.py")),
                argv=tuple(str(word) for word in raw.get("argv", ())),
                stdin=str(raw.get("stdin", "")),
                interactive=raw.get("interactive") is True,
                limits=Limits(**limits),
                measure=Measuring(**{**measure, "loops": tuple(measure.get("loops", ()))}) if measure else None,
            )
        except TypeError as error:
            raise ValueError(f"unknown or malformed setting in a run's configuration: {error}") from None
