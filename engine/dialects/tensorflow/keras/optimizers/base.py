"""``keras.optimizers.Optimizer``: state for each weight, and how gradients are applied."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import events
from engine.dialects.tensorflow.eager.tensor import Valued, convert, wrap
from engine.dialects.tensorflow.function.func_graph import building
from engine.dialects.tensorflow.indexed_slices import IndexedSlices
from engine.dialects.tensorflow.keras import nest, state
from engine.dialects.tensorflow.keras.both import in_graph, math_ops
from engine.dialects.tensorflow.keras.optimizers import rows
from engine.dialects.tensorflow.keras.optimizers.schedules import LearningRateSchedule
from engine.dialects.tensorflow.keras.serialization import deserialize, serialize
from engine.dialects.tensorflow.keras.variables import Variable
from engine.dynamic import observe

_M = math_ops.FUNCTIONS


class Optimizer:
    """What all optimizers are. Subclasses say in ``update_step`` what one gradient does to one weight."""

    __module__ = "keras.src.optimizers.optimizer"
    settings: tuple[str, ...] = ()

    if TYPE_CHECKING:  # weights and settings are attributes by the names that a layer gives them

        def __getattr__(self, name: str) -> Any: ...

    def __init__(
        self, learning_rate: Any, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, use_ema: bool = False, ema_momentum: float = 0.99,
        ema_overwrite_frequency: Any = None, loss_scale_factor: Any = None, gradient_accumulation_steps: Any = None,
        name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        if options.pop("decay", None) is not None:
            warnings.warn("Argument `decay` is no longer supported and will be ignored.", stacklevel=3)
        if options:
            raise ValueError(f"Argument(s) not recognized: {options}")
        self.name = name or state.unique_name(type(self).__name__)
        if use_ema or gradient_accumulation_steps:
            raise NotImplementedError(
                "use_ema and gradient_accumulation_steps are not known in this teaching engine; average weights or add "
                "up gradients in a training loop of your own"
            )
        given = [
            n
            for n, v in (("clipnorm", clipnorm), ("clipvalue", clipvalue), ("global_clipnorm", global_clipnorm))
            if v is not None
        ]
        if len(given) > 1:
            raise ValueError(
                "Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: "
                f"clipnorm={clipnorm}, clipvalue={clipvalue}, global_clipnorm={global_clipnorm}"
            )
        self.weight_decay, self.clipnorm, self.clipvalue = weight_decay, clipnorm, clipvalue
        self.global_clipnorm, self.loss_scale_factor = global_clipnorm, loss_scale_factor
        self.use_ema, self.ema_momentum, self.ema_overwrite_frequency = use_ema, ema_momentum, ema_overwrite_frequency
        self.gradient_accumulation_steps = gradient_accumulation_steps
        self.built = False
        self._variables: list[Any] = []
        self._places: dict[int, int] = {}
        self._trainable_variables: list[Any] = []
        self._not_decayed: set[int] = set()
        with state.name_scope(self.name, caller=self), state.quiet():
            self._iterations = Variable(0, dtype="int64", name="iteration", trainable=False)
            if isinstance(learning_rate, LearningRateSchedule) or callable(learning_rate):
                self._learning_rate: Any = learning_rate
            else:
                if not isinstance(learning_rate, float | int | np.generic) and not isinstance(learning_rate, Valued):
                    raise ValueError(
                        "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or a "
                        f"callable (that takes in the current iteration value and returns the corresponding learning "
                        f"rate value). Received instead: learning_rate={learning_rate}"
                    )
                self._learning_rate = Variable(learning_rate, dtype="float32", name="learning_rate", trainable=False)
                self._variables.append(self._learning_rate)
        self._variables.insert(0, self._iterations)

    # -- learning rate and step ---------------------------------------------------------------------------------------
    @property
    def iterations(self) -> Any:
        return self._iterations

    @property
    def learning_rate(self) -> Any:
        rate = self._learning_rate
        if isinstance(rate, LearningRateSchedule):
            return rate(self._iterations)
        return rate() if callable(rate) and not isinstance(rate, Valued) else rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if isinstance(value, LearningRateSchedule) or (callable(value) and not isinstance(value, Valued)):
            self._learning_rate = value
        elif isinstance(self._learning_rate, LearningRateSchedule):
            raise TypeError(
                "This optimizer was created with a `LearningRateSchedule` object as its `learning_rate` constructor "
                "argument, hence its learning rate is not settable. If you need the learning rate to be settable, you "
                "should instantiate the optimizer with a float `learning_rate` argument."
            )
        else:
            with state.bookkeeping():
                self._learning_rate.assign(value)

    lr = learning_rate

    # -- state -------------------------------------------------------------------------------------------------------
    @property
    def variables(self) -> list[Any]:
        return self._variables[:]

    def build(self, variables: Any) -> None:
        """Make the state for these weights."""
        if not self.built:
            for place, variable in enumerate(variables):
                self._places[id(variable)] = place
            self._trainable_variables = list(variables)
            self.built = True

    def add_variable(
        self, shape: Any, initializer: Any = "zeros", dtype: Any = None, name: Any = None, **_: Any
    ) -> Any:
        with state.name_scope(self.name, caller=self), state.quiet():
            made = Variable(initializer, shape=shape, dtype=dtype, trainable=False, name=name)
        self._variables.append(made)
        function = building()
        if function is not None:  # as with any variable, a function that makes one is traced twice
            function.made_variables.append(made)
        return made

    def add_variable_from_reference(self, reference_variable: Any, name: Any = None, initializer: Any = "zeros") -> Any:
        """State of a weight's shape."""
        path = str(getattr(reference_variable, "path", reference_variable.name)).replace(":", "_")
        return self.add_variable(
            tuple(reference_variable.shape), initializer, str(reference_variable._array.dtype),
            f"{path.replace('/', '_')}_{name}",
        )  # fmt: skip

    def add_optimizer_variables(self, variables: Any, name: Any, initializer: Any = "zeros") -> Any:
        names = [name] if isinstance(name, str) else name
        found = [[self.add_variable_from_reference(v, one, initializer) for v in variables] for one in names]
        return found[0] if isinstance(name, str) else tuple(found)

    def slots(self, *names: str) -> None:
        """State of the shape of each weight, kept in lists ``_<name>``."""
        made: dict[str, list[Any]] = {name: [] for name in names}
        for variable in self._trainable_variables:
            for name in names:
                made[name].append(self.add_variable_from_reference(variable, name))
        for name, held in made.items():
            setattr(self, f"_{name}", held)

    def _get_variable_index(self, variable: Any) -> int:
        return self._places[id(variable)]

    # -- applying ----------------------------------------------------------------------------------------------------
    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        raise NotImplementedError

    def apply_gradients(self, grads_and_vars: Any, **_: Any) -> Any:
        """One step with pairs of gradient and weight."""
        pairs = list(grads_and_vars)
        self.apply([g for g, _ in pairs], [v for _, v in pairs])
        return self._iterations

    def apply(self, grads: Any, trainable_variables: Any = None) -> None:
        """One step."""
        grads = list(grads)
        if not grads:
            return
        if trainable_variables is None:
            if not self.built:
                raise ValueError(
                    "When passing `grads` without `variables`, the optimizer must already be built on a list of "
                    "variables. Call `optimizer.build(trainable_variables)` first. "
                )
            trainable_variables = self._trainable_variables
        variables = list(trainable_variables)
        if not self.built:
            self.build(variables)
        for variable in variables:
            if id(variable) not in self._places:
                raise ValueError(
                    f"Unknown variable: {variable}. This optimizer can only be called for the variables it was "
                    "originally built with. When working with a new set of variables, you should recreate a new "
                    "optimizer instance."
                )
        grads, variables = self._present(grads, variables)
        with state.bookkeeping():
            given = [(g, v) for g, v in zip(grads, variables, strict=True)]
            grads = [rows.given(g) for g in grads]
            if self.loss_scale_factor is not None:
                grads = [g / float(self.loss_scale_factor) for g in grads]
            grads = self._clipped(grads)
            if self.weight_decay is not None:
                self._decay(variables)
            rate = self.learning_rate
            for gradient, variable in zip(grads, variables, strict=True):
                self.update_step(gradient, variable, rate)
            for variable in variables:
                constraint = getattr(variable, "constraint", None)
                if constraint is not None:
                    variable.assign(constraint(variable))
            self._iterations.assign_add(1)
        if not in_graph():
            self._tell(given)

    def _tell(self, pairs: Any) -> None:
        """In a recording a step is one update of each weight."""
        listener = events.listener
        if listener is None:
            return
        for gradient, variable in pairs:
            if isinstance(gradient, IndexedSlices):
                gradient = gradient.values
            sources = [(observe.node_of(listener, x), 0) for x in (variable, gradient)]
            start = events.clock()
            update = listener.node_created(
                observe.graph_of(listener), "assign", sources, observe.type_of(variable), role="update",
                label=type(self).__name__, scope=observe.scope,
            )  # fmt: skip
            storage = observe.storage_number(variable._storage)
            listener.op_ran(
                update, variable._array, start, events.clock(), storage=storage, version=variable._storage.version
            )
            observe.written(listener, variable, sources[0][0], "assign")

    def _present(self, grads: Any, variables: Any) -> tuple[list[Any], list[Any]]:
        missing = [g is None for g in grads]
        if not any(missing):
            return grads, variables
        if all(missing):
            raise ValueError("No gradients provided for any variable.")
        names = [_path(v) for g, v in zip(grads, variables, strict=True) if g is None]
        warnings.warn(
            f"Gradients do not exist for variables {names} when minimizing the loss. If using `model.compile()`, did "
            "you forget to provide a `loss` argument?",
            stacklevel=4,
        )
        pairs = [(g, v) for g, v in zip(grads, variables, strict=True) if g is not None]
        return [g for g, _ in pairs], [v for _, v in pairs]

    def _clipped(self, grads: list[Any]) -> list[Any]:
        if self.clipnorm and self.clipnorm > 0:
            return [_by_norm(rows.dense(g), _M["sqrt"](_squared(g)), float(self.clipnorm)) for g in grads]
        if self.global_clipnorm and self.global_clipnorm > 0:
            total = _M["sqrt"](_M["add_n"]([_squared(g) for g in grads]))
            return [_by_norm(rows.dense(g), total, float(self.global_clipnorm)) for g in grads]
        if self.clipvalue and self.clipvalue > 0:
            limit = float(self.clipvalue)
            return [math_ops.clip_by_value(rows.dense(g), -limit, limit) for g in grads]
        return grads

    def exclude_from_weight_decay(self, var_list: Any = None, var_names: Any = None) -> None:
        """Weights that are not to shrink."""
        self._not_decayed |= {id(v) for v in var_list or ()}
        self._names_not_decayed = list(var_names or ())

    def _decay(self, variables: Any) -> None:
        for variable in variables:
            named = any(name in _path(variable) for name in getattr(self, "_names_not_decayed", ()))
            if id(variable) not in self._not_decayed and not named:
                factor = _M["multiply"](convert(self.learning_rate), float(self.weight_decay))
                variable.assign(variable - _M["multiply"](variable, factor))

    def assign(self, variable: Any, value: Any) -> None:
        if isinstance(value, rows.Rows):
            rows.write(variable, value, "update")
        else:
            variable.assign(value)

    def assign_add(self, variable: Any, value: Any) -> None:
        if isinstance(value, rows.Rows):
            rows.write(variable, value, "add")
        else:
            variable.assign(variable + value)

    def assign_sub(self, variable: Any, value: Any) -> None:
        if isinstance(value, rows.Rows):
            rows.write(variable, value, "sub")
        else:
            variable.assign(variable - value)

    def minimize(self, loss: Any, var_list: Any, tape: Any = None) -> None:
        raise AttributeError(f"'{type(self).__name__}' object has no attribute 'minimize'")

    # -- config ------------------------------------------------------------------------------------------------------
    def get_config(self) -> dict[str, Any]:
        rate = self._learning_rate
        if isinstance(rate, Valued):
            rate = float(rate._array)
        elif isinstance(rate, LearningRateSchedule):
            rate = serialize(rate)
        base = (
            "weight_decay", "clipnorm", "global_clipnorm", "clipvalue", "use_ema", "ema_momentum",
            "ema_overwrite_frequency", "loss_scale_factor", "gradient_accumulation_steps",
        )  # fmt: skip
        return {
            "name": self.name, "learning_rate": rate, **{name: getattr(self, name) for name in base},
            **{name: getattr(self, name) for name in self.settings},
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        if isinstance(config.get("learning_rate"), dict):
            config = {
                **config,
                "learning_rate": deserialize(config["learning_rate"], family_of="keras.optimizers.schedules"),
            }
        return cls(**config)

    def get_weights(self) -> list[Any]:
        return [v._array.copy() for v in self._variables]

    def set_weights(self, weights: Any) -> None:
        """Give all state values.

        :raises ValueError: there is no state yet, or a shape differs.
        """
        if not self.built:
            raise ValueError(
                "You are calling `set_weights()` on an optimizer that has not yet been built. Please call "
                "`optimizer.build(trainable_variables)` to create the optimizer weights before calling `set_weights()`."
            )
        for variable, weight in zip(self._variables, weights, strict=False):
            if tuple(variable.shape) != tuple(np.shape(weight)):
                raise ValueError(
                    f"Optimizer variable {variable.path} has shape {variable.shape} not compatible with provided "
                    f"weight shape {np.shape(weight)}."
                )
            variable.assign(weight)


def _path(variable: Any) -> str:
    return str(getattr(variable, "path", getattr(variable, "_name", "")))


def _squared(gradient: Any) -> Any:
    """The sum of squares, each row of a table by itself."""
    return _M["reduce_sum"](rows.dense(rows.square(gradient)))


def _by_norm(gradient: Any, norm: Any, limit: float) -> Any:
    return _M["divide"](_M["multiply"](gradient, limit), _M["maximum"](norm, limit))


__all__ = ["Optimizer", "nest", "wrap"]
