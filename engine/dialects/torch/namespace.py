"""The modules that ``import torch`` and its relatives give to a program."""

from __future__ import annotations

import math
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from engine.dialects.missing import module_getattr
from engine.dialects.torch import (
    anomaly,
    arranging,
    autograd,
    comparisons,
    creation,
    data,
    derivatives,
    distances,
    errors,
    from_data,
    function,
    gathering,
    indexing,
    joining,
    linear_algebra,
    loader,
    methods,
    order,
    overrides,
    pointwise,
    printing,
    ranges,
    reductions,
    rows,
    sampling,
    sampling_order,
    saving,
    selection,
    shaping,
    special,
    streams,
    tensor,
    tensorboard,
    testing,
    typed_tensors,
    types,
)
from engine.dialects.torch.compiler import namespace as compiler_namespace
from engine.dialects.torch.compiler.compiled import compile
from engine.dialects.torch.compiler.config import CONFIG
from engine.dialects.torch.export import namespace as export_namespace
from engine.dialects.torch.fx import namespace as fx_namespace
from engine.dialects.torch.jit import namespace as jit_namespace
from engine.dialects.torch.nn import (
    activations,
    attention,
    bags,
    clip,
    containers,
    convolution,
    criteria,
    dropouts,
    functional,
    init,
    layers,
    losses,
    margins,
    module,
    normalisation,
    packing,
    parallel,
    parameter,
    parameter_containers,
    pooling,
    recurrent,
    recurrent_cells,
    resizing,
    transformer,
    volumes,
)
from engine.dialects.torch.optim import adam, adaptive, combined, cycles, lbfgs, optimizer, schedulers, sgd

VERSION = "2.13.0+stepgraph"
_F_CONVOLUTIONS = "conv1d conv2d conv_transpose1d conv_transpose2d"
_FUNCTIONS: dict[Any, str] = {
    from_data: "tensor as_tensor from_numpy",
    creation: "zeros ones empty full zeros_like ones_like empty_like full_like eye",
    ranges: "arange linspace logspace",
    sampling: "rand randn rand_like randn_like randint randint_like randperm normal bernoulli multinomial poisson",
    pointwise: """
        add sub mul div remainder floor_divide pow maximum minimum logical_not positive neg abs exp expm1 log
        log1p log2 log10 sqrt rsqrt reciprocal square sin cos tan asin acos atan sinh cosh tanh sigmoid relu
        erf sign floor ceil trunc round isnan isinf isfinite clone addcmul addcdiv lerp
    """,
    comparisons: """
        eq ne lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_not
        bitwise_left_shift bitwise_right_shift gcd lcm
    """,
    selection: "where clamp clamp_min clamp_max masked_fill",
    special: special.NAMES + " isin rsub",
    distances: "cdist cov corrcoef vander",
    reductions: """
        sum mean prod all any logsumexp var std var_mean std_mean norm max min amax amin aminmax argmax argmin cumsum
        cumprod nansum nanmean count_nonzero
    """,
    order: """
        sort argsort msort topk unique unique_consecutive median nanmedian kthvalue mode quantile cummax cummin bincount
        histc searchsorted bucketize
    """,
    shaping: """
        reshape flatten unflatten t transpose permute unsqueeze squeeze broadcast_to flip movedim ravel diagonal
        as_strided
    """,
    joining: """
        cat stack hstack vstack dstack column_stack split chunk unbind narrow select tensor_split block_diag
        atleast_1d atleast_2d atleast_3d
    """,
    arranging: """
        roll rot90 fliplr flipud tile repeat_interleave take take_along_dim diag_embed meshgrid cartesian_prod
        combinations broadcast_tensors broadcast_shapes
    """,
    indexing: "index_select masked_select",
    gathering: "gather scatter scatter_add",
    rows: rows.OUT_OF_PLACE,
    linear_algebra: "mm bmm dot mv matmul addmm outer inverse tril triu diag trace cross einsum",
    methods: "equal isclose allclose nonzero argwhere",
    functional: "softmax log_softmax prelu celu selu threshold hardshrink",
    dropouts: "dropout alpha_dropout",
    convolution: _F_CONVOLUTIONS,
    margins: "pairwise_distance cosine_similarity",
    autograd: "no_grad enable_grad inference_mode set_grad_enabled is_grad_enabled is_inference_mode_enabled",
    streams: "manual_seed Generator default_generator get_rng_state set_rng_state",
    saving: "save load",
    printing: "set_printoptions",
    types: "Size device dtype",
    tensor: "Tensor",
}
_ALIASES = {
    "concat": "cat", "concatenate": "cat", "absolute": "abs", "multiply": "mul", "divide": "div", "subtract": "sub",
    "true_divide": "div", "clip": "clamp", "negative": "neg", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "greater": "gt", "less": "lt", "greater_equal": "ge", "less_equal": "le", "not_equal": "ne", "ger": "outer",
    "swapaxes": "transpose", "swapdims": "transpose", "moveaxis": "movedim", "row_stack": "vstack",
    "arctan2": "atan2",
}  # fmt: skip


