"""``variable_scope``, ``get_variable`` and the initialisers: variables by name, made once and shared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.creation import constant
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.initializers import GlorotUniform, is_initializer
from engine.dialects.tensorflow.origins import listed, program_frames
from engine.dialects.tensorflow.shapes import TensorShape
from engine.dialects.tensorflow.variables import Variable


class _ReuseMode:
    def __repr__(self) -> str:
        return "_ReuseMode.AUTO_REUSE"


AUTO_REUSE = _ReuseMode()


class VariableScope:
    """Where ``get_variable`` puts names, whether it may or must find them, and which initialiser it uses."""

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        dtype: Any = None,
        regularizer: Any = None,
        original: str = "",
    ) -> None:
        self._name, self._reuse = name, reuse
        self._initializer, self._dtype, self._regularizer = initializer, dtype, regularizer
        self._original = original

    @property
    def name(self) -> str:
        return self._name

    @property
    def original_name_scope(self) -> str:
        return self._original

    @property
    def reuse(self) -> Any:
        return self._reuse

    @property
    def initializer(self) -> Any:
        return self._initializer

    @property
    def dtype(self) -> Any:
        return dtypes.as_dtype(self._dtype or "float32")

    def reuse_variables(self) -> None:
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        self._initializer = initializer

    def global_variables(self) -> list[Any]:
        return get_default_graph().get_collection("variables", f"{self._name}/" if self._name else None)

    def trainable_variables(self) -> list[Any]:
        return get_default_graph().get_collection("trainable_variables", f"{self._name}/" if self._name else None)


def get_variable_scope() -> VariableScope:
    return _current(get_default_graph())


def _current(graph: Graph) -> VariableScope:
    if graph.variable_scope is None:
        graph.variable_scope = VariableScope(False)
    return graph.variable_scope  # type: ignore[no-any-return]


@contextmanager
def variable_scope(
    name_or_scope: Any,
    default_name: str | None = None,
    values: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: Any = None,
    constraint: Any = None,
    auxiliary_name_scope: bool = True,
) -> Iterator[VariableScope]:
    """Names of variables made inside begin with this scope's."""
    graph = get_default_graph()
    outer = _current(graph)
    if reuse not in (None, False, True, AUTO_REUSE):
        raise ValueError("The reuse parameter must be True or False or None.")
    if name_or_scope is None:
        if default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        name_or_scope = _unused(graph, outer, default_name)
    else:
        default_name = None
    if isinstance(name_or_scope, VariableScope):
        full, base = name_or_scope.name, name_or_scope
        short = full.rpartition("/")[2]
    elif not isinstance(name_or_scope, str):
        raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
    else:
        short = name_or_scope
        full, base = f"{outer.name}/{short}" if outer.name else short, outer
    inherited = outer.reuse if not isinstance(name_or_scope, VariableScope) else name_or_scope.reuse or outer.reuse
    inner = VariableScope(
        (reuse or inherited) if reuse is not False else (inherited or False),
        full,
        initializer or base.initializer,
        dtype or base._dtype,
        regularizer or base._regularizer,
    )
    graph.variable_scope = inner
    counts = graph.scope_counts
    counts[full] = counts.get(full, 0) + 1
    kept = dict(counts)
    try:
        if short and auxiliary_name_scope:
            with graph.name_scope(default_name or short) as scope:
                inner._original = scope
                yield inner
        else:
            yield inner
    finally:
        graph.variable_scope = outer
        # Default names begin anew when a scope is opened again, so that layers without a name find what they shared.
        if isinstance(name_or_scope, VariableScope):
            graph.scope_counts = kept
        else:
            counts = graph.scope_counts
            for name in counts:
                if name.startswith(f"{full}/"):
                    counts[name] = 0


