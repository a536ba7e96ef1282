"""What a layer owns: its variables, its layers, its metrics, its losses, its config."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from engine.dialects.tensorflow.eager.tensor import Valued
from engine.dialects.tensorflow.keras import nest
from engine.dialects.tensorflow.keras.random import SeedGenerator
from engine.dialects.tensorflow.keras.variables import Variable

_NO_CONFIG = """
Object {0} was created by passing
non-serializable argument values in `__init__()`,
and therefore the object must override `get_config()` in
order to be serializable. Please implement `get_config()`.

Example:


class CustomLayer(keras.layers.Layer):
    def __init__(self, arg1, arg2, **kwargs):
        super().__init__(**kwargs)
        self.arg1 = arg1
        self.arg2 = arg2

    def get_config(self):
        config = super().get_config()
        config.update({{
            "arg1": self.arg1,
            "arg2": self.arg2,
        }})
        return config
"""


def unique(things: Any) -> list[Any]:
    """Each once, in order."""
    return list({id(thing): thing for thing in things}.values())


class StateKeeping:
    """Attributes that are variables, layers or metrics become part of the layer, also inside lists."""

    name: str
    built: bool
    _trainable: bool

    if TYPE_CHECKING:  # weights and settings are attributes by the names that a layer gives them

        def __getattr__(self, name: str) -> Any: ...

    def _keep_state(self) -> None:
        for name in ("_variables_own", "_kept", "_losses"):
            self.__dict__.setdefault(name, [])

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") or isinstance(value, StateKeeping | Variable):
            if isinstance(value, Variable):
                self._track(value)
            elif isinstance(value, list | tuple | dict) or _is_part(value):
                kept = self.__dict__.setdefault("_kept", [])
                if not any(thing is value for thing in kept) and name not in ("input_spec",):
                    kept.append(value)
        object.__setattr__(self, name, value)

    def _track(self, variable: Variable) -> None:
        own = self.__dict__.setdefault("_variables_own", [])
        if not any(v is variable for v in own):
            own.append(variable)
            if variable.trainable:
                self.__dict__.setdefault("_variables_trained", []).append(variable)

    def _parts(self, kind: Any) -> list[Any]:
        found = []
        for thing in self.__dict__.get("_kept", ()):
            found += [x for x in nest.flatten(thing) if isinstance(x, kind)] if nest.is_nested(thing) else (
                [thing] if isinstance(thing, kind) else []
            )  # fmt: skip
        return unique(found)

    @property
    def _layers(self) -> list[Any]:
        return self._parts(StateKeeping)

    def _flatten_layers(self, include_self: bool = True) -> list[Any]:
        found: list[Any] = [self] if include_self else []
        for layer in self._layers:
            found += layer._flatten_layers()
        return unique(found)

    # -- variables ---------------------------------------------------------------------------------------------------
    @property
    def _own_weights(self) -> list[Any]:
        own = list(self.__dict__.get("_variables_own", ()))
        for thing in self.__dict__.get("_kept", ()):
            if isinstance(thing, list | tuple | dict):
                own += [x for x in nest.flatten(thing) if isinstance(x, Variable)]
        trained = unique(self.__dict__.get("_variables_trained", ()))
        return unique([*trained, *own])

    @property
    def weights(self) -> list[Any]:
        return unique([*self._own_weights, *(w for layer in self._layers for w in layer.weights)])

    @property
    def variables(self) -> list[Any]:
        seeds = [generator.state for generator in self._parts(SeedGenerator)]
        return unique([*self._own_weights, *seeds, *(v for layer in self._layers for v in layer.variables)])

    @property
    def trainable_variables(self) -> list[Any]:
        return [v for v in self.variables if v.trainable] if self.trainable else []

    @property
    def non_trainable_variables(self) -> list[Any]:
        return [v for v in self.variables if not v.trainable] if self.trainable else self.variables

    @property
    def trainable_weights(self) -> list[Any]:
        return [v for v in self.weights if v.trainable] if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        return [v for v in self.weights if not v.trainable] if self.trainable else self.weights

    @property
    def trainable(self) -> bool:
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for variable in self.__dict__.get("_variables_trained", ()):
            variable.trainable = bool(value)
        for layer in self._layers:
            layer.trainable = value

    @property
    def metrics(self) -> list[Any]:
        from engine.dialects.tensorflow.keras.metrics.base import Metric

        return [*self._parts(Metric), *(m for layer in self._layers for m in layer.metrics)]

    @property
    def metrics_variables(self) -> list[Any]:
        return [v for metric in self.metrics for v in metric.variables]

    def count_params(self) -> int:
        """How many numbers the weights hold.

        :raises ValueError: there are none yet.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on layer '{self.name}', but the layer isn't built. You can build it "
                "manually via: `layer.build(input_shape)`."
            )
        return sum(w._array.size for w in self.weights)

    def get_weights(self) -> list[Any]:
        return [v._array.copy() for v in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Give all weights values.

        :raises ValueError: their number or shapes differ.
        """
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on layer '{self.name}' with a weight list of length "
                f"{len(weights)}, but the layer was expecting {len(own)} weights."
            )
        for variable, value in zip(own, weights, strict=True):
            if tuple(variable.shape) != tuple(value.shape):
                raise ValueError(
                    f"Layer {self.name} weight shape {variable.shape} is not compatible with provided weight shape "
                    f"{value.shape}."
                )
            variable.assign(value)

    # -- losses ------------------------------------------------------------------------------------------------------
    @property
    def losses(self) -> list[Any]:
        """What layers added, then what the weights' sizes cost."""
        found = [loss for layer in self._flatten_layers() for loss in layer._losses]
        return found + [v.regularizer(v) for v in self.trainable_weights if v.regularizer is not None]

    def _clear_losses(self) -> None:
        for layer in self._flatten_layers():
            layer._losses.clear()

    # -- config ------------------------------------------------------------------------------------------------------
    def get_config(self) -> dict[str, Any]:
        """What is needed to make the layer anew: given arguments too, if the class itself says nothing.

        :raises NotImplementedError: they are no plain values.
        """
        from engine.dialects.tensorflow.keras.layers.base import Layer

        config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype_policy.serialized()}
        if type(self).get_config is not Layer.get_config:
            return config
        arguments, options = self.__dict__["_given"]
        signature = inspect.signature(type(self).__init__)
        bound = signature.bind(None, *arguments, **options)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        for parameter in signature.parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                given.update(given.pop(parameter.name, {}))
        given.pop("name", None)
        if any(not isinstance(x, str | int | float | bool | type(None)) for x in nest.flatten(given)):
            raise NotImplementedError(_NO_CONFIG.format(type(self).__name__))
        takes = signature.parameters
        if "name" in takes or ("kwargs" in takes and takes["kwargs"].kind is inspect.Parameter.VAR_KEYWORD):
            given = {"name": self.name, **given}
        return {**given, "trainable": config["trainable"], "dtype": config["dtype"]}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        return cls(**config)


def _is_part(value: Any) -> bool:
    from engine.dialects.tensorflow.keras.metrics.base import Metric

    return isinstance(value, StateKeeping | SeedGenerator | Metric) and not isinstance(value, Valued)
