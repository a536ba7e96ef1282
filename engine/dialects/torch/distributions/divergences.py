"""How far one distribution is from another (S. Kullback and R. A. Leibler, 1951)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dialects.torch import selection, special
from engine.dialects.torch.distributions.continuous import Exponential, Laplace, Normal, Uniform
from engine.dialects.torch.distributions.discrete import Bernoulli, Categorical, OneHotCategorical, Poisson
from engine.dialects.torch.distributions.gamma_family import Beta, Dirichlet, Gamma
from engine.dialects.torch.distributions.joint import Independent, MultivariateNormal
from engine.dialects.torch.linalg.factors import solve_triangular
from engine.dialects.torch.nn.functional import softplus

_RULES: dict[tuple[type, type], Callable[[Any, Any], Any]] = {}


def register_kl(type_p: type, type_q: type) -> Callable[[Any], Any]:
    """Make a function the divergence of two kinds of distributions."""

    def register(function: Any) -> Any:
        _RULES[type_p, type_q] = function
        return function

    return register


def kl_divergence(p: Any, q: Any) -> Any:
    """The mean under ``p`` of ``log p - log q``.

    :raises NotImplementedError: there is no rule for these two.
    """
    for first in type(p).__mro__:
        for second in type(q).__mro__:
            if (first, second) in _RULES:
                return _RULES[first, second](p, q)
    raise NotImplementedError(f"No KL(p || q) is implemented for p type {type(p).__name__} and q type "
                              f"{type(q).__name__}")  # fmt: skip


@register_kl(Normal, Normal)
def _normal(p: Normal, q: Normal) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    away = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + away - 1 - ratio.log())


@register_kl(Categorical, Categorical)
def _categorical(p: Categorical, q: Categorical) -> Any:
    t = p.probs * (p.logits - q.logits)
    t = selection.masked_fill(t, (q.probs == 0).expand_as(t), float("inf"))
    return selection.masked_fill(t, (p.probs == 0).expand_as(t), 0).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p: OneHotCategorical, q: OneHotCategorical) -> Any:
    return _categorical(p._categorical, q._categorical)


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Any:
    yes: Any = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    yes = selection.masked_fill(yes, q.probs == 0, float("inf"))
    yes = selection.masked_fill(yes, p.probs == 0, 0)
    no = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    no = selection.masked_fill(no, q.probs == 1, float("inf"))
    return yes + selection.masked_fill(no, p.probs == 1, 0)


@register_kl(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Poisson, Poisson)
def _poisson(p: Poisson, q: Poisson) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Any:
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return selection.masked_fill(found, (q.low > p.low) | (q.high < p.high), float("inf"))


@register_kl(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Any:
    ratio, away = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + away / q.scale + ratio * (-away / p.scale).exp() - 1


@register_kl(Gamma, Gamma)
def _gamma(p: Gamma, q: Gamma) -> Any:
    a, b = p.concentration, q.concentration
    return (
        b * (p.rate / q.rate).log()
        + special.lgamma(b)
        - special.lgamma(a)
        + (a - b) * special.digamma(a)
        + (q.rate - p.rate) * (a / p.rate)
    )


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Dirichlet, q: Dirichlet) -> Any:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    sizes = special.lgamma(total) - special.lgamma(b.sum(-1))
    parts = (special.lgamma(a) - special.lgamma(b)).sum(-1)
    return sizes - parts + ((a - b) * (special.digamma(a) - special.digamma(total).unsqueeze(-1))).sum(-1)


@register_kl(Beta, Beta)
def _beta(p: Beta, q: Beta) -> Any:
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Independent, Independent)
def _independent(p: Independent, q: Independent) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return p._summed(kl_divergence(p.base_dist, q.base_dist))


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate(p: MultivariateNormal, q: MultivariateNormal) -> Any:
    spread = solve_triangular(q._factor, p._factor, upper=False).pow(2).sum((-2, -1))
    away = solve_triangular(q._factor, (q.loc - p.loc).unsqueeze(-1), upper=False).squeeze(-1).pow(2).sum(-1)
    return q._half_log_det() - p._half_log_det() + 0.5 * (spread + away - p.event_shape[0])
