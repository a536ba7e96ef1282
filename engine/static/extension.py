"""What a session takes in when nodes were added since its last plan, and what that cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Extension:
    """What a session takes in with a plan: ``new`` nodes beside the ``known`` ones; ``kept`` plans stay as they are."""

    new: int
    known: int
    kept: int

    def sentence(self, seconds: float) -> str:
        """What it cost, in words.

        >>> Extension(1, 74, 2).sentence(0.00025)
        '1 new node joins the 74 that the session knows; 2 plans stay as they are, this one took 250 µs to prepare'
        """
        new = f"{self.new or 'no'} new node{'s join' if self.new != 1 else ' joins'} the {self.known:,}"
        kept = f"{self.kept or 'no'} plan{'s stay' if self.kept != 1 else ' stays'}"
        return (
            f"{new} that the session knows; {kept} as {'they are' if self.kept != 1 else 'it is'}, "
            f"this one took {seconds * 1e6:,.0f} µs to prepare"
        )
