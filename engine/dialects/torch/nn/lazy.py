"""Layers that learn the size of their input from the first one."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.nn.convolution import Conv1d, Conv2d, ConvTranspose1d, ConvTranspose2d
from engine.dialects.torch.nn.layers import Linear
from engine.dialects.torch.nn.module import Module
from engine.dialects.torch.nn.normalisation import BatchNorm1d, BatchNorm2d
from engine.dialects.torch.nn.parameter import Parameter
from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import Tensor


class UninitializedParameter(Parameter):
    """A parameter whose shape is not known yet."""

    __module__ = "torch.nn.parameter"
    __slots__ = ()

    @property
    def shape(self) -> Any:
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` "
            "to initialize the parameters before accessing their attributes."
        )

    def __repr__(self) -> str:
        return "<UninitializedParameter>"

    __str__ = __repr__


_OF_ALL = frozenset(vars(Module()))
"""What every module has, whatever its size: among it the hooks."""


def _lazy(name: str, whole: type[Module], size: str, known: tuple[str, ...], axis: int) -> type[Module]:
    """A twin of ``whole`` whose argument ``size`` is dimension ``axis`` of the first input."""

    def initialise(self: Any, *arguments: Any, **options: Any) -> None:
        Module.__init__(self)
        given = dict(zip(known, arguments, strict=False)) | options
        before = default_generator.get_state()  # what the example draws does not count
        example = whole(**{**given, size: given.get("groups", 1)})
        default_generator.set_state(before)
        self.__dict__.update({k: v for k, v in example.__dict__.items() if not isinstance(v, Parameter)})
        self._buffers.update(example._buffers)
        object.__setattr__(self, size, 0)
        for parameter, value in example._parameters.items():
            self.register_parameter(parameter, None if value is None else UninitializedParameter())
        object.__setattr__(self, "_given", given)

    def call(self: Any, input: Tensor, *arguments: Any) -> Any:
        if "_given" in self.__dict__:
            kind = next((p.dtype for p in self._parameters.values() if p is not None), None)
            ready = whole(**{**self._given, size: input._array.shape[axis], "dtype": kind})
            object.__delattr__(self, "_given")
            object.__setattr__(self, "__class__", whole)
            for key, parameter in self._parameters.items():
                if parameter is not None:
                    _fill(parameter, ready._parameters[key])
            self._buffers.update(ready._buffers)
            own = {k: v for k, v in vars(ready).items() if k not in _OF_ALL and k not in self._parameters}
            self.__dict__.update(own)
        return self(input, *arguments)

    content = {"__init__": initialise, "__call__": call, "__module__": whole.__module__, "__doc__": whole.__doc__}
    return type(name, (whole,), content)


def _fill(parameter: Any, ready: Parameter) -> None:
    """Make a parameter what it was waiting for; it stays the one that an optimizer may know."""
    parameter.__class__ = Parameter
    parameter._array, parameter._storage, parameter._node = ready._array, ready._storage, ready._node
    parameter.__dict__.update(ready.__dict__)


LazyLinear = _lazy("LazyLinear", Linear, "in_features", ("out_features", "bias"), -1)
_CONV = ("out_channels", "kernel_size", "stride", "padding", "dilation", "groups", "bias", "padding_mode")
_TRANSPOSED = ("out_channels", "kernel_size", "stride", "padding", "output_padding", "groups", "bias", "dilation")
_NORM = ("eps", "momentum", "affine", "track_running_stats")
LazyConv1d = _lazy("LazyConv1d", Conv1d, "in_channels", _CONV, -2)
LazyConv2d = _lazy("LazyConv2d", Conv2d, "in_channels", _CONV, -3)
LazyConvTranspose1d = _lazy("LazyConvTranspose1d", ConvTranspose1d, "in_channels", _TRANSPOSED, -2)
LazyConvTranspose2d = _lazy("LazyConvTranspose2d", ConvTranspose2d, "in_channels", _TRANSPOSED, -3)
LazyBatchNorm1d = _lazy("LazyBatchNorm1d", BatchNorm1d, "num_features", _NORM, 1)
LazyBatchNorm2d = _lazy("LazyBatchNorm2d", BatchNorm2d, "num_features", _NORM, 1)
