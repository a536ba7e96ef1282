"""Mixed precision: on a CPU without bfloat16 there is nothing to mix, which is said where PyTorch says it."""

from __future__ import annotations

import functools
import warnings
from typing import Any


class autocast:
    """For ``"cuda"`` the warning and the full precision of a machine without a GPU; for ``"cpu"`` only if disabled."""

    __module__ = "torch.amp.autocast_mode"

    def __init__(
        self, device_type: str = "cuda", dtype: Any = None, enabled: bool = True, cache_enabled: bool | None = None
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = device_type
        if enabled and device_type == "cuda":
            warnings.warn(
                "CUDA is not available or torch_xla is imported. Disabling autocast.", UserWarning, stacklevel=2
            )
            enabled = False
        if enabled:
            raise NotImplementedError(
                f"autocast({device_type!r}): this teaching engine has no bfloat16; leave it out, or pass enabled=False"
            )

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, function: Any) -> Any:
        @functools.wraps(function)
        def inside(*arguments: Any, **options: Any) -> Any:
            return function(*arguments, **options)

        return inside


class CudaAutocast(autocast):
    """``torch.cuda.amp.autocast``: the old name."""

    __module__ = "torch.cuda.amp.autocast_mode"

    def __init__(self, enabled: bool = True, dtype: Any = None, cache_enabled: bool = True) -> None:
        warnings.warn(
            "`torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` "
            "instead.",
            FutureWarning, stacklevel=2,
        )  # fmt: skip
        super().__init__("cuda", dtype, enabled, cache_enabled)


CudaAutocast.__name__ = CudaAutocast.__qualname__ = "autocast"


class GradScaler:
    """Scales losses for half precision; without a GPU it is disabled and passes everything on."""

    __module__ = "torch.amp.grad_scaler"

    def __init__(
        self, device: str = "cuda", init_scale: float = 2.0**16, growth_factor: float = 2.0,
        backoff_factor: float = 0.5, growth_interval: int = 2000, enabled: bool = True,
    ) -> None:  # fmt: skip
        if enabled and device == "cuda":
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                UserWarning,
                stacklevel=2,
            )
            enabled = False
        self._enabled, self._scale, self._growth_interval = enabled, init_scale, growth_interval
        self._factors, self._good = (growth_factor, backoff_factor), 0
        self._unscaled: set[int] = set()
        self._finite = True

    def is_enabled(self) -> bool:
        return self._enabled

    def get_scale(self) -> float:
        return self._scale if self._enabled else 1.0

    def scale(self, outputs: Any) -> Any:
        """A loss (or several) times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, tuple | list):
            return type(outputs)(self.scale(out) for out in outputs)
        return outputs * self._scale

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale."""
        if not self._enabled:
            return
        if id(optimizer) in self._unscaled:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        self._unscaled.add(id(optimizer))
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.mul_(1 / self._scale)
                    self._finite = self._finite and bool(p.grad.isfinite().all())

    def step(self, optimizer: Any, *arguments: Any, **options: Any) -> Any:
        """``optimizer.step()``, unless a gradient is infinite."""
        if not self._enabled:
            return optimizer.step(*arguments, **options)
        if id(optimizer) not in self._unscaled:
            self.unscale_(optimizer)
        return optimizer.step(*arguments, **options) if self._finite else None

    def update(self, new_scale: float | None = None) -> None:
        """Make the scale smaller after an infinite gradient, larger after many good steps."""
        if not self._enabled:
            return
        self._good = self._good + 1 if self._finite else 0
        if new_scale is not None:
            self._scale = new_scale
        elif not self._finite:
            self._scale *= self._factors[1]
        elif self._good == self._growth_interval:
            self._scale, self._good = self._scale * self._factors[0], 0
        self._unscaled, self._finite = set(), True

    def state_dict(self) -> dict[str, Any]:
        if not self._enabled:
            return {}
        grow, back = self._factors
        return {
            "scale": self._scale, "growth_factor": grow, "backoff_factor": back,
            "growth_interval": self._growth_interval, "_growth_tracker": self._good,
        }  # fmt: skip

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        if self._enabled:
            self._scale, self._good = state_dict["scale"], state_dict["_growth_tracker"]


class CudaGradScaler(GradScaler):
    """``torch.cuda.amp.GradScaler``: the old name."""

    __module__ = "torch.cuda.amp.grad_scaler"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        warnings.warn(
            "`torch.cuda.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cuda', args...)` "
            "instead.",
            FutureWarning, stacklevel=2,
        )  # fmt: skip
        super().__init__("cuda", *arguments, **options)


CudaGradScaler.__name__ = CudaGradScaler.__qualname__ = "GradScaler"
