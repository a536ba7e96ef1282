"""The event vocabulary: what the engine's core says while it works.

The core (``dynamic``, ``static``, ``passes``, ``bridges``) calls the methods of :class:`Listener` on :data:`listener`
and knows nothing of who listens. With nobody attached an op pays one check::

    if events.listener is not None:
        ...

A listener hands out the ids of graphs, nodes, plans and runs (integers, never reused); the core keeps them on its own
objects, so that nobody ever needs Python's ``id()`` (storages are numbered by the core itself). Ids start at 0; ``-1``
means "none" or "made while nobody listened". Arrays passed to a listener are only valid during the call: a listener
that wants to keep one copies it. All times are integers in nanoseconds from :data:`clock`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.tensor_type import Array, TensorType

clock = time.perf_counter_ns

ROLES = ("input", "variable", "constant", "op", "gradient", "accumulate", "update", "control")


class Listener(Protocol):
    """What a recorder must understand. ``docs/trace.md`` says what becomes of each call."""

    # -- construction ------------------------------------------------------------------------------------------------
    def graph_created(self, mode: str, name: str) -> int:
        """A graph begins: ``mode`` is ``"static"`` or ``"dynamic"``."""

    def node_created(
        self,
        graph: int,
        op: str,
        inputs: Sequence[tuple[int, int]],
        output: TensorType | None,
        *,
        role: str = "op",
        label: str = "",
        name: str = "",
        attributes: Mapping[str, Any] | None = None,
        control: Sequence[int] = (),
        saved: Sequence[int] = (),
        mirrors: int = -1,
        serves: int = -1,
        scope: str = "",
        plan: int = -1,
        region: int = -1,
    ) -> int:
        """A node joins ``graph``. ``inputs`` are (node, output port); ``saved`` the nodes whose values a gradient node
        keeps; ``plan`` is set for a node that only one plan owns (a folded constant), ``region`` (and only then given)
        for a node inside a branch or loop."""

    def region_created(self, graph: int, name: str, parent: int) -> int:
        """A branch (``"true"``, ``"false"``) or a part of a loop (``"condition"``, ``"body"``) is about to be built
        inside the region ``parent`` (-1: the graph). Its nodes come next, then the node that owns it."""

    def region_owned(self, region: int, node: int) -> None:
        """``node`` is the decision or loop that runs ``region``."""

    def role_changed(self, node: int, role: str) -> None:
        """A dynamic leaf became a parameter (``requires_grad_``)."""

    def serves_changed(self, node: int, serves: int) -> None:
        """``node`` turned out to be plumbing of ``serves``, which was made after it (an operand such as a shape
        constant)."""

    def node_named(self, node: int, name: str) -> None:
        """``node`` is a parameter with this path in a module (``"fc1.weight"``). Told again, longer, when that module
        becomes a part of another one."""

    def rewired(self, node: int, old: Sequence[int], new: Sequence[int], reason: str) -> None:
        """An edit of the graph: ``node`` reads (or waits for) ``new`` nodes in the place of ``old`` ones."""

    # -- execution ---------------------------------------------------------------------------------------------------
    def run_started(self, plan: int, fetches: Sequence[int], feeds: Sequence[int]) -> int:
        """A session starts one run of a plan."""

    def run_ended(self, run: int) -> None: ...

    def fed(self, node: int, value: Array, run: int) -> None: ...

    def fetched(self, node: int, value: Array, run: int) -> None: ...

    def op_ran(
        self,
        node: int,
        value: Array | None,
        start: int,
        end: int,
        *,
        worker: int = 0,
        run: int = -1,
        storage: int = -1,
        version: int = 0,
        iteration: int = -1,
    ) -> None:
        """A node computed ``value`` between ``start`` and ``end``; inside a loop (and only then) ``iteration`` is the
        number of the iteration, from 0, of the innermost one."""

    def region_entered(self, node: int, region: int, iteration: int, *, run: int = -1) -> None:
        """The decision ``node`` takes the branch ``region``, or the loop ``node`` begins its condition or body for the
        ``iteration``-th time. For a branch, ``iteration`` is that of the loop around it (-1: none)."""

    def variable_written(
        self, node: int, value: Array, how: str, *, run: int = -1, storage: int = -1, version: int = 0
    ) -> None:
        """A variable holds a new value: ``how`` is ``"initial"``, ``"assign"`` or ``"in-place"``."""

    # ``op_applied`` (see :class:`Brief`) is asked for at the type of a listener; most have none.

    # -- bridges -----------------------------------------------------------------------------------------------------
    def batched(self, depth: int, function: str, rows: int, nodes: Sequence[int]) -> None:
        """``rows`` calls of ``function`` at ``depth`` of many expressions ran as one: as ``nodes``, announced just
        before."""

    def specialised(self, function: str, what: str, why: str) -> None:
        """A function's graphs are made for what a call was like: ``what`` is ``"traced"`` or ``"compiled"`` (``why``:
        the guards under which that holds), ``"traced again"`` or ``"compiled again"`` (the guard that failed),
        ``"broken"`` (the graph ends at this line, and Python goes on) or ``"given up"`` (it runs uncompiled from
        now on)."""

    # -- gradients of dynamic graphs -----------------------------------------------------------------------------------
    def backward_started(self, root: int, seed: Array) -> None:
        """``root`` is the gradient node (or accumulate node) where backward begins."""

    def gradient_ran(self, node: int, sent: Sequence[Array | None], start: int, end: int) -> None:
        """A gradient node ran; ``sent`` has one entry for each input of its forward op."""

    def gradient_accumulated(
        self, node: int, value: Array, existed: bool, *, storage: int = -1, version: int = 0
    ) -> None:
        """``.grad`` behind accumulate node ``node`` is now ``value``; ``existed``: it was added to what was there."""

    def gradient_cleared(self, node: int, value: Array | None = None) -> None:
        """``.grad`` behind accumulate node ``node`` is now ``None``, or the zeros ``value``."""

    def graph_freed(self, nodes: Sequence[int]) -> None:
        """These gradient nodes let go of what they had saved."""

    def gradient_dropped(self, node: int) -> None:
        """Nobody holds this gradient node any more, and what it had saved is gone with it. Called wherever Python drops
        it: a listener only remembers, and tells when the program goes on."""

    def backward_ended(self, root: int) -> None: ...

    # -- optimiser and compiler ----------------------------------------------------------------------------------------
    def optimise_started(self, graph: int, fetches: Sequence[int], feeds: Sequence[int]) -> int:
        """A plan begins as a copy of ``graph`` for these feeds and fetches."""

    def rewritten(self, plan: int, action: str, old: Sequence[int], new: Sequence[int], reason: str) -> None:
        """``old`` nodes became ``new`` ones in the plan: ``removed``, ``merged``, ``folded``, ``replaced``, ``fused``,
        ``moved``. Without nodes: a pass was ``skipped``, memory was ``planned``, work was ``scheduled``, the session
        was ``extended``."""

    def pass_ended(self, plan: int, name: str, before: int, after: int, start: int, end: int) -> None:
        """A pass is done: the plan had ``before`` nodes and has ``after``."""

    def compiled(self, plan: int, nodes: int, calls: int, buffers: int, source: str, start: int, end: int) -> None:
        """The plan is one Python function now: ``source`` is its text, ``calls`` its NumPy calls."""

    # -- what a program shows ------------------------------------------------------------------------------------------
    def pictured(self, pixels: Array, how: str, name: str = "") -> None:
        """The program shows or saves a picture (height x width x 3, ``uint8``): ``how`` is the call (``"show"``,
        ``"savefig"``), ``name`` its file or title."""

    def charted(self, chart: str, x: int, y: float) -> None:
        """The program adds the point (``x``, ``y``) to a curve that it keeps (a summary writer's scalar)."""

    def noted(self, text: str) -> None:
        """A sentence for whoever reads the recording: what here is not what it seems (data that are a stand-in)."""

    def passed(self, loop: str, first: bool) -> None:
        """A pass begins of a loop that the program does not write out: a batch of Keras' ``fit`` (``loop``); ``first``
        of that call."""

    # -- trouble -------------------------------------------------------------------------------------------------------
    def op_failed(self, node: int, error: BaseException) -> None:
        """``node`` (created just before, without an output type) could not be built or run."""


class Brief(Protocol):
    """What a listener may understand besides: several calls in one, because a training step consists of little else.

    A listener whose type has no such methods gets the single calls.
    """

    def op_applied(
        self,
        graph: int,
        op: str,
        inputs: Sequence[int],
        value: Array,
        start: int,
        end: int,
        label: str,
        attributes: Mapping[str, Any],
        scope: str,
        serves: int,
        storage: int,
        version: int,
        role: str = "op",
        overwrites: int = -1,
    ) -> int:
        """``node_created`` (``inputs`` at port 0, an output like ``value``) and ``op_ran``; then, where the op wrote
        into its operand ``overwrites``, ``variable_written(overwrites, value, "in-place")``. Gives the node's id."""

    def op_taped(
        self, graph: int, op: str, label: str, value: Array, onward: Sequence[int], saved: Sequence[int],
        mirrors: int, scope: str,
    ) -> int:  # fmt: skip
        """``node_created`` of the gradient node of the op ``mirrors``, which made ``value``; it sends its gradients to
        the nodes ``onward``."""


listener: Listener | None = None
"""Who listens, if anybody. Only the entry point of a recorded run sets it."""
