"""How a program ended, what it printed, and what its variables held."""

from __future__ import annotations

from typing import Any

from app.lessons.facts.table import fact
from app.lessons.lookup import Lookup


@fact("how the program ended: ok, error, exit or limit")
def ended(look: Lookup) -> str:
    return str(look.trace["end"]["kind"])


@fact("the name of the exception that ended it, or an empty text")
def error(look: Lookup) -> str:
    found = look.trace["end"]["error"]
    return str(found["type"]).rpartition(".")[2] if found else ""


@fact("the line that an error ended in, or 0")
def error_line(look: Lookup) -> int:
    found = look.trace["end"]["error"]
    return int(found["line"] or 0) if found else 0


@fact("whether the output holds this text", "text")
def printed(look: Lookup, text: str) -> bool:
    return str(text) in str(look.trace["stdout"])


@fact("the last value of a variable: a number, a text, or nothing if it has more elements than one", "variable")
def final(look: Lookup, name: str) -> Any:
    return look.single(look.last_value(name))


@fact("the shape of the last value of a variable, as a tuple", "variable")
def shape(look: Lookup, name: str) -> tuple[int, ...] | None:
    value = look.last_value(name)
    return tuple(value["shape"]) if value is not None and "shape" in value else None


@fact("how many tensors a list or another container holds at the end", "variable")
def tensors_in(look: Lookup, name: str) -> int:
    return look.tensors_in(name)


@fact("whether a parameter or variable has another value at the end than at the start", "variable")
def changed(look: Lookup, name: str) -> bool:
    return look.changed(name)


@fact("how many files the program left")
def files(look: Lookup) -> int:
    return len(look.trace.get("files", ()))


@fact("the dialect that the program is written in: torch, tf1, tf2, native or python")
def dialect(look: Lookup) -> str:
    return str(look.trace["program"]["dialect"])


@fact("the phase in which an error ended the program: build, run, forward, backward and so on; or an empty text")
def error_phase(look: Lookup) -> str:
    record = look.record
    at = look.error_step() if look.trace["end"]["error"] else -1
    spans = zip(record.phases["name"], record.phases["first"], record.phases["last"], strict=True)
    return next((record.text(name) for name, first, last in spans if first <= at <= last), "")


@fact("how often Python went through the loop whose first line holds this text", "text")
def passes(look: Lookup, text: str) -> int:
    return look.passes(text)


@fact("whether the program left a file of this name", "name")
def saved(look: Lookup, name: str) -> bool:
    return any(file["name"] == name for file in look.trace.get("files", ()))


@fact("whether any value had elements that are no number (NaN)")
def has_nan(look: Lookup) -> bool:
    return any((look.record.value(index) or {}).get("nan") for index in range(len(look.trace["values"])))
