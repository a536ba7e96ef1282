"""``torch.cuda`` and its kind as a machine without a GPU has them, and what would need a network."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from engine.dialects.torch import amp
from engine.dialects.torch.new_modules import new_module


def _nothing(*_: Any, **__: Any) -> None:
    """There is no GPU here."""


def _refused(*_: Any, **__: Any) -> Any:
    raise AssertionError("Torch not compiled with CUDA enabled")


def _no_driver(*_: Any, **__: Any) -> Any:
    raise AttributeError("module 'torch._C' has no attribute '_cuda_setDevice'")


def _no(*_: Any, **__: Any) -> bool:
    return False


def _zero(*_: Any, **__: Any) -> int:
    return 0


@contextlib.contextmanager
def _anywhere(*_: Any, **__: Any) -> Iterator[None]:
    yield


class _OutOfMemoryError(RuntimeError):
    """Never raised here; programs name it in ``except``."""

    __module__ = "torch"


_OutOfMemoryError.__name__ = _OutOfMemoryError.__qualname__ = "OutOfMemoryError"


def _no_network(*_: Any, **__: Any) -> Any:
    raise RuntimeError(
        "torch.hub downloads models, and programs have no network here; build the model in the program, or upload its "
        "state_dict beside the program"
    )


def device_modules() -> list[ModuleType]:
    """The modules, made anew."""
    amp_content = {"autocast": amp.autocast, "GradScaler": amp.GradScaler}
    counts = dict.fromkeys(
        ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved", "memory_cached"), _zero
    )
    return [
        new_module(
            "torch.cuda", is_available=_no, device_count=_zero, manual_seed=_nothing, manual_seed_all=_nothing,
            synchronize=_refused, empty_cache=_nothing, set_device=_no_driver, current_device=_refused,
            get_device_name=_refused, get_device_properties=_refused, get_device_capability=_refused,
            is_initialized=_no, is_bf16_supported=_no, reset_peak_memory_stats=_nothing, seed_all=_nothing,
            ipc_collect=_nothing, device=_anywhere, OutOfMemoryError=_OutOfMemoryError, **counts,
        ),
        new_module("torch.cuda.amp", autocast=amp.CudaAutocast, GradScaler=amp.CudaGradScaler),
        new_module("torch.amp", **amp_content),
        new_module("torch.amp.autocast_mode", autocast=amp.autocast),
        new_module("torch.amp.grad_scaler", GradScaler=amp.GradScaler),
        new_module("torch.xpu", is_available=_no, device_count=_zero),
        new_module("torch.mps", is_available=_no, device_count=_zero, manual_seed=_nothing, empty_cache=_nothing),
        new_module(
            "torch.hub", load=_no_network, download_url_to_file=_no_network, load_state_dict_from_url=_no_network,
            list=_no_network, set_dir=_nothing,
        ),
    ]  # fmt: skip
