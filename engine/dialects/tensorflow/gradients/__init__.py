"""``tf.gradients``: the backward graph with the ops, names and order that TensorFlow gives it.

* :mod:`.walk` — which op is differentiated when, how gradients are added up and gated;
* :mod:`.registry` — the rules by op type; :mod:`.arithmetic`, :mod:`.reducing`, :mod:`.shaping`, :mod:`.activating`,
  :mod:`.imaging` hold them, :mod:`.parts` what they share, :mod:`.kernels` the ops that only gradients have;
* :mod:`.table` — ops without a rule here: the engine's own gradients.

What a step computes is lowered to the engine's ops: a reduction of broadcast axes is one ``sum_to``, however many ops
of shapes stand around it in the graph. Those are there, with the right values when fetched; no step runs them.
"""

from engine.dialects.tensorflow.gradients import activating, arithmetic, imaging, reducing, shaping
from engine.dialects.tensorflow.gradients.second_order import hessians
from engine.dialects.tensorflow.gradients.walk import gradients

__all__ = ["activating", "arithmetic", "gradients", "hessians", "imaging", "reducing", "shaping"]
