"""Cards about Python's own commonest errors."""

from __future__ import annotations

import builtins
import difflib
import keyword
import re

from engine.trace.cards.facts import Facts
from engine.trace.cards.operands import TAKING
from engine.trace.cards.reading import indentation_tries, syntax_tries
from engine.trace.cards.rule import Rule


def _near_name(facts: Facts) -> list[str]:
    name = facts.found(r"name '([^']+)'") or facts.found(r"variable '([^']+)'")
    words = set(re.findall(r"[A-Za-z_]\w*", facts.source[:200_000])) | set(facts.names) | set(dir(builtins))
    near = (
        difflib.get_close_matches(name, sorted(words - {name} - set(keyword.kwlist)), n=1, cutoff=0.7) if name else []
    )
    tries = [f"You may have meant {near[0]}."] if near else []
    if name in facts.names:
        return [*tries, "It was deleted, or belongs to another function: pass it in, or return it."]
    return [*tries, "Bind it before this line, or import it.", "Upper and lower case are different names."]


RULES: tuple[Rule, ...] = (
    Rule(
        "not-here",
        lambda f: (
            f.is_any("AttributeError", "ImportError", "ModuleNotFoundError") and f.says(r"this (teaching )?engine")
        ),
        "This engine does not have it.",
        "The framework is imitated by a small engine that has its most used part. The program itself may be right.",
        (
            "Look for another way to write it: the message says what there is.",
            "Run this program with the real framework.",
        ),
    ),
    Rule(
        "none",
        lambda f: (
            f.is_any("TypeError", "AttributeError", "ValueError")
            and f.says(r"nonetype|\bnot none\b.*none\b|, got none\b|none values? ")
        ),
        "There is nothing here: None.",
        "A function without return gives None; so do methods that change their object, like list.sort.",
        (
            "Find where the value should have come from.",
            "Is a return missing?",
            "x.grad is None before the first backward.",
        ),
    ),
    Rule(
        "unbound",
        lambda f: f.is_any("UnboundLocalError") or (f.is_any("NameError") and f.says(r"free variable|enclosing scope")),
        "The variable has no value here yet.",
        "A name that is assigned anywhere in a function is the function's own everywhere in it, also on the "
        "lines before.",
        (
            "Assign it before this line.",
            "To change the one outside, say global or nonlocal at the top of the function.",
        ),
    ),
    Rule(
        "name",
        lambda f: f.is_any("NameError"),
        "Python does not know this name.",
        "Nothing with this name was bound when the line ran.",
        _near_name,
    ),
    Rule(
        "not-callable",
        lambda f: f.is_any("TypeError") and f.says(r"not callable"),
        "This is no function.",
        "Round brackets call what stands before them. Here it is a value; often a name of a function was "
        "reused for one.",
        (
            "Use square brackets to take an element.",
            "Look whether a function's name was assigned to.",
            "Is an operator or comma missing before the bracket?",
        ),
    ),
    Rule(
        "unpack",
        lambda f: f.is_any("ValueError", "TypeError") and f.says(r"unpack"),
        "The numbers of names and values differ.",
        "Names on the left and values on the right of = have to be equally many.",
        ("Look how many values there are at this step.", "Use a, *rest = values for the rest."),
    ),
    Rule(
        "not-iterable",
        lambda f: (
            f.is_any("TypeError")
            and f.says(r"not (an )?(iter|async|sequence|container)|has no len|not reversible|must be an iterable")
        ),
        "This holds no elements.",
        "A loop, len and unpacking need something with elements: a list, a text, a range. Here stands a single value.",
        ("To count up to a number: for i in range(n).", "Look at what the variable holds one line earlier."),
    ),
    Rule(
        "arguments",
        lambda f: f.is_any("TypeError") and f.says(r"argument", r"takes \d|positional|keyword"),
        "The call does not fit the function.",
        "The function takes other arguments than it was given: too many, too few, or by another name.",
        ("Compare the call with the line of def.", "A method gets self by itself: do not pass it."),
    ),
    Rule(
        "subscript",
        lambda f: f.is_any("TypeError") and f.says(r"subscriptable|item assignment|indices must be|unhashable"),
        "This cannot be used with square brackets so.",
        "Lists take whole numbers, dictionaries take keys that cannot change, and some values take no index at all.",
        (
            "Look at what the variable holds one line earlier.",
            "None here often means that a function returned nothing.",
        ),
    ),
    Rule(
        "operand-types",
        lambda f: (
            f.is_any("TypeError")
            and f.says(
                r"operand|concatenat|must be str|not supported between|cannot be interpreted",
                r"multiply sequence|expected str instance|a real number is required|must be real number|format string",
                r"converted during string|must be an? \w+, not|expected .* got|int\(\) argument",
            )
        ),
        "These two cannot be combined.",
        "The operator does not know what to do with values of these two types.",
        ("Turn one over: int(text), str(number), list(range).", "input() always gives text."),
    ),
    Rule(
        "attribute",
        lambda f: f.is_any("AttributeError"),
        "It has no such part.",
        "After the dot stands a name that this kind of object does not have.",
        (
            "Check the spelling.",
            "Look at which kind of object it is at this step.",
            "Does a file of your own have the name of the module?",
        ),
    ),
    Rule(
        "key",
        lambda f: f.is_any("KeyError"),
        "The key is not in the dictionary.",
        "Taking a key that is not there is an error; spelling, case and type of the key all count.",
        ("Use d.get(key, default), or test with in.", "Look at the dictionary's keys at this step."),
    ),
    Rule(
        "index",
        lambda f: (
            f.is_any("IndexError", "AxisError")
            or (
                f.tensorflow()
                and f.is_any("InvalidArgumentError", "ValueError")
                and (f.op in TAKING or f.says(r"\bind(ex|ices)\b.*(out of|not in|bound)"))
            )
        ),
        "There is no element at this place.",
        "Counting starts at 0, so the last of n elements is n - 1.",
        ("Look at the length one step earlier.", "A loop over range(len(x)) ends in time; range(len(x) + 1) does not."),
    ),
    Rule(
        "import",
        lambda f: f.is_any("ModuleNotFoundError", "ImportError"),
        "This cannot be imported here.",
        "The module, or the name in it, does not exist in this sandbox: there are Python's own modules, NumPy, and the "
        "frameworks that are imitated.",
        ("Check the spelling.", "Do it with numpy, torch or tensorflow."),
    ),
    Rule(
        "zero",
        lambda f: f.is_any("ZeroDivisionError"),
        "Division by zero.",
        "The right side was 0 at this step.",
        ("Test for 0 before dividing.", "Watch the variable: where did it become 0?"),
    ),
    Rule(
        "recursion",
        lambda f: f.is_any("RecursionError"),
        "The function calls itself without an end.",
        "Each call waits for the next one, until Python's stack is full.",
        ("Add a case that returns without calling.", "See that each call comes nearer to it."),
    ),
    Rule(
        "changed-meanwhile",
        lambda f: f.is_any("RuntimeError") and f.says(r"changed (size )?during iteration|mutated during iteration"),
        "It was changed while a loop went through it.",
        "A dictionary or set must stay as large as it is while a loop reads it.",
        ("Go through a copy: for key in list(d).", "Collect the changes first, and make them after the loop."),
    ),
    Rule(
        "empty",
        lambda f: (
            f.is_any("ValueError", "TypeError") and f.says(r"empty (sequence|iterable|range|list)|iterable .*empty")
        ),
        "There is nothing in it.",
        "The largest, smallest or first of no elements does not exist.",
        ("Look at what it holds at this step.", "Give a value for this case: max(values, default=0)."),
    ),
    Rule(
        "not-found",
        lambda f: f.is_any("ValueError") and f.says(r"not in (list|tuple|deque|range)|substring not found|subsection"),
        "It is not in there.",
        "index and remove fail if there is no such element; text in another case or type is another element.",
        ("Ask first: if x in values.", "For text, find gives -1 instead."),
    ),
    Rule(
        "file",
        lambda f: f.is_any("FileNotFoundError", "NotADirectoryError", "IsADirectoryError", "PermissionError"),
        "This file cannot be opened.",
        "A run has a folder of its own in memory, with the files that were given along and those that it has written.",
        ("Check the name, and upper and lower case.", "Give the file along with the program."),
    ),
    Rule(
        "out-of-range",
        lambda f: (
            f.is_any("OverflowError")
            or (
                f.is_any("ValueError")
                and f.says(r"math domain|nonnegative|non-negative|negative shift|expected a positive")
            )
        ),
        "The number is outside of what this function takes.",
        "A square root or logarithm of a negative number is no real number, and some results are too large to hold.",
        ("Look at the argument at this step.", "Watch the variable: where did it leave its range?"),
    ),
    Rule(
        "unicode",
        lambda f: f.is_any("UnicodeEncodeError", "UnicodeDecodeError"),
        "This text cannot be written as bytes, or read from them.",
        "Some characters have no place in the encoding; half of a pair (a surrogate) has none in any.",
        ("Use errors='replace' or 'backslashreplace'.", "Look where the odd character comes from."),
    ),
    Rule(
        "literal",
        lambda f: f.is_any("ValueError") and f.says(r"invalid literal|could not convert|malformed string"),
        "This text is no number.",
        "int() and float() take only text that is written as a number.",
        ("Look at the text: spaces, commas, or nothing at all?",),
    ),
    Rule(
        "indentation",
        lambda f: f.is_any("IndentationError", "TabError"),
        "The lines are not indented alike.",
        "What belongs to an if, for or def stands further right, all of it by the same amount.",
        indentation_tries,
    ),
    Rule(
        "syntax",
        lambda f: f.is_any("SyntaxError"),
        "Python cannot read this line.",
        "Nothing has run. Often the mistake is one line earlier.",
        syntax_tries,
    ),
    Rule(
        "input",
        lambda f: f.is_any("EOFError"),
        "The program asked, and there was no answer.",
        "input() waits for a line; all that were given are used up.",
        ("Give more answers before the run.",),
    ),
    Rule(
        "memory",
        lambda f: f.is_any("MemoryError"),
        "The program asked for too much memory.",
        "There was no room for a value of this size.",
        ("Make the data smaller.", "Is a list growing in a loop?"),
    ),
    Rule(
        "assertion",
        lambda f: f.is_any("AssertionError"),
        "A check of the program itself failed.",
        "assert ends the program when its condition is false.",
        ("Look at the values in the condition at this step.",),
    ),
    Rule(
        "interrupted",
        lambda f: f.is_any("StopIteration"),
        "The iterator is used up.",
        "next() was called once more than there are elements.",
        ("Use a for loop, or next(it, default).",),
    ),
    Rule(
        "value",
        lambda f: f.is_any("ValueError") and f.says(r"ambiguous|truth value"),
        "An array cannot decide an if.",
        "It holds several values, and Python needs one yes or no.",
        ("Use .any() or .all().",),
    ),
)
