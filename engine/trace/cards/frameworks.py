"""Cards about graphs, sessions, gradients and shapes."""

from __future__ import annotations

from engine.trace.cards.facts import Facts
from engine.trace.cards.operands import shapes_misfit, without_numbers
from engine.trace.cards.rule import Rule

SAME_DTYPE = frozenset({"add", "sub", "mul", "div", "pow", "matmul", "linear", "maximum", "minimum", "conv", "conv2d"})
"""Ops whose operands have one kind of number."""
WRONG_SHAPES = (
    r"\bshapes?\b.*\b(multipl|match|align|broadcast|compat|equal|differ)",
    r"\bdimensions? must be equal\b",
    r"size of tensor|size mismatch|must match the size",
    r"inner dim|incompatible (shapes|dimensions)",
    r"not broadcast",
    r"expected .*(batch|size|channels)",
    r"cannot be multiplied",
    r"invalid for input of size|cannot reshape|reshape is a tensor with",
    r"incompatible with the layer|expected axis .* to have value",
    r"core dimension|array dimensions|could not be broadcast|input array",
    r"feed value of shape",
    r"\b(shape|size|dimension|rank)s? mismatch|must match the (existing|expected)",
    r"\bn_?dim(ension)?s?\b.*\b(found|got|expected)|expected \w*ndim",
)


UNFIT = ("RuntimeError", "ValueError", "InvalidArgumentError", "LinAlgError")
"""What frameworks raise where shapes (and other things) are wrong."""


def _shapes(facts: Facts) -> bool:
    """Whether an op failed whose operands cannot meet; where none is known, or none failed: whether the message is
    about that."""
    if not facts.is_any(*UNFIT):
        return False
    if facts.is_any("LinAlgError") and not facts.says(r"singular|converge|definite"):
        return True
    if facts.framework() and facts.op and shapes_misfit(facts.op, facts.category, facts.operands):
        return True
    about = facts.says(r"\bshape", r"\bdimension", r"\bsize") and facts.op != "" and len(facts.operands) >= 2
    counts = facts.framework() or (facts.is_any("ValueError") and "numpy" in facts.source)
    return counts and (about or facts.says(*WRONG_SHAPES))


def _dtypes(facts: Facts) -> bool:
    """Whether an op that wants one kind of number was given two, or the message is about that."""
    kinds = {type_.split(" ")[0] for _, type_ in facts.operands}
    if facts.op in SAME_DTYPE and len(kinds) > 1 and facts.is_any("RuntimeError", "TypeError", "InvalidArgumentError"):
        return True
    if facts.is_any("UFuncTypeError", "_UFuncOutputCastingError"):  # NumPy's own types for kinds that do not meet
        return True
    if facts.op and facts.is_any("InvalidArgumentError", "TypeError") and without_numbers(facts.operands):
        return True
    return facts.framework() and facts.says(
        r"expected .*(dtype|scalar type)",
        r"same dtype|dtype mismatch|infer output dtype",
        r"dtypes?\b.*(match|differ|but got|not (supported|implemented|the same))",
        r"found dtype|but found (float|long|double|int)",
        r"to be an? \w+ tensor but is an? \w+ tensor|does not match type",
        r"(floating|complex).*require grad|require grad.*(floating|complex)",
        r"\bind(ex|ices)\b.*must be (integer|int|long)",
        r"requested dtype \w+ for|used as ind(ices|exes) must be",
        r"cast to the desired output type|not implemented for '(long|int|bool|half|float|double|byte|char|short)",
    )


def _not_fed(facts: Facts) -> bool:
    return (
        facts.tensorflow()
        and not facts.says(r"value of shape")
        and (
            (facts.op in ("placeholder", "input") and facts.role == "input" and facts.is_any("InvalidArgumentError"))
            or facts.says(r"\bfeed\b.*placeholder|placeholder.*\b(fed|feed)\b")
        )
    )


def _uninitialised(facts: Facts) -> bool:
    return facts.tensorflow() and (
        facts.is_any("FailedPreconditionError") or facts.says(r"uninitiali[sz]ed|not (been )?initiali[sz]ed")
    )


