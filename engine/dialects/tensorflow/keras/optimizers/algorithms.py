"""The algorithms: what one gradient does to one weight, in the order of operations of Keras."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.keras import state
from engine.dialects.tensorflow.keras.both import is_tensor, math_ops
from engine.dialects.tensorflow.keras.optimizers import rows
from engine.dialects.tensorflow.keras.optimizers.base import Optimizer
from engine.dialects.tensorflow.keras.serialization import deserialize, family
from engine.dialects.tensorflow.keras.variables import Variable

_M = math_ops.FUNCTIONS
_COMMON = (
    "weight_decay", "clipnorm", "clipvalue", "global_clipnorm", "use_ema", "ema_momentum", "ema_overwrite_frequency",
    "loss_scale_factor", "gradient_accumulation_steps", "name",
)  # fmt: skip


class _Algorithm(Optimizer):
    """Settings with defaults, in the order in which the constructor takes them."""

    defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.settings = tuple(name for name in cls.defaults if name not in ("learning_rate", *_COMMON))

    def __init__(self, *arguments: Any, **options: Any) -> None:
        names = [*self.defaults, *(name for name in _COMMON if name not in self.defaults)]
        if len(arguments) > len(names):
            raise TypeError(
                f"{type(self).__name__}.__init__() takes from 1 to {len(names) + 1} positional arguments but "
                f"{len(arguments) + 1} were given"
            )
        given = self.defaults | dict(zip(names, arguments, strict=False)) | options
        own = {name: given.pop(name) for name in self.settings}
        super().__init__(**given)
        for name, value in own.items():
            setattr(self, name, value)
        self._check()

    def _check(self) -> None:
        """Raise ValueError for settings out of range."""

    def _power(self, base: float) -> Any:
        """``base`` to the number of the step that is made."""
        step = math_ops.cast(self._iterations + 1, "float32")
        return _M["pow"](convert(base, "float32"), step)

    def _slot(self, name: str, variable: Any) -> Any:
        return getattr(self, f"_{name}")[self._get_variable_index(variable)]


def _rate(value: Any) -> Any:
    if is_tensor(value):
        return math_ops.cast(value, "float32")
    return convert(float(value), "float32")


class SGD(_Algorithm):
    """Down the gradient, with momentum if asked for."""

    defaults: ClassVar[dict[str, Any]] = {"learning_rate": 0.01, "momentum": 0.0, "nesterov": False}

    def _check(self) -> None:
        if not isinstance(self.momentum, float | int) or not 0 <= self.momentum <= 1:
            raise ValueError("`momentum` must be a float between [0, 1].")

    def build(self, variables: Any) -> None:
        if not self.built:
            super().build(variables)
            self.momentums: list[Any] = []
            if self.momentum:
                self.momentums = self.add_optimizer_variables(self._trainable_variables, "momentum")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        step = gradient * _rate(learning_rate)
        if not self.momentum:
            self.assign_sub(variable, step)
            return
        m = self.momentums[self._get_variable_index(variable)]
        m.assign(m * float(self.momentum) - step)
        self.assign_add(variable, m * float(self.momentum) - step if self.nesterov else m)


class Adam(_Algorithm):
    """Averages of gradients and of their squares."""

    defaults: ClassVar[dict[str, Any]] = {
        "learning_rate": 0.001,
        "beta_1": 0.9,
        "beta_2": 0.999,
        "epsilon": 1e-7,
        "amsgrad": False,
    }

    def build(self, variables: Any) -> None:
        if not self.built:
            super().build(variables)
            self.slots("momentum", "velocity")
            if self.amsgrad:
                self.slots("velocity_hat")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        m, v = self._slot("momentum", variable), self._slot("velocity", variable)
        alpha = _rate(learning_rate) * _M["sqrt"](1 - self._power(self.beta_2)) / (1 - self._power(self.beta_1))
        self.assign_add(m, (gradient - m) * (1 - self.beta_1))
        self.assign_add(v, (rows.square(gradient) - v) * (1 - self.beta_2))
        if self.amsgrad:
            top = self._slot("velocity_hat", variable)
            self.assign(top, _M["maximum"](top, v))
            v = top
        self.assign_sub(variable, (m * alpha) / (_M["sqrt"](v) + self.epsilon))


class AdamW(Adam):
    """Adam with weights that shrink."""

    defaults: ClassVar[dict[str, Any]] = {
        "learning_rate": 0.001, "weight_decay": 0.004, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7,
        "amsgrad": False,
    }  # fmt: skip

    def _check(self) -> None:
        if self.weight_decay is None:
            raise ValueError("Argument `weight_decay` must be a float. Received: weight_decay=None")


class RMSprop(_Algorithm):
    """Gradients over the root of an average of their squares."""

    defaults: ClassVar[dict[str, Any]] = {
        "learning_rate": 0.001,
        "rho": 0.9,
        "momentum": 0.0,
        "epsilon": 1e-7,
        "centered": False,
    }

    def build(self, variables: Any) -> None:
        if not self.built:
            super().build(variables)
            self.slots("velocity")
            if self.momentum > 0:
                self.slots("momentum")
            if self.centered:
                self.slots("average_gradient")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        velocity = self._slot("velocity", variable)
        self.assign(velocity, rows.square(gradient) * (1 - self.rho) + velocity * self.rho)
        below = velocity + self.epsilon
        if self.centered:
            average = self._slot("average_gradient", variable)
            self.assign(average, gradient * (1 - self.rho) + average * self.rho)
            below = velocity - _M["square"](average) + self.epsilon
        step = gradient * _rate(learning_rate) / _M["sqrt"](below)
        if self.momentum > 0:
            momentum = self._slot("momentum", variable)
            self.assign(momentum, step + momentum * float(self.momentum))
            step = momentum
        self.assign_sub(variable, step)


class Adagrad(_Algorithm):
    """Gradients over the root of the sum of their squares."""

    defaults: ClassVar[dict[str, Any]] = {"learning_rate": 0.001, "initial_accumulator_value": 0.1, "epsilon": 1e-7}

    def build(self, variables: Any) -> None:
        if not self.built:
            from engine.dialects.tensorflow.keras.initializers import Constant

            super().build(variables)
            self._accumulators = self.add_optimizer_variables(
                self._trainable_variables, "accumulator", Constant(self.initial_accumulator_value)
            )

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        sums = self._slot("accumulators", variable)
        self.assign_add(sums, rows.square(gradient))
        self.assign_sub(variable, gradient * _rate(learning_rate) / _M["sqrt"](sums + self.epsilon))


class Adadelta(_Algorithm):
    """Steps whose size follows that of former steps."""

    defaults: ClassVar[dict[str, Any]] = {"learning_rate": 0.001, "rho": 0.95, "epsilon": 1e-7}

    def build(self, variables: Any) -> None:
        if not self.built:
            super().build(variables)
            self.slots("accumulated_grad", "accumulated_delta_var")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        grads, steps = self._slot("accumulated_grad", variable), self._slot("accumulated_delta_var", variable)
        self.assign(grads, rows.square(gradient) * (1 - self.rho) + grads * self.rho)
        step = -(gradient * _M["sqrt"](steps + self.epsilon) / _M["sqrt"](grads + self.epsilon))
        self.assign(steps, rows.square(step) * (1 - self.rho) + steps * self.rho)
        self.assign_add(variable, step * _rate(learning_rate))


class Adamax(_Algorithm):
    """Adam with the largest gradient in the place of the mean square."""

    defaults: ClassVar[dict[str, Any]] = {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}

    def build(self, variables: Any) -> None:
        if not self.built:
            super().build(variables)
            self.slots("momentum", "norm")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        m, u = self._slot("momentum", variable), self._slot("norm", variable)
        self.assign_add(m, (gradient - m) * (1 - self.beta_1))
        self.assign(u, _M["maximum"](u * self.beta_2, rows.dense(rows.absolute(gradient))))
        below = (1 - self._power(self.beta_1)) * (u + self.epsilon)
        self.assign_sub(variable, _rate(learning_rate) * m / below)


class Nadam(_Algorithm):
    """Adam with Nesterov's momentum."""

    defaults: ClassVar[dict[str, Any]] = {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7}

    def build(self, variables: Any) -> None:
        if not self.built:
            super().build(variables)
            self.slots("momentum", "velocity")
            with state.name_scope(self.name, caller=self), state.quiet():
                self._product = Variable(1.0, dtype="float32", trainable=False, name="variable")
            self._variables.append(self._product)

    def _share(self, ahead: int) -> Any:
        step = math_ops.cast(self._iterations + ahead, "float32")
        return convert(self.beta_1, "float32") * (1.0 - 0.5 * _M["pow"](convert(0.96, "float32"), step))

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        if variable is self._trainable_variables[0]:
            self._product.assign(self._product * self._share(1))
        product = self._product
        beta_1, beta_2 = convert(self.beta_1, "float32"), convert(self.beta_2, "float32")
        share, following = self._share(1), self._share(2)
        m, v = self._slot("momentum", variable), self._slot("velocity", variable)
        self.assign_add(m, (gradient - m) * (1 - beta_1))
        self.assign_add(v, (rows.square(gradient) - v) * (1 - beta_2))
        ahead = (following * m) / (1 - product * following) + rows.dense((gradient * (1 - share)) / (1 - product))
        size = v / (1 - self._power(self.beta_2))
        self.assign_sub(variable, ahead * _rate(learning_rate) / (_M["sqrt"](size) + self.epsilon))


