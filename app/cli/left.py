"""Writing what a program has left, its files, into a folder of this machine: names come from the program."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path, PurePosixPath
from typing import Any

from app.cli.errors import CommandError


def write_files(trace: dict[str, Any], folder: Path) -> list[str]:
    """Write the files of ``trace`` below ``folder``; returns sentences about those that could not be.

    A name that leads out of the folder, or through something there that is no folder, is refused.
    :raises CommandError: the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot make {folder}: {error.strerror}") from None
    root = folder.resolve()
    problems: list[str] = []
    for file in trace.get("files", []):
        name = file["name"]
        parts = PurePosixPath(name).parts
        if file["data"] is None:
            problems.append(f"{name!r} is too large to be kept ({file['size']:,} bytes)")
            continue
        if not parts or ".." in parts or "\0" in name or name.startswith("/") or "\\" in name or ":" in parts[0]:
            problems.append(f"{name!r} is no name for a file here")
            continue
        target = root.joinpath(*parts)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.parent.resolve().is_relative_to(root) or target.is_symlink():
                problems.append(f"{name!r} leads out of {folder}")
                continue
            target.write_bytes(base64.b64decode(file["data"], validate=True))
        except (OSError, binascii.Error, ValueError) as error:
            problems.append(f"{name!r} could not be written: {error}")
    return problems


__all__ = ["write_files"]
