"""A finishing process: reads traces from standard input, writes documents to standard output, until the input ends.

Started by :class:`app.documents.finisher.Finisher` with the folder of ``app`` and ``engine`` as its argument.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import BinaryIO

_MEMORY = 4 << 30


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every frame with one frame."""
    from app.documents.document import BadTraceError, finish
    from app.documents.frames import BAD, DONE, PLAIN, read_frame, write_frame

    while True:
        try:
            kind, raw = read_frame(source)
        except EOFError:
            return
        why_not = ""
        if kind == PLAIN:
            first, _, raw = raw.partition(b"\n")
            why_not = first.decode()
        try:
            document = finish(raw, why_not=why_not)
        except BadTraceError as error:
            write_frame(sink, BAD, str(error).encode("utf-8", "replace"))
            continue
        head = json.dumps({"size": document.size, "etag": document.etag, "end": document.end}).encode()
        write_frame(sink, DONE, head + b"\n" + document.compressed)


def _limit_memory() -> None:
    """A forged trace may unfold to much more than its size. Where there is no such limit, the deadline has to do."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def main() -> None:
    # Ctrl-C goes to the whole group of processes; the server decides when we end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever a library prints must not get among the frames.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path.insert(0, sys.argv[1])
    _limit_memory()
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
