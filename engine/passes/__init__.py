"""The optimiser: passes over a draft of what one plan needs, one file a pass.

>>> from engine.passes import DEFAULT
>>> [one.name for one in DEFAULT][:2]
['dead code removal', 'redundant step removal']
"""

from engine.passes.arithmetic import Arithmetic
from engine.passes.common_subexpressions import CommonSubexpressions
from engine.passes.constant_folding import ConstantFolding
from engine.passes.dead_code import DeadCode
from engine.passes.draft import Draft, Pass, Report, Step
from engine.passes.fusion import Fusion
from engine.passes.loop_invariants import LoopInvariants
from engine.passes.redundant import Redundant
from engine.passes.runner import DEFAULT, optimise, without

__all__ = [
    "DEFAULT",
    "Arithmetic",
    "CommonSubexpressions",
    "ConstantFolding",
    "DeadCode",
    "Draft",
    "Fusion",
    "LoopInvariants",
    "Pass",
    "Redundant",
    "Report",
    "Step",
    "optimise",
    "without",
]
