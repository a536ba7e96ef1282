"""Folding while recording: a long loop must not fill the journal.

Past a threshold, passes of a loop that did what passes before them did are taken out of the journal again. In their
place stands one row that says how many they were, how many steps they had, and what the numbers in their variables
were; behind it what they have left in variables and nodes, and what they printed. Whole stay the first passes of each
kind, the last two of each loop, and those that are unlike the others (another way through the program, something
printed, an error, a NaN). ``docs/decisions/0006-folding.md`` says why so.
"""

from __future__ import annotations

from engine.recording.folding.folder import fold

__all__ = ["fold"]
