"""``tf.app.flags``, ``tf.app.run`` and ``tf.logging`` of 1.x."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

_TRUE, _FALSE = ("true", "t", "1", "yes", "y"), ("false", "f", "0", "no", "n")


class UnparsedFlagAccessError(AttributeError):
    """A flag was read that nobody has defined."""


class IllegalFlagValueError(ValueError):
    """The command line gives a flag a value that does not fit."""


class FlagValues:
    """What the flags of a program are: defaults, and what its command line says."""

    def __init__(self) -> None:
        self.__dict__["_defined"] = {}
        self.__dict__["_parsed"] = False

    def _define(self, name: str, default: Any, parse: Callable[[str], Any]) -> None:
        self._defined[name] = [default, parse]
        self.__dict__["_parsed"] = False

    def __call__(self, argv: Any, known_only: bool = False) -> list[str]:
        """Read the command line; gives what is left of it."""
        rest, words = [argv[0]], list(argv[1:])
        while words:
            word = words.pop(0)
            if word == "--":
                rest += words
                break
            name, given, value = word.lstrip("-").partition("=")
            entry = self._defined.get(name)
            if not word.startswith("-") or (entry is None and self._defined.get(name.removeprefix("no")) is None):
                rest.append(word)
                continue
            if entry is None:
                self._defined[name.removeprefix("no")][0] = False
                continue
            if not given:
                if entry[1] is _boolean:
                    value = "true"
                elif words:
                    value = words.pop(0)
                else:
                    raise IllegalFlagValueError(f"Missing value for flag --{name}")
            try:
                entry[0] = entry[1](value)
            except ValueError:
                raise IllegalFlagValueError(f"flag --{name}={value}: {value!r} does not fit this flag") from None
        self.__dict__["_parsed"] = True
        return rest

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._defined:
            raise UnparsedFlagAccessError(name)
        if not self._parsed:
            self(sys.argv, known_only=True)
        return self._defined[name][0]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defined:
            raise UnparsedFlagAccessError(name)
        if not self._parsed:
            self(sys.argv, known_only=True)
        self._defined[name][0] = value

    def __contains__(self, name: str) -> bool:
        return name in self._defined

    def __iter__(self) -> Any:
        return iter(sorted(self._defined))

    def __getitem__(self, name: str) -> Any:
        class Flag:
            value = getattr(self, name)

        return Flag

    def flag_values_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self}


def _boolean(text: str) -> bool:
    if text.lower() in (*_TRUE, *_FALSE):
        return text.lower() in _TRUE
    raise ValueError(text)


def new_flags() -> dict[str, Any]:
    """The names of ``tf.app.flags`` for a program that begins."""
    values = FlagValues()

    def definer(parse: Callable[[str], Any]) -> Callable[..., None]:
        def define(name: str, default: Any, help: Any = None, **_options: Any) -> None:
            values._define(name, parse(default) if isinstance(default, str) and default else default, parse)

        return define

    def enum(name: str, default: Any, enum_values: Any, help: Any = None, **_options: Any) -> None:
        def parse(text: str) -> str:
            if text not in enum_values:
                raise ValueError(text)
            return text

        values._define(name, default, parse)

    boolean = definer(_boolean)
    return {
        "FLAGS": values,
        "DEFINE_string": definer(str),
        "DEFINE_integer": definer(int),
        "DEFINE_float": definer(float),
        "DEFINE_boolean": boolean,
        "DEFINE_bool": boolean,
        "DEFINE_list": definer(lambda text: text.split(",") if text else []),
        "DEFINE_enum": enum,
        "FlagValues": FlagValues,
    }


def run_of(values: FlagValues) -> Callable[..., None]:
    """``tf.app.run`` for these flags."""

    def run(main: Any = None, argv: Any = None) -> None:
        """Read the flags, call ``main`` with what is left of the command line, and leave with what it returns."""
        rest = values(list(argv or sys.argv), known_only=True)
        sys.exit((main or sys.modules["__main__"].main)(rest))

    return run


LEVELS = {"DEBUG": 10, "INFO": 20, "WARN": 30, "ERROR": 40, "FATAL": 50}


def new_logging() -> dict[str, Any]:
    """The names of ``tf.logging`` for a program that begins. Lines go to standard error."""
    state = {"level": LEVELS["WARN"]}

    def writer(name: str, level: int) -> Callable[..., None]:
        def write(msg: Any, *args: Any, **_options: Any) -> None:
            if level >= state["level"]:
                print(f"{name}:tensorflow:{msg % args if args else msg}", file=sys.stderr)

        return write

    def log(level: int, msg: Any, *args: Any) -> None:
        name = next((n for n, number in LEVELS.items() if number == level), str(level))
        writer("WARNING" if name == "WARN" else name, level)(msg, *args)

    def set_verbosity(v: int) -> None:
        state["level"] = int(v)

    return {
        **LEVELS,
        "set_verbosity": set_verbosity,
        "get_verbosity": lambda: state["level"],
        "debug": writer("DEBUG", 10),
        "info": writer("INFO", 20),
        "warn": writer("WARNING", 30),
        "warning": writer("WARNING", 30),
        "error": writer("ERROR", 40),
        "fatal": writer("CRITICAL", 50),
        "log": log,
    }