def _module(name: str, **content: Any) -> ModuleType:
    made = ModuleType(name)
    made.__dict__.update(content)
    made.__dict__["__path__"] = []
    made.__dict__["__getattr__"] = module_getattr(made, "torch")
    return made


def _public(source: Any, names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names.split()}


def _classes(*sources: Any) -> dict[str, Any]:
    """The classes that these modules define themselves."""
    return {
        name: value
        for source in sources
        for name, value in vars(source).items()
        if isinstance(value, type) and not name.startswith("_") and str(value.__module__).startswith("torch")
        and (value.__module__ not in ("torch", "torch.nn.parameter") or source in (parameter,))
    }  # fmt: skip


def _set_default_dtype(d: Any) -> None:
    if not isinstance(d, types.dtype) or not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got {d!r}")
    types.DEFAULT.float = d


def _seed() -> int:
    return streams.default_generator.seed()


def _random() -> ModuleType:
    return _module(
        "torch.random", **_public(streams, "manual_seed get_rng_state set_rng_state fork_rng default_generator"),
        seed=_seed, initial_seed=streams.default_generator.initial_seed,
    )  # fmt: skip


def _cuda() -> ModuleType:
    def nothing(*_: Any, **__: Any) -> None:
        """There is no GPU here."""

    def none(*_: Any, **__: Any) -> Any:
        raise AssertionError("Torch not compiled with CUDA enabled")

    def no_driver(*_: Any, **__: Any) -> Any:
        raise AttributeError("module 'torch._C' has no attribute '_cuda_setDevice'")

    return _module(
        "torch.cuda", is_available=lambda: False, device_count=lambda: 0, manual_seed=nothing, manual_seed_all=nothing,
        synchronize=none, empty_cache=nothing, set_device=no_driver, current_device=none, get_device_name=none,
        is_initialized=lambda: False,
    )  # fmt: skip


def modules() -> dict[str, ModuleType]:
    """All modules of the dialect by full name, made anew."""
    torch = _module("torch", __version__=VERSION)
    for source, names in _FUNCTIONS.items():
        torch.__dict__.update(_public(source, names))
    torch.__dict__.update({new: torch.__dict__[old] for new, old in _ALIASES.items()})
    torch.__dict__.update(types.BY_NAME)
    torch.__dict__.update({new: types.BY_NAME[old] for new, old in types.ALIASES.items()})
    for d in types.ALL:
        torch.__dict__[f"{d.legacy}Tensor"] = typed_tensors.typed_tensor(d)
    for name in dir(tensor.Tensor):
        method = getattr(tensor.Tensor, name)
        if name.endswith("_") and not name.startswith("_") and callable(method):
            torch.__dict__.setdefault(name, method)
    torch.__dict__.update(
        pi=math.pi, e=math.e, inf=math.inf, nan=math.nan, strided="torch.strided",
        get_default_dtype=lambda: types.DEFAULT.float, set_default_dtype=_set_default_dtype, seed=_seed,
        initial_seed=streams.default_generator.initial_seed, is_tensor=lambda obj: isinstance(obj, tensor.Tensor),
        is_floating_point=lambda input: input.is_floating_point(), numel=lambda input: input.numel(),
        result_type=_result_type, get_default_device=lambda: types.CPU, set_default_device=types.check_device,
        set_num_threads=lambda _: None, get_num_threads=lambda: 1, finfo=_finfo, iinfo=_iinfo,
        use_deterministic_algorithms=lambda *_, **__: None,
        compile=compile, is_anomaly_enabled=anomaly.enabled, is_anomaly_check_nan_enabled=anomaly.check_nan_enabled,
    )  # fmt: skip
    found = {"torch": torch}
    for made in [*_autograd_modules(), *_nn_modules(), *_optim_modules(), *_other_modules(), *_graph_modules()]:
        found[made.__name__] = made
    for name, made in found.items():
        owner, _, child = name.rpartition(".")
        if owner:
            found[owner].__dict__.setdefault(child, made)
    overrides.register(found)
    return found


