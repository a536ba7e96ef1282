"""``torch._dynamo.config``."""

from __future__ import annotations

from types import ModuleType


class _Config(ModuleType):
    """Settings that programs read and set."""

    def __init__(self) -> None:
        super().__init__("torch._dynamo.config")
        self.reset()

    def reset(self) -> None:
        """The settings at the beginning of a program."""
        self.recompile_limit = 8
        self.accumulated_recompile_limit = 256
        self.verbose = False
        self.suppress_errors = False
        self.capture_scalar_outputs = False
        self.assume_static_by_default = True
        self.automatic_dynamic_shapes = True

    @property
    def cache_size_limit(self) -> int:
        """The old name of ``recompile_limit``."""
        return self.recompile_limit

    @cache_size_limit.setter
    def cache_size_limit(self, value: int) -> None:
        self.recompile_limit = value


CONFIG = _Config()