class Ftrl(_Algorithm):
    """Follow the regularized leader."""

    defaults: ClassVar[dict[str, Any]] = {
        "learning_rate": 0.001, "learning_rate_power": -0.5, "initial_accumulator_value": 0.1,
        "l1_regularization_strength": 0.0, "l2_regularization_strength": 0.0,
        "l2_shrinkage_regularization_strength": 0.0, "beta": 0.0,
    }  # fmt: skip

    def _check(self) -> None:
        if self.initial_accumulator_value < 0.0:
            raise ValueError(
                "`initial_accumulator_value` needs to be positive or zero. Received: "
                f"initial_accumulator_value={self.initial_accumulator_value}."
            )
        if self.learning_rate_power > 0.0:
            raise ValueError(
                "`learning_rate_power` needs to be negative or zero. Received: "
                f"learning_rate_power={self.learning_rate_power}."
            )

    def build(self, variables: Any) -> None:
        if not self.built:
            from engine.dialects.tensorflow.keras.initializers import Constant

            super().build(variables)
            self._accumulators, self._linears = [], []
            for variable in self._trainable_variables:
                start = Constant(self.initial_accumulator_value)
                self._accumulators.append(self.add_variable_from_reference(variable, "accumulator", start))
                self._linears.append(self.add_variable_from_reference(variable, "linear"))

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        sums, linear = self._slot("accumulators", variable), self._slot("linears", variable)
        rate, power = _rate(learning_rate), -float(self.learning_rate_power)
        l2 = float(self.l2_regularization_strength) + float(self.beta) / (2.0 * rate)
        used = gradient + 2 * float(self.l2_shrinkage_regularization_strength) * variable
        new = rows.square(gradient) + sums
        self.assign_add(linear, used - (new**power - sums**power) / rate * variable)
        below = new**power / rate + 2 * l2
        limit = float(self.l1_regularization_strength)
        self.assign(variable, (math_ops.clip_by_value(linear, -limit, limit) - linear) / below)
        self.assign(sums, new)


