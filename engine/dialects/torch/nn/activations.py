"""Activations as modules."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch import creation, pointwise
from engine.dialects.torch.nn import functional as F
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.nn.relaxed import rrelu


class _Activation(Module):
    __module__ = "torch.nn.modules.activation"


class ReLU(_Activation):
    """``max(x, 0)``."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.relu(input, self.inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


def _plain(name: str, function: Any, doc: str) -> type[Module]:
    """An activation without settings."""

    def forward(self: Any, input: Any) -> Any:
        return function(input)

    return type(name, (_Activation,), {"__module__": "torch.nn.modules.activation", "__doc__": doc, "forward": forward})


def _set(name: str, function: Any, doc: str, shown: str = "", tells: bool = True, **defaults: Any) -> type[Module]:
    """An activation with settings, given in this order; ``shown`` is how they print, ``tells``: so does ``inplace``."""

    def initialise(self: Any, *arguments: Any, **options: Any) -> None:
        Module.__init__(self)
        unknown = sorted(set(options) - {*defaults, "inplace"})
        if unknown or len(arguments) > len(defaults) + 1:
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{(unknown or ['?'])[0]}'")
        self.__dict__.update(defaults | dict(zip([*defaults, "inplace"], arguments, strict=False)) | options)

    def forward(self: Any, input: Any) -> Any:
        given = [self.__dict__[word] for word in defaults]
        return function(input, *given, inplace=True) if self.__dict__.get("inplace") else function(input, *given)

    def extra_repr(self: Any) -> str:
        words = [shown.format(**self.__dict__)] if shown else []
        return ", ".join(words + ["inplace=True"] * (self.__dict__.get("inplace", False) and tells))

    content = {"__init__": initialise, "forward": forward, "extra_repr": extra_repr, "__doc__": doc}
    return type(name, (_Activation,), {"__module__": "torch.nn.modules.activation", **content})


Sigmoid = _plain("Sigmoid", pointwise.sigmoid, "``1 / (1 + exp(-x))``.")
Tanh = _plain("Tanh", pointwise.tanh, "The hyperbolic tangent.")
SELU = _set("SELU", F.selu, "A scaled ELU.")
SiLU = _set("SiLU", F.silu, "``x * sigmoid(x)``.")
LogSigmoid = _plain("LogSigmoid", F.logsigmoid, "``log(sigmoid(x))``.")
ReLU6 = _set("ReLU6", F.relu6, "``x`` limited to 0 to 6.")
Mish = _set("Mish", F.mish, "``x * tanh(softplus(x))``.")
Softsign = _plain("Softsign", F.softsign, "``x / (1 + |x|)``.")
Tanhshrink = _plain("Tanhshrink", F.tanhshrink, "``x - tanh(x)``.")
Hardsigmoid = _set("Hardsigmoid", F.hardsigmoid, "A sigmoid of straight lines.", tells=False)
Hardswish = _set("Hardswish", F.hardswish, "``x * hardsigmoid(x)``.", tells=False)
Softmax2d = _plain("Softmax2d", lambda x: F.softmax(x, -3), "Softmax over the channels of images.")


CELU = _set("CELU", F.celu, "A smooth ELU.", "alpha={alpha}", alpha=1.0)
GLU = _set("GLU", F.glu, "One half times the sigmoid of the other.", "dim={dim}", dim=-1)
Hardshrink = _set("Hardshrink", F.hardshrink, "``x`` where it is large.", "{lambd}", lambd=0.5)
Softshrink = _set("Softshrink", F.softshrink, "``x`` moved towards 0.", "{lambd}", lambd=0.5)
Threshold = _set(
    "Threshold", F.threshold, "``x`` above a limit, else a value.", "threshold={threshold}, value={value}",
    threshold=0.0, value=0.0,
)  # fmt: skip


class LeakyReLU(_Activation):
    """``x`` where positive, ``negative_slope * x`` elsewhere."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Any) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class ELU(_Activation):
    """``x`` where positive, ``alpha * (exp(x) - 1)`` elsewhere."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Any) -> Any:
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class GELU(_Activation):
    """``x`` times the normal distribution function of ``x``."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Softplus(_Activation):
    """``log(1 + exp(x))``."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Any) -> Any:
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class Hardtanh(_Activation):
    """``x`` limited to an interval."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input: Any) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, inplace=self.inplace)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class PReLU(_Activation):
    """A leaky ReLU whose slope is learned."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(creation.full((num_parameters,), init))

    def forward(self, input: Any) -> Any:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Softmax(_Activation):
    """``exp(x)`` over its sum along ``dim``."""

    __module__ = "torch.nn.modules.activation"
    _function = staticmethod(F.softmax)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return type(self)._function(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class LogSoftmax(Softmax):
    """The logarithm of softmax."""

    __module__ = "torch.nn.modules.activation"
    _function = staticmethod(F.log_softmax)


class Softmin(Softmax):
    """The softmax of ``-x``."""

    __module__ = "torch.nn.modules.activation"
    _function = staticmethod(F.softmin)


class RReLU(_Activation):
    """A leaky ReLU whose slope is drawn while training."""

    __module__ = "torch.nn.modules.activation"

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Any) -> Any:
        return rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"lower={self.lower}, upper={self.upper}" + (", inplace=True" if self.inplace else "")
