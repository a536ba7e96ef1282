"""Symbolic capture, in the manner of ``torch.fx``: a function runs once on proxies, and what it did becomes a program.

    >>> import engine
    >>> from engine.bridges.capture import capture
    >>> program = capture(lambda x: engine.relu(x * 2.0) + 1.0)
    >>> print(program.code)
    def forward(x):
        mul = F.mul(x, 2.0)
        relu = F.relu(mul)
        add = F.add(relu, 1.0)
        return add

A captured program is a list of :class:`Entry` that can be changed (``replace``, ``insert``, ``erase``, ``lint``),
called, printed as Python source, and turned into a static graph::

    >>> relu = program.find("relu")
    >>> tanh = program.insert("tanh", relu.arguments, after=relu)
    >>> program.replace(relu, tanh)
    1
    >>> program.erase(relu)
    >>> program.lint()
    >>> program(engine.tensor([0.0]))
    tensor([1.])
"""

from __future__ import annotations

from engine.bridges.capture.capture import CaptureError, capture
from engine.bridges.capture.entry import Entry
from engine.bridges.capture.program import Program

__all__ = ["CaptureError", "Entry", "Program", "capture"]