def _graph_modules() -> list[ModuleType]:
    """What makes graphs of programs."""
    CONFIG.reset()
    content = {**fx_namespace.MODULES, **jit_namespace.MODULES, **compiler_namespace.MODULES}
    content.update(export_namespace.MODULES)
    return [CONFIG, *(_module(name, **held) for name, held in content.items())]


def _result_type(a: Any, b: Any) -> Any:
    from engine.ops.promotion import result_dtype
    from engine.tensor_type import TensorType

    kinds = [TensorType(x._array.dtype, x._array.shape) if isinstance(x, tensor.Tensor) else x for x in (a, b)]
    return types.BY_ARRAY[result_dtype(*kinds)]


def _finfo(d: Any = None) -> Any:
    info = np.finfo((d or types.DEFAULT.float).array)
    return SimpleNamespace(
        bits=info.bits, eps=float(info.eps), max=float(info.max), min=float(info.min), tiny=float(info.tiny),
        smallest_normal=float(info.tiny), resolution=float(info.resolution),
    )  # fmt: skip


def _iinfo(d: Any) -> Any:
    info = np.iinfo(d.array)
    return SimpleNamespace(bits=info.bits, max=int(info.max), min=int(info.min))


def _autograd_modules() -> list[ModuleType]:
    names = "backward grad Variable no_grad enable_grad set_grad_enabled inference_mode"
    main = _module(
        "torch.autograd", Function=function.Function, **_public(autograd, names),
        **_public(derivatives, "gradcheck gradgradcheck"), **_public(anomaly, "set_detect_anomaly detect_anomaly"),
    )  # fmt: skip
    return [
        main,
        _module("torch.autograd.functional", **_public(derivatives, "jacobian hessian vjp jvp hvp vhp")),
        _module(
            "torch.autograd.function",
            Function=function.Function,
            FunctionCtx=function.Context,
            once_differentiable=function.once_differentiable,
        ),
        _module("torch.autograd.variable", Variable=autograd.Variable),
        _module("torch.autograd.gradcheck", **_public(derivatives, "gradcheck gradgradcheck GradcheckError")),
        _module("torch.autograd.anomaly_mode", **_public(anomaly, "set_detect_anomaly detect_anomaly")),
    ]


_F = (
    "linear relu leaky_relu elu selu gelu silu softplus logsigmoid relu6 hardtanh prelu softmax log_softmax softmin "
    "mish celu threshold hardshrink softshrink hardsigmoid hardswish softsign tanhshrink glu "
    "embedding one_hot normalize pad tanh sigmoid"
)
_F_DROPOUTS = "dropout dropout1d dropout2d dropout3d alpha_dropout"
_F_NORMS = "layer_norm batch_norm group_norm instance_norm rms_norm"
_F_POOLING = (
    "max_pool1d max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool1d "
    "adaptive_max_pool2d"
)
_F_LOSSES = (
    "mse_loss l1_loss smooth_l1_loss huber_loss kl_div nll_loss cross_entropy binary_cross_entropy "
    "binary_cross_entropy_with_logits"
)
_F_MARGINS = (
    "margin_ranking_loss cosine_embedding_loss cosine_similarity pairwise_distance triplet_margin_loss "
    "hinge_embedding_loss multi_margin_loss soft_margin_loss multilabel_soft_margin_loss poisson_nll_loss "
    "gaussian_nll_loss"
)


