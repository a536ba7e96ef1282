"""Entries: what was compiled for one set of guards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.bridges.compile.guards import failure, text
from engine.bridges.compile.lazy import LazyTracer, Segments
from engine.bridges.compile.report import Report
from engine.bridges.function.concrete import Region
from engine.bridges.function.key import ObjectSpec, Spec, TensorSpec, rebuild
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor, fresh


@dataclass(frozen=True, slots=True)
class Whole:
    """A call that is one graph and nothing else: ``sources`` says which guarded value each input is, ``results``
    which output each leaf of the result is (or a value)."""

    region: Region
    report: Report
    sources: tuple[int, ...]
    results: tuple[int | tuple[Any], ...]
    structure: Any

    def run(self, values: Sequence[Any], facade: Facade) -> Any:
        """The result for the guarded values of a call."""
        given = [as_tensor(values[i], facade) for i in self.sources]
        outputs, _ = self.region.run(given)
        return rebuild(self.structure, iter([x[0] if isinstance(x, tuple) else outputs[x] for x in self.results]))


class Entry:
    """What was compiled for one set of guards: ``specs`` by name, the nesting of arguments, and the graphs."""

    def __init__(self, names: Sequence[str], specs: Sequence[Spec], form: Any, reason: str) -> None:
        self.names = list(names)
        self.specs = list(specs)
        self.form = form
        self.reason = reason
        self.segments: Segments = {}
        self.calls = 0
        self.whole: Whole | None = None
        self._seen: tuple[Region, Any] | None = None

    @property
    def guards(self) -> list[str]:
        """The guards in words."""
        return [text(name, spec) for name, spec in zip(self.names, self.specs, strict=True)]

    @property
    def is_dynamic(self) -> bool:
        """Whether a size is left open."""
        return any(isinstance(spec, TensorSpec) and None in spec.shape for spec in self.specs)

    def takes(self, specs: Sequence[Spec], form: Any) -> bool:
        """Whether all guards hold."""
        return form == self.form and len(specs) == len(self.specs) and all(
            a.takes(b) for a, b in zip(self.specs, specs, strict=True)
        )  # fmt: skip

    def note(
        self,
        tracer: LazyTracer,
        values: Sequence[Any],
        results: Sequence[Any],
        structure: Any,
        pure: bool,
        nested: bool,
    ) -> None:
        """After a call: if it was one graph without a break and its Python part does nothing else, later calls are
        that graph.

        With sizes left open that has to show in two calls of different sizes.
        """
        ran = tracer.ran
        if nested or any(isinstance(spec, ObjectSpec) for spec in self.specs):
            return  # a list or an object may change without a guard noticing
        if not pure or len(ran) != 1 or tracer.report.breaks or ran[0].written:
            return
        (segment,) = ran
        numbers = {id(x): i for i, x in enumerate(values)}
        sources = [numbers.get(id(x), -1) for x in segment.inputs]
        places = {id(x): i for i, x in enumerate(segment.outputs)}
        if -1 in sources:
            return
        found: list[int | tuple[Any]] = []
        for x in results:
            if isinstance(x, Tensor) and id(x._array) not in places:
                return
            found.append(places[id(x._array)] if isinstance(x, Tensor) else (x,))
        sizes = tuple(x._array.shape for x in segment.inputs)
        if self.is_dynamic and (self._seen is None or self._seen[0] is not segment.region or self._seen[1] == sizes):
            self._seen = segment.region, sizes
            return
        report = replace(tracer.report, compiled=0)
        self.whole = Whole(segment.region, report, tuple(sources), tuple(found), structure)

    def why_not(self, specs: Sequence[Spec], form: Any) -> str:
        """The first guard that fails."""
        if form != self.form or len(specs) != len(self.specs):
            return "the arguments are nested differently"
        reasons = (failure(n, a, b) for n, a, b in zip(self.names, self.specs, specs, strict=True))
        return next(reason for reason in reasons if reason)


def as_tensor(x: Any, facade: Facade) -> Tensor:
    """A tensor or array as a tensor of the dialect."""
    return x if isinstance(x, Tensor) else fresh(facade.tensor, np.asarray(x))
