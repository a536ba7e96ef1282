"""Learning rates that depend on the step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dialects.tensorflow.eager.tensor import Valued, wrap
from engine.dialects.tensorflow.keras.both import computed, in_graph
from engine.dialects.tensorflow.keras.serialization import family


class LearningRateSchedule:
    """Called with a step it gives a learning rate."""

    __module__ = "keras.src.optimizers.schedules.learning_rate_schedule"

    def __call__(self, step: Any) -> Any:
        raise NotImplementedError(
            f"Learning rate schedule '{type(self).__name__}' must override `__call__(self, step)`."
        )

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError(
            f"Learning rate schedule '{type(self).__name__}' must override `get_config()` in order to be serializable."
        )

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        return cls(**config)


class _Formula(LearningRateSchedule):
    """A schedule that is a formula of the step; its settings are its config."""

    defaults: tuple[tuple[str, Any], ...] = ()
    needed = object()

    if TYPE_CHECKING:  # settings are attributes by their names in `defaults`

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, *arguments: Any, **options: Any) -> None:
        names = [name for name, _ in self.defaults]
        given = dict(zip(names, arguments, strict=False)) | options
        for name in given:
            if name not in names:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'")
        for name, default in self.defaults:
            if name not in given and default is self.needed:
                raise TypeError(f"{type(self).__name__}.__init__() missing 1 required positional argument: '{name}'")
            setattr(self, name, given.get(name, default))
        self.name = self.name or type(self).__name__

    name: Any = None

    def __call__(self, step: Any) -> Any:
        if in_graph():
            return computed(lambda now: np.float32(self.rate(float(now))), step, "float32", ())
        now = float(step._array) if isinstance(step, Valued) else float(step)
        return wrap(np.asarray(self.rate(now), np.float32))

    def rate(self, step: float) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name, _ in self.defaults}


_N = _Formula.needed
_f = np.float32


class ExponentialDecay(_Formula):
    """``initial * decay_rate ** (step / decay_steps)``."""

    defaults = (("initial_learning_rate", _N), ("decay_steps", _N), ("decay_rate", _N), ("staircase", False),
                ("name", "ExponentialDecay"))  # fmt: skip

    def rate(self, step: float) -> Any:
        past = _f(step) / _f(self.decay_steps)
        return _f(self.initial_learning_rate) * np.power(
            _f(self.decay_rate), np.floor(past) if self.staircase else past
        )


class InverseTimeDecay(_Formula):
    """``initial / (1 + decay_rate * step / decay_steps)``."""

    defaults = (("initial_learning_rate", _N), ("decay_steps", _N), ("decay_rate", _N), ("staircase", False),
                ("name", "InverseTimeDecay"))  # fmt: skip

    def rate(self, step: float) -> Any:
        past = _f(step) / _f(self.decay_steps)
        past = np.floor(past) if self.staircase else past
        return _f(self.initial_learning_rate) / (_f(1) + _f(self.decay_rate) * past)


class PiecewiseConstantDecay(_Formula):
    """One value up to each boundary."""

    defaults = (("boundaries", _N), ("values", _N), ("name", "PiecewiseConstant"))

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        if len(self.boundaries) != len(self.values) - 1:
            raise ValueError(
                "The length of boundaries should be 1 less than the length of values. Received: "
                f"boundaries={self.boundaries} of length {len(self.boundaries)}, and values={self.values} of length "
                f"{len(self.values)}."
            )

    def rate(self, step: float) -> Any:
        for boundary, value in zip(self.boundaries, self.values, strict=False):
            if step <= boundary:
                return value
        return self.values[-1]


class PolynomialDecay(_Formula):
    """Down to ``end_learning_rate`` in ``decay_steps``."""

    defaults = (("initial_learning_rate", _N), ("decay_steps", _N), ("end_learning_rate", 0.0001), ("power", 1.0),
                ("cycle", False), ("name", "PolynomialDecay"))  # fmt: skip

    def rate(self, step: float) -> Any:
        steps = float(self.decay_steps)
        if self.cycle:
            steps *= 1.0 if step == 0 else math.ceil(step / steps)
        else:
            step = min(step, steps)
        first, last = _f(self.initial_learning_rate), _f(self.end_learning_rate)
        return (first - last) * np.power(_f(1) - _f(step) / _f(steps), _f(self.power)) + last


class CosineDecay(_Formula):
    """Half a cosine down to ``alpha`` of the start, perhaps after a warm-up."""

    defaults = (("initial_learning_rate", _N), ("decay_steps", _N), ("alpha", 0.0), ("name", "CosineDecay"),
                ("warmup_target", None), ("warmup_steps", 0))  # fmt: skip

    def rate(self, step: float) -> Any:
        if self.warmup_target is None:
            return self._decayed(step, self.initial_learning_rate)
        if step < self.warmup_steps:
            share = _f(step) / _f(self.warmup_steps)
            rise = _f(self.warmup_target) - _f(self.initial_learning_rate)
            return rise * share + _f(self.initial_learning_rate)
        return self._decayed(step - self.warmup_steps, self.warmup_target)

    def _decayed(self, step: float, start: float) -> Any:
        share = min(_f(step), _f(self.decay_steps)) / _f(self.decay_steps)
        down = _f(0.5) * (_f(1.0) + _f(math.cos(float(_f(math.pi) * _f(share)))))
        return _f(start) * ((_f(1) - _f(self.alpha)) * down + _f(self.alpha))


class CosineDecayRestarts(_Formula):
    """Half cosines, each longer and lower."""

    defaults = (("initial_learning_rate", _N), ("first_decay_steps", _N), ("t_mul", 2.0), ("m_mul", 1.0),
                ("alpha", 0.0), ("name", "SGDRDecay"))  # fmt: skip

    def rate(self, step: float) -> Any:
        share = step / self.first_decay_steps
        if self.t_mul == 1.0:
            number = math.floor(share)
            share -= number
        else:
            number = math.floor(math.log(1.0 - share * (1.0 - self.t_mul)) / math.log(self.t_mul))
            share = (share - (1.0 - self.t_mul**number) / (1.0 - self.t_mul)) / self.t_mul**number
        down = 0.5 * self.m_mul**number * (1.0 + math.cos(math.pi * share))
        return self.initial_learning_rate * ((1 - self.alpha) * down + self.alpha)


SCHEDULES = {
    cls.__name__: cls for cls in (
        LearningRateSchedule, ExponentialDecay, InverseTimeDecay, PiecewiseConstantDecay, PolynomialDecay, CosineDecay,
        CosineDecayRestarts,
    )
}  # fmt: skip
family("keras.optimizers.schedules", SCHEDULES)
