"""How calls of ``torch.nn.functional`` are written down: tensors by place, everything else by name, defaults included.

PyTorch's functions that are written in Python do this when a proxy meets them; those in C++ leave a call as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

_INPLACE = "input ; inplace=False"
_REDUCED = "size_average=None reduce=None reduction='mean'"
_FORMS = {
    "dropout": "input ; p=0.5 training=True inplace=False",
    "dropout1d": "input ; p=0.5 training=True inplace=False",
    "dropout2d": "input ; p=0.5 training=True inplace=False",
    "dropout3d": "input ; p=0.5 training=True inplace=False",
    "alpha_dropout": "input ; p=0.5 training=False inplace=False",
    "relu": _INPLACE, "relu6": _INPLACE, "selu": _INPLACE, "hardsigmoid": _INPLACE, "silu": _INPLACE,
    "mish": _INPLACE, "hardswish": _INPLACE, "tanhshrink": "input ;", "softsign": "input ;",
    "glu": "input ; dim=-1", "hardtanh": "input ; min_val=-1.0 max_val=1.0 inplace=False",
    "elu": "input ; alpha=1.0 inplace=False", "celu": "input ; alpha=1.0 inplace=False",
    "leaky_relu": "input ; negative_slope=0.01 inplace=False",
    "softmin": "input ; dim=None _stacklevel=3 dtype=None",
    "softmax": "input ; dim=None _stacklevel=3 dtype=None",
    "log_softmax": "input ; dim=None _stacklevel=3 dtype=None",
    "embedding": "input weight ; padding_idx=None max_norm=None norm_type=2.0 scale_grad_by_freq=False sparse=False",
    "batch_norm": "input running_mean running_var ; weight=None bias=None training=False momentum=0.1 eps=1e-05",
    "instance_norm": "input ; running_mean=None running_var=None weight=None bias=None use_input_stats=True "
    "momentum=0.1 eps=1e-05",
    "layer_norm": "input normalized_shape ; weight=None bias=None eps=1e-05",
    "rms_norm": "input normalized_shape ; weight=None eps=None",
    "group_norm": "input num_groups ; weight=None bias=None eps=1e-05",
    "nll_loss": "input target ; weight=None size_average=None ignore_index=-100 reduce=None reduction='mean'",
    "kl_div": f"input target ; {_REDUCED} log_target=False",
    "cross_entropy": "input target ; weight=None size_average=None ignore_index=-100 reduce=None reduction='mean' "
    "label_smoothing=0.0",
    "binary_cross_entropy": f"input target ; weight=None {_REDUCED}",
    "binary_cross_entropy_with_logits": f"input target ; weight=None {_REDUCED} pos_weight=None",
    "smooth_l1_loss": f"input target ; {_REDUCED} beta=1.0",
    "huber_loss": "input target ; reduction='mean' delta=1.0 weight=None",
    "l1_loss": f"input target ; {_REDUCED}", "mse_loss": f"input target ; {_REDUCED} weight=None",
    "normalize": "input ; p=2.0 dim=1 eps=1e-12 out=None",
    **dict.fromkeys(("max_pool1d", "max_pool2d"), "input kernel_size ; stride=None padding=0 dilation=1 "
    "ceil_mode=False return_indices=False"),
    "adaptive_avg_pool2d": "input output_size ;",
    "margin_ranking_loss": f"input1 input2 target ; margin=0 {_REDUCED}",
    "triplet_margin_loss": "anchor positive negative ; margin=1.0 p=2 eps=1e-06 swap=False size_average=None "
    "reduce=None reduction='mean'",
    "interpolate": "input ; size=None scale_factor=None mode='nearest' align_corners=None "
    "recompute_scale_factor=None antialias=False",
}  # fmt: skip
_NOT_OURS = frozenset({"_stacklevel"})
"""Arguments that are only for where a warning points."""


@cache
def _form(name: str) -> tuple[list[str], dict[str, Any]] | None:
    if name not in _FORMS:
        return None
    first, _, rest = _FORMS[name].partition(";")
    pairs = (word.partition("=") for word in rest.split())
    return first.split(), {key: ast.literal_eval(text) for key, _, text in pairs}


def written(path: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call as a graph keeps them.

    >>> written("torch.nn.functional.dropout", (1, 0.2), {"training": False})
    ((1,), {'p': 0.2, 'training': False, 'inplace': False})
    >>> written("torch.relu", (1,), {})
    ((1,), {})
    """
    home, _, name = path.rpartition(".")
    form = _form(name) if home == "torch.nn.functional" else None
    if form is None:
        return arguments, options
    places, defaults = form
    order = _ORDER.get(name, [*places, *defaults])
    given = {**dict(zip(order, arguments, strict=False)), **options}
    first = tuple(given[key] for key in places if key in given)
    return first, {key: given.get(key, default) for key, default in defaults.items()}


_CROSS_ENTROPY = "input target weight size_average ignore_index reduce reduction label_smoothing"
_ORDER = {"cross_entropy": _CROSS_ENTROPY.split(), "huber_loss": ["input", "target", "reduction", "delta", "weight"]}
"""Where the order of the signature is another one."""


def called(function: Callable[..., Any], arguments: Any, options: dict[str, Any]) -> Any:
    """Call a function with arguments that :func:`written` has written."""
    return function(*arguments, **{key: value for key, value in options.items() if key not in _NOT_OURS})
