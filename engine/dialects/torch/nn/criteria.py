"""Losses as modules."""

from __future__ import annotations

import inspect
from typing import Any

from engine.dialects.torch.nn import losses, margins
from engine.dialects.torch.nn.module import Module


class _Loss(Module):
    __module__ = "torch.nn.modules.loss"

    def __init__(self, size_average: Any = None, reduce: Any = None, reduction: str = "mean", **settings: Any) -> None:
        super().__init__()
        self.reduction = (
            reduction
            if size_average is None and reduce is None
            else losses._old_reduction(size_average, reduce, reduction)
        )
        for name, value in settings.items():
            if name in ("weight", "pos_weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)
        object.__setattr__(self, "_settings", tuple(settings))

    def _options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._settings} | {"reduction": self.reduction}


def _criterion(name: str, function: Any, doc: str, **defaults: Any) -> type[Module]:
    """A loss module around a function; ``defaults`` are the settings that it has besides ``reduction``."""
    order = list(defaults)

    def initialise(self: Any, *arguments: Any, **options: Any) -> None:
        settings = defaults | dict(zip(order, arguments, strict=False))
        old = {key: options.pop(key) for key in ("size_average", "reduce", "reduction") if key in options}
        unknown = set(options) - set(settings)
        if unknown:
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{unknown.pop()}'")
        settings.update(options)
        _Loss.__init__(self, **old, **settings)

    def forward(self: Any, input: Any, target: Any) -> Any:
        return function(input, target, **self._options())

    return type(
        name,
        (_Loss,),
        {"__module__": "torch.nn.modules.loss", "__doc__": doc, "__init__": initialise, "forward": forward},
    )


class MSELoss(_Loss):
    """The mean of squared differences."""

    __module__ = "torch.nn.modules.loss"

    def forward(self, input: Any, target: Any) -> Any:
        return losses.mse_loss(input, target, None, None, self.reduction)


L1Loss = _criterion("L1Loss", losses.l1_loss, "The mean of absolute differences.")
SmoothL1Loss = _criterion("SmoothL1Loss", losses.smooth_l1_loss, "Squared near zero, linear beyond.", beta=1.0)
HuberLoss = _criterion("HuberLoss", losses.huber_loss, "Squared near zero, linear beyond.", delta=1.0)
NLLLoss = _criterion(
    "NLLLoss", losses.nll_loss, "Minus the log probability of the target class.", weight=None, ignore_index=-100
)
CrossEntropyLoss = _criterion(
    "CrossEntropyLoss",
    losses.cross_entropy,
    "NLLLoss of log_softmax.",
    weight=None,
    ignore_index=-100,
    label_smoothing=0.0,
)
BCELoss = _criterion("BCELoss", losses.binary_cross_entropy, "The cross entropy of probabilities.", weight=None)
BCEWithLogitsLoss = _criterion(
    "BCEWithLogitsLoss",
    losses.binary_cross_entropy_with_logits,
    "The cross entropy of logits.",
    weight=None,
    pos_weight=None,
)
KLDivLoss = _criterion("KLDivLoss", losses.kl_div, "The divergence of two distributions.", log_target=False)
HingeEmbeddingLoss = _criterion(
    "HingeEmbeddingLoss", margins.hinge_embedding_loss, "The input, or how far it is below a margin.", margin=1.0
)
MultiMarginLoss = _criterion(
    "MultiMarginLoss", margins.multi_margin_loss, "The hinge loss of several classes.", p=1, margin=1.0, weight=None
)
SoftMarginLoss = _criterion("SoftMarginLoss", margins.soft_margin_loss, "``ln(1 + e^(-t x))``.")
MultiLabelSoftMarginLoss = _criterion(
    "MultiLabelSoftMarginLoss", margins.multilabel_soft_margin_loss, "The cross entropy of several labels.", weight=None
)
PoissonNLLLoss = _criterion(
    "PoissonNLLLoss", margins.poisson_nll_loss, "Minus the log likelihood of counts.", log_input=True, full=False,
    eps=1e-8,
)  # fmt: skip


def _of_three(name: str, function: Any, doc: str, **defaults: Any) -> type[Module]:
    """A loss module whose function takes three tensors; ``forward`` calls them what the function does."""
    base = _criterion(name, function, doc, **defaults)
    scope: dict[str, Any] = {"function": function}
    given = ", ".join(list(inspect.signature(function).parameters)[:3])
    exec(f"def forward(self, {given}): return function({given}, **self._options())", scope)
    base.forward = scope["forward"]  # type: ignore[method-assign]
    return base


MarginRankingLoss = _of_three(
    "MarginRankingLoss", margins.margin_ranking_loss, "Whether one input ranks above the other.", margin=0.0
)
CosineEmbeddingLoss = _of_three(
    "CosineEmbeddingLoss", margins.cosine_embedding_loss, "Whether two inputs point the same way.", margin=0.0
)
TripletMarginLoss = _of_three(
    "TripletMarginLoss", margins.triplet_margin_loss, "Whether the positive is nearer than the negative.", margin=1.0,
    p=2.0, eps=1e-6, swap=False,
)  # fmt: skip
GaussianNLLLoss = _of_three(
    "GaussianNLLLoss", margins.gaussian_nll_loss, "Minus the log likelihood of a normal distribution.", full=False,
    eps=1e-6,
)  # fmt: skip
