"""Checkpoints: the values of variables by name, as ``.npz``. No graph is in them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import GraphError, StateError
from engine.static.node import Node
from engine.static.session import Session

File = str | PathLike[str] | IO[bytes]


def save(session: Session, file: File, variables: Iterable[Node] | None = None) -> list[str]:
    """Write the values of ``variables`` (default: all of the graph) here; returns their names.

    :raises StateError: one of them has no value in this session.
    """
    chosen = _variables(session) if variables is None else list(variables)
    values: dict[str, NDArray[Any]] = {node.name: session.value(node) for node in chosen}
    if any(value.dtype.hasobject for value in values.values()):
        raise GraphError("variables of texts cannot be saved")
    # Through a handle: savez takes names for its own parameters otherwise, and puts .npz behind a path.
    if hasattr(file, "write"):
        _write(file, values)
    else:
        with open(file, "wb") as handle:
            _write(handle, values)
    return list(values)


def restore(session: Session, file: File, variables: Iterable[Node] | Mapping[str, Node] | None = None) -> list[str]:
    """Give variables the values of a checkpoint; returns the names that were read. No initializer needs to run.

    ``variables`` (default: all of the graph) may say by which name in the file each one goes. Either all get their
    values or none does.

    :raises GraphError: the file is no checkpoint, or a value does not fit.
    :raises StateError: a variable's name is not in the file.
    """
    if variables is None:
        wanted = {node.name: node for node in _variables(session)}
    elif isinstance(variables, Mapping):
        wanted = dict(variables)
    else:
        wanted = {node.name: node for node in variables}
    values = values_in(file)
    missing = [name for name in wanted if name not in values]
    if missing:
        raise StateError(f"Key {missing[0]} not found in checkpoint; it has {', '.join(sorted(values)) or 'nothing'}")
    for name, node in wanted.items():
        held, value = session.hold(node), values[name]
        if held.array.shape != value.shape or held.array.dtype != value.dtype:
            raise GraphError(
                f"{name!r} is {value.dtype} {value.shape} in the checkpoint, and {node.name!r} is {held.array.dtype} "
                f"{held.array.shape}: they must be equal"
            )
    for name, node in wanted.items():
        session.load(node, values[name])
    return list(wanted)


def values_in(file: File) -> dict[str, NDArray[Any]]:
    """What a checkpoint holds, by name.

    :raises GraphError: the file is no checkpoint.
    """
    try:
        found = np.load(file, allow_pickle=False)
        if isinstance(found, np.ndarray):
            raise GraphError("this is a single array, not a checkpoint (.npz)")
        with found:
            return {name: found[name] for name in found.files}
    except (ValueError, zipfile.BadZipFile, EOFError, KeyError) as error:
        if isinstance(error, GraphError):
            raise
        raise GraphError(f"this is no checkpoint (.npz): {error}") from None


def _variables(session: Session) -> list[Node]:
    return [node for node in session.graph.nodes if node.op == "variable"]


def _write(handle: Any, values: Mapping[str, NDArray[Any]]) -> None:
    with zipfile.ZipFile(handle, "w") as archive:
        for name, value in values.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, value, allow_pickle=False)
