"""A process of the plain backend: imports everything, waits for one order on descriptor 0, does it and ends.

``python -I -S -B -X utf8 plain_child.py SETTINGS``; the order is a line of JSON: ``do``, ``journal``, ``config``,
``result`` (paths).
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from typing import Any

READY = b"\0ready\n"
"""Written to descriptor 1 when everything is imported."""


def main() -> int:
    """Run or build; gives the exit status."""
    settings: dict[str, Any] = json.loads(sys.argv[1])
    folder = settings["inside"]
    sys.dont_write_bytecode = True
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.path.abspath(folder)]
    sys.path.insert(0, folder)
    import package  # type: ignore[import-not-found]

    sys.path.remove(folder)
    imports = package.load(folder, "imports")
    packages = package.load(folder, "packages")
    program = package.load(folder, "program")
    builder = package.load(folder, "builder")
    problems = imports.preload(settings["engine"], settings["numpy"]) + packages.preload(settings["packages"])
    for problem in problems:
        if problem.startswith(("engine.", "matplotlib")):
            print(f"import of {problem}", file=sys.stderr)
    program.start_crew()
    program.prepare()
    os.write(1, READY)
    line = sys.stdin.readline()
    if not line:
        return 0
    order = json.loads(line)
    with open(order["config"], "rb") as file:
        config = file.read()
    with open(order["journal"], "r+b") as file:
        buffer = mmap.mmap(file.fileno(), 0)
    if not order.get("interactive"):  # else the pipe of the order goes on with what the program asks for
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
    program.limit(order["memory"], order["cpu"])
    if order["do"] == "run":
        return int(program.run(buffer, config))
    with open(order["result"], "wb") as file:
        file.write(builder.build(buffer, json.loads(config)))
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status & 0xFF)
