"""Distributions of real numbers, made from uniform and normal ones."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch import pointwise, sampling, special
from engine.dialects.torch.autograd import no_grad
from engine.dialects.torch.creation import empty
from engine.dialects.torch.distributions import constraints
from engine.dialects.torch.distributions.constraints import Constraint
from engine.dialects.torch.distributions.distribution import Distribution, broadcast_all, standard_normal


class _Scalar(Distribution):
    """One number each, with the parameters named in ``arg_constraints``."""

    support: Any = constraints.real

    def __init__(self, *values: Any, validate_args: bool | None = None) -> None:
        names = list(self.arg_constraints)
        tensors = broadcast_all(*values)
        self.__dict__.update(zip(names, tensors, strict=True))
        super().__init__(tensors[0].shape, validate_args=validate_args)

    def _noise(self, sample_shape: Any, fill: str, *arguments: Any) -> Any:
        """Numbers of a plain distribution in the shape of a sample."""
        first = self.__dict__[next(iter(self.arg_constraints))]
        with no_grad():
            return getattr(empty(self._extended_shape(sample_shape), dtype=first.dtype), fill)(*arguments)


class _LocScale(_Scalar):
    """A distribution that is moved by ``loc`` and stretched by ``scale``."""

    arg_constraints: ClassVar[dict[str, Constraint]] = {"loc": constraints.real, "scale": constraints.positive}
    has_rsample = True
    loc: Any
    scale: Any

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(loc, scale, validate_args=validate_args)


class Normal(_LocScale):
    """The normal distribution of mean ``loc`` and standard deviation ``scale``."""

    __module__ = "torch.distributions.normal"
    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def sample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return sampling.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.loc + standard_normal(self._extended_shape(sample_shape), self.loc) * self.scale

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        variance = self.scale**2
        return -((value - self.loc) ** 2) / (2 * variance) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Any) -> Any:
        return 0.5 * (1 + pointwise.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Any) -> Any:
        return self.loc + self.scale * special.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Any:
        return 0.5 + 0.5 * math.log(2 * math.pi) + pointwise.log(self.scale)


class HalfNormal(_Scalar):
    """The size of a normal number around 0."""

    __module__ = "torch.distributions.half_normal"
    arg_constraints: ClassVar[dict[str, Constraint]] = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    scale: Any
    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale.pow(2) * (1 - 2 / math.pi))

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(scale, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return Normal(self.scale * 0, self.scale).rsample(sample_shape).abs()

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return Normal(self.scale * 0, self.scale).log_prob(value) + math.log(2)

    def entropy(self) -> Any:
        return Normal(self.scale * 0, self.scale).entropy() - math.log(2)


class Laplace(_LocScale):
    """Two exponential distributions back to back."""

    __module__ = "torch.distributions.laplace"
    mean = property(lambda self: self.loc)
    stddev = property(lambda self: (2**0.5) * self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def rsample(self, sample_shape: Any = ()) -> Any:
        u = self._noise(sample_shape, "uniform_", float(np.finfo(self.loc._array.dtype).eps) - 1, 1)
        return self.loc - self.scale * u.sign() * pointwise.log1p(-u.abs())

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return -pointwise.log(2 * self.scale) - pointwise.abs(value - self.loc) / self.scale

    def entropy(self) -> Any:
        return 1 + pointwise.log(2 * self.scale)


class Cauchy(_LocScale):
    """The ratio of two normal numbers, moved and stretched."""

    __module__ = "torch.distributions.cauchy"

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.loc + self._noise(sample_shape, "cauchy_") * self.scale

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def entropy(self) -> Any:
        return math.log(4 * math.pi) + self.scale.log()


class Gumbel(_LocScale):
    """The distribution of the largest of many numbers."""

    __module__ = "torch.distributions.gumbel"
    mean = property(lambda self: self.loc + self.scale * 0.57721566490153286060)
    variance = property(lambda self: (math.pi / math.sqrt(6) * self.scale).pow(2))

    def rsample(self, sample_shape: Any = ()) -> Any:
        info = np.finfo(self.loc._array.dtype)
        u = self._noise(sample_shape, "uniform_").mul_(1 - float(info.eps) - float(info.tiny)).add_(float(info.tiny))
        return self.loc - self.scale * pointwise.log(-pointwise.log(u))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    def entropy(self) -> Any:
        return self.scale.log() + (1 + 0.57721566490153286060)


class Uniform(_Scalar):
    """All numbers from ``low`` to ``high`` alike."""

    __module__ = "torch.distributions.uniform"
    arg_constraints: ClassVar[dict[str, Constraint]] = {"low": constraints.real, "high": constraints.real}
    has_rsample = True
    low: Any
    high: Any
    mean = property(lambda self: (self.high + self.low) / 2)
    stddev = property(lambda self: (self.high - self.low) / 12**0.5)
    variance = property(lambda self: (self.high - self.low).pow(2) / 12)

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        super().__init__(low, high, validate_args=validate_args)
        if self._validate_args and not (self.low._array < self.high._array).all():
            raise ValueError("Uniform is not defined when low>= high")

    @property
    def support(self) -> Any:
        return constraints.interval(self.low, self.high)

    def rsample(self, sample_shape: Any = ()) -> Any:
        drawn = sampling.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low).mul(self.high.gt(value).type_as(self.low))
        return pointwise.log(inside) - pointwise.log(self.high - self.low)

    def entropy(self) -> Any:
        return pointwise.log(self.high - self.low)


class Exponential(_Scalar):
    """How long one waits for what happens ``rate`` times in a unit of time."""

    __module__ = "torch.distributions.exponential"
    arg_constraints: ClassVar[dict[str, Constraint]] = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    rate: Any
    mean = property(lambda self: self.rate.reciprocal())
    stddev = property(lambda self: self.rate.reciprocal())
    variance = property(lambda self: self.rate.pow(-2))

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        super().__init__(rate, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self._noise(sample_shape, "exponential_") / self.rate

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def entropy(self) -> Any:
        return 1.0 - pointwise.log(self.rate)
