"""Invertible functions with the logarithm of their slope."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.dialects.torch import pointwise, special
from engine.dialects.torch.nn.functional import softplus


class Transform:
    """``y = transform(x)``, ``x = transform.inv(y)``."""

    __module__ = "torch.distributions.transforms"

    def __call__(self, x: Any) -> Any:
        raise NotImplementedError

    def inv(self, y: Any) -> Any:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """ln |dy/dx|."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class ExpTransform(Transform):
    """``exp(x)``."""

    __module__ = "torch.distributions.transforms"

    def __call__(self, x: Any) -> Any:
        return pointwise.exp(x)

    def inv(self, y: Any) -> Any:
        return pointwise.log(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x


class TanhTransform(Transform):
    """``tanh(x)``."""

    __module__ = "torch.distributions.transforms"

    def __init__(self, cache_size: int = 0) -> None:
        pass

    def __call__(self, x: Any) -> Any:
        return pointwise.tanh(x)

    def inv(self, y: Any) -> Any:
        return special.atanh(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class SigmoidTransform(Transform):
    """``sigmoid(x)``."""

    __module__ = "torch.distributions.transforms"

    def __call__(self, x: Any) -> Any:
        info = np.finfo(x._array.dtype)
        return pointwise.sigmoid(x).clamp(min=float(info.tiny), max=1.0 - float(info.eps))

    def inv(self, y: Any) -> Any:
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -softplus(-x) - softplus(x)


class AffineTransform(Transform):
    """``loc + scale * x``."""

    __module__ = "torch.distributions.transforms"

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        if event_dim:
            raise NotImplementedError(
                "AffineTransform: this teaching engine has no event_dim; make the base distribution Independent"
            )
        self.loc, self.scale = loc, scale

    def __call__(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def inv(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        size = math.log(abs(self.scale)) if isinstance(self.scale, int | float) else self.scale.abs().log()
        return x * 0 + size
