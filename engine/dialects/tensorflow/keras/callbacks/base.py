"""``keras.callbacks.Callback`` and the list of them that a loop tells what happens."""

from __future__ import annotations

import sys
from typing import Any

from engine.dialects.tensorflow.keras import nest
from engine.dialects.tensorflow.keras.training.progress import Progbar

_HOOKS = (
    "on_batch_begin", "on_batch_end", "on_epoch_begin", "on_epoch_end", "on_train_batch_begin", "on_train_batch_end",
    "on_test_batch_begin", "on_test_batch_end", "on_predict_batch_begin", "on_predict_batch_end", "on_train_begin",
    "on_train_end", "on_test_begin", "on_test_end", "on_predict_begin", "on_predict_end",
)  # fmt: skip


class Callback:
    """Is told what happens while a model learns."""

    __module__ = "keras.src.callbacks.callback"
    params: Any = None
    _model: Any = None

    def __init__(self) -> None:
        self.params, self._model = None, None

    @property
    def model(self) -> Any:
        return self._model

    def set_params(self, params: Any) -> None:
        self.params = params

    def set_model(self, model: Any) -> None:
        self._model = model

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.on_batch_end(batch, logs=logs)

    def on_batch_begin(self, batch: int, logs: Any = None) -> None: ...
    def on_batch_end(self, batch: int, logs: Any = None) -> None: ...
    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None: ...
    def on_epoch_end(self, epoch: int, logs: Any = None) -> None: ...
    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None: ...
    def on_test_batch_end(self, batch: int, logs: Any = None) -> None: ...
    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None: ...
    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None: ...
    def on_train_begin(self, logs: Any = None) -> None: ...
    def on_train_end(self, logs: Any = None) -> None: ...
    def on_test_begin(self, logs: Any = None) -> None: ...
    def on_test_end(self, logs: Any = None) -> None: ...
    def on_predict_begin(self, logs: Any = None) -> None: ...
    def on_predict_end(self, logs: Any = None) -> None: ...


class History(Callback):
    """What each epoch ended with."""

    __module__ = "keras.src.callbacks.history"

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}
        self.epoch: list[int] = []

    def on_train_begin(self, logs: Any = None) -> None:
        self.epoch = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)
        self.model.__dict__["history"] = self


class ProgbarLogger(Callback):
    """The progress line."""

    def __init__(self) -> None:
        super().__init__()
        self.seen, self.verbose, self.epochs = 0, 1, 1
        self.target: int | None = None
        self.progbar: Progbar | None = None
        self._in_fit = False

    def set_params(self, params: Any) -> None:
        verbose = params["verbose"]
        self.verbose = 1 if verbose == "auto" else verbose
        self.epochs, self.target = params["epochs"], params["steps"]

    def _begin(self) -> None:
        self.seen = 0
        self.progbar = None

    def _bar(self) -> Progbar:
        if self.progbar is None:
            self.progbar = Progbar(target=self.target, verbose=int(self.verbose))
        return self.progbar

    def _batch(self, batch: int, logs: Any) -> None:
        self.seen = batch + 1
        if self.verbose == 1:
            self._bar().update(self.seen, list((logs or {}).items()), finalize=False)

    def _end(self, logs: Any) -> None:
        bar = self._bar()
        if self.target is None:
            self.target = bar.target = self.seen
        bar.update(self.target, list((logs or {}).items()), finalize=True)

    def on_train_begin(self, logs: Any = None) -> None:
        self._in_fit = True

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._begin()
        self._bar()
        if self.verbose and self.epochs > 1:
            sys.stdout.write(f"Epoch {epoch + 1}/{self.epochs}\n")
            sys.stdout.flush()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batch(batch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._end(logs)

    def on_test_begin(self, logs: Any = None) -> None:
        if not self._in_fit:
            self._begin()
            self._bar()

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        if not self._in_fit:
            self._batch(batch, logs)

    def on_test_end(self, logs: Any = None) -> None:
        if not self._in_fit:
            self._end(logs)

    def on_predict_begin(self, logs: Any = None) -> None:
        self._begin()
        self._bar()

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        self._batch(batch, None)

    def on_predict_end(self, logs: Any = None) -> None:
        self._end(None)


class CallbackList(Callback):
    """All callbacks of a loop, told one after the other."""

    __module__ = "keras.src.callbacks.callback_list"

    def __init__(
        self, callbacks: Any = None, add_history: bool = False, add_progbar: bool = False, model: Any = None,
        **params: Any,
    ) -> None:  # fmt: skip
        self.callbacks = [c for c in nest.flatten(callbacks) if c is not None] if callbacks else []
        if add_progbar and not any(isinstance(c, ProgbarLogger) for c in self.callbacks):
            self.callbacks.append(ProgbarLogger())
        if add_history and not any(isinstance(c, History) for c in self.callbacks):
            self.callbacks.append(History())
        if model is not None:
            self.set_model(model)
        if params:
            self.set_params(params)

    def append(self, callback: Any) -> None:
        self.callbacks.append(callback)

    def set_params(self, params: Any) -> None:
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        for callback in self.callbacks:
            if isinstance(callback, History):
                model.__dict__["history"] = callback
            callback.set_model(model)

    def __iter__(self) -> Any:
        return iter(self.callbacks)


def _told(hook: str) -> Any:
    counted = "batch" in hook or "epoch" in hook

    def tell(self: CallbackList, *arguments: Any, **options: Any) -> None:
        logs = options.get("logs", arguments[int(counted)] if len(arguments) > int(counted) else None)
        number = arguments[:1] if counted else ()
        for callback in self.callbacks:
            getattr(callback, hook)(*number, dict(logs or {}) if "batch" in hook else (logs or {}))

    tell.__name__ = hook
    return tell


for _hook in _HOOKS:
    setattr(CallbackList, _hook, _told(_hook))
