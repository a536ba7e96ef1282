"""Distributions of vectors, of several variables as one, of mixtures, and of what functions make of a sample."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from engine.dialects.torch.distributions import constraints
from engine.dialects.torch.distributions.constraints import Constraint
from engine.dialects.torch.distributions.continuous import Normal
from engine.dialects.torch.distributions.distribution import Distribution, standard_normal
from engine.dialects.torch.distributions.transforms import ExpTransform
from engine.dialects.torch.linalg.factors import cholesky, solve_triangular
from engine.dialects.torch.linear_algebra import inverse
from engine.dialects.torch.nn.functional import log_softmax


class MultivariateNormal(Distribution):
    """Normal vectors of mean ``loc``, with covariances (or their inverse, or the Cholesky factor)."""

    __module__ = "torch.distributions.multivariate_normal"
    arg_constraints: ClassVar[dict[str, Constraint]] = {
        "loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky,
    }  # fmt: skip
    support = constraints.real_vector
    has_rsample = True
    mean = property(lambda self: self.loc)

    def __init__(
        self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        if loc.ndim < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = {
            "covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril,
        }  # fmt: skip
        ways = [name for name, value in given.items() if value is not None]
        if len(ways) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        matrix = given[ways[0]]
        if matrix.ndim < 2:
            raise ValueError(f"{ways[0]} must be at least two-dimensional, with optional leading batch dimensions")
        self.loc = loc if matrix.ndim == 2 else loc.expand(*matrix.shape[:-1])
        self.__dict__[ways[0]] = matrix if loc.ndim == 1 else matrix.expand(*loc.shape[:-1], *matrix.shape[-2:])
        super().__init__(self.loc.shape[:-1], self.loc.shape[-1:], validate_args)
        if scale_tril is None:
            whole = covariance_matrix if precision_matrix is None else inverse(precision_matrix)
            self._factor = cholesky(whole)
        else:
            self._factor = scale_tril

    def __getattr__(self, name: str) -> Any:
        if name == "scale_tril":
            return self._factor
        if name == "covariance_matrix":
            return self._factor @ self._factor.mT
        if name == "precision_matrix":
            return inverse(self.covariance_matrix)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def variance(self) -> Any:
        return self._factor.pow(2).sum(-1).expand(self._extended_shape())

    def rsample(self, sample_shape: Any = ()) -> Any:
        eps = standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + (self._factor @ eps.unsqueeze(-1)).squeeze(-1)

    def _half_log_det(self) -> Any:
        return self._factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        self._validate_sample(value)
        away = (value - self.loc).unsqueeze(-1)
        distance = solve_triangular(self._factor, away, upper=False).squeeze(-1).pow(2).sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self) -> Any:
        return 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()


class Independent(Distribution):
    """Several variables of a batch as one event."""

    __module__ = "torch.distributions.independent"
    mean = property(lambda self: self.base_dist.mean)
    variance = property(lambda self: self.base_dist.variance)
    has_rsample = property(lambda self: self.base_dist.has_rsample)

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        batch = base_distribution.batch_shape
        if reinterpreted_batch_ndims > len(batch):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch)}"
            )
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        cut = len(batch) - reinterpreted_batch_ndims
        super().__init__(batch[:cut], batch[cut:] + base_distribution.event_shape, validate_args)

    def _summed(self, values: Any) -> Any:
        count = self.reinterpreted_batch_ndims
        return values.sum(tuple(range(-count, 0))) if count else values

    def sample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self) -> Any:
        return self._summed(self.base_dist.entropy())

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        inner = self._event_shape[: self.reinterpreted_batch_ndims]
        return Independent(self.base_dist.expand((*batch_shape, *inner)), self.reinterpreted_batch_ndims, False)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamily(Distribution):
    """One of several distributions of a kind, drawn from a categorical one."""

    __module__ = "torch.distributions.mixture_same_family"

    def __init__(self, mixture_distribution: Any, component_distribution: Any, validate_args: Any = None) -> None:
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        event = component_distribution.event_shape
        super().__init__(component_distribution.batch_shape[:-1], event, validate_args)

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)

    @property
    def mean(self) -> Any:
        weights = self._mixture_distribution.probs
        weights = weights.reshape(*weights.shape, *(1,) * len(self._event_shape))
        return (weights * self._component_distribution.mean).sum(-1 - len(self._event_shape))

    def sample(self, sample_shape: Any = ()) -> Any:
        which = self._mixture_distribution.sample(sample_shape)
        drawn = self._component_distribution.sample(sample_shape)
        place, dims = len(sample_shape) + len(self._batch_shape), len(self._event_shape)
        index = which.reshape(*which.shape, *(1,) * (dims + 1)).expand(*which.shape, 1, *self._event_shape)
        return drawn.gather(place, index).squeeze(place)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        count = self._mixture_distribution._num_events
        parts = self._component_distribution.expand((*batch_shape, count))
        return MixtureSameFamily(self._mixture_distribution.expand(batch_shape), parts, False)

    def log_prob(self, value: Any) -> Any:
        each = self._component_distribution.log_prob(value.unsqueeze(-1 - len(self._event_shape)))
        return (each + log_softmax(self._mixture_distribution.logits, -1)).logsumexp(-1)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"


class TransformedDistribution(Distribution):
    """What invertible functions make of a sample."""

    __module__ = "torch.distributions.transformed_distribution"
    has_rsample = property(lambda self: self.base_dist.has_rsample)

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: bool | None = None) -> None:
        self.base_dist = base_distribution
        self.transforms = list(transforms) if isinstance(transforms, list | tuple) else [transforms]
        super().__init__(base_distribution.batch_shape, base_distribution.event_shape, validate_args)

    def _carried(self, x: Any) -> Any:
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape: Any = ()) -> Any:
        return self._carried(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self._carried(self.base_dist.rsample(sample_shape))

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        if self.arg_constraints:
            return super().expand(batch_shape)
        return TransformedDistribution(self.base_dist.expand(batch_shape), self.transforms, False)

    def log_prob(self, value: Any) -> Any:
        total: Any = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            slope = transform.log_abs_det_jacobian(x, y)
            total = total - (slope.sum(-1) if self._event_shape and slope.ndim else slope)
            y = x
        return total + self.base_dist.log_prob(y)


class LogNormal(TransformedDistribution):
    """Numbers whose logarithm is normal."""

    __module__ = "torch.distributions.log_normal"
    arg_constraints: ClassVar[dict[str, Constraint]] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: (self.loc + self.scale.pow(2) / 2).exp())
    variance = property(lambda self: self.scale.pow(2).expm1() * (2 * self.loc + self.scale.pow(2)).exp())

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale), ExpTransform(), validate_args)

    def entropy(self) -> Any:
        return self.base_dist.entropy() + self.loc
