"""Reading a ``POST /api/runs``: everything that can be wrong with it gets an answer that says what to do."""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass, replace
from typing import Any

from flask import Request as HttpRequest

from app.runner import Measure, Request
from app.runner.request import MAX_REPEATS
from app.web.config import Config
from app.web.errors import ApiError

_KEYS = ("source", "name", "stdin", "interactive", "wait", "seconds", "measure", "files")
_EXAMPLE = 'Send for example {"source": "print(1)"}.'
_ANSWER = 'Send for example {"text": "4"}, or {"eof": true} when there is no more input.'
MAX_ANSWER_BYTES = 10_000
MAX_FILES = 100
_FILES = 'Send for example [{"name": "data.csv", "data": "MSwyCg=="}], the contents in base64.'
_MEASURE = 'Send for example {"repeats": 7, "line": 12}, or {} for the whole program.'
_NAME = re.compile(r"[^/\\\x00-\x1f\x7f<>:\"|?*]{1,100}")


@dataclass(frozen=True)
class Submission:
    """``measure``: the program is to be measured, not recorded."""

    request: Request
    wait: bool
    measure: Measure | None


def read(http: HttpRequest, config: Config) -> Submission:
    """The program that a request hands in. Raises :class:`ApiError` (400, 413, 415, 422)."""
    body = read_object(http)
    unknown = sorted(set(body) - set(_KEYS))
    if unknown:
        raise ApiError(422, f"Unknown key {_quote(unknown[0])}.", f"The keys are {', '.join(_KEYS)}.")
    program = read_program(body, config)
    wait = body.get("wait", False)
    if not isinstance(wait, bool):
        raise ApiError(422, '"wait" must be true or false.', "Leave it out to get an id at once.")
    measure = _measure(body, program.source)
    request = replace(
        program,
        interactive=_interactive(body, wait, program.stdin, measured=measure is not None),
        limits=replace(config.limits, seconds=_seconds(body, config)),
    )
    return Submission(request, wait, measure)


def read_answer(http: HttpRequest) -> str | None:
    """What a request gives to a program that asks: a line, or None for the end of the input. Raises
    :class:`ApiError` (400, 413, 415, 422)."""
    body = read_object(http, _ANSWER)
    if body == {"eof": True}:
        return None
    if set(body) != {"text"} or body["text"] is None:
        raise ApiError(422, 'An answer has the key "text", or "eof" with the value true.', _ANSWER)
    return _newlines(_text(body, "text", MAX_ANSWER_BYTES, "answer") or "")


def _source(body: dict[str, Any], config: Config) -> str:
    source = _text(body, "source", config.max_source_bytes, "program")
    if source is None:
        raise ApiError(422, 'The key "source" is missing.', _EXAMPLE)
    if "\0" in source:
        line = source[: source.index("\0")].count("\n") + 1
        raise ApiError(422, f"The program holds a NUL character in line {line}.", "Delete it; Python cannot read it.")
    return source


def _interactive(body: dict[str, Any], wait: bool, stdin: str | None, *, measured: bool) -> bool:
    """Whether the program may ask while it runs: if nobody says so, when it has no input and somebody may follow it."""
    wanted = body.get("interactive")
    if wanted is None:
        return not wait and stdin is None and not measured
    if not isinstance(wanted, bool):
        raise ApiError(422, '"interactive" must be true or false.', "Leave it out to be asked when there is no stdin.")
    if wanted and wait:
        raise ApiError(422, "A program that is waited for cannot ask.", 'Send "stdin", or leave out "wait".')
    if wanted and measured:
        raise ApiError(422, "A program that is measured cannot ask.", 'Send "stdin", or leave out "interactive".')
    return wanted


def _measure(body: dict[str, Any], source: str) -> Measure | None:
    wanted = body.get("measure")
    if wanted is None:
        return None
    if not isinstance(wanted, dict) or set(wanted) - {"repeats", "line"}:
        raise ApiError(422, '"measure" must be an object with the keys "repeats" and "line", or without.', _MEASURE)
    repeats, line = wanted.get("repeats", Measure.repeats), wanted.get("line", 0)
    if type(repeats) is not int or not 1 <= repeats <= MAX_REPEATS:
        raise ApiError(422, f'"repeats" must be a whole number from 1 to {MAX_REPEATS}.', _MEASURE)
    if type(line) is not int or not 0 <= line <= source.count("\n") + 1:
        raise ApiError(422, '"line" must be the number of a line of the program.', _MEASURE)
    return Measure(repeats, line)


