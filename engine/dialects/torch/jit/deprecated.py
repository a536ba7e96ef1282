"""What PyTorch 2.13 says of TorchScript."""

from __future__ import annotations

import warnings


def deprecated(name: str) -> None:
    """Warn that a function of ``torch.jit`` will go. PyTorch says so in its own name, so Python shows it only where
    all such warnings are asked for."""
    warnings.warn(
        f"`torch.jit.{name}` is deprecated. Please switch to `torch.compile` or `torch.export`.",
        DeprecationWarning,
        stacklevel=1,
    )