def _twice(facts: Facts) -> bool:
    return facts.dialect in ("torch", "native", "tf2") and (
        facts.says(r"backward.*(second|twice)|already been freed", r"non-persistent.*(once|one set)")
        or (facts.freed and facts.is_any("FreedError"))
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "uninitialised",
        _uninitialised,
        "A variable has no value yet.",
        "Building the graph only says that the variable exists. Its first value is written by a run of the "
        "initialiser, "
        "and that run did not happen in this session.",
        (
            "Run the initialiser first: sess.run(tf.global_variables_initializer()).",
            "Make every variable before that line: one that joins the graph later is not initialised by it.",
        ),
    ),
    Rule(
        "feed-tensor",
        lambda f: f.tensorflow() and f.says(r"feed.*(cannot|can't|may not) be a.*tensor"),
        "A tensor cannot be fed.",
        "Feeding brings numbers into the graph from outside. A tensor of the graph has none outside of a run.",
        ("Feed an array: first value = sess.run(tensor), then feed value.", "Or connect the tensor in the graph."),
    ),
    Rule(
        "not-fed",
        _not_fed,
        "A placeholder was not fed.",
        "A placeholder is a door without a value. Every run that needs it has to bring the value along; what "
        "an earlier "
        "run was fed is forgotten.",
        (
            "Give it in this call: sess.run(fetch, feed_dict={placeholder: value}).",
            "If you did not mean to use the placeholder, look which op of the fetch still reads it.",
        ),
    ),
    Rule(
        "no-session",
        lambda f: f.tensorflow() and f.says(r"no default session|no session is registered"),
        "There is no session to run in.",
        "eval() and run() need a session that is the default one at this line.",
        ("Open one around the line: with tf.Session() as sess: …", "Or name it: tensor.eval(session=sess)."),
    ),
    Rule(
        "closed-session",
        lambda f: f.tensorflow() and f.says(r"closed session"),
        "The session is closed.",
        "A session ends with its with-block, and its variables' values with it.",
        ("Move the run into the with-block.", "Save what you need before the block ends."),
    ),
    Rule(
        "other-graph",
        lambda f: (
            f.tensorflow()
            and (
                f.says(r"(same|this|current|different|another) graph", r"not an element of this graph", r"wrong graph")
                or (f.dialect == "tf1" and f.events.get("node", 0) > 0 and f.says(r"graph is empty"))
            )
        ),
        "Two graphs are mixed.",
        "A node belongs to the graph that was the default one when it was made, and can only be combined with nodes of "
        "that graph, and run by a session of it.",
        (
            "Build everything inside one with graph.as_default() block.",
            "Open the session with tf.Session(graph=graph).",
        ),
    ),
    Rule(
        "tf1-names",
        lambda f: (
            f.tensorflow()
            and (
                (f.dialect == "tf2" and f.says(r"session graph is empty"))
                or f.says(r"not compatible with eager")
                or (
                    f.is_any("AttributeError")
                    and f.says(r"(Session|placeholder|global_variables_initializer|get_variable)")
                )
            )
        ),
        "TensorFlow 1 code meets TensorFlow 2.",
        "Sessions and placeholders belong to graph mode. TensorFlow 2 runs each op at once, so there is no graph for a "
        "session to run.",
        (
            "Use tensorflow.compat.v1 and disable eager execution.",
            "Or drop session and placeholders: call ops directly.",
        ),
    ),
    Rule(
        "exists",
        lambda f: f.tensorflow() and f.says(r"already exists.*(reuse|disallowed)", r"\bvariable\b.*already exists"),
        "A variable of this name exists already.",
        "get_variable looks variables up by name and refuses to make the same one twice; Variable always "
        "makes a new one.",
        (
            "Use the scope with reuse=tf.AUTO_REUSE if both should be the same variable.",
            "Give it another name or scope if not; running a cell twice makes the graph twice.",
        ),
    ),
    Rule(
        "finalized",
        lambda f: f.tensorflow() and f.says(r"finali[sz]ed"),
        "The graph is closed for new nodes.",
        "It was finalised, so that a loop cannot let it grow by accident; this line tries to add a node.",
        ("Build the op before the loop, and run it inside.",),
    ),
    Rule(
        "empty-graph",
        lambda f: f.dialect == "tf1" and f.is_any("RuntimeError") and not f.events.get("node") and not f.op,
        "There is no graph to run yet.",
        "A session runs the nodes of a graph, and none has been made.",
        ("Build the graph first.", "Give run a tensor or an op of the graph: sess.run(y)."),
    ),
    Rule(
        "tensor-as-bool",
        lambda f: (
            f.framework()
            and f.says(
                r"\bpython\b.*`?bool`? .*not allowed|as a python `?bool",
                r"truth value|boolean value of .*tensor",
            )
        ),
        "A tensor cannot decide an if.",
        "Python needs one yes or no at this line, but the tensor has many numbers, or in a graph none yet.",
        (
            "Reduce it to one number: .any(), .all(), .item().",
            "In a graph use tf.cond or tf.where (inside tf.function an if on a tensor becomes one).",
        ),
    ),
    Rule(
        "symbolic-loop",
        lambda f: f.tensorflow() and f.is_any("OperatorNotAllowedInGraphError") and not f.says(r"`?bool"),
        "A loop cannot go through a tensor of a graph.",
        "The tensor has no values while the graph is built, so Python does not know how often to go round.",
        (
            "Use tf.while_loop or tf.map_fn, or tf.unstack where the length is known.",
            "Inside tf.function a for on a tensor becomes a loop of the graph.",
        ),
    ),
    Rule(
        "state-dict",
        lambda f: f.dialect == "torch" and f.is_any("RuntimeError", "KeyError") and f.says(r"state_?dict"),
        "The saved values are not those of this model.",
        "A state dict has one entry for each parameter, by its path; here paths or shapes differ from the model's.",
        (
            "Make the model as it was made when its state was saved.",
            "Compare model.state_dict().keys() with the keys of the file.",
            "load_state_dict(state, strict=False) takes what fits, and says what does not.",
        ),
    ),
    Rule(
        "backward-twice",
        _twice,
        "This graph was used up by an earlier backward.",
        "backward frees what the graph had saved. A second one through the same nodes finds nothing to work "
        "with. Often a "
        "hidden state or a running total still hangs on the pass before.",
        (
            "Make the forward pass again before each backward.",
            "Cut old passes off: state = state.detach(), total += loss.item().",
            "Only if you need both: backward(retain_graph=True), or a persistent tape.",
        ),
    ),
    Rule(
        "modified",
        lambda f: f.framework() and f.says(r"modified by an in-?place"),
        "A value that backward needs was overwritten.",
        "The graph keeps some values to compute gradients from. One of them was changed in place after it "
        "had been saved.",
        (
            "Write y = y + 1 instead of y += 1 for values that a gradient goes through.",
            "Or copy before you change: y = y.clone().",
        ),
    ),
    Rule(
        "leaf-in-place",
        lambda f: f.framework() and f.says(r"leaf variable.*in-?place", r"in-?place.*leaf"),
        "A parameter was changed while its use is recorded.",
        "A leaf that requires a gradient is where gradients end; changing it in place would make the record wrong.",
        ("Update inside with torch.no_grad(): …", "Or let an optimiser do it: optimizer.step()."),
    ),
    Rule(
        "not-scalar",
        lambda f: f.framework() and f.says(r"only for scalar|scalar outputs|must be (a )?scalar"),
        "backward needs one number to start from.",
        "A gradient tells how one number changes. This tensor has several.",
        (
            "Reduce it first: loss.sum().backward() or .mean().",
            "Or say how they count: y.backward(torch.ones_like(y)).",
        ),
    ),
    Rule(
        "no-gradient",
        lambda f: (
            f.framework()
            and f.says(
                r"does not require grad",
                r"no grad_fn|not have a grad_fn",
                r"one of the .*tensors .*not .*used",
                r"no gradients provided",
                r"not have been used in the graph",
            )
        ),
        "No gradient leads back from here.",
        "Nothing that was recorded leads to a tensor that wants a gradient: it was detached, made under "
        "no_grad, or never "
        "asked for one.",
        (
            "Make the parameters with requires_grad=True.",
            "Look for .detach(), .item(), .numpy() or no_grad() on the way.",
            "With a tape, watch(x) what is no variable.",
        ),
    ),
    Rule(
        "numpy-of-grad",
        lambda f: f.framework() and f.says(r"numpy\(\) on tensor|can't call numpy|detach\(\)\.numpy"),
        "An array cannot carry a gradient.",
        "NumPy would not record what happens to the numbers, so the way back would be lost without a word.",
        ("Say that this is meant: tensor.detach().numpy().", "For one number: tensor.item()."),
    ),
    Rule(
        "dtype",
        _dtypes,
        "Two kinds of numbers meet.",
        "This op wants its operands in the same kind of number; here one has another kind (whole numbers "
        "with real ones, "
        "or 32 with 64 bits).",
        (
            "Turn one over: x.float(), x.long(), tf.cast(x, tf.float32).",
            "Make data with the right dtype from the start.",
        ),
    ),
    Rule(
        "device",
        lambda f: (
            f.framework()
            and f.is_any("AssertionError", "RuntimeError", "InvalidArgumentError", "ValueError")
            and f.says(r"\bcuda\b|\bmps\b|\bgpu\b|same device|invalid device|device (type|string|ordinal)")
        ),
        "There is no such device here.",
        "This engine computes on the processor. With the real framework, values that meet must lie on the same device.",
        (
            'Ask first: device = "cuda" if torch.cuda.is_available() else "cpu".',
            "Move model and data to the same one: model.to(device), x = x.to(device).",
        ),
    ),
    Rule(
        "shapes",
        _shapes,
        "The shapes do not fit together.",
        "Each op has a rule for the shapes it takes: a product needs as many columns on the left as rows on the right; "
        "element by element, sizes must be equal or 1.",
        (
            "Compare the two shapes above, from the right.",
            "Turn or reshape one: x.T, x.reshape(…), x.unsqueeze(…).",
            "Print the shapes one line earlier.",
        ),
    ),
    Rule(
        "variables-in-function",
        lambda f: f.dialect == "tf2" and f.says(r"singleton tf\.variable|variables? created on"),
        "A function made a variable again.",
        "tf.function traces its body more than once; a variable has to be made only the first time, or outside.",
        ("Make the variable before the function.", "Or keep it: if self.v is None: self.v = tf.Variable(…)."),
    ),
    Rule(
        "out-of-scope",
        lambda f: f.dialect == "tf2" and f.says(r"out of scope"),
        "A tensor of the inside was used outside.",
        "Inside tf.function tensors belong to its graph and have no values out here.",
        ("Return it from the function.", "Do not store it in a list or attribute while tracing."),
    ),
    Rule(
        "traced-value",
        lambda f: f.framework() and f.says(r"symbolically traced", r"tracing"),
        "Tracing follows one path only.",
        "A traced program is written down by running it once with stand-ins; a decision by their values "
        "cannot be written "
        "down.",
        ("Keep the decision out of the traced part.", "Use torch.jit.script or torch.where for it."),
    ),
)
