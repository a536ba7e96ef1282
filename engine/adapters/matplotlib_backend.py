"""A backend of matplotlib whose windows are pictures in the recording: the real Agg canvas, looked at when a program
shows, saves or pauses. Only a process for programs loads it (matplotlib is none of the engine's own packages)."""

from __future__ import annotations

from typing import Any

import matplotlib
import matplotlib.pyplot as pyplot
import numpy as np
from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase, TimerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from engine import events

FRAMES = 200
"""How many ticks of its timers a blocking ``show`` waits for: an animation that never ends ends here."""
NAME = "module://engine.adapters.matplotlib_backend"
_running: list[Timer] = []


class Timer(TimerBase):  # type: ignore[misc]
    """A timer that ticks while the program shows or pauses, as fast as it can: nobody waits."""

    def _timer_start(self) -> None:
        if self not in _running:
            _running.append(self)

    def _timer_stop(self) -> None:
        if self in _running:
            _running.remove(self)

    def tick(self) -> None:
        """Call what waits for the timer, once. An animation that would begin again is over."""
        for function, *_ in self.callbacks:
            animation: Any = getattr(function, "__self__", None)
            if hasattr(animation, "_repeat"):
                animation._repeat = False
        self._on_timer()
        if self._single:
            self.stop()


class FigureCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """Agg's canvas. What it holds is told to the listener when somebody would look at it."""

    _timer_cls = Timer
    _waiting = True
    _told: bytes = b""

    def draw(self) -> None:
        self._waiting = False
        super().draw()

    def draw_idle(self, *arguments: Any, **named: Any) -> None:
        self._waiting = True

    def look(self, how: str, *, again: bool = True) -> None:
        """Tell what a window would show now; without ``again`` only if that is new."""
        if events.listener is None:
            return
        if self._waiting or self.figure.stale or not hasattr(self, "renderer"):
            self.draw()
        self._tell(how, self._title(), again=again)

    def _tell(self, how: str, name: str, *, again: bool = True) -> None:
        if events.listener is None:
            return
        rgba = np.asarray(self.buffer_rgba())
        if not again and self._told == (seen := rgba.tobytes()):
            return
        self._told = b"" if again else seen
        events.listener.pictured(_on_white(rgba), how, name)

    def _title(self) -> str:
        manager = self.manager
        return str(manager.get_window_title()) if manager is not None else "A figure"

    def flush_events(self) -> None:
        self.look("draw", again=False)

    def start_event_loop(self, timeout: float = 0) -> None:
        """What ``pause`` waits in: timers tick as often as they would in that time."""
        for timer in [*_running]:
            for _ in range(min(int(timeout * 1000 / max(timer.interval, 1)), FRAMES)):
                timer.tick()
        for manager in Gcf.get_all_fig_managers():
            manager.canvas.look("draw", again=False)

    def print_figure(self, filename: Any, *arguments: Any, **named: Any) -> Any:
        self._saved = False
        result = super().print_figure(filename, *arguments, **named)
        if not self._saved and events.listener is not None:  # drawn by another canvas, as an SVG file is
            self.look("savefig")
        self._waiting = True
        return result

    # What else print_figure gives (dpi, colours, orientation) is on the figure by then.
    def print_png(self, filename: Any, *, metadata: Any = None, pil_kwargs: Any = None, **_: Any) -> None:
        super().print_png(filename, metadata=metadata, pil_kwargs=pil_kwargs)
        self._keep(filename)

    def print_raw(self, filename: Any, *, metadata: Any = None, **_: Any) -> None:
        super().print_raw(filename, metadata=metadata)
        self._keep(filename)

    print_rgba = print_raw

    def _keep(self, filename: Any) -> None:
        self._saved = True
        self._tell("savefig", str(filename) if isinstance(filename, str) or hasattr(filename, "__fspath__") else "")


def _on_white(rgba: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What is transparent shows the page behind it."""
    if (rgba[..., 3] == 255).all():
        return rgba[..., :3]
    alpha = rgba[..., 3:].astype(np.uint16)
    return ((rgba[..., :3] * alpha + 255 * (255 - alpha)) // 255).astype(np.uint8)


class FigureManager(FigureManagerBase):  # type: ignore[misc]
    """A window: its picture is told when it is shown."""

    def show(self) -> None:
        self.canvas.look("show")

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        """Show every figure. A blocking call plays the animations, and then somebody closes the windows."""
        managers = Gcf.get_all_fig_managers()
        blocks = not matplotlib.is_interactive() if block is None else bool(block)
        for manager in managers:
            manager.canvas.look("show" if blocks else "draw", again=blocks)
        if not blocks:
            return
        for _ in range(FRAMES):
            if not _running:
                break
            for timer in [*_running]:
                timer.tick()
            for manager in managers:
                manager.canvas.look("draw", again=False)
        _running.clear()
        Gcf.destroy_all()


FigureCanvas.manager_class = FigureManager


def install() -> None:
    """Make this the backend, whichever one a program asks for."""
    switch = pyplot.switch_backend

    def switch_backend(newbackend: str) -> None:
        switch(NAME)
        matplotlib.rcParams["backend"] = "agg" if newbackend == NAME else newbackend

    pyplot.switch_backend = switch_backend
    switch_backend(NAME)


__all__ = ["NAME", "FigureCanvas", "FigureManager", "install"]
