"""What teaching programs import beside the framework: parts of ``sklearn``, ``tqdm``, ``IPython.display``.

A package that is really there is used instead. :func:`modules` gives what :mod:`engine.dialects.importer` serves in
every run.
"""

from __future__ import annotations

from engine.dialects.companions.namespace import modules

__all__ = ["modules"]
