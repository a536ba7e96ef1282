"""Define and run: a graph is built once, then sessions compile and run parts of it."""

from engine.static import state_ops  # noqa: F401  (declares ops)
from engine.static.analysis import Analysis, analyse, measured
from engine.static.gradients import gradients
from engine.static.graph import Graph
from engine.static.interpreter import Interpreter
from engine.static.node import Node
from engine.static.plan import Plan
from engine.static.session import Session

__all__ = ["Analysis", "Graph", "Interpreter", "Node", "Plan", "Session", "analyse", "gradients", "measured"]
