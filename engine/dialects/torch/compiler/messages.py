"""Why a graph breaks, in PyTorch's words."""

from __future__ import annotations

from dataclasses import dataclass

SITE = "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb{number}.html"


@dataclass(frozen=True)
class Reason:
    """What breaks a graph: its title, the explanation, hints, the context, the number of its page."""

    title: str
    explanation: str
    hints: tuple[str, ...]
    context: str
    number: str

    def __str__(self) -> str:
        hints = "\n".join(f"  Hint: {hint}" for hint in self.hints)
        return (
            f"{self.title}\n  Explanation: {self.explanation}\n{hints}\n\n  Developer debug context: {self.context}\n\n"
            f" For more details about this graph break, please visit: {SITE.format(number=self.number)}"
        )


_VARIABLES = {"Tensor": "tensor.TensorVariable"}


def print_reason(arguments: tuple[object, ...], keywords: bool) -> Reason:
    """Why ``print`` of these arguments breaks a graph."""
    kinds = [type(a).__name__ for a in arguments]
    variables = [f"<class 'torch._dynamo.variables.{_VARIABLES.get(k, 'constant.ConstantVariable')}'>" for k in kinds]
    shown = f"[{', '.join(repr(k) for k in kinds)}]"
    return Reason(
        "Failed to trace builtin operator",
        f"Dynamo does not know how to trace builtin operator `print` with argument types {shown} "
        f"(has_kwargs {keywords})",
        (
            f"Avoid calling builtin `print` with argument types {shown}. Consider using an equivalent alternative "
            "function/method to `print`.",
            "If you are attempting to call a logging function (e.g. `print`), you can try adding it to "
            "`torch._dynamo.config.reorderable_logging_functions`.",
            "Please report an issue to PyTorch.",
        ),
        f"builtin print [{', '.join(variables)}] {keywords}",
        "0059",
    )


def branch_reason(place: str, code: str, call: str) -> Reason:
    """Why a decision by a tensor breaks a graph: ``call`` is what computed it."""
    plain = REASONS["bool"]
    computed = ""
    if call:
        computed = (
            "\n\n      The branch condition involves a tensor computed as follows:\n"
            f"        # {place}, code: {code}\n        {call}\n    "
        )
    return Reason(plain.title, plain.explanation + computed, plain.hints, plain.context, plain.number)


REASONS = {
    "bool": Reason(
        "Data-dependent branching",
        "Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`). Dynamo does not support tracing dynamic "
        "control flow.",
        (
            "For the common pattern `if tensor_cond: x = transform(x)` (e.g. clamping inf/nan values), consider making "
            "the code branchless by always applying the transform. Operations like torch.clamp, torch.nan_to_num, and "
            "torch.where are typically no-ops on well-behaved inputs and compile without graph breaks.",
            "This graph break is fundamental - it is unlikely that Dynamo will ever be able to trace through your "
            "code. Consider finding a workaround.",
            "Use `torch.cond` to express dynamic control flow.",
        ),
        "attempted to jump with TensorVariable()",
        "0170",
    ),
    "item": Reason(
        "Unsupported Tensor.item() call with capture_scalar_outputs=False",
        "Dynamo does not support tracing `Tensor.item()` with config.capture_scalar_outputs=False.",
        (
            "Set `torch._dynamo.config.capture_scalar_outputs = True` or "
            "`export TORCHDYNAMO_CAPTURE_SCALAR_OUTPUTS=1` to include these operations in the captured graph.",
        ),
        "call_method TensorVariable() item () {}",
        "0124",
    ),
    "break": Reason(
        "Call to `torch._dynamo.graph_break()`",
        "User-inserted graph break. Message: None",
        ("Remove the `torch._dynamo.graph_break()` call.",),
        "Called `torch._dynamo.graph_break()` with args `[]`, kwargs `{}`",
        "0025",
    ),
    "backward": Reason(
        "Unsupported Tensor.backward() call",
        "Dynamo currently does not support tracing `Tensor.backward()`.",
        (
            "This graph break is fundamental - it is unlikely that Dynamo will ever be able to trace through your "
            "code. Consider finding a workaround.",
        ),
        "call_method TensorVariable() backward () {}",
        "0123",
    ),
    "disable": Reason(
        "Skip calling `torch.compiler.disable()`d function",
        "Skip calling function since it was wrapped with `torch.compiler.disable` (reason: None)",
        ("Remove the `torch.compiler.disable` call",),
        "function",
        "0098",
    ),
}
for _word in ("int", "float", "index", "tolist", "numpy"):
    REASONS[_word] = REASONS["item"]


class TorchDynamoException(RuntimeError):
    """The family of errors of compiling."""

    __module__ = "torch._dynamo.exc"


class Unsupported(TorchDynamoException):
    """Something that breaks the graph, where no break is allowed."""

    __module__ = "torch._dynamo.exc"


class InvalidBackend(TorchDynamoException):
    """There is no backend of this name."""

    __module__ = "torch._dynamo.exc"


class BackendCompilerFailed(TorchDynamoException):
    """A backend raised."""

    __module__ = "torch._dynamo.exc"
