"""Programs inside the program: texts that it gives to ``exec`` get probes of their own.

Their lines are told beside the line that called ``exec``, which stays the position of everything that happens in them;
the text itself is in the recording, so that a reader can show both. Loops in them are only lines.
"""

from __future__ import annotations
import __future__ as future

import ast
import builtins
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from engine.recording.registration import Registration

if TYPE_CHECKING:
    from engine.recording.program import Program

FILE = "<string>"
LONGEST = 20_000
"""Characters of a text that gets probes; longer ones run without."""
MOST = 200
"""Different texts that get probes in one run."""
FLAGS = sum({getattr(future, name).compiler_flag for name in future.all_feature_names})


class InnerRegistration(Registration):
    """Numbers for the probes of one text; ``source`` is the number of the text among the recording's strings."""

    def __init__(self, program: Program, source: int) -> None:
        super().__init__(program)
        self._source = source

    def statement(self, statement: ast.stmt | ast.match_case, header: ast.AST | None) -> int:
        place: Any = header or statement
        program = self._program
        program.inner.append((self._source, place.lineno))
        # A negative line says that the statement stands in another text: which one and where is in ``inner``.
        program.statements.append((-len(program.inner), -1))
        return len(program.statements) - 1

    def function(self, statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
        program = self._program
        program.functions.append((self._recorder.tables.string(statement.name), program.line_now))
        return len(program.functions) - 1

    def part(self, name: str, line: int) -> int:
        return super().part(name, self._program.line_now)

    def text(self) -> int:
        """The number of the text as a function: running it is a call."""
        program = self._program
        program.functions.append((self._recorder.tables.string(FILE), program.line_now))
        return len(program.functions) - 1


def is_builtin_exec(frame: FrameType) -> bool:
    """Whether ``exec`` means Python's own in ``frame``."""
    space, own = frame.f_globals, frame.f_builtins
    return type(space) is dict and "exec" not in space and own.get("exec") is builtins.exec


def with_probes(program: Program, text: str, frame: FrameType, probes: Any) -> CodeType | str:
    """``text`` compiled with probes as ``exec`` called in ``frame`` would compile it; ``text`` itself if that fails."""
    from engine.recording.instrument import RewriteError, instrument

    flags = frame.f_code.co_flags & FLAGS
    known = program.inner_codes.get((text, flags))
    if known is not None:
        return known
    if len(text) > LONGEST or len(program.inner_codes) >= MOST:
        return text
    try:
        compile(text, FILE, "exec", flags, dont_inherit=True)
        registration = InnerRegistration(program, program.recorder.tables.string(text))
        code = instrument(text, FILE, registration, probes, flags, inner=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, RewriteError, Warning):
        return text  # exec says itself what is wrong with it
    program.inner_codes[text, flags] = code
    return code
