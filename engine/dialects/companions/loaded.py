"""``sklearn.datasets.load_*`` and ``fetch_*``: stand-in tables with the real shapes and names."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.standin_data import announce, digits, tables


class Bunch(dict[str, Any]):
    """A dictionary whose entries are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __dir__(self) -> list[str]:
        return list(self)


def _bunch(name: str, what: str, table: Any, features: Any, return_X_y: bool, as_frame: bool, **more: Any) -> Any:
    announce(f"sklearn.datasets.{name}", what)
    if as_frame:
        raise NotImplementedError("as_frame needs pandas, which this teaching engine does not have: leave it out")
    data, target = table
    if return_X_y:
        return data, target
    words = f"A stand-in of the teaching engine: {what}. The numbers are made up."
    return Bunch(data=data, target=target, frame=None, **more, DESCR=words, feature_names=features)


def load_iris(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """150 flowers of three kinds."""
    names = [f"{part} {side} (cm)" for part in ("sepal", "petal") for side in ("length", "width")]
    kinds = np.array(["setosa", "versicolor", "virginica"], dtype="<U10")
    return _bunch(
        "load_iris", "150 made-up flowers of three kinds", tables.flowers(), names, return_X_y, as_frame,
        target_names=kinds, filename="iris.csv", data_module="sklearn.datasets.data",
    )  # fmt: skip


_WINE = """
alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids nonflavanoid_phenols
proanthocyanins color_intensity hue od280/od315_of_diluted_wines proline
"""
_CELLS = "radius texture perimeter area smoothness compactness concavity concave_points symmetry fractal_dimension"


def load_wine(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """178 wines of three kinds."""
    kinds = np.array(["class_0", "class_1", "class_2"], dtype="<U7")
    table = tables.classes([59, 71, 48], 13, 5)
    return _bunch("load_wine", "178 made-up wines", table, _WINE.split(), return_X_y, as_frame, target_names=kinds)


def load_breast_cancer(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """569 rows of two kinds."""
    words = [word.replace("_", " ") for word in _CELLS.split()]
    names = [f"mean {w}" for w in words] + [f"{w} error" for w in words] + [f"worst {w}" for w in words]
    kinds = np.array(["malignant", "benign"], dtype="<U9")
    table = tables.classes([212, 357], 30, 8, 0.7)
    return _bunch("load_breast_cancer", "569 made-up rows of two kinds", table, np.array(names), return_X_y, as_frame,
                  target_names=kinds)  # fmt: skip


def load_diabetes(*, return_X_y: bool = False, as_frame: bool = False, scaled: bool = True) -> Any:
    """442 rows with a number each."""
    data, target = tables.numbers(442, 10, 13, 152.0, 77.0)
    if scaled:
        data = data - data.mean(0)
        data = data / np.sqrt((data**2).sum(0))
    names = ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]
    return _bunch("load_diabetes", "442 made-up rows", (data, np.round(target)), names, return_X_y, as_frame)


def fetch_california_housing(
    *, data_home: Any = None, download_if_missing: bool = True, return_X_y: bool = False, as_frame: bool = False,
    **_: Any,
) -> Any:  # fmt: skip
    """2000 districts with a price each."""
    data, target = tables.numbers(2000, 8, 21, 2.07, 1.15)
    scale, middle = np.array([1.9, 12.6, 2.4, 0.5, 1130, 3, 2.1, 2.0]), np.array([3.9, 28, 5.4, 1.1, 1425, 3, 35, -119])
    names = ["MedInc", "HouseAge", "AveRooms", "AveBedrms", "Population", "AveOccup", "Latitude", "Longitude"]
    table = (np.round(data * scale + middle, 4), np.minimum(target, 5.0))
    return _bunch("fetch_california_housing", "2000 made-up districts", table, names, return_X_y, as_frame,
                  target_names=["MedHouseVal"])  # fmt: skip


def load_digits(*, n_class: int = 10, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """1797 digits of 8 x 8."""
    images, labels = digits("train", 1797)
    # The middle 24 pixels of 28, three by three, in 17 shades.
    small = images[:, 2:26, 2:26].reshape(-1, 8, 3, 8, 3).mean((2, 4)) / 255
    small = np.round(np.clip(small * 1.25, 0, 1) * 16)
    kept = labels < n_class
    small, target = small[kept], labels[kept].astype(int)
    names = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)]
    return _bunch("load_digits", "1797 digits drawn with strokes", (small.reshape(len(small), -1), target), names,
                  return_X_y, as_frame, target_names=np.arange(n_class), images=small)  # fmt: skip


def fetch_openml(name: Any = None, *, return_X_y: bool = False, as_frame: Any = "auto", **_: Any) -> Any:
    """``mnist_784`` and ``Fashion-MNIST``: 3000 pictures.

    :raises ValueError: another set.
    """
    from engine.standin_data import clothes

    known = {"mnist_784": (digits, "digits drawn with strokes"), "fashion-mnist": (clothes, "silhouettes of clothes")}
    found = known.get(str(name).lower())
    if found is None:
        raise ValueError(f"there is no data set {name!r} in this teaching engine, which has {', '.join(known)}")
    images, labels = found[0]("train", 3000)
    table = (images.reshape(3000, 784).astype(np.int64), labels.astype(str).astype(object))
    names = [f"pixel{n}" for n in range(1, 785)]
    return _bunch(f"fetch_openml({name!r})", f"3000 {found[1]}", table, names, return_X_y, as_frame is True)


LOADERS = "load_iris load_wine load_breast_cancer load_diabetes load_digits fetch_california_housing fetch_openml"