class Lion(_Algorithm):
    """The sign of an average."""

    defaults: ClassVar[dict[str, Any]] = {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.99}

    def _check(self) -> None:
        if self.beta_1 <= 0 or self.beta_1 > 1:
            raise ValueError(
                "Argument `beta_1` must be in the [0, 1] range. Otherwise, the optimizer degenerates to SignSGD. "
                f"Received: beta_1={self.beta_1}."
            )

    def build(self, variables: Any) -> None:
        if not self.built:
            super().build(variables)
            self.slots("momentum")

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        m = self._slot("momentum", variable)
        direction = _M["sign"](gradient * (1.0 - self.beta_1) + m * self.beta_1)
        self.assign_sub(variable, _rate(learning_rate) * direction)
        self.assign(m, gradient * (1.0 - self.beta_2) + m * self.beta_2)


CLASSES = {
    cls.__name__: cls for cls in (SGD, Adam, AdamW, RMSprop, Adagrad, Adadelta, Adamax, Nadam, Ftrl, Lion)
}  # fmt: skip
for _cls in CLASSES.values():
    _cls.__module__ = f"keras.src.optimizers.{_cls.__name__.lower()}"
OBJECTS = family("keras.optimizers", {**CLASSES, "Optimizer": Optimizer})
family("keras.optimizers", {name.lower(): cls for name, cls in CLASSES.items()})


def get(identifier: Any) -> Any:
    """An optimizer by name, config or itself.

    :raises ValueError: it is none.
    """
    if identifier is None:
        return None
    found = identifier
    if isinstance(identifier, dict):
        found = deserialize(identifier, family_of="keras.optimizers", kind="class")
    elif isinstance(identifier, str):
        config = {"class_name": identifier, "config": {}}
        key = identifier.lower()
        config["class_name"] = key if key in {name.lower() for name in CLASSES} else identifier
        try:
            found = deserialize(config, family_of="keras.optimizers")
        except TypeError:
            found = None
    if isinstance(found, Optimizer):
        return found
    raise ValueError(f"Could not interpret optimizer identifier: {identifier}")
