"""What to try where Python could not read the program: chosen by what it stumbled over."""

from __future__ import annotations

import re

from engine.trace.cards.facts import Facts

SYNTAX: tuple[tuple[str, str], ...] = (
    (r"was never closed|unexpected eof|eof in multi-line", "A bracket that was opened is never closed: count them."),
    (r"unmatched|does not match opening", "A bracket is closed that is not open, or by another kind of bracket."),
    (r"unterminated|eol while scanning|eof while scanning", "Close the quotes on the same line, or use three of them."),
    (r"expected ':'", "Put a colon at the end: if, for, while, def, class and else need one."),
    (r"missing parentheses in call", "print is a function: print(…)."),
    (
        r"maybe you meant '=='|cannot assign to|assignment expression",
        "= assigns, == compares; left of = stands a name.",
    ),
    (r"outside function|outside loop|not properly in loop", "Indent it into the function or loop that it belongs to."),
    (r"perhaps you forgot a comma", "Put a comma between the two values."),
    (r"f-string", "In an f-string what stands in braces is code: close every brace, and use other quotes inside."),
    (r"follows default|positional argument follows|repeated|duplicate", "Plain arguments come first, each name once."),
    (
        r"invalid (non-printable )?character|leading zeros|decimal literal|digit",
        "Look for a typographic or wrong sign.",
    ),
    (r"expected 'except'|expected 'finally'", "A try needs an except or a finally, as far left as the try."),
)
INDENTATION: tuple[tuple[str, str], ...] = (
    (r"expected an indented block", "Indent the next line by four spaces; a block with nothing to do is pass."),
    (r"unexpected indent", "This line stands further right than its neighbours, and no line above asks for that."),
    (r"unindent does not match", "It lies between two depths: put it as far right as the block that it belongs to."),
    (r"tabs? and spaces|inconsistent use", "Tabs and spaces are mixed: replace every tab by four spaces."),
)


def _likeliest(facts: Facts, known: tuple[tuple[str, str], ...], others: list[str]) -> list[str]:
    found = [tip for pattern, tip in known if facts.says(pattern)]
    return [*found, *others][:3]


def syntax_tries(facts: Facts) -> list[str]:
    """What is likeliest wrong with a line that Python cannot read.

    >>> syntax_tries(Facts(message="'(' was never closed"))[0]
    'A bracket that was opened is never closed: count them.'
    """
    word = re.match(r"\s*(if|for|while|def|class|else|elif|try|with)\b", facts.line_text)
    colon = word and not facts.line_text.rstrip().endswith((":", "(", "[", "{", ",", "\\"))
    known = ((r"", "Put a colon at the end of the line."), *SYNTAX) if colon and not _told(facts, SYNTAX) else SYNTAX
    return _likeliest(facts, known, ["Close every bracket and quote.", "Look at the line before, too."])


def _told(facts: Facts, known: tuple[tuple[str, str], ...]) -> bool:
    return any(facts.says(pattern) for pattern, _ in known)


def indentation_tries(facts: Facts) -> list[str]:
    """What is likeliest wrong with how far right a line stands."""
    return _likeliest(facts, INDENTATION, ["Use four spaces, and no tabs.", "A block cannot be empty: write pass."])