def _unused(graph: Graph, outer: VariableScope, default_name: str) -> str:
    prefix = f"{outer.name}/" if outer.name else ""
    name, count = default_name, 0
    while graph.scope_counts.get(prefix + name, 0):
        count += 1
        name = f"{default_name}_{count}"
    return name


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: Any = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: Any = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Variable:
    """The variable of this name in the current variable scope: found or made, as the scope's ``reuse`` says."""
    graph = get_default_graph()
    scope = _current(graph)
    full = f"{scope.name}/{name}" if scope.name else name
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    store = graph.variable_store
    if full in store:
        if not scope.reuse:
            raise ValueError(
                f"Variable {full} already exists, disallowed. Did you mean to set reuse=True or "
                f"reuse=tf.AUTO_REUSE in VarScope? "
                f"Originally defined at:\n\n{listed(graph.variable_origins.get(full, []))}"
            )
        return _found(store[full], full, shape, kind)
    if scope.reuse is True:
        raise _missing(full)
    chosen = initializer if initializer is not None else scope.initializer
    value = _initial(full, chosen, shape, kind or (scope.dtype if not _is_value(chosen) else None))
    with graph.core.scope(None):
        variable = Variable(
            value, trainable=trainable, collections=collections, name=full, dtype=kind if not callable(value) else None
        )
    store[full] = variable
    graph.variable_origins[full] = program_frames()
    penalty = regularizer if regularizer is not None else scope._regularizer
    if penalty is not None:
        with graph.name_scope(f"{full}/Regularizer/"):
            loss = penalty(variable)
        if loss is not None:
            graph.add_to_collection("regularization_losses", loss)
    return variable


def name_beside(variable: Variable, name: str) -> str:
    """What a variable is called that goes with another one, as an optimizer's slots do: the scope of variables in which
    it is made, then the other's whole name. Scopes of names do not matter.

    :raises ValueError: in a scope that only finds variables.
    """
    scope = _current(variable.graph)
    full = "/".join(part for part in (scope.name, variable.op.name, name) if part)
    if scope.reuse is True:
        raise _missing(f"{full}/")
    return full


def _missing(full: str) -> ValueError:
    return ValueError(
        f"Variable {full} does not exist, or was not created with tf.get_variable(). "
        "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
    )


def _is_value(initializer: Any) -> bool:
    return initializer is not None and not callable(initializer)


def _found(variable: Variable, full: str, shape: Any, kind: Any) -> Variable:
    if shape is not None and not TensorShape(shape).is_compatible_with(variable.shape):
        raise ValueError(
            f"Trying to share variable {full}, but specified shape {TensorShape(shape)} and found shape "
            f"{variable.shape}."
        )
    if kind is not None and kind.base_dtype != variable.dtype.base_dtype:
        raise ValueError(
            f"Trying to share variable {full}, but specified dtype {kind.name} and found dtype {variable.dtype.name}."
        )
    return variable


def _initial(full: str, initializer: Any, shape: Any, kind: Any) -> Any:
    """What the variable starts with: a value, or a function that builds it."""
    if _is_value(initializer):
        if shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        return initializer
    if shape is None:
        if initializer is not None and not is_initializer(initializer):
            return initializer
        if initializer is not None:
            raise ValueError(
                "The initializer passed is not valid. It should be a callable with no arguments and the shape should "
                "not be provided or an instance of `tf.keras.initializers.*' and `shape` should be fully defined."
            )
        raise ValueError(f"Variable {full} did not get an initializer, so its `shape` argument must be specified.")
    if not TensorShape(shape).is_fully_defined():
        raise ValueError(
            f"Shape of a new variable ({full}) must be fully defined, but instead was {TensorShape(shape)}."
        )
    sizes = TensorShape(shape).as_list()
    wanted = kind or dtypes.DTYPES["float32"]
    if initializer is None:
        if wanted.is_floating:
            initializer = GlorotUniform()
        elif wanted.is_integer or wanted.is_bool:
            return lambda: constant(np.zeros(sizes, wanted._numpy), name="zeros")
        else:
            raise ValueError(f"An initializer for Variable({full}) of {wanted} is required. Got: None")
    if isinstance(initializer, type):
        initializer = initializer()
    return lambda: initializer(sizes, dtype=wanted) if is_initializer(initializer) else initializer(sizes, wanted)
