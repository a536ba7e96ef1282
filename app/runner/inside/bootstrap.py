"""Where the zygote begins: ``python -I -S -B -X utf8 bootstrap.py SETTINGS``, with an empty environment and one
channel.

``SETTINGS`` is a JSON object: ``channel`` (descriptor), ``inside``, ``engine``, ``numpy`` (folders), ``packages``
(name: place), ``readable`` (more folders),
``spares``, ``namespaces`` (leave them by ourselves), ``landlock``, ``hidden_files`` (bubblewrap shows the libraries
only),
``layers`` and ``missing`` (what the way of starting adds and lacks).
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any


def main() -> None:
    """Lock, import, serve; end when the server has gone."""
    settings: dict[str, Any] = json.loads(sys.argv[1])
    folder = settings["inside"]
    os.environ.clear()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a second thread would hang in the children
    os.chdir("/")
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    import package  # type: ignore[import-not-found]

    sys.path.remove(folder)
    locks = package.load(folder, "locks")
    if settings["namespaces"]:
        locks.leave_namespaces()
    locks.die_with_parent()
    wire = package.load(folder, "wire")
    imports = package.load(folder, "imports")
    packages = package.load(folder, "packages")
    zygote = package.load(folder, "zygote")
    channel = socket.socket(fileno=settings["channel"])
    wire.send(channel, {"hello": True})
    wire.receive(channel)  # the server has made us the first to go when memory runs out
    problems = imports.preload(settings["engine"], settings["numpy"])
    problems += packages.preload(settings["packages"])
    os.environ.clear()
    account = locks.Account(layers=list(settings["layers"]), missing=list(settings["missing"]))
    account.problems = [problem for problem in problems if problem.startswith(("engine.", "matplotlib"))]
    readable = [*imports.standard_library(), settings["engine"], settings["numpy"]]
    readable += [*settings["packages"].values(), *settings["readable"]]
    locks.lock_zygote(account, readable, want_landlock=settings["landlock"], hidden_files=settings["hidden_files"])
    zygote.Zygote(channel, account, settings["spares"]).serve()
    os._exit(0)  # nothing is worth tidying up


if __name__ == "__main__":
    main()
