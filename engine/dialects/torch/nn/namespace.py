"""The modules ``torch.nn`` and below it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from engine.dialects.torch import einsum
from engine.dialects.torch.new_modules import new_module, own_classes, public
from engine.dialects.torch.nn import (
    activations,
    attention,
    bags,
    clip,
    connectionist,
    containers,
    convolution,
    criteria,
    dropouts,
    functional,
    init,
    layers,
    lazy,
    losses,
    margins,
    module,
    normalisation,
    packing,
    parallel,
    parameter,
    parameter_containers,
    parametrizations,
    parametrize,
    patches,
    pooling,
    prune,
    recurrent,
    recurrent_cells,
    relaxed,
    reparametrised,
    resizing,
    spatial,
    transformer,
    volumes,
)
from engine.dialects.torch.public_names import name_methods

F_CONVOLUTIONS = "conv1d conv2d conv_transpose1d conv_transpose2d"


_F = (
    "linear relu leaky_relu elu selu gelu silu softplus logsigmoid relu6 hardtanh prelu softmax log_softmax softmin "
    "mish celu threshold hardshrink softshrink hardsigmoid hardswish softsign tanhshrink glu "
    "embedding one_hot normalize pad tanh sigmoid relu_ leaky_relu_"
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


def _tuples(count: int) -> Any:
    return lambda x: tuple(x) if isinstance(x, tuple | list) else (x,) * count


def nn_modules() -> list[ModuleType]:
    classes = own_classes(
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
        spatial,
        patches,
        connectionist,
        lazy,
        module,
        parameter,
    )
    name_methods(classes.values(), ("__init__", "forward"))
    nn = new_module("torch.nn", **classes)
    init_names = (
        "calculate_gain uniform_ normal_ constant_ ones_ zeros_ eye_ xavier_uniform_ xavier_normal_ kaiming_uniform_ "
        "kaiming_normal_ orthogonal_ trunc_normal_ sparse_ dirac_"
    )
    clip_names = "clip_grad_norm_ clip_grad_norm clip_grad_value_ parameters_to_vector vector_to_parameters"
    parametrize_names = (
        "ParametrizationList cached is_parametrized register_parametrization remove_parametrizations "
        "type_before_parametrizations"
    )
    norm_names = "weight_norm remove_weight_norm spectral_norm remove_spectral_norm"
    packing_names = (
        "PackedSequence pack_padded_sequence pad_packed_sequence pad_sequence pack_sequence unpad_sequence "
        "unpack_sequence"
    )
    made = [
        nn,
        new_module(
            "torch.nn.functional",
            **public(functional, _F),
            **public(dropouts, _F_DROPOUTS),
            **public(losses, _F_LOSSES),
            **public(margins, _F_MARGINS),
            **public(convolution, F_CONVOLUTIONS),
            **public(pooling, _F_POOLING),
            **public(resizing, "interpolate pixel_shuffle"),
            **public(patches, "fold unfold"),
            upsample=resizing.interpolate,
            **public(attention, "scaled_dot_product_attention"),
            **public(bags, "embedding_bag"),
            **public(volumes, "conv3d local_response_norm max_pool3d avg_pool3d"),
            **public(spatial, "affine_grid grid_sample pixel_unshuffle channel_shuffle"),
            **public(relaxed, "gumbel_softmax rrelu"),
            **public(connectionist, "ctc_loss"),
            **public(einsum, "bilinear"),
            **public(normalisation, _F_NORMS),
        ),
        new_module("torch.nn.init", **public(init, init_names), **init.OLD_NAMES),
        new_module("torch.nn.parameter", **public(lazy, "Parameter UninitializedParameter")),
        new_module("torch.nn.utils", **public(clip, clip_names), **public(reparametrised, norm_names)),
        new_module("torch.nn.utils.parametrize", **public(parametrize, parametrize_names)),
        new_module("torch.nn.utils.parametrizations", **public(parametrizations, "weight_norm spectral_norm")),
        new_module("torch.nn.modules.utils", _single=_tuples(1), _pair=_tuples(2), _triple=_tuples(3)),
        new_module("torch.nn.utils.prune", **public(prune, prune.NAMES)),
        new_module("torch.nn.utils.rnn", **public(packing, packing_names)),
        new_module("torch.nn.utils.clip_grad", **public(clip, "clip_grad_norm_ clip_grad_value_")),
        new_module("torch.nn.modules", **classes),
        new_module("torch.nn.parallel", DataParallel=parallel.DataParallel),
        new_module("torch.nn.parallel.data_parallel", DataParallel=parallel.DataParallel),
    ]
    homes: dict[str, dict[str, Any]] = {}
    for name, value in classes.items():
        if value.__module__.startswith("torch.nn.modules."):
            homes.setdefault(value.__module__, {})[name] = value
    return made + [new_module(name, **content) for name, content in homes.items()]
