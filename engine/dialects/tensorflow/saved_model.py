"""``tf.saved_model`` of 1.x: a graph with its values and signatures in a folder. The files are this engine's own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cmp_to_key
from typing import Any

from engine.dialects.tensorflow import errors
from engine.dialects.tensorflow.graph import get_default_graph
from engine.dialects.tensorflow.graph_def import text_order
from engine.dialects.tensorflow.messages import ENUM
from engine.dialects.tensorflow.meta_graph import build_variables, described
from engine.dialects.tensorflow.saver import Saver
from engine.dialects.tensorflow.tensor_proto import NAMES, NUMBERS, ShapeProto, indented
from engine.dialects.tensorflow.variables import global_variables

SERVING, TRAINING = "serve", "train"
DEFAULT = "serving_default"
PREDICT, CLASSIFY, REGRESS = "tensorflow/serving/predict", "tensorflow/serving/classify", "tensorflow/serving/regress"
_FILE = "saved_model.pb"
"""JSON, whatever its name says: that is what programs look for."""


class TensorInfo:
    """What a signature says of a tensor."""

    def __init__(self, name: str, dtype: int, sizes: Any) -> None:
        self.name, self.dtype, self.tensor_shape = name, dtype, ShapeProto(sizes)

    def __str__(self) -> str:
        shape = indented(str(self.tensor_shape))
        return f'name: "{self.name}"\ndtype: {ENUM[NAMES[self.dtype]]}\ntensor_shape {{\n{shape}}}\n'

    __repr__ = __str__


class SignatureDef:
    """Inputs and outputs by name, and what they are good for."""

    def __init__(self, inputs: Mapping[str, TensorInfo], outputs: Mapping[str, TensorInfo], method_name: str) -> None:
        self.inputs, self.outputs, self.method_name = dict(inputs), dict(outputs), method_name

    def __str__(self) -> str:
        text = ""
        for field, table in (("inputs", self.inputs), ("outputs", self.outputs)):
            for key in sorted(table, key=cmp_to_key(text_order)):
                text += f'{field} {{\n  key: "{key}"\n  value {{\n{indented(str(table[key]), 4)}  }}\n}}\n'
        return f'{text}method_name: "{self.method_name}"\n' if self.method_name else text

    __repr__ = __str__

    def as_json(self) -> dict[str, Any]:
        def table(given: Mapping[str, TensorInfo]) -> dict[str, Any]:
            return {
                key: [i.name, i.dtype, None if i.tensor_shape.unknown_rank else [d.size for d in i.tensor_shape.dim]]
                for key, i in given.items()
            }

        return {"inputs": table(self.inputs), "outputs": table(self.outputs), "method": self.method_name}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> SignatureDef:
        def table(given: Mapping[str, Any]) -> dict[str, TensorInfo]:
            found = {}
            for key, (name, kind, sizes) in given.items():
                if kind not in NAMES:
                    raise ValueError(f"no dtype {kind!r}")
                found[key] = TensorInfo(name, kind, None if sizes is None else [None if n == -1 else n for n in sizes])
            return found

        return cls(table(row["inputs"]), table(row["outputs"]), row["method"])


class MetaGraph:
    """What loading gives: the signatures."""

    def __init__(self, signatures: Mapping[str, SignatureDef]) -> None:
        self.signature_def = dict(signatures)


def build_tensor_info(tensor: Any) -> TensorInfo:
    """The name, dtype and shape of a tensor."""
    sizes = tensor.shape._dims
    return TensorInfo(tensor.name, NUMBERS[tensor.dtype.base_dtype.name], sizes)


def build_signature_def(inputs: Any = None, outputs: Any = None, method_name: str | None = None) -> SignatureDef:
    """A signature of tensor infos."""
    return SignatureDef(inputs or {}, outputs or {}, method_name or "")


def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> SignatureDef:
    """A signature for predictions, of tensors."""
    return SignatureDef(
        {key: build_tensor_info(t) for key, t in inputs.items()},
        {key: build_tensor_info(t) for key, t in outputs.items()},
        PREDICT,
    )


class SavedModelBuilder:
    """Writes one graph with its values into a new folder."""

    def __init__(self, export_dir: Any) -> None:
        self._folder = os.fspath(export_dir)
        if os.path.isdir(self._folder) and os.listdir(self._folder):
            raise AssertionError(
                f"Export directory {self._folder} already exists, and isn't empty. Please choose a different export "
                "directory, or delete all the contents of the specified directory."
            )
        os.makedirs(os.path.join(self._folder, "variables"), exist_ok=True)
        self._document: dict[str, Any] = {}

    def add_meta_graph_and_variables(
        self, sess: Any, tags: Any, signature_def_map: Mapping[str, SignatureDef] | None = None, **_more: Any
    ) -> None:
        """The graph of ``sess``, the values of its variables and signatures, under ``tags``."""
        with sess.graph.as_default():
            if global_variables():
                saver = Saver()
                saver.save(
                    sess, os.path.join(self._folder, "variables", "variables"), write_meta_graph=False,
                    write_state=False,
                )  # fmt: skip
        signatures = {key: given.as_json() for key, given in (signature_def_map or {}).items()}
        self._document = {"tags": sorted(tags), "signatures": signatures, "graph": described(sess.graph)}

    def save(self, as_text: bool = False) -> bytes:
        """Write what was added; gives the path."""
        if not self._document:
            raise AssertionError(
                "Graphs and variables have not been added yet. Please call add_meta_graph_and_variables()."
            )
        path = os.path.join(self._folder, _FILE)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self._document, file)
        return path.encode()


def simple_save(session: Any, export_dir: Any, inputs: Any, outputs: Any, legacy_init_op: Any = None) -> None:
    """A folder from which the graph can be served: one signature from ``inputs`` to ``outputs``."""
    builder = SavedModelBuilder(export_dir)
    signatures = {DEFAULT: predict_signature_def(inputs, outputs)}
    builder.add_meta_graph_and_variables(session, [SERVING], signatures)
    builder.save()


def maybe_saved_model_directory(export_dir: Any) -> bool:
    return os.path.isfile(os.path.join(os.fspath(export_dir), _FILE))


contains_saved_model = maybe_saved_model_directory


def load(sess: Any, tags: Any, export_dir: Any, import_scope: str | None = None, **_more: Any) -> MetaGraph:
    """Build the saved graph in the session's graph and give its variables their values."""
    folder = os.fspath(export_dir)
    path = os.path.join(folder, _FILE)
    if not os.path.isfile(path):
        raise OSError(f"SavedModel file does not exist at: {folder}{os.path.sep}{{saved_model.pbtxt|saved_model.pb}}")
    with open(path, encoding="utf-8") as file:
        try:
            document = json.loads(file.read())
            signatures = {key: SignatureDef.from_json(row) for key, row in document["signatures"].items()}
            stored = set(document["tags"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OSError(f"Cannot parse file {path}: {error}") from None
    if set(tags) != stored:
        raise RuntimeError(
            f"MetaGraphDef associated with tags {','.join(sorted(tags))!r} could not be found in SavedModel, with "
            f"available tags '[{sorted(stored)}]'. To inspect available tag-sets in the SavedModel, please use the "
            "SavedModel CLI: `saved_model_cli`."
        )
    if import_scope:
        raise NotImplementedError("tf.saved_model.loader.load: import_scope is not known in this teaching engine")
    with sess.graph.as_default():
        build_variables(get_default_graph(), document.get("graph"), path)
        sess._core = type(sess._core)(sess.graph.core)
        sess._core.keeps_writes = True
        if global_variables():
            try:
                Saver(defer_build=True).restore(sess, os.path.join(folder, "variables", "variables"))
            except ValueError as error:
                raise errors.NotFoundError(None, None, str(error)) from None
    return MetaGraph(signatures)


class _Group:
    """Names that are also known as ``tf.saved_model.<group>.<name>``."""

    def __init__(self, **names: Any) -> None:
        self.__dict__.update(names)


EXPORTED: dict[str, Any] = {
    "simple_save": simple_save, "load": load, "Builder": SavedModelBuilder,
    "build_tensor_info": build_tensor_info, "build_signature_def": build_signature_def,
    "predict_signature_def": predict_signature_def, "contains_saved_model": contains_saved_model,
    "maybe_saved_model_directory": maybe_saved_model_directory,
    "SERVING": SERVING, "TRAINING": TRAINING, "DEFAULT_SERVING_SIGNATURE_DEF_KEY": DEFAULT,
    "PREDICT_METHOD_NAME": PREDICT, "CLASSIFY_METHOD_NAME": CLASSIFY, "REGRESS_METHOD_NAME": REGRESS,
    "tag_constants": _Group(SERVING=SERVING, TRAINING=TRAINING),
    "signature_constants": _Group(
        DEFAULT_SERVING_SIGNATURE_DEF_KEY=DEFAULT, PREDICT_METHOD_NAME=PREDICT, CLASSIFY_METHOD_NAME=CLASSIFY,
        REGRESS_METHOD_NAME=REGRESS,
    ),
    "builder": _Group(SavedModelBuilder=SavedModelBuilder),
    "loader": _Group(load=load, maybe_saved_model_directory=maybe_saved_model_directory),
    "utils": _Group(build_tensor_info=build_tensor_info),
    "signature_def_utils": _Group(
        build_signature_def=build_signature_def, predict_signature_def=predict_signature_def
    ),
}  # fmt: skip
