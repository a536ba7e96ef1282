"""Data sets in place of those that programs would download: made here, the same on every machine.

>>> from engine.standin_data import digits
>>> images, labels = digits("test", 20)
>>> images.shape, images.dtype.name, labels[:5].tolist()
((20, 28, 28), 'uint8', [7, 2, 1, 0, 4])
"""

from __future__ import annotations

from engine.standin_data.announcing import announce
from engine.standin_data.counting import repeated, wants_whole
from engine.standin_data.digits import digits
from engine.standin_data.pictures import clothes, things

__all__ = ["announce", "clothes", "digits", "repeated", "things", "wants_whole"]
