"""Objects as dictionaries that JSON can hold, and back: what ``get_config`` and saved models are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import numpy as np

from engine.dialects.tensorflow.keras import lambdas, state
from engine.dialects.tensorflow.keras.symbolic import KerasTensor

PLAIN = (str, int, float, bool, type(None))
families: dict[str, dict[str, Any]] = {}
"""``keras.layers`` and its like: what each name of that module means."""


def family(module: str, objects: dict[str, Any]) -> dict[str, Any]:
    """Make the objects of a module known by their names."""
    families.setdefault(module, {}).update(objects)
    return objects


def module_of(thing: Any) -> str | None:
    """The public module of a class or function of Keras, ``None`` for the program's own."""
    for module, objects in families.items():
        if objects.get(thing.__name__) is thing:
            return module
    return None


def register_keras_serializable(package: str = "Custom", name: str | None = None) -> Callable[[Any], Any]:
    """Make a class or function of the program known under ``package>name`` to saved models."""

    def decorate(thing: Any) -> Any:
        registered = f"{package}>{name or thing.__name__}"
        if isinstance(thing, type) and not hasattr(thing, "get_config"):
            raise ValueError(
                "Cannot register a class that does not have a get_config() method: "
                f"class {thing} does not define a `get_config()` method."
            )
        state.program.custom_objects[registered] = thing
        state.program.registered_names[thing] = registered
        return thing

    return decorate


@contextmanager
def custom_object_scope(objects: dict[str, Any]) -> Iterator[None]:
    """Names mean these classes and functions inside."""
    before = dict(state.program.custom_objects)
    state.program.custom_objects.update(objects)
    try:
        yield
    finally:
        state.program.custom_objects.clear()
        state.program.custom_objects.update(before)


def serialize(thing: Any) -> Any:
    """``thing`` as plain data."""
    if isinstance(thing, PLAIN):
        return thing
    if isinstance(thing, list):
        return [serialize(x) for x in thing]
    if isinstance(thing, tuple):
        return {"class_name": "__tuple__", "config": [serialize(x) for x in thing]}
    if isinstance(thing, dict):
        return {key: serialize(value) for key, value in thing.items()}
    if isinstance(thing, np.ndarray | np.generic):
        return thing.tolist()
    if isinstance(thing, KerasTensor):
        history = thing._keras_history
        return {
            "class_name": "__keras_tensor__",
            "config": {
                "shape": thing.shape, "dtype": thing.dtype,
                "keras_history": [history.operation.name, history.node_index, history.tensor_index],
            },
        }  # fmt: skip
    if hasattr(thing, "_array"):
        return {
            "class_name": "__tensor__",
            "config": {"value": thing.numpy().tolist(), "dtype": str(thing._array.dtype)},
        }
    if isinstance(thing, FunctionType) or not hasattr(thing, "get_config"):
        return _serialize_function(thing)
    kind = type(thing)
    module = module_of(kind)
    found = {
        "module": module or "builtins" if kind.__module__ in ("builtins",) else module or kind.__module__,
        "class_name": kind.__name__,
        "config": thing.get_config(),
        "registered_name": None if module else state.program.registered_names.get(kind, kind.__name__),
    }
    built = thing.get_build_config() if getattr(thing, "built", False) and hasattr(thing, "get_build_config") else None
    if built:
        found["build_config"] = built
    if getattr(thing, "compiled", False) and hasattr(thing, "get_compile_config"):
        compiled = thing.get_compile_config()
        if compiled:
            found["compile_config"] = compiled
    return found


def _serialize_function(thing: Any) -> Any:
    name = getattr(thing, "__name__", type(thing).__name__)
    if name == "<lambda>":
        return lambdas.described(thing)
    module = module_of(thing) if hasattr(thing, "__name__") else None
    if module:
        return name
    return {
        "module": "builtins", "class_name": "function", "config": name,
        "registered_name": state.program.registered_names.get(thing, "function"),
    }  # fmt: skip


def deserialize(config: Any, custom_objects: Any = None, family_of: str | None = None, kind: str = "class") -> Any:
    """What :func:`serialize` made into data, made anew.

    :raises TypeError: a class or function is not known.
    """
    if isinstance(config, list):
        return [deserialize(x, custom_objects) for x in config]
    if isinstance(config, str) and family_of:
        found = {**families.get(family_of, {}), **state.program.custom_objects, **(custom_objects or {})}.get(config)
        if found is not None:
            return found
    if not isinstance(config, dict):
        return config
    if "class_name" not in config or "config" not in config:
        return {key: deserialize(value, custom_objects) for key, value in config.items()}
    name, inner = config["class_name"], config["config"]
    if name == "__tuple__":
        return tuple(deserialize(x, custom_objects) for x in inner)
    if name == "__tensor__":
        from engine.dialects.tensorflow.eager.array_ops import constant

        return constant(inner["value"], dtype=inner["dtype"])
    if name == "__lambda__":
        return lambdas.made(inner)
    if name == "function":
        return _found(inner, config, custom_objects, family_of, "function")
    cls = _found(name, config, custom_objects, family_of, kind)
    if isinstance(inner, dict) and "keras_history" in inner:
        return config
    with custom_object_scope(custom_objects or {}):
        try:
            made = cls.from_config(dict(inner)) if hasattr(cls, "from_config") else cls(**inner)
        except TypeError as error:
            raise TypeError(
                f"{cls} could not be deserialized properly. Please ensure that components that are Python object "
                "instances (layers, models, etc.) returned by `get_config()` are explicitly deserialized in the "
                f"model's `from_config()` method.\n\nconfig={config}.\n\nException encountered: {error}"
            ) from None
    built = config.get("build_config")
    if built and not made.built and hasattr(made, "build_from_config"):
        made.build_from_config(built)
    if config.get("compile_config") and hasattr(made, "compile_from_config"):
        made.compile_from_config(config["compile_config"])
    return made


def _found(name: Any, config: Any, custom_objects: Any, family_of: str | None, kind: str) -> Any:
    own = {**state.program.custom_objects, **(custom_objects or {})}
    registered = config.get("registered_name")
    for key in (registered, name):
        if key in own:
            return own[key]
    places = [config.get("module"), family_of] if config.get("module") else [family_of, *families]
    for place in places:
        if place in families and name in families[place]:
            return families[place][name]
    if family_of is not None:
        for known, thing in families[family_of].items():
            if known.lower() == str(name).lower() and isinstance(thing, type):
                return thing
    raise TypeError(
        f"Could not locate {kind} '{name}'. Make sure custom classes and functions are decorated with "
        "`@keras.saving.register_keras_serializable()`. If they are already decorated, make sure they are all imported "
        f"so that the decorator is run before trying to load them. Full object config: {config}"
    )


def getter(module: str, what: str, *, make: bool = True) -> Callable[[Any], Any]:
    """``get`` of a module: names, configs and objects of its kind as objects.

    ``what``: how the message calls an identifier that is none of these.
    """

    def get(identifier: Any) -> Any:
        if identifier is None:
            return None
        found = identifier
        if isinstance(identifier, dict):
            found = deserialize(identifier, family_of=module)
        elif isinstance(identifier, str):
            found = families[module].get(identifier, state.program.custom_objects.get(identifier))
        if callable(found):
            return found() if make and isinstance(found, type) else found
        raise ValueError(f"Could not interpret {what} identifier: {identifier}")

    return get
