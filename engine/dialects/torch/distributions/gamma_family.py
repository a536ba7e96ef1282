"""Distributions made of gamma numbers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch import pointwise, special
from engine.dialects.torch.distributions import constraints
from engine.dialects.torch.distributions.constraints import Constraint
from engine.dialects.torch.distributions.continuous import _Scalar
from engine.dialects.torch.distributions.distribution import Distribution, broadcast_all, standard_normal
from engine.dialects.torch.from_data import made
from engine.dialects.torch.joining import stack
from engine.dialects.torch.streams import Generator, default_generator
from engine.dialects.torch.tensor import Tensor
from engine.dynamic import modes


def one_gamma(stream: Generator, alpha: float) -> float:
    """A gamma number by the method of G. Marsaglia and W. W. Tsang (2000)."""
    if alpha == 0:
        return 0.0
    scale = 1.0
    if alpha < 1:
        scale *= (1 - stream.fraction()) ** (1 / alpha)
        alpha += 1
    d = alpha - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        while True:
            x = float(stream.normals_one_by_one(1, 0.0, 1.0)[0])
            y = 1 + c * x
            if y > 0:
                break
        v = y * y * y
        u = 1 - stream.fraction()
        square = x * x
        if u < 1 - 0.0331 * square * square or math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


def gamma_numbers(alpha: Tensor) -> Any:
    """A gamma number for each element, as an array of float64."""
    drawn = [one_gamma(default_generator, a) for a in alpha._array.reshape(-1).tolist()]
    return np.array(drawn).reshape(alpha._array.shape)


def _no_path(*parameters: Tensor) -> None:
    if modes.enabled and any(p.requires_grad for p in parameters):
        raise NotImplementedError(
            "rsample: this teaching engine has no gradient through gamma numbers; use sample() with log_prob()"
        )


class Gamma(_Scalar):
    """Sums of waiting times: ``concentration`` many, at ``rate``."""

    __module__ = "torch.distributions.gamma"
    arg_constraints: ClassVar[dict[str, Constraint]] = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.nonnegative
    has_rsample = True
    concentration: Any
    rate: Any
    mean = property(lambda self: self.concentration / self.rate)
    variance = property(lambda self: self.concentration / self.rate.pow(2))

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        super().__init__(concentration, rate, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        _no_path(self.concentration)
        shape = self._extended_shape(sample_shape)
        alpha = self.concentration.detach().expand(shape)
        drawn = made(gamma_numbers(alpha).astype(alpha._array.dtype), False, "standard_gamma")
        return (drawn / self.rate.expand(shape)).clamp(min=float(np.finfo(alpha._array.dtype).tiny))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return (
            special.xlogy(self.concentration, self.rate)
            + special.xlogy(self.concentration - 1, value)
            - self.rate * value
            - special.lgamma(self.concentration)
        )

    def entropy(self) -> Any:
        alpha = self.concentration
        return alpha - pointwise.log(self.rate) + special.lgamma(alpha) + (1.0 - alpha) * special.digamma(alpha)


class Chi2(Gamma):
    """Sums of squares of ``df`` normal numbers."""

    __module__ = "torch.distributions.chi2"
    arg_constraints: ClassVar[dict[str, Constraint]] = {"df": constraints.positive}
    df = property(lambda self: self.concentration * 2)

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        (free,) = broadcast_all(df)
        self.concentration, self.rate = 0.5 * free, broadcast_all(0.5, free)[0]
        Distribution.__init__(self, free.shape, validate_args=validate_args)


class StudentT(_Scalar):
    """A normal number over the root of a mean of squares."""

    __module__ = "torch.distributions.studentT"
    arg_constraints: ClassVar[dict[str, Constraint]] = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    df: Any
    loc: Any
    scale: Any

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        super().__init__(df, loc, scale, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        top = standard_normal(self._extended_shape(sample_shape), self.loc)
        below = Chi2(self.df).rsample(sample_shape)
        return self.loc + self.scale * (top * pointwise.rsqrt(below / self.df))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        y = (value - self.loc) / self.scale
        z = (
            self.scale.log()
            + 0.5 * self.df.log()
            + 0.5 * math.log(math.pi)
            + special.lgamma(0.5 * self.df)
            - special.lgamma(0.5 * (self.df + 1.0))
        )
        return -0.5 * (self.df + 1.0) * pointwise.log1p(y**2.0 / self.df) - z


class Dirichlet(Distribution):
    """Numbers that add up to 1."""

    __module__ = "torch.distributions.dirichlet"
    arg_constraints: ClassVar[dict[str, Constraint]] = {
        "concentration": constraints.positive_vector,
    }  # fmt: skip
    support = constraints.simplex
    has_rsample = True
    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    def __init__(self, concentration: Any, validate_args: bool | None = None) -> None:
        if concentration.ndim < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)

    @property
    def variance(self) -> Any:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Any:
        _no_path(self.concentration)
        alpha = self.concentration.detach().expand(self._extended_shape(sample_shape))
        drawn = gamma_numbers(alpha)
        return made((drawn / drawn.sum(-1, keepdims=True)).astype(alpha._array.dtype), False, "sample_dirichlet")

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        alpha = self.concentration
        return special.xlogy(alpha - 1.0, value).sum(-1) + special.lgamma(alpha.sum(-1)) - special.lgamma(alpha).sum(-1)

    def entropy(self) -> Any:
        alpha = self.concentration
        count, total = alpha.shape[-1], alpha.sum(-1)
        return (
            special.lgamma(alpha).sum(-1)
            - special.lgamma(total)
            - (count - total) * special.digamma(total)
            - ((alpha - 1.0) * special.digamma(alpha)).sum(-1)
        )


class Beta(Distribution):
    """A number between 0 and 1: the first of two that add up to 1."""

    __module__ = "torch.distributions.beta"
    arg_constraints: ClassVar[dict[str, Constraint]] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval
    has_rsample = True
    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        self._dirichlet = Dirichlet(stack(broadcast_all(concentration1, concentration0), -1), validate_args)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    @property
    def variance(self) -> Any:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Any:
        return self._dirichlet.entropy()
