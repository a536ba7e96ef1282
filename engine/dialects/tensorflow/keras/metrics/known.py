"""All metrics by name, and ``keras.metrics.get``."""

from __future__ import annotations

from engine.dialects.tensorflow.keras.losses.functions import ALIASES
from engine.dialects.tensorflow.keras.metrics import counting, means
from engine.dialects.tensorflow.keras.metrics.base import Mean, MeanMetricWrapper, Metric, Sum
from engine.dialects.tensorflow.keras.serialization import family, getter

OBJECTS = family("keras.metrics", {
    **means.CLASSES, **counting.CLASSES, "Mean": Mean, "Sum": Sum, "MeanMetricWrapper": MeanMetricWrapper,
    **means.FUNCTIONS, **ALIASES,
})  # fmt: skip
_SHORT = {
    "bce": "BinaryCrossentropy", "BCE": "BinaryCrossentropy", "mse": "MeanSquaredError", "MSE": "MeanSquaredError",
    "mae": "MeanAbsoluteError", "MAE": "MeanAbsoluteError", "mape": "MeanAbsolutePercentageError",
    "MAPE": "MeanAbsolutePercentageError", "msle": "MeanSquaredLogarithmicError",
    "MSLE": "MeanSquaredLogarithmicError",
}  # fmt: skip
_NAMED = {
    **{cls.__name__: cls for cls in means.CLASSES.values()},
    **{name: OBJECTS[long] for name, long in _SHORT.items()},
}  # fmt: skip
family("keras.metrics#names", {**OBJECTS, **_NAMED})
OBJECTS |= {"Metric": Metric}


def _by_snake() -> None:
    """``mean_squared_error`` means the class, so that it keeps its state over batches."""
    from engine.dialects.tensorflow.keras.state import snake_case

    names = {snake_case(name): cls for name, cls in {**means.CLASSES, **counting.CLASSES}.items()}
    family("keras.metrics#names", names)


_by_snake()
get = getter("keras.metrics#names", "metric")
