"""Runs strangers' programs in locked processes and gives back their traces.

>>> from app.runner import Request, Runner
>>> runner = Runner(spares=1, workers=1)                                     # doctest: +SKIP
>>> run = runner.submit(Request("print(1)"))                                 # doctest: +SKIP
>>> run.wait(), run.state, run.exit_status                                   # doctest: +SKIP
(True, 'done', 0)
"""

from __future__ import annotations

from .isolation import Isolation
from .measurement import Measurement
from .request import Limits, Measure, Request
from .run import Run
from .runner import Runner

__all__ = ["Isolation", "Limits", "Measure", "Measurement", "Request", "Run", "Runner"]
