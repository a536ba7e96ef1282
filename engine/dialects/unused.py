"""Libraries that a program imports and never uses: lessons begin with a list of imports that they share.

Such an import need not stop a run in which the library is missing. It gets an empty module; one use of it anywhere,
and the import is refused as ever.
"""

from __future__ import annotations

import ast
import sys
import warnings
from importlib.machinery import PathFinder
from types import ModuleType

from engine.dialects.importer import DialectFinder

_KNOWN = """
PIL bokeh cv2 datasets graphviz gym gymnasium h5py imageio keras_cv keras_nlp keras_tuner lightning nltk pandas plotly
pydot pytorch_lightning requests scipy seaborn skimage sklearn statsmodels sympy tensorboard tensorflow_addons
tensorflow_datasets tensorflow_hub tensorflow_probability tensorflow_text torchaudio torchinfo torchmetrics
torchsummary torchtext transformers xgboost
"""
KNOWN = frozenset(_KNOWN.split())
"""Only these: the name of a module of the program's own, or one that is misspelt, is an error even if it is unused."""


def unused_imports(source: str) -> dict[str, set[str]]:
    """The known libraries (full names of their modules, with what is imported from each) of which no name is used.

    An import inside ``try`` does not count: the program asks whether the library is there.

    >>> unused_imports("import pandas as pd\\nfrom sklearn.svm import SVC\\nimport seaborn as sns\\nsns.set()")
    {'pandas': set(), 'sklearn.svm': {'SVC'}}
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    asked = {id(one) for node in ast.walk(tree) if isinstance(node, ast.Try) for one in ast.walk(node)}
    found: dict[str, set[str]] = {}
    needed: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            given = [(one.name, "", one.asname or one.name.partition(".")[0]) for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            given = [(node.module, one.name, one.asname or one.name) for one in node.names]
        else:
            continue
        for module, item, name in given:
            if module.partition(".")[0] not in KNOWN:
                continue
            if name in used or item == "*" or id(node) in asked:
                needed.add(module)
            found.setdefault(module, set()).update({item} - {""})
    return {module: items for module, items in found.items() if module not in needed}


class _Unused(ModuleType):
    """Stands for a library of which nothing is used."""


def serve_unused(source: str, finder: DialectFinder) -> list[str]:
    """Let ``finder`` give empty modules for what is unused and really missing; their names."""
    for name in [name for name, module in sys.modules.items() if isinstance(module, _Unused)]:
        del sys.modules[name]  # of a program that ran before in this process
    served: list[str] = []
    for module, items in unused_imports(source).items():
        root = module.partition(".")[0]
        there = root in finder.roots or (root not in finder.modules and PathFinder.find_spec(root) is not None)
        if module in finder.modules or (there and root not in finder.roots):
            continue
        parts = module.split(".")
        for name in (".".join(parts[: size + 1]) for size in range(len(parts))):
            if name not in finder.modules:
                finder.modules[name] = _Unused(name)
                finder.modules[name].__path__ = []
        vars(finder.modules[module]).update(dict.fromkeys(items))
        served.append(module)
    return served


__all__ = ["KNOWN", "serve_unused", "unused_imports"]
