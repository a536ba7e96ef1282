"""The ``aten`` functions behind those of ``torch.nn.functional``."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.fx.functional_form import written


def aten_call(name: str, path: str, args: Any, kwargs: dict[str, Any]) -> tuple[str, list[Any], dict[str, Any]]:
    """The ``aten`` function behind one of ``torch.nn.functional``, and its arguments."""
    places, named = written(path, args, kwargs)
    known = {k: v for k, v in named.items() if k not in ("_stacklevel", "inplace", "dtype", "size_average", "reduce")}
    reductions = {"none": 0, "mean": 1, "sum": 2}
    if name == "dropout":
        return name, [*places, named["p"], named["training"]], {}
    if name in ("softmax", "log_softmax"):
        return name, [*places, named["dim"], named["dtype"]], {}
    if "reduction" in known:
        known["reduction"] = reductions[known["reduction"]]
    if name == "cross_entropy":
        values = [known[k] for k in ("weight", "reduction", "ignore_index", "label_smoothing")]
        return "cross_entropy_loss", [*places, *values], {}
    if name in ("mse_loss", "l1_loss"):
        return name, [*places, known["reduction"]], {}
    if name == "nll_loss":
        return name, [*places, known["weight"], known["reduction"], known["ignore_index"]], {}
    if name in ("relu", "silu", "mish", "hardswish"):
        return name, list(places), {}
    if name == "embedding":
        return name, [places[1], places[0], -1, False, False], {}
    if name == "batch_norm":
        x, mean, variance = places
        how = [known[k] for k in ("training", "momentum", "eps")]
        return name, [x, known["weight"], known["bias"], mean, variance, *how, True], {}
    return name, [*places, *known.values()], {}
