"""What TensorFlow calls the engine's ops, and the attributes that its messages list."""

from __future__ import annotations

LABELS = {
    "placeholder": "Placeholder", "constant": "Const", "variable": "VariableV2", "assign": "Assign",
    "assign_add": "AssignAdd", "assign_sub": "AssignSub", "group": "NoOp", "no_op": "NoOp", "identity": "Identity",
    "stop_gradient": "StopGradient", "copy": "Snapshot", "cast": "Cast",
    "add": "AddV2", "sub": "Sub", "mul": "Mul", "div": "RealDiv", "floor_div": "FloorDiv", "mod": "FloorMod",
    "maximum": "Maximum", "tf_maximum": "Maximum", "tf_minimum": "Minimum", "minimum": "Minimum", "pow": "Pow", "neg": "Neg", "square": "Square", "sqrt": "Sqrt",
    "abs": "Abs", "exp": "Exp", "expm1": "Expm1", "log": "Log", "log1p": "Log1p", "reciprocal": "Reciprocal",
    "sign": "Sign", "floor": "Floor", "sin": "Sin", "cos": "Cos", "tan": "Tan", "rsqrt": "Rsqrt", "clip": "ClipByValue",
    "equal": "Equal", "not_equal": "NotEqual", "less": "Less", "less_equal": "LessEqual", "greater": "Greater",
    "greater_equal": "GreaterEqual", "logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_not": "LogicalNot",
    "isnan": "IsNan", "isinf": "IsInf", "isfinite": "IsFinite", "where": "SelectV2",
    "sum": "Sum", "mean": "Mean", "max": "Max", "min": "Min", "prod": "Prod", "all": "All", "any": "Any",
    "argmax": "ArgMax", "argmin": "ArgMin", "matmul": "MatMul",
    "reshape": "Reshape", "reshape_like": "Reshape", "transpose": "Transpose", "expand_dims": "ExpandDims",
    "squeeze": "Squeeze", "broadcast_to": "BroadcastTo", "broadcast_to_like": "BroadcastTo", "sum_to": "Sum",
    "sum_to_like": "Sum", "spread": "Tile", "spread_like": "Tile", "spread_mean": "Tile", "spread_mean_like": "Tile",
    "zeros_like": "ZerosLike", "ones_like": "OnesLike", "flip": "ReverseV2", "getitem": "StridedSlice",
    "embed": "StridedSliceGrad", "embed_like": "StridedSliceGrad", "take": "GatherV2", "concat": "ConcatV2",
    "stack": "Pack", "select": "StridedSlice", "pad": "PadV2", "tile": "Tile", "one_hot": "OneHot",
    "relu": "Relu", "relu_grad": "ReluGrad", "sigmoid": "Sigmoid", "tanh": "Tanh", "softplus": "Softplus",
    "leaky_relu": "LeakyRelu", "elu": "Elu", "erf": "Erf", "softmax": "Softmax", "log_softmax": "LogSoftmax",
    "random_uniform": "RandomUniform", "random_normal": "RandomStandardNormal",
}  # fmt: skip

# The attributes besides T that a message lists, by op type; they are sorted together with T.
EXTRA = {
    "MatMul": {"grad_a": "false", "grad_b": "false", "transpose_a": "false", "transpose_b": "false"},
    "Assign": {"use_locking": "false", "validate_shape": "true"},
    "AssignAdd": {"use_locking": "false"},
    "AssignSub": {"use_locking": "false"},
}
