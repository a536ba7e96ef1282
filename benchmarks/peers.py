"""Install the systems that we compare ourselves with, pinned, outside the checkout: ``python -m benchmarks.peers``.

They are never dependencies of ours. The environment is a folder in the user's cache, or the one that
``STEPGRAPH_PEERS`` names; ``python -m benchmarks`` finds it there.
"""

from __future__ import annotations

import subprocess
import sys
import venv

from benchmarks.environment import peers_folder, peers_python

PINNED = ("torch==2.13.0", "jax==0.10.2", "jaxlib==0.10.2", "tensorflow-cpu==2.21.*", "autograd==1.9.1")


def main() -> int:
    """Make the environment if need be and install each peer; those that cannot be installed are named."""
    folder, python = peers_folder(), peers_python()
    if not python.exists():
        print(f"Making {folder}")
        venv.create(folder, with_pip=True)
    failed = []
    # One at a time: that one has no build for this machine keeps none of the others out.
    for group in (PINNED[:1], PINNED[1:3], PINNED[3:4], PINNED[4:]):
        print(f"Installing {' '.join(group)}", flush=True)
        if subprocess.call([str(python), "-m", "pip", "install", "--quiet", *group]):
            failed.append(group[0])
    if failed:
        print(f"Not installed: {', '.join(failed)}. Comparisons with them will be reported as not measured.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
