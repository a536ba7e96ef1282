"""What parameters and values of distributions must be."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch.tensor import Tensor


class Constraint:
    """A condition on the elements of a tensor; ``event_dim`` dimensions are looked at together."""

    __module__ = "torch.distributions.constraints"
    is_discrete = False
    event_dim = 0

    def holds(self, array: Any) -> Any:
        """Where it holds, as an array of bools."""
        raise NotImplementedError

    def check(self, value: Tensor) -> Tensor:
        """Where it holds, as a tensor."""
        return Tensor(np.asarray(self.holds(value._array)))

    def __repr__(self) -> str:
        return f"{type(self).__name__.lstrip('_')}()"


class _Bounded(Constraint):
    """Between numbers or tensors, of which one may be missing."""

    strict = False

    def __init__(self, lower_bound: Any = None, upper_bound: Any = None) -> None:
        self.bounds = {"lower_bound": lower_bound, "upper_bound": upper_bound}

    def holds(self, array: Any) -> Any:
        low, high = (b._array if isinstance(b, Tensor) else b for b in self.bounds.values())
        result = np.ones(np.shape(array), bool) if low is None else array > low if self.strict else array >= low
        if high is not None:
            result = result & (array < high if self.strict else array <= high)
        return result

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={_plain(b)}" for name, b in self.bounds.items() if b is not None)
        return f"{type(self).__name__.lstrip('_')}({given})"


def _plain(bound: Any) -> Any:
    return bound._array.item() if isinstance(bound, Tensor) and bound._array.size == 1 else bound


class _Interval(_Bounded):
    pass


class _GreaterThan(_Bounded):
    strict = True


class _GreaterThanEq(_Bounded):
    pass


class _IntegerInterval(_Bounded):
    is_discrete = True

    def holds(self, array: Any) -> Any:
        return (array % 1 == 0) & super().holds(array)


class _IntegerGreaterThan(_IntegerInterval):
    pass


class _Boolean(Constraint):
    is_discrete = True

    def holds(self, array: Any) -> Any:
        return (array == 0) | (array == 1)


class _Real(Constraint):
    def holds(self, array: Any) -> Any:
        return ~np.isnan(array)


class _Simplex(Constraint):
    event_dim = 1

    def holds(self, array: Any) -> Any:
        return (array >= 0).all(-1) & (np.abs(array.sum(-1) - 1) < 1e-6)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def holds(self, array: Any) -> Any:
        return ((array == 0) | (array == 1)).all(-1) & (array.sum(-1) == 1)


class _Counts(Constraint):
    """Whole numbers with a given sum along the last dimension."""

    is_discrete = True
    event_dim = 1

    def __init__(self, total: int) -> None:
        self.total = total

    def holds(self, array: Any) -> Any:
        return (array >= 0).all(-1) & (array.sum(-1) <= self.total)

    def __repr__(self) -> str:
        return f"Multinomial(upper_bound={self.total})"


class _Independent(Constraint):
    """Another constraint, looked at over the last dimensions together."""

    def __init__(self, base: Constraint, dims: int) -> None:
        self.base, self.event_dim = base, base.event_dim + dims

    def holds(self, array: Any) -> Any:
        found = self.base.holds(array)
        return found.all(tuple(range(-(self.event_dim - self.base.event_dim), 0)))

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base!r}, {self.event_dim - self.base.event_dim})"


class _PositiveDefinite(Constraint):
    event_dim = 2

    def holds(self, array: Any) -> Any:
        symmetric = np.isclose(array, array.swapaxes(-1, -2), atol=1e-6).all((-1, -2))
        return symmetric & (np.linalg.eigvalsh(array) > 0).all(-1)


class _LowerCholesky(Constraint):
    event_dim = 2

    def holds(self, array: Any) -> Any:
        diagonal = np.diagonal(array, axis1=-2, axis2=-1)
        return (np.tril(array) == array).all((-1, -2)) & (diagonal > 0).all(-1)


boolean, real, simplex, one_hot = _Boolean(), _Real(), _Simplex(), _OneHot()
real_vector, positive_vector = _Independent(real, 1), _Independent(_GreaterThan(0.0), 1)
positive, nonnegative = _GreaterThan(0.0), _GreaterThanEq(0.0)
unit_interval, nonnegative_integer = _Interval(0.0, 1.0), _IntegerGreaterThan(0)
positive_definite, lower_cholesky = _PositiveDefinite(), _LowerCholesky()
interval, greater_than, integer_interval = _Interval, _GreaterThan, _IntegerInterval
independent, multinomial = _Independent, _Counts
NAMES = (
    "Constraint boolean real simplex one_hot real_vector positive nonnegative unit_interval nonnegative_integer "
    "positive_definite lower_cholesky interval greater_than integer_interval independent multinomial"
)
