"""Measuring: a program runs without the recorder, and what it does is timed with next to nothing in its way.

One run is a *repeat*: ``repeat.py`` puts it together from ``marks.py`` (loops and the target, by rewriting the source),
``sessions.py`` (what preparing and running plans takes) and ``kernels.py`` (the listener of a *survey*). ``reading.py``
takes a repeat out of its journal, ``document.py`` makes one document of many (``docs/measurement.md``).
"""
