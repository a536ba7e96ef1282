"""The modules that ``import torch`` and its relatives give to a program."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

from engine.dialects.torch import (
    amp,
    anomaly,
    autograd,
    benchmark,
    checkpointing,
    control_flow,
    data,
    derivatives,
    errors,
    forward_mode,
    function,
    function_transforms,
    loader,
    memory_formats,
    methods,
    out_argument,
    overrides,
    profiler,
    sampling_order,
    saved_values,
    saving,
    special,
    streams,
    tensor,
    tensorboard,
    testing,
    typed_tensors,
    types,
)
from engine.dialects.torch.compiler import namespace as compiler_namespace
from engine.dialects.torch.compiler.config import CONFIG
from engine.dialects.torch.compiler.optimized import compile
from engine.dialects.torch.distributions.namespace import distribution_modules
from engine.dialects.torch.export import namespace as export_namespace
from engine.dialects.torch.function_names import ALIASES, FUNCTIONS
from engine.dialects.torch.fx import namespace as fx_namespace
from engine.dialects.torch.jit import namespace as jit_namespace
from engine.dialects.torch.linalg import namespace as linalg_namespace
from engine.dialects.torch.new_modules import new_module, public
from engine.dialects.torch.nn.namespace import nn_modules
from engine.dialects.torch.no_gpu import device_modules
from engine.dialects.torch.optim.namespace import optim_modules
from engine.dialects.torch.public_names import name_functions
from engine.dialects.torch.vmap import vmap
from engine.dynamic.nodes import GradNode

VERSION = "2.13.0+stepgraph"
_ = methods, saved_values  # attach what they have to tensors and nodes


def _set_default_dtype(d: Any) -> None:
    if not isinstance(d, types.dtype) or not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got {d!r}")
    types.DEFAULT.float = d


_PRECISION = ["highest"]


def _set_default_tensor_type(t: Any) -> None:
    name = t if isinstance(t, str) else f"torch.{types.BY_ARRAY[t.array_dtype].legacy}Tensor"
    found = next((d for d in types.ALL if name == f"torch.{d.legacy}Tensor"), None)
    if found is None:
        raise TypeError(f"invalid type object: {name}")
    _set_default_dtype(found)


def _seed() -> int:
    return streams.default_generator.seed()


def _random() -> ModuleType:
    return new_module(
        "torch.random", **public(streams, "manual_seed get_rng_state set_rng_state fork_rng default_generator"),
        seed=_seed, initial_seed=streams.default_generator.initial_seed,
    )  # fmt: skip


def modules() -> dict[str, ModuleType]:
    """All modules of the dialect by full name, made anew."""
    torch = new_module("torch", __version__=VERSION)
    for source, names in FUNCTIONS.items():
        torch.__dict__.update(public(source, names))
    torch.__dict__.update({new: torch.__dict__[old] for new, old in ALIASES.items()})
    torch.__dict__.update(linalg_namespace.IN_TORCH)
    for name in out_argument.NAMES.split():
        torch.__dict__[name] = out_argument.with_out(torch.__dict__[name])
    torch.__dict__.update(types.BY_NAME)
    torch.__dict__.update({new: types.BY_NAME[old] for new, old in types.ALIASES.items()})
    for d in types.ALL:
        torch.__dict__[f"{d.legacy}Tensor"] = typed_tensors.typed_tensor(d)
    for name in dir(tensor.Tensor):
        method = getattr(tensor.Tensor, name)
        if name.endswith("_") and not name.startswith("_") and callable(method):
            torch.__dict__.setdefault(name, method)
    torch.__dict__.update(
        pi=math.pi, e=math.e, inf=math.inf, nan=math.nan, strided=types.STRIDED,
        get_default_dtype=lambda: types.DEFAULT.float, set_default_dtype=_set_default_dtype, seed=_seed,
        initial_seed=streams.default_generator.initial_seed, is_tensor=lambda obj: isinstance(obj, tensor.Tensor),
        is_floating_point=lambda input: input.is_floating_point(), numel=lambda input: input.numel(),
        get_default_device=lambda: types.CPU, set_default_device=types.check_device,
        set_num_threads=lambda _: None, get_num_threads=lambda: 1, set_num_interop_threads=lambda _: None,
        set_flush_denormal=lambda mode: True, set_float32_matmul_precision=_PRECISION.append,
        get_float32_matmul_precision=lambda: _PRECISION[-1], set_default_tensor_type=_set_default_tensor_type,
        is_complex=lambda input: input.is_complex(), is_nonzero=lambda input: bool(input),
        autocast=amp.autocast, GradScaler=amp.GradScaler, vmap=vmap,
        **public(memory_formats, "contiguous_format channels_last channels_last_3d preserve_format"),
        use_deterministic_algorithms=lambda *_, **__: None,
        compile=compile, cond=control_flow.cond,
        is_anomaly_enabled=anomaly.enabled, is_anomaly_check_nan_enabled=anomaly.check_nan_enabled,
    )  # fmt: skip
    names = "einsum norm split tensordot unique cartesian_prod meshgrid broadcast_tensors cdist block_diag atleast_1d"
    shared = {name: torch.__dict__[name] for name in names.split() if name in torch.__dict__}
    found = {"torch": torch, "torch.functional": new_module("torch.functional", **shared)}
    for made in [
        *_autograd_modules(), *nn_modules(), *optim_modules(), *distribution_modules(), *_other_modules(),
        *_graph_modules(),
    ]:  # fmt: skip
        found[made.__name__] = made
    for name, made in found.items():
        owner, _, child = name.rpartition(".")
        if owner:
            found[owner].__dict__.setdefault(child, made)
    for path in ("torch", "torch.nn.functional"):
        name_functions(value for name, value in found[path].__dict__.items() if not name.startswith("_"))
    overrides.register(found)
    return found


def _graph_modules() -> list[ModuleType]:
    """What makes graphs of programs."""
    CONFIG.reset()
    content = {**fx_namespace.MODULES, **jit_namespace.MODULES, **compiler_namespace.MODULES}
    content.update(export_namespace.MODULES)
    content.update(profiler.MODULES)
    return [CONFIG, *(new_module(name, **held) for name, held in content.items())]


def _autograd_modules() -> list[ModuleType]:
    names = "backward grad Variable no_grad enable_grad set_grad_enabled inference_mode"
    main = new_module(
        "torch.autograd", Function=function.Function, **public(autograd, names),
        **public(derivatives, "gradcheck gradgradcheck"), **public(anomaly, "set_detect_anomaly detect_anomaly"),
    )  # fmt: skip
    return [
        main,
        new_module("torch.autograd.functional", **public(derivatives, "jacobian hessian vjp jvp hvp vhp")),
        new_module(
            "torch.autograd.function",
            Function=function.Function,
            FunctionCtx=function.Context,
            once_differentiable=function.once_differentiable,
        ),
        new_module("torch.autograd.forward_ad", **public(forward_mode, forward_mode.NAMES)),
        new_module("torch.autograd.graph", Node=GradNode, save_on_cpu=autograd.save_on_cpu),
        new_module("torch.autograd.variable", Variable=autograd.Variable),
        new_module("torch.autograd.gradcheck", **public(derivatives, "gradcheck gradgradcheck GradcheckError")),
        new_module("torch.autograd.anomaly_mode", **public(anomaly, "set_detect_anomaly detect_anomaly")),
    ]


def _other_modules() -> list[ModuleType]:
    datasets = "Dataset IterableDataset TensorDataset ConcatDataset ChainDataset StackDataset Subset random_split"
    samplers = "Sampler SequentialSampler RandomSampler SubsetRandomSampler WeightedRandomSampler BatchSampler"
    loading = "DataLoader default_collate get_worker_info"
    unavailable = {"is_available": lambda: False}
    return [
        new_module("torch.utils"),
        new_module(
            "torch.utils.data",
            **public(data, datasets),
            **public(sampling_order, samplers),
            **public(loader, loading),
        ),
        new_module("torch.utils.data.dataset", **public(data, datasets)),
        new_module("torch.utils.data.sampler", **public(sampling_order, samplers)),
        new_module("torch.utils.data.dataloader", **public(loader, loading)),
        new_module("torch.utils.tensorboard", SummaryWriter=tensorboard.SummaryWriter),
        new_module("torch.utils.tensorboard.writer", SummaryWriter=tensorboard.SummaryWriter),
        new_module("torch.testing", assert_close=testing.assert_close, assert_allclose=testing.assert_allclose),
        new_module("torch.serialization", **public(saving, saving.NAMES)),
        new_module("torch.special", **special.namespace()),
        new_module("torch.func", vmap=vmap, **public(function_transforms, function_transforms.NAMES)),
        new_module("torch.utils.benchmark", **public(benchmark, "Timer Measurement")),
        new_module("torch.utils.checkpoint", **public(checkpointing, "checkpoint checkpoint_sequential")),
        new_module("torch.linalg", **linalg_namespace.MODULE),
        new_module("torch.return_types"),
        *device_modules(),
        _random(),
        new_module("torch.backends"),
        new_module("torch.backends.mps", **unavailable),
        new_module("torch.backends.cuda", **unavailable),
        new_module("torch.backends.cudnn", deterministic=False, benchmark=False, enabled=False, **unavailable),
        new_module("torch.accelerator", current_accelerator=lambda: None, **unavailable),
        new_module("torch._C", _LinAlgError=errors.LinAlgError),
        new_module("torch.version", cuda=None, __version__=VERSION),
    ]
