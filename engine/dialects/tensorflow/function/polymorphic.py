"""``tf.function``: which trace serves a call, and when a new one is made."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import events
from engine.bridges.function.autograph import converted
from engine.bridges.function.key import flatten, frozen, rebuild
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.eager.tensor import Valued
from engine.dialects.tensorflow.eager.tensor import convert as eager
from engine.dialects.tensorflow.function.concrete import ConcreteFunction
from engine.dialects.tensorflow.function.func_graph import SINGLETON, building
from engine.dialects.tensorflow.function.retracing import Retracing
from engine.dialects.tensorflow.function.specs import Literal, TensorSpec, differs, open_shape, shown, spec_of
from engine.dialects.tensorflow.function.structures import leaves_like, ordered
from engine.dialects.tensorflow.function.user_code import in_user_code
from engine.dialects.tensorflow.handles import Tensor

_eagerly = [False]


def run_functions_eagerly(run_eagerly: bool) -> None:
    """``tf.config.run_functions_eagerly``: functions run as plain Python from now on."""
    _eagerly[0] = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    return _eagerly[0]


class Function:
    """A function that is traced once for each kind of arguments, and runs as a graph from then on."""

    __module__ = "tensorflow.python.eager.polymorphic_function.polymorphic_function"

    def __init__(
        self, python_function: Callable[..., Any], input_signature: Any = None, autograph: bool = True,
        reduce_retracing: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        functools.update_wrapper(self, python_function)
        self._python = python_function
        self._name = str(name or getattr(python_function, "__name__", type(python_function).__name__))
        self._autograph = autograph
        self._reduce = reduce_retracing
        self._body = converted(python_function) if autograph else python_function
        if autograph and not inspect.isroutine(python_function) and not inspect.isclass(python_function):
            self._body = converted(python_function.__call__)  # type: ignore[operator]
        self._signature = inspect.signature(python_function)
        self._given_signature = None if input_signature is None else tuple(input_signature)
        self._wanted = None if input_signature is None else self._signature_specs(self._given_signature)
        self._traces: list[ConcreteFunction] = []
        self._counted = 0
        self._chosen: dict[Any, ConcreteFunction] = {}
        self._retracing = Retracing()
        self._instances: dict[int, tuple[Any, Function]] = {}
        self._made_variables = False
        self._kept: list[Any] = []

    # -- calling -----------------------------------------------------------------------------------------------------
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _eagerly[0]:
            return self._python(*args, **kwargs)
        if graphs._stack and building() is None:
            return self._python(*args, **kwargs)
        count = len(self._traces)
        trace, leaves = self.traced(args, kwargs)
        if len(self._traces) > count:
            self._retracing.traced(self._python)
            if events.listener is not None:
                first = not count
                why = ", ".join(trace.guards) if first else trace.reason
                events.listener.specialised(self._name, "traced" if first else "traced again", why)
        else:
            self._retracing.not_traced()
        return trace.run(leaves)

    def traced(self, args: Any, kwargs: Any) -> tuple[ConcreteFunction, Any]:
        """The trace for these arguments, which is made if there is none, and what to run it with."""
        leaves, specs, paths, structure, sizes = self._flat(args, kwargs)
        return self._trace_for(leaves, specs, paths, structure, sizes), leaves

    def _trace_for(self, leaves: Any, specs: Any, paths: Any, structure: Any, sizes: Any) -> ConcreteFunction:
        key = (frozen(structure), tuple(specs))
        found = self._chosen.get(key)
        if found is None:
            found = self._find(specs, structure)
            if found is None:
                found = self._make(leaves, specs, paths, structure, sizes)
                self._chosen.clear()
            self._chosen[key] = found
        return found

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace that a call with these arguments (or specs of them) uses, made if need be."""
        if self._wanted is not None and not args and not kwargs:
            args = tuple(self._given_signature or ())
        return self.traced(args, kwargs)[0]

    def _flat(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The leaves of a call with their specs, where they stand, how they are nested, how many each parameter has."""
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and kwargs: {kwargs} "
                f"for signature: {self._signature_text()}."
            ) from None
        bound.apply_defaults()
        named: list[tuple[str, Any]] = []
        keywords: list[tuple[str, Any]] = []
        for name, value in bound.arguments.items():
            kind = self._signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                named += [(f"{name}_{i}", item) for i, item in enumerate(value)]
            elif kind is inspect.Parameter.VAR_KEYWORD:
                keywords += sorted(value.items())
            else:
                (keywords if kind is inspect.Parameter.KEYWORD_ONLY else named).append((name, value))
        if self._wanted is not None:
            named = self._cast(named, args, kwargs)
        leaves: list[tuple[str, Any]] = []
        parts: list[list[Any]] = [[], []]
        sizes = []
        for place, group in enumerate((named, keywords)):
            for name, value in group:
                before = len(leaves)
                parts[place].append(flatten(ordered(value), name, leaves))
                sizes.append((name, len(leaves) - before))
        structure = (tuple, [(tuple, parts[0]), ("dict", parts[1], [name for name, _ in keywords])])
        variables: dict[int, int] = {}
        specs = [spec_of(leaf, variables) for _, leaf in leaves]
        if self._wanted is not None:
            specs[: len(self._wanted)] = self._wanted
        return [leaf for _, leaf in leaves], specs, [path for path, _ in leaves], structure, sizes

    # -- signatures --------------------------------------------------------------------------------------------------
    def _signature_specs(self, given: Any) -> list[Any]:
        leaves: list[tuple[str, Any]] = []
        flatten(ordered(given), "", leaves)
        for _, leaf in leaves:
            if not isinstance(leaf, TensorSpec):
                raise TypeError(
                    f"input_signature must be a possibly nested sequence of TensorSpec objects, got {given}"
                )
        return [leaf for _, leaf in leaves]

    def _cast(self, named: list[tuple[str, Any]], args: Any, kwargs: Any) -> list[tuple[str, Any]]:
        """Arguments as the signature wants them. :raises TypeError: they do not fit."""
        result: list[tuple[str, Any]] = []
        for place, (name, value) in enumerate(named):
            if place >= len(self._given_signature or ()):
                result.append((name, value))
                continue
            wanted: list[tuple[str, Any]] = []
            structure = flatten(ordered((self._given_signature or ())[place]), "", wanted)
            given = leaves_like(structure, ordered(value))
            if given is None or len(given) != len(wanted):
                raise self._refused(f"Can not cast {value!r} to {(self._given_signature or ())[place]!r}", args, kwargs)
            fitted = [self._fitted(v, s, args, kwargs) for v, (_, s) in zip(given, wanted, strict=True)]
            result.append((name, rebuild(structure, iter(fitted))))
        return result

    def _fitted(self, value: Any, spec: TensorSpec, args: Any, kwargs: Any) -> Any:
        if isinstance(value, TensorSpec):
            found: Any = value
        elif isinstance(value, Valued | Tensor | np.ndarray | np.generic):
            found = spec_of(value, {})
        else:
            try:
                value = eager(value, spec.dtype)
            except (TypeError, ValueError):
                raise self._refused(f"Can not cast {value!r} to {spec!r}", args, kwargs) from None
            found = spec_of(value, {})
        if not spec.takes(TensorSpec(found.shape, found.dtype)):
            raise self._refused(f"Can not cast {TensorSpec(found.shape, found.dtype)!r} to {spec!r}", args, kwargs)
        return value

    def _refused(self, why: str, args: Any, kwargs: Any) -> TypeError:
        return TypeError(
            f"Binding inputs to tf.function failed due to `{why}`. Received args: {args} and kwargs: {kwargs} for "
            f"signature: {self._signature_text()}."
        )

    def _signature_text(self) -> str:
        """The parameters as error messages list them."""
        texts = []
        for place, (name, parameter) in enumerate(self._signature.parameters.items()):
            text = str(parameter).partition(":")[0].partition("=")[0]
            if self._given_signature is not None and place < len(self._given_signature):
                specs: list[tuple[str, Any]] = []
                structure = flatten(ordered(self._given_signature[place]), "", specs)
                text = f"{name}: {shown(structure, [TensorSpec(s.shape, s.dtype) for _, s in specs])}"
            elif parameter.default is not inspect.Parameter.empty:
                text += f"={parameter.default!r}"
            texts.append(text)
        return f"({', '.join(texts)})"

    # -- traces ------------------------------------------------------------------------------------------------------
    def _find(self, specs: Sequence[Any], structure: Any) -> ConcreteFunction | None:
        """The most specific trace that takes these arguments."""
        form = frozen(structure)
        fitting = [t for t in self._traces if frozen(t._structure) == form and t.takes(specs)]
        return min(fitting, key=lambda t: t.width, default=None)

    def _make(self, leaves: Any, specs: Any, paths: Any, structure: Any, sizes: Any) -> ConcreteFunction:
        reason = self._reason(paths, specs, structure)
        if self._reduce:
            specs = self._relaxed(specs, structure)
        self._kept += [leaf for leaf in leaves if not isinstance(leaf, TensorSpec)]  # identities stay theirs
        outer = building()

        def traced(may_make: bool) -> ConcreteFunction:
            self._counted += 1
            made = ConcreteFunction(self._name, sizes, reason)
            try:
                made.trace(self._body, paths, specs, leaves, structure, outer, may_make, self._python)
            except Exception as error:
                told = in_user_code(error) if self._autograph else error
                if told is error:
                    raise
                raise told from None
            return made

        trace = traced(not self._traces and not self._made_variables)
        if trace.graph.made_variables:
            # As the first trace made variables, a second one shows whether every call would.
            self._made_variables = True
            self._kept += trace.graph.made_variables
            trace = traced(False)
        self._traces.append(trace)
        return trace

    def _reason(self, paths: Sequence[str], specs: Sequence[Any], structure: Any) -> str:
        """Why none of the traces serves, told against the one that comes nearest."""
        if not self._traces:
            return "this is the first call"
        best: list[str] | None = None
        for number, trace in enumerate(self._traces):
            if frozen(trace._structure) != frozen(structure) or len(trace._specs) != len(specs):
                found = [f"the arguments are nested differently than those of trace {number}"]
            else:
                told = (differs(p, now, old) for p, now, old in zip(paths, specs, trace._specs, strict=True))
                found = [text.format(trace=f"trace {number}") for text in told if text]
            if best is None or len(found) <= len(best):
                best = found
        return "; ".join(best or ())

    def _relaxed(self, specs: Sequence[Any], structure: Any) -> list[Any]:
        """Specs that leave open the sizes in which an earlier trace differs, if it differs in nothing else."""
        form = frozen(structure)
        for trace in reversed(self._traces):
            if frozen(trace._structure) != form:
                continue
            wider: list[Any] = []
            for now, old in zip(specs, trace._specs, strict=True):
                if type(now) is TensorSpec and type(old) is TensorSpec and now.dtype == old.dtype:
                    wider.append(TensorSpec(open_shape(now.shape, old.shape), now.dtype, old.name))
                elif now == old:
                    wider.append(now)
                else:
                    break
            else:
                return wider
        return list(specs)

    # -- looking -----------------------------------------------------------------------------------------------------
    @property
    def python_function(self) -> Callable[..., Any]:
        return self._python

    @property
    def input_signature(self) -> Any:
        return self._given_signature

    @property
    def name(self) -> str:
        return self._name

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function has been traced."""
        return self._counted

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all traces."""
        return "\n\n".join(trace.pretty_printed_signature(verbose) for trace in self._traces)

    def explain(self) -> str:
        """All traces in words: for which arguments, how often used, why a new one was needed."""
        return "\n".join(
            f"trace {i}: {', '.join(t.guards) or 'no arguments'}; {t.calls} calls; made because: {t.reason}"
            for i, t in enumerate(self._traces)
        )

    def _clone(self, python_function: Callable[..., Any]) -> Function:
        return Function(python_function, self._given_signature, self._autograph, self._reduce, None)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        found = self._instances.get(id(instance))
        if found is None:
            method = self._python.__get__(instance, owner)
            signature = self._given_signature
            found = self._instances[id(instance)] = (
                instance,
                Function(method, signature, self._autograph, self._reduce, self._name),
            )
        return found[1]

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.Function object at {id(self):#x}>"


def function(
    func: Any = None, input_signature: Any = None, autograph: bool = True, jit_compile: Any = None,
    reduce_retracing: bool = False, experimental_implements: Any = None, experimental_autograph_options: Any = None,
    experimental_attributes: Any = None, experimental_relax_shapes: Any = None, experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Any:  # fmt: skip
    """``tf.function``: make a function that is traced on its first call. A decorator, with or without arguments."""
    relaxed = bool(reduce_retracing or experimental_relax_shapes)

    def decorated(inner: Any) -> Function:
        if isinstance(inner, Function):
            inner = inner.python_function
        if not callable(inner):
            raise TypeError(f"{inner} is not a callable object")
        return Function(inner, input_signature, autograph, relaxed)

    return decorated if func is None else decorated(func)


__all__ = ["SINGLETON", "Function", "Literal", "function", "functions_run_eagerly", "run_functions_eagerly"]
