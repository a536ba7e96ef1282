"""What an exercise may ask of a recording. Facts without arguments are values, the others are called with a name.

``stepgraph lessons facts PROGRAM`` prints those of a program. Names are those of the program's variables; ops are
called by the dialect's word (``MatMul``) or the engine's (``matmul``), whatever the case.
"""

from __future__ import annotations

from app.lessons.facts import gradients, graph, plans, program
from app.lessons.facts.table import FACTS, Fact, Facts

__all__ = ["FACTS", "Fact", "Facts", "gradients", "graph", "plans", "program"]
