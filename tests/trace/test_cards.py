"""Cards: chosen by what happened and what the message is about, not by one wording."""

from __future__ import annotations

import textwrap

import pytest

from engine.recording import record
from engine.trace.cards import RULES, Facts, card_for
from engine.trace.cards.hints import HINTS

SAID = [
    ("uninitialised", "tf1", "FailedPreconditionError", "Attempting to use uninitialized value Variable"),
    ("uninitialised", "tf1", "tensorflow.errors.FailedPreconditionError", "Could not find variable w: not initialised"),
    ("not-fed", "tf1", "InvalidArgumentError", "You must feed a value for placeholder tensor 'x' with dtype float"),
    ("not-fed", "tf1", "RuntimeError", "The placeholder x:0 was not fed in this run"),
    ("no-session", "tf1", "ValueError", "Cannot evaluate tensor using `eval()`: No default session is registered."),
    ("closed-session", "tf1", "RuntimeError", "Attempted to use a closed Session."),
    ("other-graph", "tf1", "ValueError", 'Tensor("a:0") must be from the same graph as Tensor("b:0").'),
    (
        "other-graph",
        "tf1",
        "ValueError",
        "Fetch argument cannot be interpreted (Tensor is not an element of this graph.)",
    ),
    ("tf1-names", "tf2", "AttributeError", "module 'tensorflow' has no attribute 'Session'"),
    ("tf1-names", "tf2", "RuntimeError", "tf.placeholder() is not compatible with eager execution."),
    ("exists", "tf1", "ValueError", "Variable W already exists, disallowed. Did you mean to set reuse=True"),
    ("feed-tensor", "tf1", "TypeError", "The value of a feed cannot be a tf.Tensor object."),
    ("finalized", "tf1", "RuntimeError", "Graph is finalized and cannot be modified."),
    (
        "tensor-as-bool",
        "tf2",
        "OperatorNotAllowedInGraphError",
        "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed",
    ),
    ("tensor-as-bool", "torch", "RuntimeError", "Boolean value of Tensor with more than one value is ambiguous"),
    ("backward-twice", "torch", "RuntimeError", "Trying to backward through the graph a second time"),
    ("backward-twice", "native", "FreedError", "values that this node saved are gone"),
    (
        "backward-twice",
        "tf2",
        "RuntimeError",
        "A non-persistent GradientTape can only be used to compute one set of gradients",
    ),
    ("modified", "torch", "RuntimeError", "one of the variables needed has been modified by an inplace operation"),
    (
        "leaf-in-place",
        "torch",
        "RuntimeError",
        "a leaf Variable that requires grad is being used in an in-place operation.",
    ),
    ("not-scalar", "torch", "RuntimeError", "grad can be implicitly created only for scalar outputs"),
    ("no-gradient", "torch", "RuntimeError", "element 0 of tensors does not require grad and does not have a grad_fn"),
    ("numpy-of-grad", "torch", "RuntimeError", "Can't call numpy() on Tensor that requires grad."),
    ("dtype", "torch", "RuntimeError", "expected m1 and m2 to have the same dtype, but got: float != double"),
    ("shapes", "torch", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
    ("shapes", "torch", "RuntimeError", "The size of tensor a (3) must match the size of tensor b (4) at dimension 1"),
    ("shapes", "tf1", "ValueError", "Dimensions must be equal, but are 3 and 4 for 'MatMul'"),
    (
        "variables-in-function",
        "tf2",
        "ValueError",
        "tf.function only supports singleton tf.Variables created on the first call.",
    ),
    ("out-of-scope", "tf2", "InaccessibleTensorError", "<tf.Tensor> is out of scope and cannot be used here."),
    ("traced-value", "torch", "TraceError", "symbolically traced variables cannot be used as inputs to control flow"),
    ("none", "python", "AttributeError", "'NoneType' object has no attribute 'append'"),
    ("none", "python", "TypeError", "'NoneType' object is not subscriptable"),
    ("not-callable", "python", "TypeError", "'list' object is not callable"),
    ("arguments", "python", "TypeError", "f() missing 1 required positional argument: 'b'"),
    ("subscript", "python", "TypeError", "list indices must be integers or slices, not str"),
    ("operand-types", "python", "TypeError", "unsupported operand type(s) for +: 'int' and 'str'"),
    ("operand-types", "python", "TypeError", 'can only concatenate str (not "int") to str'),
    ("key", "python", "KeyError", "'x'"),
    ("index", "python", "IndexError", "list index out of range"),
    ("unpack", "python", "ValueError", "not enough values to unpack (expected 2, got 1)"),
    ("literal", "python", "ValueError", "invalid literal for int() with base 10: 'x'"),
    ("recursion", "python", "RecursionError", "maximum recursion depth exceeded"),
    ("unbound", "python", "UnboundLocalError", "cannot access local variable 'x'"),
    ("import", "python", "ModuleNotFoundError", "No module named 'pandas'"),
    ("not-here", "torch", "AttributeError", "module 'torch' has no attribute 'x' in this teaching engine"),
]


@pytest.mark.parametrize(("card", "dialect", "kind", "message"), SAID)
def test_what_is_said(card: str, dialect: str, kind: str, message: str) -> None:
    found = card_for(Facts(type=kind, message=message, dialect=dialect, freed=True))
    assert found is not None
    assert found["id"] == card
    # Written differently, it is the same.
    assert (
        card_for(Facts(type=kind, message=f"Sorry! {message.lower()} (see above)", dialect=dialect, freed=True))
        == found
    )


def test_an_own_error_in_the_words_of_another_is_none_of_ours() -> None:
    assert card_for(Facts(type="PaymentError", message="no money")) is None


@pytest.mark.parametrize(
    "words",
    [
        "RuntimeError('backward a second time?')",
        "RuntimeError('this leaf variable fell in-place')",
        "ValueError('only for scalar users')",
        "ValueError('shapes of cookies must match')",
        "RuntimeError('element 0 does not require grad')",
    ],
)
@pytest.mark.parametrize("before", ["", "import torch\nif True: ", "import tensorflow as tf\n"])
def test_words_of_a_framework_in_an_error_of_the_program(words: str, before: str) -> None:
    error = record(f"{before}raise {words}\n")["end"]["error"]
    assert (error["type"], error["card"]) == (words.partition("(")[0], None)


def test_a_name_that_was_nearly_right() -> None:
    trace = record("total = 1\nprint(totl)\n")
    card = trace["end"]["error"]["card"]
    assert (card["id"], card["tries"][0]) == ("name", "You may have meant total.")


def test_cards_are_written_well() -> None:
    assert len({rule.id for rule in (*RULES, *HINTS)}) == len(RULES) + len(HINTS)
    for rule in (*RULES, *HINTS):
        assert rule.title.endswith(".")
        assert rule.explanation.endswith(".")
        assert len(rule.title) < 70
        assert len(rule.explanation) < 300
        tries = rule.tries(Facts()) if callable(rule.tries) else rule.tries
        assert 1 <= len(tries) <= 3


@pytest.mark.parametrize(
    ("hint", "program"),
    [
        ("printed-handle", "import tensorflow as tf\nx = tf.placeholder(tf.float32)\nprint(x + 1)\n"),
        (
            "graph-grows",
            """
            import tensorflow as tf
            x = tf.constant(1.0)
            with tf.Session() as sess:
                for i in range(6):
                    sess.run(x + i)
            """,
        ),
        (
            "not-cleared",
            """
            import torch
            w = torch.ones(2, requires_grad=True)
            for i in range(5):
                (w * w).sum().backward()
                with torch.no_grad():
                    w -= 0.1 * w.grad
            """,
        ),
        (
            "kept-graph",
            """
            import torch
            w = torch.ones(2, requires_grad=True)
            total = 0
            for i in range(5):
                loss = ((w - 3) ** 2).sum()
                loss.backward()
                total += loss
                with torch.no_grad():
                    w -= 0.1 * w.grad
                w.grad = None
            """,
        ),
        (
            "kept-graph",
            """
            import torch
            model = torch.nn.Linear(2, 1)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            running = torch.zeros(())
            for i in range(5):
                optimizer.zero_grad()
                error = model(torch.ones(2)).sum() ** 2
                error.backward()
                optimizer.step()
                running = running + error
            """,
        ),
        (
            "same-loss",
            """
            import torch
            w = torch.ones(2, requires_grad=True)
            optimizer = torch.optim.SGD([w], lr=0.1)
            for i in range(5):
                optimizer.zero_grad()
                (w * w).sum().backward()
            """,
        ),
        (
            "same-loss",
            """
            import tensorflow as tf
            w = tf.Variable([1.0, 2.0])
            for i in range(5):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum((w - 3.0) ** 2)
                tape.gradient(loss, w)
            """,
        ),
        (
            "no-number",
            """
            import torch
            w = torch.ones(2, requires_grad=True)
            for i in range(4):
                (w ** 4).sum().backward()
                with torch.no_grad():
                    w -= 1e20 * w.grad
                w.grad = None
            """,
        ),
        (
            "retraced",
            """
            import tensorflow as tf
            @tf.function
            def scaled(n, x):
                return x * n
            for k in range(4):
                scaled(k, tf.ones(2))
            """,
        ),
        (
            "retraced",
            """
            import tensorflow as tf
            @tf.function
            def total(x):
                return tf.reduce_sum(x)
            for k in range(4):
                total(tf.ones([2, k + 1]))
            """,
        ),
        (
            "lost-branch",
            """
            import warnings, torch
            warnings.warn("Converting a tensor to a Python boolean", type("TracerWarning", (Warning,), {}))
            """,
        ),
    ],
)
def test_hints(hint: str, program: str) -> None:
    trace = record(textwrap.dedent(program))
    assert trace["end"]["error"] is None
    assert [card["id"] for card in trace["end"]["hints"]] == [hint]


@pytest.mark.parametrize(
    "body",
    [
        "loss = (w * w).sum()\n    loss.backward()",
        "loss = (w * w).sum()\n    loss.backward()\n    total += loss.item()",
        "loss = (w * w).sum()\n    loss.backward()\n    total = total + loss.detach()",
        # A sum that backward goes through is none that was forgotten.
        "loss = 0\n    for k in range(4): loss = loss + ((w - k) ** 2).sum()\n    loss.backward()",
        "h = w\n    for k in range(4): h = h * w\n    h.sum().backward()",
    ],
)
def test_no_hint_where_all_is_well(body: str) -> None:
    trace = record(
        "import torch\nw = torch.tensor([1.0, 0.5], requires_grad=True)\ntotal = 0\nfor i in range(6):\n"
        f"    {body}\n    with torch.no_grad():\n        w -= 0.01 * w.grad\n        w.grad = None\n"
    )
    assert trace["end"]["error"] is None
    assert trace["end"]["hints"] == []


@pytest.mark.parametrize(
    ("line", "operands"),
    [
        ("F.cross_entropy(torch.ones(8, 10), torch.ones(7).long())", ["float32 [8, 10]", "int64 [7]"]),
        ("torch.nn.CrossEntropyLoss()(p, torch.tensor([1, 3]))", ["float32 [2, 3]", "int64 [2]"]),
        ("torch.nn.BCELoss()(p, torch.ones(2, 3).long())", ["p float32 [2, 3]", "int64 [2, 3]"]),
        ("torch.nn.Linear(2, 1)(torch.ones(3, 2).double())", ["float64 [3, 2]", "float32"]),
        ("p.backward()", ["p float32 [2, 3]"]),
        ("if p: pass", ["p float32 [2, 3]"]),
        ("x.dot(w)", ["x float64 [3, 5]", "w float64 [4]"]),
        ("[x + 1][0] - w", ["x float64 [3, 5]", "w float64 [4]"]),
        ("(lambda w: x @ w)(x)", ["x float64 [3, 5]", "w float64 [3, 5]"]),
    ],
)
def test_what_a_call_was_given_that_refused(line: str, operands: list[str]) -> None:
    arrays = "import numpy as np\nx, w = np.ones((3, 5)), np.ones(4)\n"
    trace = record(f"{arrays}import torch\nF = torch.nn.functional\np = torch.ones(2, 3, requires_grad=True)\n{line}\n")
    told = [f"{one['name']} {one['type']}" for one in trace["end"]["error"]["operands"]]
    assert len(told) >= len(operands)
    assert all(part in one for part, one in zip(operands, told, strict=False)), told


def test_both_moments_of_a_static_error() -> None:
    trace = record(
        textwrap.dedent(
            """
            import tensorflow as tf
            x = tf.placeholder(tf.float32, [2])
            y = x * 2
            with tf.Session() as sess:
                sess.run(y)
            """
        )
    )
    error = trace["end"]["error"]
    assert (error["card"]["id"], error["defined_line"], error["line"]) == ("not-fed", 3, 6)
