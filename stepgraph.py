"""The command ``stepgraph``: finds the folders beside this file and hands over to :mod:`app.cli`.

In a checkout this is ``stepgraph.py`` in the root; in the wheel it is ``stepgraph/__init__.py``, with ``app``,
``engine`` and the folders of data beside it, so that nothing but ``stepgraph`` is installed at the top of
site-packages.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Run the command line and return its exit status."""
    root = str(Path(__file__).resolve().parent)
    if sys.path[:1] != [root]:
        sys.path.insert(0, root)
    from app.cli import main as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
