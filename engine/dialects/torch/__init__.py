"""The torch dialect: PyTorch's names, messages, printing and random numbers on the dynamic engine.

:func:`modules` gives the modules that :mod:`engine.dialects.importer` serves for ``import torch``.
"""

from __future__ import annotations

from engine.dialects.torch.namespace import modules

__all__ = ["modules"]
