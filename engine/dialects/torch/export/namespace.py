"""The modules of ``torch.export``."""

from __future__ import annotations

from typing import Any

from engine.dialects.torch.export import dims, exported, saving

MODULES: dict[str, dict[str, Any]] = {
    "torch.export": {
        "export": exported.export, "ExportedProgram": exported.ExportedProgram,
        "Dim": dims.Dim, "dims": dims.dims,
        "ExportGraphSignature": exported.ExportGraphSignature, "load": saving.load, "save": saving.save,
    },
    "torch.export.graph_signature": {
        "InputKind": exported.InputKind, "OutputKind": exported.OutputKind,
        "ExportGraphSignature": exported.ExportGraphSignature,
    },
}  # fmt: skip
"""What each module holds, by its full name."""
