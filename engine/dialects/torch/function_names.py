"""The functions that stand in ``torch`` itself: where each comes from, and its other names."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch import (
    arranging,
    autograd,
    closeness,
    comparisons,
    complex_parts,
    creation,
    differences,
    distances,
    einsum,
    from_data,
    gathering,
    indexing,
    joining,
    linear_algebra,
    number_types,
    order,
    pointwise,
    printing,
    products,
    ranges,
    reductions,
    rows,
    sampling,
    saving,
    selection,
    shaping,
    special,
    streams,
    tensor,
    types,
    windows,
)
from engine.dialects.torch.nn import (
    convolution,
    dropouts,
    functional,
    losses,
    margins,
    normalisation,
    pooling,
    relaxed,
    resizing,
)
from engine.dialects.torch.nn.namespace import F_CONVOLUTIONS

FUNCTIONS: dict[Any, str] = {
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
        cat stack hstack vstack dstack column_stack split chunk unsafe_chunk unbind narrow select tensor_split
        block_diag atleast_1d atleast_2d atleast_3d
    """,
    arranging: """
        roll rot90 fliplr flipud tile repeat_interleave take take_along_dim diag_embed meshgrid cartesian_prod
        combinations broadcast_tensors broadcast_shapes
    """,
    indexing: "index_select masked_select",
    gathering: "gather scatter scatter_add scatter_reduce",
    rows: rows.OUT_OF_PLACE,
    linear_algebra: "mm bmm dot mv matmul addmm outer inverse tril triu diag diagflat trace cross",
    complex_parts: "real imag",
    einsum: "einsum bilinear",
    products: products.IN_TORCH,
    differences: differences.IN_TORCH,
    windows: windows.NAMES,
    number_types: "finfo iinfo result_type promote_types can_cast",
    closeness: "equal isclose allclose nonzero argwhere",
    functional: "softmax log_softmax prelu celu selu threshold hardshrink relu_",
    relaxed: "rrelu",
    normalisation: "layer_norm group_norm instance_norm rms_norm",
    pooling: "max_pool1d max_pool2d avg_pool1d adaptive_avg_pool1d adaptive_max_pool1d",
    resizing: "pixel_shuffle",
    losses: "binary_cross_entropy_with_logits",
    dropouts: "dropout alpha_dropout",
    convolution: F_CONVOLUTIONS,
    margins: "pairwise_distance cosine_similarity",
    autograd: "no_grad enable_grad inference_mode set_grad_enabled is_grad_enabled is_inference_mode_enabled",
    streams: "manual_seed Generator default_generator get_rng_state set_rng_state",
    saving: "save load",
    printing: "set_printoptions",
    types: "Size device dtype",
    tensor: "Tensor",
}


ALIASES = {
    "concat": "cat", "concatenate": "cat", "absolute": "abs", "multiply": "mul", "divide": "div", "subtract": "sub",
    "true_divide": "div", "clip": "clamp", "negative": "neg", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "greater": "gt", "less": "lt", "greater_equal": "ge", "less_equal": "le", "not_equal": "ne", "ger": "outer",
    "swapaxes": "transpose", "swapdims": "transpose", "moveaxis": "movedim", "row_stack": "vstack",
    "arctan2": "atan2", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "fix": "trunc",
    "asarray": "as_tensor",
}  # fmt: skip
