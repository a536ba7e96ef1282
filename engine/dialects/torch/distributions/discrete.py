"""Distributions of counts and classes."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch import arranging, pointwise, sampling, special
from engine.dialects.torch.autograd import enable_grad, no_grad
from engine.dialects.torch.creation import empty
from engine.dialects.torch.distributions import constraints
from engine.dialects.torch.distributions.constraints import Constraint
from engine.dialects.torch.distributions.continuous import _Scalar
from engine.dialects.torch.distributions.distribution import Distribution, broadcast_all, probs_to_logits
from engine.dialects.torch.gathering import scatter_add
from engine.dialects.torch.nn.functional import one_hot, softmax
from engine.dialects.torch.nn.losses import binary_cross_entropy_with_logits
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import Size


class _Chances(Distribution):
    """A distribution with ``probs`` or ``logits``; the other one is found when it is asked for."""

    _binary = True

    @cached_property
    def logits(self) -> Any:
        with enable_grad():  # the first to ask may be a sample
            return probs_to_logits(self.probs, self._binary)

    @cached_property
    def probs(self) -> Any:
        with enable_grad():
            return pointwise.sigmoid(self.logits) if self._binary else softmax(self.logits, -1)

    @staticmethod
    def _one_of(probs: Any, logits: Any) -> None:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class _YesOrNo(_Chances):
    """Chances of yes against no."""

    arg_constraints: ClassVar[dict[str, Constraint]] = {"probs": constraints.unit_interval, "logits": constraints.real}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._one_of(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        (self.__dict__[name],) = broadcast_all(given)
        super().__init__(self.__dict__[name].shape, validate_args=validate_args)


class Bernoulli(_YesOrNo):
    """1 with a probability, else 0."""

    __module__ = "torch.distributions.bernoulli"
    support = constraints.boolean
    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self) -> Any:
        found = (self.probs >= 0.5).to(self.probs.dtype)
        found[self.probs == 0.5] = float("nan")
        return found

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            return sampling.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Geometric(_YesOrNo):
    """How often one fails before the first success."""

    __module__ = "torch.distributions.geometric"
    support = constraints.nonnegative_integer
    mean = property(lambda self: 1.0 / self.probs - 1.0)
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape: Any = ()) -> Any:
        shape, kind = self._extended_shape(sample_shape), self.probs.dtype
        with no_grad():
            u = empty(shape, dtype=kind).uniform_().clamp(min=float(np.finfo(kind.array).tiny))
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self) -> Any:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


class Categorical(_Chances):
    """A class number from 0 to K - 1, with probabilities along the last dimension."""

    __module__ = "torch.distributions.categorical"
    arg_constraints: ClassVar[dict[str, Constraint]] = {"probs": constraints.simplex, "logits": constraints.real_vector}
    _binary = False

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._one_of(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        if given.ndim < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self.__dict__["logits"] = logits - logits.logsumexp(dim=-1, keepdim=True)
        else:
            self.__dict__["probs"] = probs / probs.sum(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @property
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def param_shape(self) -> Size:
        return Size((*self._batch_shape, self._num_events))

    @property
    def mean(self) -> Any:
        return Tensor(np.full(self._batch_shape, np.nan, self.probs._array.dtype))

    variance = mean
    mode = property(lambda self: self.probs.argmax(dim=-1))

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            rows = self.probs.reshape(-1, self._num_events)
            drawn = sampling.multinomial(rows, Size(sample_shape).numel(), True)
            return drawn.T.reshape(*sample_shape, *self._batch_shape)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        index = value.long().unsqueeze(-1)
        index, table = arranging.broadcast_tensors(index, self.logits)
        return table.gather(-1, index[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        safe = self.logits.clamp(min=float(np.finfo(self.logits._array.dtype).min))
        return -(safe * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        values = Tensor(np.arange(self._num_events).reshape(-1, *(1,) * len(self._batch_shape)))
        return values.expand(-1, *self._batch_shape) if expand else values


class OneHotCategorical(_Chances):
    """A class as a vector with a single 1."""

    __module__ = "torch.distributions.one_hot_categorical"
    arg_constraints: ClassVar[dict[str, Constraint]] = Categorical.arg_constraints
    support = constraints.one_hot
    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    probs: Any = property(lambda self: self._categorical.probs)
    logits: Any = property(lambda self: self._categorical.logits)

    def sample(self, sample_shape: Any = ()) -> Any:
        drawn = self._categorical.sample(sample_shape)
        return one_hot(drawn, self._categorical._num_events).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Any:
        return self._categorical.entropy()


class Multinomial(_Chances):
    """How often each class comes in ``total_count`` draws."""

    __module__ = "torch.distributions.multinomial"
    arg_constraints: ClassVar[dict[str, Constraint]] = Categorical.arg_constraints
    mean = property(lambda self: self.probs * self.total_count)

    def __init__(
        self, total_count: int = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    probs: Any = property(lambda self: self._categorical.probs)
    logits: Any = property(lambda self: self._categorical.logits)

    @property
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return Multinomial(self.total_count, self._wide(self.probs, batch_shape), validate_args=False)

    def sample(self, sample_shape: Any = ()) -> Any:
        drawn = self._categorical.sample((self.total_count, *sample_shape)).movedim(0, -1)
        counts = Tensor(np.zeros(self._extended_shape(sample_shape), np.int64))
        return scatter_add(counts, -1, drawn, Tensor(np.ones(drawn.shape, np.int64))).type_as(self.probs)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return special.lgamma(value.sum(-1) + 1) - special.lgamma(value + 1).sum(-1) + (logits * value).sum(-1)


class Binomial(_Chances):
    """How often yes comes in ``total_count`` tries."""

    __module__ = "torch.distributions.binomial"
    arg_constraints: ClassVar[dict[str, Constraint]] = {
        "total_count": constraints.nonnegative_integer,
        **_YesOrNo.arg_constraints,
    }
    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._one_of(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        self.total_count, self.__dict__[name] = broadcast_all(total_count, given)
        super().__init__(self.total_count.shape, validate_args=validate_args)

    @property
    def support(self) -> Any:
        return constraints.integer_interval(0, self.total_count)

    def sample(self, sample_shape: Any = ()) -> Any:
        raise NotImplementedError(
            "Binomial.sample: this teaching engine has no stream of binomial numbers; add up Bernoulli samples"
        )

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        n = self.total_count
        ways = special.lgamma(n + 1) - special.lgamma(value + 1) - special.lgamma(n - value + 1)
        # n log(1 + e^logits), without overflow
        rest = n * self.logits.clamp(min=0) + n * (-self.logits.abs()).exp().log1p()
        return ways + value * self.logits - rest


class Poisson(_Scalar):
    """How often something happens that happens ``rate`` times on average."""

    __module__ = "torch.distributions.poisson"
    arg_constraints: ClassVar[dict[str, Constraint]] = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    rate: Any
    mean = property(lambda self: self.rate)
    variance = property(lambda self: self.rate)

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        super().__init__(rate, validate_args=validate_args)

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            return sampling.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return special.xlogy(value, rate) - rate - special.lgamma(value + 1)
