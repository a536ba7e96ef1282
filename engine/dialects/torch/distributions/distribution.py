"""The base of all distributions: shapes, checked parameters, samples without gradients."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from engine.dialects.torch import arranging, pointwise, sampling
from engine.dialects.torch.autograd import no_grad
from engine.dialects.torch.distributions.constraints import Constraint
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import DEFAULT, Size


def broadcast_all(*values: Any) -> tuple[Any, ...]:
    """Numbers and tensors as tensors of one shape and kind."""
    known = next((v for v in values if isinstance(v, Tensor)), None)
    kind = DEFAULT.float.array if known is None else known._array.dtype
    tensors = [v if isinstance(v, Tensor) else Tensor(np.asarray(v, kind)) for v in values]
    return tuple(arranging.broadcast_tensors(*tensors))


def standard_normal(shape: Any, like: Tensor) -> Tensor:
    """Numbers with mean 0 and deviation 1."""
    kind = like._array.dtype
    return sampling.normal(Tensor(np.zeros(shape, kind)), Tensor(np.ones(shape, kind)))


def clamp_probs(probs: Any) -> Any:
    """Probabilities that have a logarithm."""
    eps = float(np.finfo(probs._array.dtype).eps)
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """Log-probabilities, or log-odds of yes against no."""
    safe = clamp_probs(probs)
    return pointwise.log(safe) - pointwise.log1p(-safe) if is_binary else pointwise.log(safe)


class Distribution:
    """A random variable: ``batch_shape`` independent ones, each of ``event_shape``."""

    __module__ = "torch.distributions.distribution"
    has_rsample = False
    _validate_args = True
    arg_constraints: ClassVar[dict[str, Constraint]] = {}
    support: Any = None

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: bool | None = None) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                if name in self.__dict__ and not np.all(constraint.holds(self.__dict__[name]._array)):
                    value = self.__dict__[name]
                    raise ValueError(
                        f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                        f"distribution {self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n"
                        f"{_shown(value)}"
                    )

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether parameters and values are checked."""
        Distribution._validate_args = value

    @property
    def batch_shape(self) -> Size:
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        return self._event_shape

    def _extended_shape(self, sample_shape: Any = ()) -> tuple[int, ...]:
        return (*sample_shape, *self._batch_shape, *self._event_shape)

    def _validate_sample(self, value: Any) -> None:
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        if self.support is None:
            return
        if not np.all(self.support.holds(value._array)):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the "
                f"support ({self.support!r}) of the distribution {self!r}, but found invalid values:\n{_shown(value)}"
            )

    def rsample(self, sample_shape: Any = ()) -> Any:
        """A sample through which gradients flow to the parameters."""
        raise NotImplementedError

    def sample(self, sample_shape: Any = ()) -> Any:
        """A sample, as a tensor without history."""
        with no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n: int) -> Any:
        return self.sample((n,))

    def log_prob(self, value: Any) -> Any:
        raise NotImplementedError

    def entropy(self) -> Any:
        raise NotImplementedError

    def perplexity(self) -> Any:
        return pointwise.exp(self.entropy())

    @property
    def mean(self) -> Any:
        raise NotImplementedError

    @property
    def variance(self) -> Any:
        raise NotImplementedError

    @property
    def stddev(self) -> Any:
        return self.variance.sqrt()

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution in a larger batch."""
        names = [name for name in self.arg_constraints if name in self.__dict__] or list(self.arg_constraints)
        if "probs" in names and "logits" in names:
            names.remove("logits")
        given = {name: self._wide(getattr(self, name), batch_shape) for name in names}
        return type(self)(**given, validate_args=False)

    def _wide(self, parameter: Any, batch_shape: Any) -> Any:
        """A parameter for a larger batch."""
        return parameter.expand((*batch_shape, *parameter.shape[len(self._batch_shape) :]))

    def __repr__(self) -> str:
        words = []
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                words.append(f"{name}: {value._array.item() if value._array.size == 1 else value.shape}")
        return f"{type(self).__name__}({', '.join(words)})"


def _shown(value: Tensor) -> str:
    """A tensor in a message: single numbers bare, as in format strings."""
    return format(value.detach())
