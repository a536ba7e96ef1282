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


_PRINT = (
    "Set `torch.compiler.config.reorderable_logging_functions` to enable tracing of logging functions (recommended)."
)
REASONS = {
    "bool": Reason(
        "Data-dependent branching",
        "Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`). Dynamo does not support tracing dynamic "
        "control flow.",
        (
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
    "print": Reason(
        "Failed to trace builtin operator",
        "Dynamo does not know how to trace builtin operator `print` with argument types ['<unknown type>'] "
        "(has_kwargs False)",
        (
            "Avoid calling builtin `print` with argument types ['<unknown type>']. Consider using an equivalent "
            "alternative function/method to `print`.",
            "If you are attempting to call a logging function (e.g. `print`), you can try adding it to "
            "`torch._dynamo.config.reorderable_logging_functions`.",
            "Please report an issue to PyTorch.",
        ),
        "builtin print [<unknown type>] False",
        "0059",
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