def _nn_modules() -> list[ModuleType]:
    classes = _classes(
        layers,
        normalisation,
        convolution,
        pooling,
        resizing,
        activations,
        containers,
        parameter_containers,
        parallel,
        criteria,
        recurrent,
        recurrent_cells,
        attention,
        transformer,
        bags,
        volumes,
        module,
        parameter,
    )
    nn = _module("torch.nn", **classes)
    init_names = (
        "calculate_gain uniform_ normal_ constant_ ones_ zeros_ eye_ xavier_uniform_ xavier_normal_ kaiming_uniform_ "
        "kaiming_normal_ orthogonal_ trunc_normal_ sparse_ dirac_"
    )
    clip_names = "clip_grad_norm_ clip_grad_norm clip_grad_value_ parameters_to_vector vector_to_parameters"
    packing_names = (
        "PackedSequence pack_padded_sequence pad_packed_sequence pad_sequence pack_sequence unpad_sequence "
        "unpack_sequence"
    )
    made = [
        nn,
        _module(
            "torch.nn.functional",
            **_public(functional, _F),
            **_public(dropouts, _F_DROPOUTS),
            **_public(losses, _F_LOSSES),
            **_public(margins, _F_MARGINS),
            **_public(convolution, _F_CONVOLUTIONS),
            **_public(pooling, _F_POOLING),
            **_public(resizing, "interpolate pixel_shuffle unfold"),
            **_public(attention, "scaled_dot_product_attention"),
            **_public(bags, "embedding_bag"),
            **_public(volumes, "conv3d local_response_norm"),
            **_public(normalisation, _F_NORMS),
        ),
        _module("torch.nn.init", **_public(init, init_names), **init.OLD_NAMES),
        _module("torch.nn.parameter", Parameter=parameter.Parameter),
        _module("torch.nn.utils", **_public(clip, clip_names)),
        _module("torch.nn.utils.rnn", **_public(packing, packing_names)),
        _module("torch.nn.utils.clip_grad", **_public(clip, "clip_grad_norm_ clip_grad_value_")),
        _module("torch.nn.modules", **classes),
        _module("torch.nn.parallel", DataParallel=parallel.DataParallel),
        _module("torch.nn.parallel.data_parallel", DataParallel=parallel.DataParallel),
    ]
    homes: dict[str, dict[str, Any]] = {}
    for name, value in classes.items():
        if value.__module__.startswith("torch.nn.modules."):
            homes.setdefault(value.__module__, {})[name] = value
    return made + [_module(name, **content) for name, content in homes.items()]


def _optim_modules() -> list[ModuleType]:
    scheduler_classes = {
        name: value
        for source in (schedulers, cycles, combined)
        for name, value in vars(source).items()
        if isinstance(value, type) and value.__module__ == "torch.optim.lr_scheduler"
    }
    classes = _classes(sgd, adam, adaptive, lbfgs, optimizer)
    made = [
        _module("torch.optim", **classes),
        _module("torch.optim.lr_scheduler", **scheduler_classes, _LRScheduler=schedulers.LRScheduler),
        _module("torch.optim.optimizer", Optimizer=optimizer.Optimizer, required=optimizer.required),
    ]
    known = {m.__name__ for m in made}
    homes: dict[str, dict[str, Any]] = {}
    for name, value in classes.items():
        if value.__module__ not in known:
            homes.setdefault(value.__module__, {})[name] = value
    return made + [_module(name, **content) for name, content in homes.items()]


def _other_modules() -> list[ModuleType]:
    datasets = "Dataset IterableDataset TensorDataset ConcatDataset ChainDataset StackDataset Subset random_split"
    samplers = "Sampler SequentialSampler RandomSampler SubsetRandomSampler WeightedRandomSampler BatchSampler"
    loading = "DataLoader default_collate get_worker_info"
    unavailable = {"is_available": lambda: False}
    return [
        _module("torch.utils"),
        _module(
            "torch.utils.data",
            **_public(data, datasets),
            **_public(sampling_order, samplers),
            **_public(loader, loading),
        ),
        _module("torch.utils.data.dataset", **_public(data, datasets)),
        _module("torch.utils.data.sampler", **_public(sampling_order, samplers)),
        _module("torch.utils.data.dataloader", **_public(loader, loading)),
        _module("torch.utils.tensorboard", SummaryWriter=tensorboard.SummaryWriter),
        _module("torch.utils.tensorboard.writer", SummaryWriter=tensorboard.SummaryWriter),
        _module("torch.testing", assert_close=testing.assert_close),
        _module(
            "torch.linalg",
            inv=linear_algebra.inverse,
            norm=_linalg_norm,
            matrix_norm=_linalg_norm,
            vector_norm=_linalg_norm,
        ),
        _module("torch.return_types"),
        _cuda(),
        _random(),
        _module("torch.backends"),
        _module("torch.backends.mps", **unavailable),
        _module("torch.backends.cuda", **unavailable),
        _module("torch.backends.cudnn", deterministic=False, benchmark=False, enabled=False, **unavailable),
        _module("torch.accelerator", current_accelerator=lambda: None, **unavailable),
        _module("torch._C", _LinAlgError=errors.LinAlgError),
        _module("torch.version", cuda=None, __version__=VERSION),
    ]


def _linalg_norm(A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return reductions.norm(A, "fro" if ord is None else ord, dim, keepdim)
