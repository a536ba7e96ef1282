"""What must be reached, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Floor:
    """``measured`` must not be above ``bound`` (with ``at_least``: not below it). ``None``: it could not be measured,
    and ``why`` says what was missing; such a floor never counts as held."""

    name: str
    bound: float
    measured: float | None
    unit: str = "x"
    why: str = ""
    at_least: bool = False

    @property
    def holds(self) -> bool | None:
        """Whether the floor was reached; ``None`` if it could not be measured.

        >>> Floor("a", 0.5, 0.4).holds, Floor("a", 5, 4, at_least=True).holds, Floor("a", 1, None).holds
        (True, False, None)
        """
        if self.measured is None:
            return None
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound

    @property
    def text(self) -> str:
        """The floor with what was measured.

        >>> Floor("static / NumPy", 0.75, 0.5).text
        'static / NumPy <= 0.75 x: 0.5 x'
        """
        sign = ">=" if self.at_least else "<="
        found = f"not measured ({self.why})" if self.measured is None else f"{self.measured:.3g} {self.unit}"
        return f"{self.name} {sign} {self.bound:g} {self.unit}: {found}"


def verdict(floors: Sequence[Floor]) -> str:
    """One line: which floors hold, which don't, which could not be measured.

    >>> verdict([Floor("a", 1, 0.5), Floor("b", 1, 2), Floor("c", 1, None)])
    'Floors: 1 of 3 hold (a); 1 missed (b); 1 not measured (c).'
    """
    groups = {state: [f.name for f in floors if f.holds is state] for state in (True, False, None)}
    parts = [f"{len(groups[True])} of {len(floors)} hold{_listed(groups[True])}"]
    parts += [f"{len(groups[False])} missed{_listed(groups[False])}"] if groups[False] else ["none missed"]
    if groups[None]:
        parts.append(f"{len(groups[None])} not measured{_listed(groups[None])}")
    return f"Floors: {'; '.join(parts)}."


def _listed(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if names else ""


def exit_status(floors: Sequence[Floor]) -> int:
    """1 if a floor that could be measured was missed, else 0.

    >>> exit_status([Floor("a", 1, None), Floor("b", 1, 0.1)]), exit_status([Floor("a", 1, 2)])
    (0, 1)
    """
    return int(any(floor.holds is False for floor in floors))
