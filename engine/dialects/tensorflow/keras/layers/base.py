"""``keras.layers.Layer``: weights, building at the first call, masks, losses, the functional API."""

from __future__ import annotations

import functools
import inspect
import warnings
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.tensor import convert, run
from engine.dialects.tensorflow.keras import marks, nest, penalties, state, symbolic
from engine.dialects.tensorflow.keras.both import array_ops, dtype_of, is_tensor, math_ops
from engine.dialects.tensorflow.keras.layers import input_spec
from engine.dialects.tensorflow.keras.layers.explaining import SYMBOLIC, explained
from engine.dialects.tensorflow.keras.layers.state_keeping import StateKeeping
from engine.dialects.tensorflow.keras.symbolic import KerasTensor, Node, Operation
from engine.dialects.tensorflow.keras.variables import Variable
from engine.dynamic import observe

_MISSING: Any = object()


class DTypePolicy:
    """In which dtype a layer computes, and in which it keeps its weights."""

    __module__ = "keras.src.dtype_policies.dtype_policy"

    def __init__(self, name: Any = None) -> None:
        self.name = dtypes.as_dtype(name or state.floatx()).name if not str(name).startswith("mixed_") else str(name)
        mixed = self.name.startswith("mixed_")
        self.compute_dtype = self.name.removeprefix("mixed_")
        self.variable_dtype = "float32" if mixed else self.name

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name}

    def serialized(self) -> dict[str, Any]:
        return {"module": "keras", "class_name": "DTypePolicy", "config": {"name": self.name}, "registered_name": None}

    def __repr__(self) -> str:
        return f'<DTypePolicy "{self.name}">'


def policy_of(dtype: Any) -> DTypePolicy:
    if isinstance(dtype, DTypePolicy):
        return dtype
    if isinstance(dtype, dict):
        return DTypePolicy(dtype["config"]["name"])
    return DTypePolicy(dtype)


class CallContext:
    """What layers called from a layer's ``call`` inherit: whether it is training."""

    def __init__(self, entry: Any) -> None:
        self.entry, self.training = entry, None


