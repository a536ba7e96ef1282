"""The messages of a GraphDef, as far as this engine reads and writes them, described at run time.

Field numbers are those of the public wire format. The descriptions live in a pool of their own, so that TensorFlow may
be loaded in the same process. Fields that are not described here are skipped when reading.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "stepgraph.graphdef"
_FIELD = descriptor_pb2.FieldDescriptorProto
_KINDS = {
    "int32": _FIELD.TYPE_INT32,
    "int64": _FIELD.TYPE_INT64,
    "uint32": _FIELD.TYPE_UINT32,
    "uint64": _FIELD.TYPE_UINT64,
    "float": _FIELD.TYPE_FLOAT,
    "double": _FIELD.TYPE_DOUBLE,
    "bool": _FIELD.TYPE_BOOL,
    "string": _FIELD.TYPE_STRING,
    "bytes": _FIELD.TYPE_BYTES,
}

_NAMES = {
    "DT_INVALID": 0, "DT_FLOAT": 1, "DT_DOUBLE": 2, "DT_INT32": 3, "DT_UINT8": 4, "DT_INT16": 5, "DT_INT8": 6,
    "DT_STRING": 7, "DT_COMPLEX64": 8, "DT_INT64": 9, "DT_BOOL": 10, "DT_QINT8": 11, "DT_QUINT8": 12, "DT_QINT32": 13,
    "DT_BFLOAT16": 14, "DT_QINT16": 15, "DT_QUINT16": 16, "DT_UINT16": 17, "DT_COMPLEX128": 18, "DT_HALF": 19,
    "DT_RESOURCE": 20, "DT_VARIANT": 21, "DT_UINT32": 22, "DT_UINT64": 23,
}  # fmt: skip

# name: number kind, "*" for a list, "?" for a member of the oneof "value"; maps from texts to attributes or to texts.
_MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "Dim": {"size": (1, "int64"), "name": (2, "string")},
    "TensorShapeProto": {"dim": (2, "*Dim"), "unknown_rank": (3, "bool")},
    "TensorProto": {
        "dtype": (1, "DataType"),
        "tensor_shape": (2, "TensorShapeProto"),
        "version_number": (3, "int32"),
        "tensor_content": (4, "bytes"),
        "float_val": (5, "*float"),
        "double_val": (6, "*double"),
        "int_val": (7, "*int32"),
        "string_val": (8, "*bytes"),
        "scomplex_val": (9, "*float"),
        "int64_val": (10, "*int64"),
        "bool_val": (11, "*bool"),
        "dcomplex_val": (12, "*double"),
        "half_val": (13, "*int32"),
        "uint32_val": (16, "*uint32"),
        "uint64_val": (17, "*uint64"),
    },
    "ListValue": {
        "s": (2, "*bytes"),
        "i": (3, "*int64"),
        "f": (4, "*float"),
        "b": (5, "*bool"),
        "type": (6, "*DataType"),
        "shape": (7, "*TensorShapeProto"),
        "tensor": (8, "*TensorProto"),
        "func": (9, "*NameAttrList"),
    },
    "NameAttrList": {"name": (1, "string"), "attr": (2, "map")},
    "AttrValue": {
        "list": (1, "?ListValue"),
        "s": (2, "?bytes"),
        "i": (3, "?int64"),
        "f": (4, "?float"),
        "b": (5, "?bool"),
        "type": (6, "?DataType"),
        "shape": (7, "?TensorShapeProto"),
        "tensor": (8, "?TensorProto"),
        "placeholder": (9, "?string"),
        "func": (10, "?NameAttrList"),
    },
    "NodeDef": {
        "name": (1, "string"),
        "op": (2, "string"),
        "input": (3, "*string"),
        "device": (4, "string"),
        "attr": (5, "map"),
    },
    "VersionDef": {"producer": (1, "int32"), "min_consumer": (2, "int32"), "bad_consumers": (3, "*int32")},
    "ArgDef": {"name": (1, "string"), "type": (3, "DataType")},
    "OpDef": {"name": (1, "string"), "input_arg": (2, "*ArgDef"), "output_arg": (3, "*ArgDef")},
    "FunctionDef": {
        "signature": (1, "OpDef"),
        "node_def": (3, "*NodeDef"),
        "ret": (4, "texts"),
        "attr": (5, "map"),
        "control_ret": (6, "texts"),
    },
    "FunctionDefLibrary": {"function": (1, "*FunctionDef")},
    "GraphDef": {
        "node": (1, "*NodeDef"),
        "library": (2, "FunctionDefLibrary"),
        "version": (3, "int32"),
        "versions": (4, "VersionDef"),
    },
}


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(name="stepgraph/graphdef.proto", package=PACKAGE, syntax="proto3")
    types = file.enum_type.add(name="DataType")
    for name, number in _NAMES.items():
        types.value.add(name=name, number=number)
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        if any(kind.startswith("?") for _, kind in fields.values()):
            message.oneof_decl.add(name="value")
        for field, (number, kind) in fields.items():
            if kind in ("map", "texts"):
                entry = message.nested_type.add(name=f"{field.title().replace('_', '')}Entry")
                entry.options.map_entry = True
                entry.field.add(name="key", number=1, type=_FIELD.TYPE_STRING, label=_FIELD.LABEL_OPTIONAL)
                value = entry.field.add(name="value", number=2, label=_FIELD.LABEL_OPTIONAL)
                _typed(value, "AttrValue" if kind == "map" else "string")
                made = message.field.add(name=field, number=number, label=_FIELD.LABEL_REPEATED)
                made.type, made.type_name = _FIELD.TYPE_MESSAGE, f".{PACKAGE}.{name}.{entry.name}"
                continue
            many = kind.startswith("*")
            label = _FIELD.LABEL_REPEATED if many else _FIELD.LABEL_OPTIONAL
            made = message.field.add(name=field, number=number, label=label)
            if kind.startswith("?"):
                made.oneof_index = 0
            _typed(made, kind.lstrip("*?"))
    return file


def _typed(field: Any, kind: str) -> None:
    if kind in _KINDS:
        field.type = _KINDS[kind]
    else:
        field.type = _FIELD.TYPE_ENUM if kind == "DataType" else _FIELD.TYPE_MESSAGE
        field.type_name = f".{PACKAGE}.{kind}"


POOL = descriptor_pool.DescriptorPool()
POOL.Add(_file())


def _class(name: str) -> Any:
    return message_factory.GetMessageClass(POOL.FindMessageTypeByName(f"{PACKAGE}.{name}"))


GraphDef, NodeDef, AttrValue = _class("GraphDef"), _class("NodeDef"), _class("AttrValue")
TensorProto, TensorShapeProto = _class("TensorProto"), _class("TensorShapeProto")
