"""What a layer expects of its inputs, and the words when they are something else."""

from __future__ import annotations

from typing import Any

from engine.dialects.tensorflow.keras import nest, state


class InputSpec:
    """Rank, sizes and dtype that an input must have."""

    def __init__(
        self, dtype: Any = None, shape: Any = None, ndim: int | None = None, max_ndim: int | None = None,
        min_ndim: int | None = None, axes: dict[int, Any] | None = None, allow_last_axis_squeeze: bool = False,
        name: str | None = None, optional: bool = False,
    ) -> None:  # fmt: skip
        self.dtype, self.shape = dtype, None if shape is None else tuple(shape)
        self.ndim = len(self.shape) if self.shape is not None else ndim
        self.max_ndim, self.min_ndim, self.name = max_ndim, min_ndim, name
        self.axes = {int(k): v for k, v in (axes or {}).items()}
        self.allow_last_axis_squeeze, self.optional = allow_last_axis_squeeze, optional

    def __repr__(self) -> str:
        parts = [
            f"{what}={value}" for what, value in (
                ("dtype", self.dtype), ("shape", self.shape), ("ndim", self.ndim), ("max_ndim", self.max_ndim),
                ("min_ndim", self.min_ndim), ("axes", self.axes),
            ) if value
        ]  # fmt: skip
        return f"InputSpec({', '.join(parts)})"


def check(spec: Any, inputs: Any, layer_name: str) -> None:
    """Nothing, if ``inputs`` are as ``spec`` says.

    :raises ValueError: they are not.
    """
    if not spec:
        return
    specs = nest.flatten(spec)
    if isinstance(inputs, dict) and all(one.name for one in specs):
        names = [one.name for one in specs]
        for name in names:
            if name not in inputs:
                raise ValueError(
                    f'Missing data for input "{name}". You passed a data dictionary with keys {list(inputs.keys())}. '
                    f"Expected the following keys: {names}"
                )
        inputs = [inputs[name] for name in names]
    given = nest.flatten(inputs)
    if len(given) != len(specs):
        names = [one.name for one in specs if one is not None]
        if len(names) == len(specs) and all(names):
            example = ", ".join(f"{name!r}: ..." for name in names)
            raise ValueError(
                f'Layer "{layer_name}" expects {len(specs)} named input(s) with keys {names}, but it received '
                f"{len(given)} input tensors. Pass inputs as a dict, e.g. "
                f"`layer({{{example}}})`."
            )
        raise ValueError(
            f'Layer "{layer_name}" expects {len(specs)} input(s), but it received {len(given)} input tensors. '
            f"Inputs received: {given}"
        )
    for place, (x, one) in enumerate(zip(given, specs, strict=True)):
        if one is not None and not (x is None and one.optional):
            _check_one(one, x, place, layer_name)


def _check_one(spec: InputSpec, x: Any, place: int, layer_name: str) -> None:
    if not hasattr(x, "shape"):
        raise ValueError(
            f"Inputs to a layer should be tensors. Got '{x}' (of type {type(x)}) as input for layer '{layer_name}'."
        )
    shape = state.shape_in_words(x)
    rank = len(shape)
    start = f"Input {place} with name '{spec.name}' of layer '{layer_name}' is incompatible with the layer: "
    if spec.ndim is not None and not spec.allow_last_axis_squeeze and rank != spec.ndim:
        raise ValueError(f"{start}expected ndim={spec.ndim}, found ndim={rank}. Full shape received: {shape}")
    if spec.max_ndim is not None and rank > spec.max_ndim:
        raise ValueError(f"{start}expected max_ndim={spec.max_ndim}, found ndim={rank}")
    if spec.min_ndim is not None and rank < spec.min_ndim:
        raise ValueError(f"{start}expected min_ndim={spec.min_ndim}, found ndim={rank}. Full shape received: {shape}")
    for axis, value in spec.axes.items():
        if value is not None and shape[axis] not in {value, None}:
            raise ValueError(
                f"{start}expected axis {axis} of input shape to have value {value}, but received input with shape "
                f"{shape}"
            )
    if spec.shape is None:
        return
    wanted = spec.shape
    if spec.allow_last_axis_squeeze:
        shape = shape[:-1] if shape and shape[-1] == 1 else shape
        wanted = wanted[:-1] if wanted and wanted[-1] == 1 else wanted
    for a, b in zip(wanted, shape, strict=False):
        if a is not None and b is not None and a != b:
            raise ValueError(f"{start}expected shape={spec.shape}, found shape={shape}")
