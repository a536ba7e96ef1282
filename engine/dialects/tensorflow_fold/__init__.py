"""``import tensorflow_fold as td``: dynamic batching over structures, after TensorFlow Fold.

Blocks describe what to compute for one example, whatever its shape (:mod:`blocks`, :mod:`sequences`,
:mod:`composing`); a compiler turns a block into one loop of a TensorFlow 1.x graph, built once (:mod:`loom`), in which
all calls of one function at one depth run as one, across examples (:mod:`weaving`, on :mod:`engine.bridges.batching`).
"""

from __future__ import annotations

from types import ModuleType

from engine.dialects.missing import module_getattr


def modules() -> dict[str, ModuleType]:
    """The modules that ``import tensorflow_fold`` finds, by full name."""
    from engine.dialects.tensorflow_fold.namespace import EXPORTED

    found = {}
    for name in ("tensorflow_fold", "tensorflow_fold.public", "tensorflow_fold.public.blocks"):
        module = found[name] = ModuleType(name)
        module.__path__ = []
        module.__dict__.update(EXPORTED)
        module.__dict__["__getattr__"] = module_getattr(module, "TensorFlow Fold")
    found["tensorflow_fold"].__dict__["public"] = found["tensorflow_fold.public"]
    found["tensorflow_fold.public"].__dict__["blocks"] = found["tensorflow_fold.public.blocks"]
    return found
