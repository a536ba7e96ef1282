"""Which dialect a program is written in, read from its text before it runs.

Only the text is looked at: nothing is imported or executed, and whatever is wrong with the text (a syntax error, odd
characters) only makes the answer coarser.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import NamedTuple


class Decision(NamedTuple):
    """``dialect`` is ``torch``, ``tf1``, ``tf2``, ``native`` or ``python``; ``reason`` one sentence that says why."""

    dialect: str
    reason: str


class _Import(NamedTuple):
    """``import module as name`` or ``from module import item as name``."""

    module: str
    item: str
    name: str
    line: int


# What only 1.x has under `tensorflow` itself.
_ONLY_1 = frozenset(
    [
        "placeholder",
        "placeholder_with_default",
        "Session",
        "InteractiveSession",
        "ConfigProto",
        "GPUOptions",
        "global_variables_initializer",
        "local_variables_initializer",
        "initialize_all_variables",
        "variables_initializer",
        "get_variable",
        "variable_scope",
        "get_variable_scope",
        "get_default_graph",
        "reset_default_graph",
        "get_default_session",
        "global_variables",
        "trainable_variables",
        "assign",
        "assign_add",
        "assign_sub",
        "gradients",
        "set_random_seed",
        "random_normal",
        "random_uniform",
        "truncated_normal",
        "log",
        "div",
        "get_collection",
        "add_to_collection",
        "GraphKeys",
        "AUTO_REUSE",
        "enable_eager_execution",
        "layers",
        "contrib",
        "flags",
        "app",
        "gfile",
        "logging",
        "to_float",
        "to_int32",
        "losses",
        "ConfigProto",
        "report_uninitialized_variables",
        "random_normal_initializer_v1",
        "multinomial",
        "matrix_determinant",
        "matrix_inverse",
        "diag",
        "GraphDef",
        "Print",
        "RunMetadata",
        "RunOptions",
        "TextLineReader",
        "confusion_matrix",
        "decode_csv",
        "import_graph_def",
        "is_variable_initialized",
        "local_variables",
        "make_template",
        "py_func",
        "random_shuffle",
        "scatter_update",
        "train.Coordinator",
        "train.ExponentialMovingAverage",
        "train.batch",
        "train.get_or_create_global_step",
        "train.import_meta_graph",
        "train.shuffle_batch",
        "train.start_queue_runners",
        "train.string_input_producer",
        "train.GradientDescentOptimizer",
        "train.AdamOptimizer",
        "train.MomentumOptimizer",
        "train.AdagradOptimizer",
        "train.RMSPropOptimizer",
        "train.Saver",
        "train.exponential_decay",
        "train.Optimizer",
        "nn.dynamic_rnn",
        "nn.rnn_cell",
        "nn.static_rnn",
        "nn.softmax_cross_entropy_with_logits_v2",
        "summary.FileWriter",
        "summary.merge_all",
    ]
) - {"random_normal_initializer_v1"}
# What a program of 2.x shows (1.x has some of it, but only beside enable_eager_execution).
_ONLY_2 = frozenset(
    {
        "GradientTape",
        "function",
        "random.set_seed",
        "keras.optimizers.legacy",
        "debugging",
        "config.list_physical_devices",
        "autograph",
        "init_scope",
        "Module",
        "optimizers",
        "saved_model.load",
        "saved_model.save",
        "summary.create_file_writer",
        "TensorSpec",
        "train.CheckpointManager",
    }
)
_MODULES_1 = ("tensorflow_fold", "tensorflow.contrib", "tensorflow.examples")
"""Modules that only 1.x has, or that stand on it."""
_SWITCHES = frozenset({"disable_v2_behavior", "disable_eager_execution"})
_OVERRIDE = re.compile(r"#\s*stepgraph:\s*(tf1|tf2|torch|native|python)\b", re.IGNORECASE)
_IMPORT = re.compile(r"^\s*(?:import\s+([\w.]+)(?:\s+as\s+(\w+))?|from\s+([\w.]+)\s+import\s+(.+))")
LONGEST = 1_000_000


def decide(source: str) -> Decision:
    """The dialect of ``source`` and the reason, for the page.

    >>> decide("import tensorflow as tf\\nx = tf.placeholder(tf.float32)").dialect
    'tf1'
    >>> decide("import torch")
    Decision(dialect='torch', reason='Line 1 imports torch.')
    """
    source = source[:LONGEST]
    override = _override(source)
    if override is not None:
        return override
    tree = _parsed(source)
    imports = list(_imports(tree) if tree is not None else _imports_by_line(source))
    torch = _first(imports, "torch") or _first(imports, "torchvision")
    tensorflow = _first(imports, "tensorflow") or _first(imports, "tensorflow_fold") or _first(imports, "keras")
    if torch is not None and tensorflow is not None:
        borrowed = {one.module for one in imports if one.module.partition(".")[0] == "tensorflow"}
        if borrowed and all(module.startswith("tensorflow.examples.") for module in borrowed):
            return Decision(
                "torch",
                f"Line {torch.line} imports torch; line {tensorflow.line} only the digits of TensorFlow's tutorials.",
            )
        if torch.line <= tensorflow.line:
            return Decision(
                "torch",
                f"Line {torch.line} imports torch and line {tensorflow.line} tensorflow; a run has one of "
                f"them, and torch comes first.",
            )
        found = _version(source, tree, imports, tensorflow)
        return Decision(
            found.dialect,
            f"{found.reason} Line {torch.line} imports torch as well, but a run has one of them, and "
            f"tensorflow comes first.",
        )
    if torch is not None:
        return Decision("torch", f"Line {torch.line} imports {torch.module.partition('.')[0]}.")
    if tensorflow is not None:
        return _version(source, tree, imports, tensorflow)
    native = _first(imports, "engine") or _first(imports, "stepgraph")
    if native is not None:
        return Decision("native", f"Line {native.line} imports the engine itself.")
    return Decision("python", "No line imports torch or tensorflow: the program is plain Python.")


def _override(source: str) -> Decision | None:
    lines = source.split("\n", 2)
    first = lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0]
    found = _OVERRIDE.match(first.lstrip("\ufeff").strip())
    if found is None:
        return None
    return Decision(found[1].lower(), f"The comment at the top says {found[1].lower()}.")


def _version(source: str, tree: ast.Module | None, imports: list[_Import], first: _Import) -> Decision:
    """1.x or 2.x, for a program that imports tensorflow or Keras."""
    beside = _beside(source, tree, imports)
    for found in imports:
        full = f"{found.module}.{found.item}" if found.item else found.module
        if full.startswith("tensorflow.compat.v1") and found.name not in beside:
            return Decision("tf1", f"Line {found.line} imports tensorflow.compat.v1, which is 1.x inside 2.x.")
        for module in _MODULES_1:
            if full == module or full.startswith(f"{module}."):
                return Decision("tf1", f"Line {found.line} imports {module}, which belongs to 1.x.")
    names = {found.name for found in imports if found.module == "tensorflow" and not found.item} or {"tf"}
    for found in imports:
        if found.module == "tensorflow" and found.item in _ONLY_1:
            return Decision("tf1", f"Line {found.line} imports {found.item} from tensorflow, which only 1.x has.")
    uses = list(_uses(tree, names) if tree is not None else _uses_by_line(source, names))
    for path, line in uses:
        plain = path.removeprefix("compat.v1.")
        if plain in _SWITCHES:
            return Decision("tf1", f"Line {line} calls {plain}, which makes 2.x behave like 1.x.")
    eager = any(path.endswith("enable_eager_execution") for path, _ in uses)
    for path, line in uses:
        parts = path.split(".")
        if path.startswith("compat.v1"):
            continue
        of_2 = parts[0] in _ONLY_2 or ".".join(parts[:2]) in _ONLY_2 or _is_loss_class(parts)
        if not eager and of_2:
            return Decision(
                "tf2", f"Line {line} uses tf.{'.'.join(parts[:2])}, which is 2.x, before anything that only 1.x has."
            )
        if parts[0] == "gradients" and any(one.startswith("compat.v1.") for one, _ in uses):
            continue  # 2.x has it, for graphs; who says compat.v1 writes for 2.x
        if parts[0] in _ONLY_1 or ".".join(parts[:2]) in _ONLY_1:
            shown = parts[0] if parts[0] in _ONLY_1 else ".".join(parts[:2])
            return Decision("tf1", f"Line {line} uses tf.{shown}, which only 1.x has.")
    package = first.module.partition(".")[0]
    return Decision("tf2", f"Line {first.line} imports {package}, and no line uses what only 1.x has: 2.x.")


def _beside(source: str, tree: ast.Module | None, imports: list[_Import]) -> set[str]:
    """What a program of 2.x calls ``tensorflow.compat.v1``, from which it takes a few names: it imports tensorflow
    under another name, uses there what 2.x shows, and switches nothing off."""
    plain = {found.name for found in imports if found.module == "tensorflow" and not found.item}
    old = {found.name for found in imports if found.module == "tensorflow.compat.v1" and not found.item} - plain
    if not old or not plain:
        return set()
    uses = [path for path, _ in (_uses(tree, plain | old) if tree is not None else _uses_by_line(source, plain | old))]
    if any(path.removeprefix("compat.v1.") in _SWITCHES for path in uses):
        return set()
    parts = [path.split(".") for path in uses]
    modern = any(one[0] in _ONLY_2 | {"keras"} or ".".join(one[:2]) in _ONLY_2 for one in parts)
    return old if modern else set()


def _is_loss_class(parts: list[str]) -> bool:
    """``tf.losses.MeanSquaredError``: what 2.x calls losses are classes, those of 1.x are functions."""
    return parts[0] == "losses" and len(parts) > 1 and parts[1][:1].isupper() and parts[1] != "Reduction"


def _first(imports: list[_Import], package: str) -> _Import | None:
    return min((i for i in imports if i.module.partition(".")[0] == package), key=lambda i: i.line, default=None)


def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node in the order of the text (``ast.walk`` goes level by level)."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _imports(tree: ast.Module) -> Iterator[_Import]:
    for node in _nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield _Import(alias.name, "", alias.asname or alias.name.partition(".")[0], node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield _Import(node.module, alias.name, alias.asname or alias.name, node.lineno)


def _uses(tree: ast.Module, names: set[str]) -> Iterator[tuple[str, int]]:
    """``tf.a.b`` as (``a.b``, line), the longest form of each."""
    for node in _nodes(tree):
        if isinstance(node, ast.Attribute):
            path: list[str] = []
            base: ast.expr = node
            while isinstance(base, ast.Attribute):
                path.append(base.attr)
                base = base.value
            if isinstance(base, ast.Name) and base.id in names:
                yield ".".join(reversed(path)), node.lineno


def _code_lines(source: str) -> Iterator[tuple[int, str]]:
    """Lines without their comments, for text that Python cannot parse."""
    for number, line in enumerate(source.splitlines(), 1):
        yield number, line.partition("#")[0]


def _imports_by_line(source: str) -> Iterator[_Import]:
    for number, line in _code_lines(source):
        found = _IMPORT.match(line)
        if found and found[1]:
            yield _Import(found[1], "", found[2] or found[1].partition(".")[0], number)
        elif found:
            for item in found[4].strip("() \t").split(","):
                words = item.split()
                if words:
                    yield _Import(found[3], words[0], words[-1], number)


def _uses_by_line(source: str, names: set[str]) -> Iterator[tuple[str, int]]:
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(names))) + r")\.([A-Za-z_][\w.]*)")
    for number, line in _code_lines(source):
        for found in pattern.finditer(line):
            yield found[1].rstrip("."), number
