"""What PyTorch 2.13 says of TorchScript."""

from __future__ import annotations

import warnings


def deprecated(name: str) -> None:
    """Warn that a function of ``torch.jit`` will go."""
    warnings.warn(
        f"`torch.jit.{name}` is deprecated. Please switch to `torch.compile` or `torch.export`.",
        DeprecationWarning,
        stacklevel=3,
    )
