"""Hints: what runs without an error and is rarely meant."""

from __future__ import annotations

from engine.trace.cards.rule import Rule

HINTS: tuple[Rule, ...] = (
    Rule(
        "printed-handle",
        lambda f: f.static_graphs > 0 and f.tensorflow() and 'Tensor("' in f.stdout,
        "A node was printed, not its value.",
        "In a graph, a name stands for a node. Its value exists only inside a run.",
        ("Print what sess.run(node) returns.",),
    ),
    Rule(
        "graph-grows",
        lambda f: f.dialect == "tf1" and f.grown_runs >= 3,
        "The graph grows from run to run.",
        "New nodes are made between runs, so the graph gets larger, and every run with new fetches has to be "
        "planned and "
        "compiled again.",
        ("Build ops once, before the loop; feed what changes.", "graph.finalize() makes a growing graph an error."),
    ),
    Rule(
        "not-cleared",
        lambda f: f.accumulated_again >= 2 and f.cleared == 0 and f.events.get("written", 0) > 2,
        "Gradients add up over passes.",
        ".grad is never cleared by itself: each backward adds to what is there.",
        ("Call optimizer.zero_grad() in each pass, before backward.",),
    ),
    Rule(
        "retraced",
        lambda f: f.dialect == "tf2" and any(count >= 4 for count in f.traced.values()),
        "A function is traced again and again.",
        "tf.function makes one graph for each new shape, dtype or Python number that it is called with.",
        ("Pass numbers as tensors.", "Give an input_signature with None where sizes change."),
    ),
)
