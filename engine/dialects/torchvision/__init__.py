"""``torchvision`` as teaching programs use it: stand-in data sets, the common transforms, grids of pictures.

:func:`modules` gives the modules that :mod:`engine.dialects.importer` serves beside ``torch``.
"""

from __future__ import annotations

from engine.dialects.torchvision.namespace import modules

__all__ = ["modules"]
