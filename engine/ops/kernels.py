"""``F``: the interpreter that runs kernels on plain arrays.

The Interpreter protocol
------------------------
A gradient function gets an interpreter ``F`` and may call

* every op of the table by name, operands first, then attributes in the order of the declaration or by name:
  ``F.matmul(g, b, False, True)``. Variadic ops take attributes by name only: ``F.concat(x, y, axis=1)``.
* ``F.shape(x)``: a *shape token*. It may be passed on as ``shape`` (or, in a tuple, as ``shapes``), its ``len()`` is
  the rank (a ``TypeError`` says that the rank is unknown), and two of them may be compared with ``==`` (not provably
  equal counts as different). Nothing else may be done with it: here and in dynamic mode it is a plain tuple, in a
  static graph with unknown dimensions it stands for a shape that only the run will know, and the op that it is passed
  to is replaced by its ``like`` twin.

Operands of elementwise ops may be Python scalars; they are weak (``F.mul(g, 0.5)`` keeps the dtype of ``g``). Do not
combine two scalars through ``F``: the result would be a NumPy scalar, which is not weak.

An interpreter sums the gradient of a broadcast operand of an ``elementwise`` op back to its shape. It may answer
``F.sum_to``, ``F.reshape`` and ``F.broadcast_to`` to the shape that the operand already has with the operand itself.

Here, ``F.<op>`` *is* the kernel: nothing is checked, promoted or recorded. Kernels follow IEEE 754; whether NumPy may
warn about overflow and division by zero is for the caller to set (``numpy.errstate``).
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

from engine.ops.registry import TABLE, Kernel, Op


class Kernels:
    """The kernels of the table as attributes.

    >>> import numpy as np
    >>> F.add(np.ones(2), 1).tolist()
    [2.0, 2.0]
    """

    shape = staticmethod(attrgetter("shape"))

    def __init__(self) -> None:
        for declared in TABLE.values():
            self.add_op(declared)

    def add_op(self, declared: Op) -> None:
        """Make an op callable."""
        setattr(self, declared.name, declared.kernel)

    def with_variants(self, rows: Iterable[Op]) -> Kernels:
        """The same with other kernels for some ops. Ops that are declared later are looked up here.

        >>> from dataclasses import replace
        >>> F.with_variants([replace(TABLE["neg"], kernel=abs)]).neg(-3)
        3
        """
        made = Kernels()
        made.rest = self
        for row in rows:
            made.add_op(row)
        return made

    rest: Kernels | None = None

    def __getattr__(self, name: str) -> Kernel:
        if self.rest is not None:
            return getattr(self.rest, name)  # type: ignore[no-any-return]
        # Only reached for what was declared after this interpreter was made, and for names that are no op.
        declared = TABLE.get(name)
        if declared is None:
            raise AttributeError(f"the table has no op {name!r}")
        self.add_op(declared)
        return declared.kernel


F: Any = Kernels()
