"""Control flow as methods of a graph: decisions and loops that run inside the graph, not while it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from engine.static.graph import Graph


class ControlFlow:
    """The control flow of :class:`engine.static.Graph`.

    Functions given here are called once, while the graph is built; what they make lies in a region of its own. What
    they read from outside is captured, and always runs. Values go in and out in any structure of lists, tuples and
    dictionaries.
    """

    def cond(
        self,
        pred: Any,
        true_fn: Callable[[], Any],
        false_fn: Callable[[], Any],
        *,
        name: str = "cond",
        effects: bool = False,
    ) -> Any:
        """The value of ``true_fn()`` where ``pred`` (a bool of shape ``()``) is true, else that of ``false_fn()``.

        Both are called once, now, and must give the same structure and dtypes; only one of them runs. A function that
        gives ``None`` (or a node without a result) makes a decision that only has effects. With ``effects`` every write
        that a branch makes runs when the branch runs; without, only what its results need does.

        >>> from engine.static import Graph, Session
        >>> g = Graph()
        >>> x = g.placeholder((), name="x")
        >>> y = g.cond(g.apply("greater", x, 0.0), lambda: x * 2.0, lambda: -x)
        >>> session = Session(g)
        >>> print(session.run(y, {x: 3.0}), session.run(y, {x: -3.0}))
        6.0 3.0

        :raises DtypeError: ``pred`` is no bool, or the branches give different dtypes.
        :raises ShapeError: ``pred`` is not a single value.
        :raises GraphError: the branches give different structures.
        """
        from engine.static.decisions import build_cond

        return build_cond(cast("Graph", self), pred, true_fn, false_fn, name=name, effects=effects)

    def case(
        self,
        pairs: Sequence[tuple[Any, Callable[[], Any]]] | Mapping[Any, Callable[[], Any]],
        default: Callable[[], Any] | None = None,
        *,
        exclusive: bool = False,
        name: str = "case",
    ) -> Any:
        """The value of the first function whose predicate is true, else that of ``default`` (without: of the last
        function).

        With ``exclusive`` a run in which more than one predicate is true fails.

        >>> from engine.static import Graph, Session
        >>> g = Graph()
        >>> x = g.placeholder((), name="x")
        >>> high, low = g.apply("greater", x, 10.0), g.apply("less", x, 0.0)
        >>> y = g.case([(high, lambda: x * 0.0 + 10.0), (low, lambda: -x)], default=lambda: x * 1.0)
        >>> session = Session(g)
        >>> [float(session.run(y, {x: value})) for value in (-3.0, 4.0, 99.0)]
        [3.0, 4.0, 10.0]
        """
        from engine.static.decisions import build_case

        return build_case(cast("Graph", self), pairs, default, exclusive=exclusive, name=name)

    def while_loop(
        self,
        cond_fn: Callable[..., Any],
        body_fn: Callable[..., Any],
        loop_vars: Any,
        *,
        shape_invariants: Any = None,
        maximum_iterations: Any = None,
        name: str = "while",
        effects: bool = False,
    ) -> Any:
        """Runs ``body_fn`` on the loop variables while ``cond_fn`` of them is true; gives their last values.

        ``loop_vars`` is a list or tuple (each function is then called with one argument for each item) or another
        structure (it is called with the structure). ``body_fn`` gives the next values in the same structure, with the
        same dtypes and shapes; ``shape_invariants`` (the same structure, shapes instead of values) says which
        dimensions may change: ``(None, 2)``. ``maximum_iterations`` (a number or node) ends the loop early. Both
        functions are called once, now.

        >>> from engine.static import Graph, Session
        >>> g = Graph()
        >>> n = g.placeholder((), "int32", name="n")
        >>> i, total = g.while_loop(lambda i, t: g.apply("less", i, n), lambda i, t: (i + 1, t + i), (0, 0))
        >>> print(Session(g).run(total, {n: 5}))
        10

        :raises ShapeError: a loop variable has another shape after one iteration, and no invariant allows it.
        :raises DtypeError: a loop variable has another dtype after one iteration, or ``cond_fn`` gives no bool.
        """
        from engine.static.loops import build_while

        return build_while(
            cast("Graph", self),
            cond_fn,
            body_fn,
            loop_vars,
            shape_invariants=shape_invariants,
            maximum_iterations=maximum_iterations,
            name=name,
            effects=effects,
        )

    def for_loop(
        self,
        function: Callable[..., tuple[Any, Any]],
        carried: Any,
        elements: Any = None,
        *,
        count: Any = None,
        reverse: bool = False,
        shape_invariants: Any = None,
        name: str = "for",
    ) -> tuple[Any, Any]:
        """``function(carried, row) -> (carried, result)`` for each row of ``elements``: the last ``carried``, and all
        results stacked (``None`` if it gives none). What the other loops over rows are made of.

        ``elements`` is an array or a structure of arrays with equally many rows; without, ``row`` is ``None`` and
        ``count`` (a number or node) says how often. With ``reverse`` it goes from the last row to the first, and result
        ``i`` still belongs to row ``i``.

        >>> from engine.static import Graph, Session
        >>> g = Graph()
        >>> x = g.placeholder((None,), name="x")
        >>> total, sums = g.for_loop(lambda so_far, row: (so_far + row, so_far + row), 0.0, x)
        >>> print(Session(g).run([total, sums], {x: [1, 2, 3]}))
        [np.float32(6.0), array([1., 3., 6.], dtype=float32)]
        """
        from engine.static.scanning import build_scan

        return build_scan(
            cast("Graph", self),
            function,
            carried,
            elements,
            count=count,
            reverse=reverse,
            shape_invariants=shape_invariants,
            name=name,
        )

    def scan(
        self,
        function: Callable[[Any, Any], Any],
        elements: Any,
        initializer: Any = None,
        *,
        reverse: bool = False,
        name: str = "scan",
    ) -> Any:
        """``function(value so far, row)`` over the rows of ``elements``: all values, stacked. Without ``initializer``
        the first row is the first value.

        >>> from engine.static import Graph, Session
        >>> g = Graph()
        >>> x = g.placeholder((None,), name="x")
        >>> print(Session(g).run(g.scan(lambda so_far, row: so_far * row, x), {x: [1, 2, 3, 4]}))
        [ 1.  2.  6. 24.]
        """
        from engine.static.scanning import build_fold

        return build_fold(
            cast("Graph", self), function, elements, initializer, reverse=reverse, all_values=True, name=name
        )

    def foldl(
        self, function: Callable[[Any, Any], Any], elements: Any, initializer: Any = None, *, name: str = "foldl"
    ) -> Any:
        """The last value of :meth:`scan`."""
        from engine.static.scanning import build_fold

        return build_fold(
            cast("Graph", self), function, elements, initializer, reverse=False, all_values=False, name=name
        )

    def foldr(
        self, function: Callable[[Any, Any], Any], elements: Any, initializer: Any = None, *, name: str = "foldr"
    ) -> Any:
        """Like :meth:`foldl`, from the last row to the first."""
        from engine.static.scanning import build_fold

        return build_fold(
            cast("Graph", self), function, elements, initializer, reverse=True, all_values=False, name=name
        )

    def map_fn(self, function: Callable[[Any], Any], elements: Any, *, name: str = "map") -> Any:
        """``function`` of each row of ``elements``, stacked.

        >>> from engine.static import Graph, Session
        >>> g = Graph()
        >>> x = g.placeholder((None, 2), name="x")
        >>> y = g.map_fn(lambda row: g.apply("sum", row * row), x)
        >>> print(Session(g).run(y, {x: [[1, 2], [3, 4]]}))
        [ 5. 25.]
        """
        from engine.static.scanning import build_map

        return build_map(cast("Graph", self), function, elements, name=name)
