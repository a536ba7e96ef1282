"""``tf.Variable`` of 1.x: the graph says that it exists, each session holds a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.array_ops import identity
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.graph import Graph, get_default_graph
from engine.dialects.tensorflow.handles import Handle, Operation, Tensor, default_session
from engine.dialects.tensorflow.math_ops import overload
from engine.dialects.tensorflow.shapes import TensorShape
from engine.static.building_control import inside

GLOBAL, TRAINABLE, LOCAL = "variables", "trainable_variables", "local_variables"


class Variable(Handle):
    """A place for a value that lives in a session and that ops may write."""

    __array_priority__ = 100

    def __init__(
        self,
        initial_value: Any = None,
        trainable: Any = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        use_resource: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ) -> None:
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        graph = self.graph = get_default_graph()
        graph.check_open()
        self._trainable = True if trainable is None else bool(trainable)
        core = graph.core
        with inside(core, None), _fresh_scope(graph, name or "Variable") as scope:
            before = len(core.nodes)
            if callable(initial_value):
                with graph.name_scope("Initializer"):
                    self._initial_value = convert(initial_value(), dtype, name="initial_value")
            else:
                try:
                    self._initial_value = convert(initial_value, dtype, name="initial_value")
                except ValueError as error:
                    raise ValueError(f"initial_value: {error}" if "requested dtype" in str(error) else error) from None
            value = self._initial_value._node
            node = self._node = core.add("variable", type=value.type, name=scope, label="VariableV2", role="variable")
            self._variable = graph.tensor(node)
            assigned = core.add("assign", [node, value], name="Assign", role="update", serves=node)
            self._initializer = graph.operation(assigned)
            read = core.add("identity", [node], name="read", serves=node)
            self._snapshot = graph.tensor(read)
            for made in core.nodes[before : node.index]:
                if made.serves is None and made.op == "constant":
                    core.set_serves(made, node)
        core.collect("variables", node)
        found = (collections,) if isinstance(collections, str) else collections
        names = [GLOBAL] if found is None else list(found)
        if self._trainable and TRAINABLE not in names:
            names.append(TRAINABLE)
        graph.add_to_collections(names, self)

    # -- looking -----------------------------------------------------------------------------------------------------
    @property
    def name(self) -> str:
        return self._variable.name

    @property
    def op(self) -> Operation:
        return self._variable.op

    @property
    def dtype(self) -> dtypes.DType:
        return self._variable.dtype

    @property
    def shape(self) -> TensorShape:
        return self._variable.shape

    @property
    def trainable(self) -> bool:
        return self._trainable

    @property
    def initializer(self) -> Operation:
        return self._initializer

    @property
    def initial_value(self) -> Tensor:
        return self._initial_value

    @property
    def device(self) -> str:
        return ""

    def get_shape(self) -> TensorShape:
        return self.shape

    def value(self) -> Tensor:
        return self._snapshot

    def read_value(self) -> Tensor:
        return identity(self._variable, name="read")

    def initialized_value(self) -> Tensor:
        """The value if there is one, else the initial value."""
        graph = self.graph
        with graph.as_default(), graph.core.control_dependencies(None):
            return apply(
                "initialized_value",
                "Merge",
                None,
                [("ref", self._variable), ("initial", self._initial_value)],
                default_name="cond/Merge",
            )

    def _as_tensor(self) -> Tensor:
        return self._snapshot

    def _as_graph_element(self) -> Tensor:
        return self._variable

    def eval(self, session: Any = None) -> Any:
        return self._variable.eval(session=session)

    # -- writing -----------------------------------------------------------------------------------------------------
    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Tensor:
        return _write("assign", "Assign", self, value, name)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Tensor:
        return _write("assign_add", "AssignAdd", self, delta, name)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Tensor:
        return _write("assign_sub", "AssignSub", self, delta, name)

    def load(self, value: Any, session: Any = None) -> None:
        chosen = session or default_session()
        if chosen is None:
            raise ValueError("Either session argument should be provided or default session should be established")
        chosen.load_(self, value)

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __iter__(self) -> Any:
        return iter(self._snapshot)

    def __bool__(self) -> bool:
        return bool(self._snapshot)


overload(Variable)
# What a program sees of the class is what the real one is called.
Variable.__module__ = "tensorflow.python.ops.ref_variable"
Variable.__name__ = Variable.__qualname__ = "RefVariable"


def _fresh_scope(graph: Graph, name: str) -> Any:
    return graph.name_scope(name)


def _write(op: str, tf_type: str, ref: Any, value: Any, name: str | None, shown: Any = None) -> Tensor:
    target = ref._variable if isinstance(ref, Variable) else ref
    if isinstance(target, Tensor) and not target.ref_:
        raise AttributeError(f"'SymbolicTensor' object has no attribute '{op}'")
    with ref.graph.as_default():
        return apply(op, tf_type, name, [("ref", target), ("value", value)], shown=shown)


def assign(
    ref: Any, value: Any, validate_shape: Any = None, use_locking: Any = None, name: str | None = None
) -> Tensor:
    return _write("assign", "Assign", ref, value, name, {"use_locking": "true"})


def assign_add(ref: Any, value: Any, use_locking: Any = None, name: str | None = None) -> Tensor:
    return _write("assign_add", "AssignAdd", ref, value, name)


def assign_sub(ref: Any, value: Any, use_locking: Any = None, name: str | None = None) -> Tensor:
    return _write("assign_sub", "AssignSub", ref, value, name)


# -- collections ------------------------------------------------------------------------------------------------------
def global_variables(scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection(GLOBAL, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection(TRAINABLE, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection(LOCAL, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection("moving_average_variables", scope)


def model_variables(scope: str | None = None) -> list[Any]:
    return get_default_graph().get_collection("model_variables", scope)


def variables_initializer(var_list: Any, name: str = "init") -> Operation:
    """One op that initialises every variable in the list."""
    graph = get_default_graph()
    graph.check_open()
    nodes = [v.initializer._node for v in var_list]
    return graph.operation(graph.core.add("group", control=nodes, name=name, label="NoOp", role="control"))


def global_variables_initializer() -> Operation:
    return variables_initializer(global_variables(), "init")


def local_variables_initializer() -> Operation:
    return variables_initializer(local_variables(), "init")


def is_variable_initialized(variable: Any) -> Tensor:
    return apply("is_initialized", "IsVariableInitialized", None, [("ref", variable._variable)])


def assert_variables_initialized(var_list: Any = None) -> Operation | None:
    """An op that fails if a variable has no value yet."""
    found = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    return group(*[identity(v._variable) for v in found], name="assert_variables_initialized") if found else None


def report_uninitialized_variables(var_list: Any = None, name: str = "report_uninitialized_variables") -> Tensor:
    """The names of the variables that have no value yet, as a tensor of strings."""
    graph = get_default_graph()
    found = [*global_variables(), *local_variables()] if var_list is None else list(var_list)
    names = tuple(v.op.name for v in found)
    if not found:
        return graph.tensor(graph.core.constant(np.array([], object), name=name))
    return apply(
        "uninitialized_names",
        "BooleanMask",
        name,
        [(f"v{i}", v._variable) for i, v in enumerate(found)],
        {"names": names},
        same_type=False,
    )


def group(*inputs: Any, name: str | None = None, **kwargs: Any) -> Operation:
    """An op that has run when all of ``inputs`` have."""
    graph = get_default_graph()
    graph.check_open()
    flat: list[Any] = []
    for item in inputs:
        flat.extend(item if isinstance(item, list | tuple) else [item])
    nodes = [graph.as_graph_element(item)._node for item in flat]
    return graph.operation(
        graph.core.add("group", control=nodes, name=name or "group_deps", label="NoOp", role="control")
    )


def no_op(name: str | None = None) -> Operation:
    graph = get_default_graph()
    graph.check_open()
    return graph.operation(graph.core.add("no_op", name=name or "NoOp", label="NoOp", role="control"))


def tuple_(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """The tensors, each of which is there only when all are."""
    graph = get_default_graph()
    with graph.name_scope(name or "tuple"):
        found = [None if t is None else convert(t) for t in tensors]
        waits = group(*[t for t in found if t is not None], *(control_inputs or []))
        with graph.control_dependencies([waits]):
            return [None if t is None else identity(t, name="control_dependency") for t in found]
