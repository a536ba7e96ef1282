"""``DataParallel``: on one processor, the module itself."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.nn.module import Module


class DataParallel(Module):
    """On one CPU: just the module."""

    __module__ = "torch.nn.parallel.data_parallel"

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module

    def forward(self, *inputs: Any, **options: Any) -> Any:
        return self.module(*inputs, **options)
