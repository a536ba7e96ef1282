"""The child that turns a dead program's journal into a trace. No program ever runs in it; the journal is hostile
data."""

from __future__ import annotations

import importlib
import json
import mmap
import os
import struct
from typing import Any

HEAD_BYTES = 512
"""The result begins with a JSON object, padded to this many bytes: ``exit_status``."""


def read_all(descriptor: int) -> bytes:
    """Everything in the file behind ``descriptor``, from its beginning."""
    pieces = []
    offset = 0
    while piece := os.pread(descriptor, 1 << 20, offset):
        pieces.append(piece)
        offset += len(piece)
    return b"".join(pieces)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data``. Raises ``OSError`` where the limit on file size ends it."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def work(descriptors: list[int]) -> int:
    """Build: ``descriptors`` are journal, configuration (with ``ended`` and ``loose``), result, and where errors are
    told."""
    journal_file, config_file, result, errors = descriptors
    os.dup2(errors, 2)
    buffer = mmap.mmap(journal_file, 0)
    write_all(result, build(buffer, json.loads(read_all(config_file))))
    return 0


def build(buffer: mmap.mmap, order: dict[str, Any]) -> bytes:
    """Head and trace; of a run that was measured, head and what :mod:`engine.measure.reading` gives.

    ``order`` is the program's configuration with ``loose`` (bytes as Latin-1) and ``ended`` (a verdict).
    """
    journals: Any = importlib.import_module("engine.recording.journal")
    measured = order["measure"] is not None
    building: Any = importlib.import_module("engine.measure.reading" if measured else "engine.trace.build")
    journal = complete(journals.Journal(buffer), order["loose"].encode("latin-1"), order["ended"])
    document = (building.read if measured else building.build)(journal, _asked(order))
    status = int(document["end"]["exit_code"])
    head = json.dumps({"exit_status": status & 0xFF}).encode().ljust(HEAD_BYTES)
    return head + json.dumps(document, separators=(",", ":"), allow_nan=False).encode()


def _asked(order: dict[str, Any]) -> Any:
    """What the program was asked to do, as the server knows it; the journal's own copy may be forged."""
    config: Any = importlib.import_module("engine.recording.config")
    kept = ("source", "name", "argv", "stdin", "limits")
    return config.RunConfig.from_json(json.dumps({key: order[key] for key in kept}))


def complete(journal: Any, loose: bytes, ended: dict[str, Any]) -> Any:
    """Add what the program's own process could not: output that came past the journal, and how it ended.

    The end stays the last row: output that is added goes in front of it. Gives the journal to read.
    """
    rows: Any = importlib.import_module("engine.recording.rows")
    journals: Any = importlib.import_module("engine.recording.journal")

    def row(number: int) -> tuple[int, ...]:
        return tuple(rows.LAYOUT.unpack_from(journal.buffer, journals.HEADER_BYTES + number * rows.ROW_BYTES))

    end: tuple[int, ...] | None = None
    if journal.count and row(journal.count - 1)[0] == rows.Kind.END:
        end = row(journal.count - 1)
        struct.pack_into("<Q", journal.buffer, journals.COUNTERS, journal.count - 1)
        journal = journals.Journal(journal.buffer)
    journal.release_spare()
    line = next((row(number)[3] for number in range(journal.count - 1, -1, -1) if row(number)[3] > 0), -1)
    time = row(journal.count - 1)[14] if journal.count else 0
    if loose:
        offset = journal.output_used
        journal.append(rows.Kind.OUTPUT, line, frame=0, a=offset, b=journal.put_output(loose), c=1, time=time)
    if end is not None:
        kind, _, worker, *columns = end
        journal.append(kind, *columns, worker=worker)
    elif not ended["has_end"]:
        blob = journal.put_bytes(json.dumps(_end(ended, line)).encode())
        journal.append(rows.Kind.END, line, blob=blob, time=time)
    return journal


def _end(ended: dict[str, Any], line: int) -> dict[str, Any]:
    """What ``engine.recording.ending`` would have written. The recorder's own share of the time died with the
    process."""
    error = None
    if ended["limit"] == "crash":
        error = {
            "type": ended["name"], "message": ended["message"], "line": line,
            "traceback": f"{ended['name']}: {ended['message']}\n", "node": -1,
        }  # fmt: skip
    return {
        "kind": ended["kind"], "limit": ended["limit"], "exit_code": ended["exit_code"], "line": line, "error": error,
        "seconds": {"total": ended["seconds"], "recorder": 0.0},
    }  # fmt: skip