class Layer(StateKeeping, Operation):
    """What all layers (and models) are."""

    __module__ = "keras.src.layers.layer"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "build" in cls.__dict__:
            cls.build = _building(cls.__dict__["build"])  # type: ignore[method-assign]

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        made = super().__new__(cls)
        made.__dict__["_given"] = (arguments, options)
        return made

    def __init__(
        self, *, activity_regularizer: Any = None, trainable: bool = True, dtype: Any = None, autocast: bool = True,
        name: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        Operation.__init__(self, name=name)
        self._keep_state()
        self.dtype_policy = policy_of(dtype)
        self.activity_regularizer = penalties.regularizer(activity_regularizer)
        shape = options.pop("input_shape", None)
        if "input_dim" in options:
            shape = (options.pop("input_dim"),)
        if shape is not None:
            warnings.warn(
                "Do not pass an `input_shape`/`input_dim` argument to a layer. When using Sequential models, prefer "
                "using an `Input(shape)` object as the first layer in the model instead.",
                stacklevel=3,
            )
            self._input_shape_arg = (shape,) if isinstance(shape, int) else tuple(shape)
        if options:
            raise ValueError(f"Unrecognized keyword arguments passed to {type(self).__name__}: {options}")
        if not isinstance(trainable, bool):
            raise ValueError(
                f"Expected `trainable` to be a boolean. Received: trainable={trainable} (of type {type(trainable)})"
            )
        self.built = False
        self.autocast = autocast
        self._trainable = trainable
        self._build_shapes: dict[str, Any] | None = None
        self._signature = inspect.signature(self.call)
        self.supports_masking = type(self).compute_mask is not Layer.compute_mask
        self._converts_inputs, self._takes_anything = True, False
        self.input_spec: Any = None

    # -- words -------------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"

    __str__ = __repr__

    @property
    def dtype(self) -> str:
        return self.dtype_policy.variable_dtype

    variable_dtype = dtype

    @property
    def compute_dtype(self) -> str:
        return self.dtype_policy.compute_dtype

    input_dtype = compute_dtype

    @property
    def _call_has_training_arg(self) -> bool:
        return "training" in self._signature.parameters

    @property
    def _call_has_mask_arg(self) -> bool:
        return "mask" in self._signature.parameters

    # -- building ----------------------------------------------------------------------------------------------------
    def build(self, *_shapes: Any, **_named_shapes: Any) -> None:
        """Make the weights; called once, with the first input's shape (or with those of all inputs, by name)."""
        self._check_super_called()
        if type(self).build is Layer.build and any(not layer.built for layer in self._layers):
            warnings.warn(
                f"`build()` was called on layer '{self.name}', however the layer does not have a `build()` method "
                "implemented and it looks like it has unbuilt state. This will cause the layer to be marked as built, "
                "despite not being actually built, which may cause failures down the line. Make sure to implement a "
                "proper `build()` method.",
                stacklevel=2,
            )
        self.built = True

    def add_weight(
        self, shape: Any = None, initializer: Any = None, dtype: Any = None, trainable: bool = True,
        autocast: bool = True, regularizer: Any = None, constraint: Any = None, aggregation: str = "none",
        overwrite_with_gradient: bool = False, name: str | None = None,
    ) -> Variable:  # fmt: skip
        """A variable that belongs to the layer."""
        self._check_super_called()
        kind = dtypes.as_dtype(dtype).name if dtype is not None else self.variable_dtype
        if initializer is None:
            initializer = "glorot_uniform" if "float" in kind else "zeros"
        with state.name_scope(self.name, caller=self):
            made = Variable(
                initializer, shape=() if shape is None else shape, dtype=kind, trainable=trainable, name=name
            )
        made.regularizer = penalties.regularizer(regularizer)
        made.constraint = penalties.constraint(constraint)
        self._track(made)
        return made

    add_variable = add_weight

    def _maybe_build(self, bound: dict[str, Any]) -> None:
        if self.built:
            return
        shapes = _shapes_of(bound)
        if not getattr(type(self).build, "automatic", False):
            self.build(**_fitting(self.build, shapes, type(self).__name__))
        elif not any(not layer.built for layer in self._layers):
            self.build(next(iter(shapes.values()), None))

    def get_build_config(self) -> dict[str, Any] | None:
        if self._build_shapes is None:
            return None
        if len(self._build_shapes) == 1:
            return {"input_shape": next(iter(self._build_shapes.values()))}
        return {"shapes_dict": self._build_shapes}

    def build_from_config(self, config: dict[str, Any]) -> None:
        if "input_shape" in config:
            self.build(_as_tuples(config["input_shape"]))
        elif "shapes_dict" in config:
            self.build(**{name: _as_tuples(shape) for name, shape in config["shapes_dict"].items()})

    # -- calling -----------------------------------------------------------------------------------------------------
    def call(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"Layer {type(self).__name__} does not have a `call` method implemented.")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self._check_super_called()
        given, given_options = arguments, options
        if self._converts_inputs:
            arguments = nest.map_leaves(self._converted, tuple(arguments))
            options = {name: nest.map_leaves(self._converted, value) for name, value in options.items()}
        if not self._takes_anything:
            for x in nest.flatten(arguments):
                if not (x is None or is_tensor(x) or isinstance(x, KerasTensor)):
                    raise ValueError(
                        "Only input tensors may be passed as positional arguments. The following argument value "
                        f"should be passed as a keyword argument: {x} (of type {type(x)})"
                    )
        context_training = options.get("training")
        if "training" in options and not self._call_has_training_arg and not _takes_options(self._signature):
            options = {name: value for name, value in options.items() if name != "training"}
        bound = self._signature.bind(*arguments, **options)
        bound.apply_defaults()
        by_name = bound.arguments
        first = next(iter(by_name.values()), None)
        self._check_inputs(first)
        with state.name_scope(self.name, caller=self):
            self._maybe_build(by_name)
            return self._called(arguments, options, by_name, first, context_training, (given, given_options))

    def _called(self, arguments: Any, options: Any, by_name: Any, first: Any, training: Any, given: Any) -> Any:
        calls = state.program.calls
        context = calls[-1] if calls else None
        if context is None:
            context = CallContext(self)
            calls.append(context)
            self._clear_losses()
        before = context.training
        try:
            if training is None:
                training = before if before is not None else by_name.get("training")
            context.training = training
            if self._call_has_training_arg and training is not None:
                options = {**options, "training": training}
            options, previous = self._with_masks(options, by_name, first)
            outputs = self._run(arguments, options)
            self.built = True
            if self.activity_regularizer is not None:
                self._add_activity_losses(outputs)
            self._pass_mask_on(first, outputs, previous)
        finally:
            context.training = before
            if context.entry is self and calls and calls[-1] is context:
                calls.pop()
        if symbolic.is_symbolic(*given):
            Node(self, given[0], given[1], outputs)
        return outputs

    def _run(self, arguments: Any, options: Any) -> Any:
        before = observe.scope
        observe.scope = f"{before}/{self.name}" if before else self.name
        symbolic_call = symbolic.is_symbolic(arguments, options)
        try:
            if symbolic_call:
                return self.compute_output_spec(*arguments, **options)
            return self.call(*arguments, **options)
        except Exception as error:
            signature = SYMBOLIC if symbolic_call else self._signature
            told = explained(error, self, signature, arguments, options)
            if told is error:
                raise
            raise told.with_traceback(error.__traceback__) from None
        finally:
            observe.scope = before

    def _converted(self, x: Any) -> Any:
        if isinstance(x, KerasTensor):
            return x
        if is_tensor(x):
            if self.autocast and dtype_of(x).kind == "f" and str(dtype_of(x)) != self.compute_dtype:
                mask = marks.mask_of(x)
                x = run("cast", "Cast", x, dtype=dtypes.as_dtype(self.compute_dtype)._numpy)
                if mask is not None:
                    marks.put(x, "mask", mask)
            return x
        if isinstance(x, np.ndarray | np.generic):
            array = np.asarray(x)
            if self.autocast and array.dtype.kind == "f":
                array = array.astype(dtypes.as_dtype(self.compute_dtype)._numpy)
            return convert(array)
        return x

    def _check_inputs(self, first: Any) -> None:
        if self.input_spec:
            input_spec.check(self.input_spec, first, self.name)

    def _check_super_called(self) -> None:
        if "_signature" not in self.__dict__:
            raise RuntimeError(
                f"In layer '{type(self).__name__}', you forgot to call `super().__init__()` as the first statement in "
                "the `__init__()` method. Go add it!"
            )

    # -- masks -------------------------------------------------------------------------------------------------------
    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        return previous_mask

    def _with_masks(self, options: Any, by_name: Any, first: Any) -> tuple[Any, Any]:
        if "mask" in self._signature.parameters and by_name.get("mask") is None:
            tensors = [v for v in by_name.values() if _is_tensors(v)]
            if len(tensors) == 1:
                options = {**options, "mask": nest.map_leaves(marks.mask_of, tensors[0])}
        for name in by_name:
            if f"{name}_mask" in self._signature.parameters and by_name.get(f"{name}_mask") is None:
                mask = nest.map_leaves(marks.mask_of, by_name[name]) if _is_tensors(by_name[name]) else None
                options = {**options, f"{name}_mask": mask}
        given = options.get("mask")
        return options, given if given is not None else nest.map_leaves(marks.mask_of, first)

    def _pass_mask_on(self, first: Any, outputs: Any, previous: Any) -> None:
        if symbolic.is_symbolic(outputs):
            return  # masks come with values
        if not self.supports_masking:
            if any(mask is not None for mask in nest.flatten(previous)):
                warnings.warn(
                    f"Layer '{self.name}' (of type {type(self).__name__}) was passed an input with a mask attached to "
                    "it. However, this layer does not support masking and will therefore destroy the mask "
                    "information. Downstream layers will not see the mask.",
                    stacklevel=4,
                )
            return
        results = nest.flatten(outputs)
        if all(marks.mask_of(x) is not None for x in results):
            return
        masks = self.compute_mask(first, previous)
        if masks is None:
            return
        for x, mask in zip(results, nest.flatten(masks), strict=False):
            if mask is not None and marks.mask_of(x) is None:
                marks.put(x, "mask", mask)

    # -- losses ------------------------------------------------------------------------------------------------------
    def add_loss(self, loss: Any) -> None:
        """A scalar that is added to what training makes small."""
        for x in nest.flatten(loss):
            if not is_tensor(x):
                raise ValueError(
                    "`add_loss()` can only be called from inside `build()` or `call()`, on a tensor input. Received "
                    f"invalid value: {x}"
                )
            self._losses.append(x)

    def _add_activity_losses(self, outputs: Any) -> None:
        for output in nest.flatten(outputs):
            if is_tensor(output):
                loss = self.activity_regularizer(output)
                if len(output.shape):
                    size = math_ops.cast(array_ops.shape(output)[0], str(dtype_of(loss)))
                    loss = math_ops.FUNCTIONS["divide"](loss, size)
                self.add_loss(loss)

    # -- symbolic shapes ---------------------------------------------------------------------------------------------
    def compute_output_shape(self, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError(
            f"Layer {type(self).__name__} does not have a `compute_output_shape` method implemented. Should implement "
            "`def compute_output_shape(self, input_shape)`."
        )

    def compute_output_spec(self, *arguments: Any, **options: Any) -> Any:
        """What a call gives for symbolic tensors."""
        if type(self).compute_output_shape in _NOT_OVERRIDDEN:
            if type(self).call is Layer.call:
                return self.call(*arguments, **options)
            return symbolic.outcome(self.call, arguments, options)
        bound = self._signature.bind(*arguments, **options)
        bound.apply_defaults()
        shapes = _fitting(self.compute_output_shape, _shapes_of(bound.arguments), type(self).__name__)
        shape = self.compute_output_shape(**shapes)
        return nest.map_shapes(lambda sizes: KerasTensor(sizes, self.compute_dtype), shape)


Layer.build.automatic = True  # type: ignore[attr-defined]


class BuiltIn(Layer):
    """A layer of Keras itself: its output's shape is found by running it on zeros, unless it says otherwise."""

    def compute_output_shape(self, input_shape: Any) -> Any:
        given = nest.map_shapes(lambda shape: KerasTensor(shape, self.compute_dtype), input_shape)
        if not self.built:
            self.build(input_shape)
        found = symbolic.outcome(self.call, (given,), {})
        return nest.map_leaves(lambda tensor: tensor.shape, found)


_NOT_OVERRIDDEN = (Layer.compute_output_shape, BuiltIn.compute_output_shape)


def _building(build: Any) -> Any:
    """A ``build`` in the layer's scope, which afterwards is built."""
    signature = inspect.signature(build)

    @functools.wraps(build)
    def wrapped(self: Any, *arguments: Any, **options: Any) -> None:
        with state.name_scope(self.name, caller=self):
            build(self, *arguments, **options)
        given = signature.bind(self, *arguments, **options).arguments
        self._build_shapes = dict(list(given.items())[1:])
        self.built = True

    return wrapped


def _is_tensors(value: Any) -> bool:
    leaves = nest.flatten(value)
    return bool(leaves) and all(is_tensor(x) or isinstance(x, KerasTensor) for x in leaves)


def _takes_options(signature: inspect.Signature) -> bool:
    return any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())


def _shapes_of(bound: dict[str, Any]) -> dict[str, Any]:
    return {
        f"{name}_shape": nest.map_leaves(state.shape_in_words, value)
        for name, value in bound.items()
        if name not in ("mask", "kwargs", "args") and _is_tensors(value)
    }


def _fitting(function: Any, shapes: dict[str, Any], layer: str) -> dict[str, Any]:
    """The shapes that ``build`` or ``compute_output_shape`` asks for, by its parameters' names."""
    parameters = inspect.signature(function).parameters.values()
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY, p.KEYWORD_ONLY)]
    if len(names) == 1:
        return {names[0]: next(iter(shapes.values()), None)}
    return {name: shapes[name] for name in names if name in shapes}


def _as_tuples(shape: Any) -> Any:
    return nest.map_shapes(tuple, shape)
