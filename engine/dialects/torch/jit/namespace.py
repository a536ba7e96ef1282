"""The modules of ``torch.jit``."""

from __future__ import annotations

import typing
from typing import Any

from engine.dialects.torch.jit import frontend, modules, saving, scripting, trace, tracing
from engine.dialects.torch.jit.deprecated import deprecated
from engine.dialects.torch.nn.module import Module


class Error(RuntimeError):
    """A script failed while it ran."""

    __module__ = "torch.jit"


def script(obj: Any, optimize: Any = None, _frames_up: int = 0, _rcb: Any = None, example_inputs: Any = None) -> Any:
    """A function or module compiled from its source, with its decisions and loops."""
    deprecated("script")
    if isinstance(obj, modules.ScriptFunction | modules.ScriptModule):
        return obj
    if isinstance(obj, Module):
        return scripting.script_module(obj)
    if isinstance(obj, type):
        return obj
    return scripting.script_function(obj)


def _is_scripting() -> bool:
    return False


def freeze(mod: Any, preserved_attrs: Any = None, optimize_numerics: bool = True) -> Any:
    """A module in evaluation mode, as it is: this engine inlines nothing more."""
    if mod.training:
        raise RuntimeError(
            "Freezing is currently only implemented for modules in eval mode. Please call .eval() on your module "
            "before freezing."
        )
    return mod


def annotate(the_type: Any, the_value: Any) -> Any:
    return the_value


def _no_change(value: Any = None, *_: Any, **__: Any) -> Any:
    return value


MODULES: dict[str, dict[str, Any]] = {
    "torch.jit": {
        "trace": trace.trace, "trace_module": trace.trace_module, "script": script, "save": saving.save,
        "load": saving.load, "ScriptModule": modules.ScriptModule, "ScriptFunction": modules.ScriptFunction,
        "RecursiveScriptModule": modules.RecursiveScriptModule, "TracerWarning": tracing.TracerWarning, "Error": Error,
        "ignore": modules.mark("ignore"), "unused": modules.mark("unused"), "export": modules.mark("export"),
        "is_scripting": _is_scripting, "is_tracing": _is_scripting, "freeze": freeze, "annotate": annotate,
        "script_method": _no_change, "optimize_for_inference": _no_change, "TopLevelTracedModule":
        modules.TopLevelTracedModule, "Final": typing.Final,
        "script_if_tracing": _no_change,
    },
    "torch.jit.frontend": {
        "NotSupportedError": frontend.NotSupportedError, "UnsupportedNodeError": frontend.UnsupportedNodeError,
    },
    "torch.jit._trace": {"TopLevelTracedModule": modules.TopLevelTracedModule, "TracerWarning": tracing.TracerWarning},
    "torch.jit._script": {"RecursiveScriptModule": modules.RecursiveScriptModule, "ScriptModule": modules.ScriptModule},
}  # fmt: skip
"""What each module holds, by its full name."""
