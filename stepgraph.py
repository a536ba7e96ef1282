"""The command ``stepgraph``: finds the folders beside this file and hands over to :mod:`app.cli`.

In a checkout this is ``stepgraph.py`` in the root; in the wheel it is ``stepgraph/__init__.py``, with ``app``,
``engine`` and the folders of data beside it, so that nothing but ``stepgraph`` is installed at the top of
site-packages.

It is also the extension for notebooks (``%load_ext stepgraph``) and for Sphinx (``extensions = ["stepgraph"]``), and
gives the engine to programs that run without Stepgraph (``from stepgraph import engine``).
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_ROOT = str(Path(__file__).resolve().parent)
# In the checkout too, `stepgraph.app.notebook` is a module: guests in other processes claim no name but this one.
__path__ = [_ROOT]


def main() -> int:
    """Run the command line and return its exit status."""
    if sys.path[:1] != [_ROOT]:
        sys.path.insert(0, _ROOT)
    from app.cli import main as command

    return command()


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext stepgraph``: the cell magic ``%%stepgraph``; recordings of ``engine.record()`` show themselves."""
    import_module("stepgraph.app.notebook").load(shell)
    found = find_spec("engine")
    if found is not None and _is_ours(found.origin):  # where `import engine` gives it: in a checkout
        _show_recordings()


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext stepgraph``."""
    import_module("stepgraph.app.notebook").unload(shell)


def setup(app: Any) -> dict[str, Any]:
    """``extensions = ["stepgraph"]`` in a book's ``conf.py``: the directive ``stepgraph``."""
    metadata: dict[str, Any] = import_module("stepgraph.app.sphinx").setup(app)
    return metadata


def __getattr__(name: str) -> Any:
    """``engine``, imported when it is first asked for; its recordings show themselves in a notebook."""
    if name != "engine":
        raise AttributeError(f"module 'stepgraph' has no attribute {name!r}")
    sys.path.insert(0, _ROOT)
    try:
        engine = import_module("engine")
    finally:
        sys.path.remove(_ROOT)
    if not _is_ours(engine.__file__):
        raise ImportError(f"another package is called engine here: {engine.__file__}; import stepgraph's before it")
    _show_recordings()
    return engine


def _is_ours(file: str | None) -> bool:
    return file is not None and str(Path(file).resolve().parent.parent) == _ROOT


def _show_recordings() -> None:
    def as_html(trace: dict[str, Any]) -> str:
        page: str = import_module("stepgraph.app.notebook").as_html(trace)
        return page

    import_module("engine.recording.shown_by").as_html = as_html  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main())
