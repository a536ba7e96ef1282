"""Hints: what runs without an error and is rarely meant."""

from __future__ import annotations

import math

from engine.trace.cards.facts import Facts
from engine.trace.cards.rule import Rule

PASSES = 5
"""So often the same has to happen before it is worth a word."""


def _stands_still(facts: Facts) -> bool:
    losses = facts.losses
    return len(losses) >= PASSES and math.isfinite(losses[0]) and all(loss == losses[0] for loss in losses)


HINTS: tuple[Rule, ...] = (
    Rule(
        "kept-graph",
        lambda f: f.kept_graphs >= 3,
        "A running total keeps every graph alive.",
        "What is added up carries its past along: each pass hangs its whole graph on the total, and none of them can "
        "be let go.",
        ("Add the number: total += loss.item().", "Or cut it off: total += loss.detach()."),
    ),
    Rule(
        "same-loss",
        _stands_still,
        "The loss is the same in every pass.",
        "backward ran again and again, and began at exactly the same number: nothing that the loss is made from "
        "has changed.",
        (
            "Is optimizer.step() missing, or the learning rate 0?",
            "Has the optimizer the parameters of this model?",
            "Is the value cut off on the way: .detach(), .data, .item(), argmax?",
        ),
    ),
    Rule(
        "no-number",
        lambda f: len(f.losses) >= 2 and math.isfinite(f.losses[0]) and not math.isfinite(f.losses[-1]),
        "The loss stopped being a number.",
        "It became infinite or NaN on the way, and so did everything that was updated with it since.",
        (
            "Go to the first step that made a NaN.",
            "Make the learning rate smaller.",
            "Is there a log or a division of something that can be 0?",
        ),
    ),
    Rule(
        "lost-branch",
        lambda f: f.framework() and "TracerWarning" in f.stdout,
        "The trace took one branch for ever.",
        "Tracing writes down what ran. A decision by a value is not written down, only the way that it went this time.",
        ("Use script instead of trace for what decides.", "Or compute both and choose: torch.where(condition, a, b)."),
    ),
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