def _files(body: dict[str, Any], config: Config) -> tuple[tuple[str, bytes], ...]:
    """The files that lie beside the program, each by its name."""
    given = body.get("files") or []
    if not isinstance(given, list) or len(given) > MAX_FILES:
        raise ApiError(422, f'"files" must be a list of at most {MAX_FILES} files.', _FILES)
    found: dict[str, bytes] = {}
    for one in given:
        if not isinstance(one, dict) or set(one) != {"name", "data"} or not isinstance(one["data"], str):
            raise ApiError(422, 'A file has the keys "name" and "data".', _FILES)
        name = one["name"]
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not _encodable(name) or name in (".", ".."):
            raise ApiError(422, "A file's name must be one of at most 100 characters, without a folder.", _FILES)
        if name in found or name == _name(body):
            raise ApiError(422, f"Two files are called {_quote(name)}.", "Give each another name.")
        try:
            found[name] = base64.b64decode(one["data"], validate=True)
        except (binascii.Error, ValueError):
            raise ApiError(422, f"The contents of {_quote(name)} are not base64.", _FILES) from None
    if sum(map(len, found.values())) > config.max_files_bytes:
        raise ApiError(
            413, f"The files hold more than {config.max_files_bytes:,} bytes.", "Send fewer or smaller ones."
        )
    return tuple(found.items())


def read_program(body: dict[str, Any], config: Config) -> Request:
    """The program that other requests hold under these keys: source, name, input, files beside it. Raises
    :class:`ApiError` (413, 422)."""
    return Request(
        _newlines(_source(body, config)),
        name=_name(body),
        stdin=_text(body, "stdin", config.max_stdin_bytes, "input"),
        files=_files(body, config),
        limits=config.limits,
    )


def read_object(http: HttpRequest, example: str = _EXAMPLE) -> dict[str, Any]:
    """The JSON object that a request holds. Raises :class:`ApiError` (400, 415, 422)."""
    if http.mimetype != "application/json":
        raise ApiError(
            415, "The request is not declared as JSON.", f"Set the header Content-Type: application/json. {example}"
        )
    data = http.get_data(cache=False)
    if not data:
        raise ApiError(400, "The request has no body.", example)
    try:
        body = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ApiError(400, "The request is not UTF-8.", "Encode the JSON text as UTF-8.") from None
    except (ValueError, RecursionError) as error:
        where = f" ({error.msg}, line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise ApiError(400, f"The request is not valid JSON{where}.", example) from None
    if not isinstance(body, dict):
        raise ApiError(422, "The request is not a JSON object.", example)
    return body


def _text(body: dict[str, Any], key: str, most: int, what: str) -> str | None:
    value = body.get(key)
    if value is None and key != "source":
        return None
    if value is None and key not in body:
        return None
    if not isinstance(value, str):
        raise ApiError(422, f'"{key}" must be text.', _EXAMPLE)
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError as error:
        line = value[: error.start].count("\n") + 1
        raise ApiError(
            422,
            f"The {what} holds half a character (a lone surrogate) in line {line}.",
            "Delete it and type the character again.",
        ) from None
    if size > most:
        hint = "Leave out what the graph does not need." if key == "source" else "Send less."
        raise ApiError(413, f"The {what} is {size:,} bytes long; at most {most:,} are taken.", hint)
    return value


def _name(body: dict[str, Any]) -> str:
    name = body.get("name")
    if name is None:
        return "main.py"
    if not isinstance(name, str) or not _NAME.fullmatch(name) or not _encodable(name):
        raise ApiError(422, '"name" must be a file name of at most 100 characters.', 'Send for example "main.py".')
    return name


def _seconds(body: dict[str, Any], config: Config) -> float:
    seconds = body.get("seconds")
    if seconds is None:
        return config.limits.seconds
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0.1 <= seconds <= config.max_seconds:
        raise ApiError(422, f'"seconds" must be a number from 0.1 to {config.max_seconds:g}.', "Leave it out for 10 s.")
    return float(seconds)


def _encodable(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _newlines(source: str) -> str:
    """What Python does with a file: every kind of line end is one newline."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _quote(key: str) -> str:
    return json.dumps(key[:40])
