"""The files of deploy/, tried with the real programs they are for."""

from __future__ import annotations

import sys
from pathlib import Path

# `served.py` of the web's tests starts servers; pytest imports tests by path and would not find it.
sys.path[:0] = [str(Path(__file__).parents[1] / "web")]
