"""Models made of symbolic tensors: from inputs to outputs along the nodes between them."""

from __future__ import annotations

import warnings
from typing import Any

from engine.dialects.tensorflow.keras import marks, nest, state, symbolic
from engine.dialects.tensorflow.keras.both import array_ops, dtype_of, is_tensor, math_ops
from engine.dialects.tensorflow.keras.layers.base import Layer
from engine.dialects.tensorflow.keras.layers.core import InputLayer
from engine.dialects.tensorflow.keras.layers.input_spec import InputSpec
from engine.dialects.tensorflow.keras.models.model import Model
from engine.dialects.tensorflow.keras.serialization import deserialize, serialize
from engine.dialects.tensorflow.keras.symbolic import KerasTensor


class Functional(Model):
    """A model that is a graph of layers."""

    __module__ = "keras.src.models.functional"

    def __init__(self, inputs: Any, outputs: Any, name: str | None = None, **options: Any) -> None:
        self._start_trainer()
        trainable = options.pop("trainable", None)
        for what, given in (("inputs", inputs), ("outputs", outputs)):
            for x in nest.flatten(given):
                if not isinstance(x, KerasTensor):
                    raise ValueError(
                        f"All `{what}` values must be KerasTensors. Received: {what}={given} including invalid value "
                        f"{x} of type {type(x)}"
                    )
        if name is None and type(self) is Functional:
            name = state.unique_name("functional")
        Layer.__init__(self, name=name, **options)
        self.__dict__["_inputs_struct"], self.__dict__["_outputs_struct"] = inputs, outputs
        self.__dict__["inputs"], self.__dict__["outputs"] = nest.flatten(inputs), nest.flatten(outputs)
        nodes, depths, operations = _graph(self.inputs, self.outputs)
        self.__dict__["_nodes"], self.__dict__["_depths"] = nodes, depths
        self.__dict__["_operations"] = operations
        self.__dict__["_kept"] = [op for op in operations if isinstance(op, Layer)]
        self.__dict__["output_names"] = [x._keras_history.operation.name for x in self.outputs]
        self.__dict__["input_names"] = [x._keras_history.operation.name for x in self.inputs]
        self._converts_inputs, self._takes_anything = False, True
        self.built = True
        if trainable is not None:
            self.trainable = trainable

    inputs: list[Any]
    outputs: list[Any]

    @property
    def layers(self) -> list[Any]:
        return [op for op in self._operations if isinstance(op, Layer)]

    @layers.setter
    def layers(self, _: Any) -> None:
        raise AttributeError("`Model.layers` attribute is reserved and should not be used. Please use another name.")

    @property
    def input(self) -> Any:
        return self._inputs_struct

    @property
    def output(self) -> Any:
        return self._outputs_struct

    @property
    def input_shape(self) -> Any:
        return _one(nest.map_leaves(lambda x: x.shape, self.inputs))

    @property
    def output_shape(self) -> Any:
        return _one(nest.map_leaves(lambda x: x.shape, self.outputs))

    def build(self, input_shape: Any = None) -> None:
        self.built = True

    def _check_inputs(self, first: Any) -> None:
        specs = []
        for x in self.inputs:
            shape = (None, *x.shape[1:])
            specs.append(InputSpec(shape=shape, allow_last_axis_squeeze=True, name=x._keras_history.operation.name))
        from engine.dialects.tensorflow.keras.layers.input_spec import check

        check(specs, first, self.name)

    def call(self, inputs: Any, training: Any = None, mask: Any = None, **kwargs: Any) -> Any:
        """Run the layers in order."""
        flat = self._standardized(inputs)
        if mask is not None:
            for x, one in zip(flat, nest.flatten(mask), strict=False):
                if one is not None:
                    marks.put(x, "mask", one)
        values = {id(symbol): value for symbol, value in zip(self.inputs, flat, strict=True)}
        for node in self._nodes:
            if any(id(x) not in values for x in node.output_tensors):
                arguments, given = node.filled(values)
                operation = node.operation
                if isinstance(operation, Layer) and training is not None and operation._call_has_training_arg:
                    given["training"] = training
                found = operation(*arguments, **given)
                for symbol, value in zip(node.output_tensors, nest.flatten(found), strict=True):
                    values[id(symbol)] = value
        found = nest.map_leaves(lambda symbol: values[id(symbol)], self._outputs_struct)
        return found[0] if isinstance(found, list | tuple) and len(found) == 1 else found

    def compute_output_spec(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        return symbolic.outcome(self.call, (inputs,), {} if training is None else {"training": training})

    def compute_output_shape(self, input_shape: Any) -> Any:
        given = nest.map_shapes(lambda shape: KerasTensor(shape), input_shape)
        return nest.map_leaves(lambda x: x.shape, self.compute_output_spec(given))

    # -- inputs ------------------------------------------------------------------------------------------------------
    def _standardized(self, inputs: Any) -> list[Any]:
        struct = self._inputs_struct
        if isinstance(inputs, dict) and not isinstance(struct, dict):
            names = [x.name for x in self.inputs]
            if all(name in inputs for name in names):
                inputs = [inputs[name] for name in names]
        flat = nest.flatten(inputs)
        if _skeleton(inputs) != _skeleton(struct):
            expected = nest.map_leaves(lambda x: x.name, struct)
            received = nest.map_leaves(lambda x: f"Tensor(shape={x.shape})", inputs)
            if not (isinstance(struct, list | tuple) and len(self.inputs) == 1 and not nest.is_nested(inputs)):
                warnings.warn(
                    "The structure of `inputs` doesn't match the expected structure.\nExpected: "
                    f"{expected}\nReceived: inputs={received}",
                    stacklevel=5,
                )
        if len(flat) != len(self.inputs):
            raise ValueError(
                f"Function {self.name} expects {len(self.inputs)} input(s), but it received {len(flat)} input tensors."
            )
        return [self._fitted(place, x) for place, x in enumerate(flat)]

    def _fitted(self, place: int, x: Any) -> Any:
        symbol = self.inputs[place]
        if isinstance(x, KerasTensor):
            return x
        original = x
        x = x if is_tensor(x) else array_ops.convert_to_tensor(x)
        if str(dtype_of(x)) != symbol.dtype and symbol.dtype != "string":
            x = math_ops.cast(x, symbol.dtype)
        rank, wanted = len(x.shape), len(symbol.shape)
        if rank == wanted + 1 and x.shape[-1] == 1:
            x = array_ops.squeeze(x, -1)
        elif rank == wanted - 1 and symbol.shape[-1] == 1:
            x = array_ops.expand_dims(x, -1)
        elif rank != wanted:
            raise ValueError(
                f"Invalid input shape for input {x} with name '{symbol.name}' and path '{place}'. Expected shape "
                f"{symbol.shape}, but input has incompatible shape {x.shape}"
            )
        if is_tensor(original) and x is not original and marks.mask_of(original) is not None:
            marks.put(x, "mask", marks.mask_of(original))
        return x

    # -- config ------------------------------------------------------------------------------------------------------
    def get_config(self) -> dict[str, Any]:
        if type(self).__init__ is not Functional.__init__ and type(self).__mro__[1] is not Model:
            own = type(self).__mro__[1]
            if own is not Functional and "get_config" not in own.__dict__:
                return Layer.get_config(self)
        config: dict[str, Any] = {"name": self.name, "trainable": self.trainable}
        mine = {id(node) for node in self._nodes}
        places: dict[tuple[str, int], int] = {}
        for op in self._operations:
            kept = [node for node in op._inbound_nodes if id(node) in mine]
            for new, node in enumerate(kept):
                places[op.name, op._inbound_nodes.index(node)] = new
        described = []
        for op in self._operations:
            found = serialize(op) if isinstance(op, Layer) else {
                "module": "keras.ops", "class_name": op.kind, "config": {"name": op.name}, "registered_name": None,
            }  # fmt: skip
            calls = [node for node in op._inbound_nodes if id(node) in mine and not isinstance(op, InputLayer)]
            nodes = [
                {"args": tuple(_serialized(a) for a in node.arguments),
                 "kwargs": {k: _serialized(v) for k, v in node.options.items()}}
                for node in calls
            ]  # fmt: skip
            described.append({**found, "name": op.name, "inbound_nodes": nodes})
        config["layers"] = described

        def where(x: Any) -> list[Any]:
            history = x._keras_history
            return [
                history.operation.name,
                places.get((history.operation.name, history.node_index), 0),
                history.tensor_index,
            ]

        config["input_layers"] = (
            nest.map_leaves(where, self._inputs_struct)
            if nest.is_nested(self._inputs_struct)
            else where(self.inputs[0])
        )
        config["output_layers"] = (
            nest.map_leaves(where, self._outputs_struct)
            if nest.is_nested(self._outputs_struct)
            else where(self.outputs[0])
        )
        return config


def _serialized(value: Any) -> Any:
    return nest.map_leaves(serialize, value) if nest.is_nested(value) else serialize(value)


def functional_from_config(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    """A functional model from its config."""
    made: dict[str, Any] = {}
    waiting: list[tuple[Any, dict[str, Any]]] = []
    for described in config["layers"]:
        described = dict(described)
        nodes = described.pop("inbound_nodes")
        name = described.pop("name")
        if described.get("module") == "keras.ops":
            raise ValueError(
                f"the operation '{name}' of this functional model is no layer: this teaching engine builds models from "
                "their configs when they are made of layers only; wrap the operation in a layer of your own"
            )
        made[name] = deserialize(described, custom_objects, family_of="keras.layers")
        waiting += [(made[name], node) for node in nodes]

    def tensor(history: Any) -> Any:
        name, number, place = history
        nodes = made[name]._inbound_nodes
        return nodes[number].output_tensors[place] if number < len(nodes) else None

    def filled(value: Any) -> Any:
        if isinstance(value, dict) and value.get("class_name") == "__keras_tensor__":
            return tensor(value["config"]["keras_history"])
        if isinstance(value, dict) and "class_name" in value:
            return deserialize(value)
        if isinstance(value, dict):
            return {k: filled(v) for k, v in value.items()}
        return [filled(v) for v in value] if isinstance(value, list | tuple) else value

    while waiting:
        later = []
        for layer, node in waiting:
            arguments = [filled(a) for a in node["args"]]
            options = {k: filled(v) for k, v in node["kwargs"].items()}
            texts = str(node)
            if "__keras_tensor__" in texts and None in nest.flatten(arguments):
                later.append((layer, node))
                continue
            layer(*arguments, **options)
        if len(later) == len(waiting):
            raise ValueError("the layers of this config need each other's outputs: it describes no model")
        waiting = later

    def ends(value: Any) -> Any:
        if isinstance(value, list | tuple) and len(value) == 3 and isinstance(value[0], str):
            return tensor(value)
        if isinstance(value, dict):
            return {k: ends(v) for k, v in value.items()}
        return [ends(v) for v in value]

    found = cls(inputs=ends(config["input_layers"]), outputs=ends(config["output_layers"]), name=config["name"])
    if config.get("trainable") is False:
        found.trainable = False
    return found


def _one(shapes: Any) -> Any:
    return shapes[0] if isinstance(shapes, list) and len(shapes) == 1 else shapes


def _skeleton(structure: Any) -> Any:
    if isinstance(structure, dict):
        return {key: _skeleton(value) for key, value in structure.items()}
    if isinstance(structure, list | tuple):
        return [_skeleton(value) for value in structure]
    return "x"


def _graph(inputs: list[Any], outputs: list[Any]) -> tuple[list[Any], dict[int, int], list[Any]]:
    """The nodes between inputs and outputs in the order of running, their depths, and the operations in order."""
    known = {id(x) for x in inputs}
    order: list[Any] = []
    seen: set[int] = set()
    indices: dict[int, int] = {}

    def visit(tensor: Any) -> None:
        history = tensor._keras_history
        node = history.operation._inbound_nodes[history.node_index]
        if id(node) in seen:
            return
        indices.setdefault(id(history.operation), len(indices))
        if id(tensor) not in known or isinstance(history.operation, InputLayer):
            for parent in node.input_tensors:
                visit(parent)
        elif not isinstance(history.operation, InputLayer):
            return
        if id(node) not in seen:
            seen.add(id(node))
            order.append(node)

    for x in outputs:
        visit(x)
    made = {id(x) for node in order for x in node.output_tensors} | known
    for node in order:
        for x in node.input_tensors:
            if id(x) not in made:
                raise ValueError("Graph disconnected: cannot find parent for tensor " + str(x))
        if isinstance(node.operation, InputLayer) and not any(id(x) in known for x in node.output_tensors):
            raise ValueError(
                f"`inputs` not connected to `outputs`: the tensor {node.output_tensors[0]} of layer "
                f"'{node.operation.name}' is needed for the outputs and is none of the inputs"
            )
    depths: dict[int, int] = {}
    operations: dict[int, tuple[int, Any]] = {}
    for node in reversed(order):
        key = id(node.operation)
        depth = max(depths.get(id(node), 0), operations.get(key, (0, None))[0])
        operations[key] = (depth, node.operation)
        depths[id(node)] = depth
        for parent in node.parents:
            if id(parent) in seen:
                depths[id(parent)] = max(depth + 1, depths.get(id(parent), 0))
    for x in inputs:
        operation = x._keras_history.operation
        if isinstance(operation, InputLayer) and id(operation) not in operations:
            operations[id(operation)] = (0, operation)
            indices[id(operation)] = -1
    ranked = sorted(operations.items(), key=lambda item: (-item[1][0], indices.get(item[0], 0)))
    return order, depths, [operation for _, (_, operation) in ranked]
