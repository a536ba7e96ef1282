"""A file system in memory for programs that may not write to the real one: 16 MB behind ``open``, ``os`` and what
stands on them (``pathlib``, ``shutil``, ``tempfile``, ``glob``, ``numpy.save``, ``pickle`` …).

Real files stay readable where the process may read them; nothing outside the scratch can be changed through Python.
It is a convenience, not a wall: what keeps a program from real files is its sandbox.

>>> from engine.scratch import Tree, installed
>>> with installed(Tree({"a.txt": b"hello"})):
...     open("a.txt").read()
'hello'
"""

from engine.scratch.installing import install, installed, tree_for
from engine.scratch.tree import HOME, QUOTA, Tree

__all__ = ["HOME", "QUOTA", "Tree", "install", "installed", "tree_for"]
