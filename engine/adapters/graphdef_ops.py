"""Ops and dtypes of a GraphDef and ours: those that agree in everything but their name."""

from __future__ import annotations

DTYPES = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "object": 7, "complex64": 8, "int64": 9,
    "bool": 10, "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
}  # fmt: skip
"""NumPy dtypes by name and their number there; texts are ``object``."""

SAME = {
    "AddV2": "add", "Sub": "sub", "Mul": "mul", "RealDiv": "div", "FloorDiv": "floor_div", "FloorMod": "mod",
    "Maximum": "maximum", "Minimum": "minimum", "Pow": "pow", "SquaredDifference": "squared_difference",
    "Atan2": "atan2", "Neg": "neg", "Square": "square", "Sqrt": "sqrt", "Rsqrt": "rsqrt", "Exp": "exp",
    "Expm1": "expm1", "Log": "log", "Log1p": "log1p", "Sin": "sin", "Cos": "cos", "Tan": "tan", "Asin": "asin",
    "Acos": "acos", "Atan": "atan", "Sinh": "sinh", "Cosh": "cosh", "Tanh": "tanh", "Sigmoid": "sigmoid",
    "Relu": "relu", "Softplus": "softplus", "Elu": "elu", "Selu": "selu", "Erf": "erf", "Softsign": "softsign",
    "Abs": "abs", "Sign": "sign", "Floor": "floor", "Ceil": "ceil", "Rint": "round", "Reciprocal": "reciprocal",
    "ZerosLike": "zeros_like", "OnesLike": "ones_like", "Identity": "identity", "StopGradient": "stop_gradient",
    "Equal": "equal", "NotEqual": "not_equal", "Less": "less", "LessEqual": "less_equal", "Greater": "greater",
    "GreaterEqual": "greater_equal", "LogicalAnd": "logical_and", "LogicalOr": "logical_or",
    "LogicalNot": "logical_not", "SelectV2": "where", "AddN": "add_n", "IsNan": "isnan", "IsInf": "isinf",
    "IsFinite": "isfinite", "ReluGrad": "relu_grad",
}  # fmt: skip

ALSO = {
    "Add": "add", "BiasAdd": "add", "Inv": "reciprocal", "Select": "where", "Snapshot": "identity", "Round": "round",
    "ReadVariableOp": "identity", "PreventGradient": "identity", "ReadVariableOpV2": "identity",
}  # fmt: skip
"""Further names that are read, and written as those above."""

BACK = {ours: theirs for theirs, ours in SAME.items()} | {"copy": "Identity"}
UNTYPED = frozenset({"LogicalAnd", "LogicalOr", "LogicalNot"})
"""Theirs that have no attribute ``T``."""

REDUCTIONS = {"Sum": "sum", "Mean": "mean", "Max": "max", "Min": "min", "Prod": "prod", "All": "all", "Any": "any"}
PICKS = {"ArgMax": "argmax", "ArgMin": "argmin"}
WRITES = {
    "Assign": "assign", "AssignAdd": "assign_add", "AssignSub": "assign_sub", "AssignVariableOp": "assign",
    "AssignAddVariableOp": "assign_add", "AssignSubVariableOp": "assign_sub",
}  # fmt: skip
VARIABLES = frozenset({"VariableV2", "Variable", "VarHandleOp"})
