"""Stepgraph as a guest in a process of others: a notebook's kernel, a Sphinx build.

There ``app`` and ``engine`` may be other people's packages, and what is imported stays. So this package,
``app.notebook`` and ``app.sphinx`` are imported as ``stepgraph.app.…``, import nothing of ours but each other
(relatively), and leave the work to the command ``stepgraph`` in a process of its own, which runs programs in its
sandbox as ever.
"""

from .command import GuestError, Recorded, export
from .frame import HEIGHT, frame, frame_of

__all__ = ["HEIGHT", "GuestError", "Recorded", "export", "frame", "frame_of"]
