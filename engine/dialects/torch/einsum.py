"""Sums of products after Einstein's convention."""

from __future__ import annotations

import math
from typing import Any

from engine.dialects.torch.linear_algebra import BMM
from engine.dialects.torch.shaping import PERMUTE, VIEW
from engine.dynamic.apply import apply


def _check_subscripts(terms: list[str], tensors: list[Any]) -> None:
    """Refuse letters that do not fit the operands."""
    known: dict[str, int] = {}
    for number, (term, x) in enumerate(zip(terms, tensors, strict=True)):
        shape = x._array.shape
        if len(term) != len(shape):
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(term)}) does not match the number of "
                f"dimensions ({len(shape)}) for operand {number} and no ellipsis was given"
            )
        for letter, size in zip(term, shape, strict=False):
            if known.setdefault(letter, size) != size and 1 not in (size, known[letter]):
                raise RuntimeError(
                    f"einsum(): subscript {letter} has size {size} for operand {number} which does not broadcast with "
                    f"previously seen size {known[letter]}"
                )


def _without_dots(terms: list[str], tensors: list[Any]) -> list[str]:
    """``...`` written as digits, one for each dimension that it stands for, counted from the last."""
    written = []
    for term, x in zip(terms, tensors, strict=True):
        count = x._array.ndim - len(term.replace("...", ""))
        written.append(term.replace("...", "".join(str(9 - n) for n in reversed(range(count)))))
    return written


def _diagonals(term: str, x: Any) -> tuple[str, Any]:
    """An operand with letters that occur twice, as its diagonal over them."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first, second = term.index(letter), term.rindex(letter)
            x = x.diagonal(0, first, second)
            term = "".join(c for i, c in enumerate(term) if i not in (first, second)) + letter
    return term, x


def einsum(equation: str, *operands: Any) -> Any:
    """Sums of products after Einstein's convention."""
    tensors: list[Any] = (
        list(operands[0]) if len(operands) == 1 and isinstance(operands[0], list | tuple) else list(operands)
    )
    left, _, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(tensors):
        raise RuntimeError(f"einsum(): more operands were provided than specified in the equation: {len(tensors)}")
    terms = _without_dots(terms, tensors)
    _check_subscripts(terms, tensors)
    left = ",".join(terms)
    letters = sorted(set(left) - {","})
    if "->" not in equation:
        right = "".join(c for c in letters if left.count(c) == 1 or c.isdigit())
    elif "..." in right:
        right = right.replace("...", "".join(c for c in letters if c.isdigit()))
    for letter in right:
        if right.count(letter) > 1:
            raise RuntimeError(f"einsum(): output subscript {letter} appears more than once in the output")
        if letter not in letters:
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in the equation for any input operand"
            )
    for place, term in enumerate(terms):
        terms[place], tensors[place] = _diagonals(term, tensors[place])
    sizes = {letter: n for term, x in zip(terms, tensors, strict=True) for letter, n in zip(term, x.shape, strict=True)}
    if any(n != sizes[c] for term, x in zip(terms, tensors, strict=True) for c, n in zip(term, x.shape, strict=True)):
        return _spread(terms, tensors, right, letters)  # sizes of 1 against others
    term, result = terms[0], tensors[0]
    letters = [*right, *(c for c in letters if c not in right)]
    for place, (other, x) in enumerate(zip(terms[1:], tensors[1:], strict=True), 2):
        needed = set(right).union(*terms[place:])
        term, result = _pair(term, result, other, x, [c for c in letters if c in needed], sizes)
    term, result = _without(term, result, [c for c in term if c not in right])
    if term == right and (len(tensors) > 1 or len(term) < len(terms[0])):
        return result
    return apply(PERMUTE, (result,), {"axes": tuple(term.index(c) for c in right)}) if right else result


def _without(term: str, x: Any, letters: list[str]) -> tuple[str, Any]:
    """An operand summed over letters that nothing else needs."""
    if not letters:
        return term, x
    return "".join(c for c in term if c not in letters), x.sum(tuple(term.index(c) for c in letters))


def _pair(first: str, a: Any, second: str, b: Any, keep: list[str], sizes: dict[str, int]) -> tuple[str, Any]:
    """Two operands as one: a product of matrices for each place that both share, summed over what nobody needs."""
    first, a = _without(first, a, [c for c in first if c not in second and c not in keep])
    second, b = _without(second, b, [c for c in second if c not in first and c not in keep])
    shared = [c for c in first if c in second and c in keep]
    summed = [c for c in first if c in second and c not in keep]
    left, right = [c for c in first if c not in second], [c for c in second if c not in first]
    if not summed:
        term = "".join(shared + left + right)
        aligned = [_aligned(t, x, term) for t, x in ((first, a), (second, b))]
        return term, aligned[0] * aligned[1]

    def count(letters: list[str]) -> int:
        return math.prod(sizes[c] for c in letters)

    rows = a.permute(*(first.index(c) for c in shared + left + summed))
    columns = b.permute(*(second.index(c) for c in shared + summed + right))
    product: Any = apply(
        BMM,
        (
            rows.reshape(count(shared), count(left), count(summed)),
            columns.reshape(count(shared), count(summed), count(right)),
        ),
    )
    term = "".join(c for c in keep if c in shared + left + right)
    order = shared + left + right
    whole = product.view(*(sizes[c] for c in order))
    if list(term) != order:
        whole = whole.permute(*(order.index(c) for c in term))
    return term, apply(VIEW, (whole,), {"shape": tuple(sizes[c] for c in term)})


def _aligned(term: str, x: Any, order: str) -> Any:
    """An operand with its letters in this order, and size 1 for those that it lacks."""
    present = [c for c in order if c in term]
    moved = x.permute(*(term.index(c) for c in present)) if len(term) > 1 else x
    sizes = iter(moved.shape)
    return moved.reshape(*(next(sizes) if c in term else 1 for c in order))


def _spread(terms: list[str], tensors: list[Any], right: str, letters: list[str]) -> Any:
    """The product of all operands spread over all letters, then summed."""
    order = right + "".join(c for c in letters if c not in right)
    product: Any = None
    for term, x in zip(terms, tensors, strict=True):
        aligned = _aligned(term, x, order)
        product = aligned if product is None else product * aligned
    rest = tuple(range(len(right), len(order)))
    return product.sum(rest) if rest else product


def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """``input1 @ weight[k] @ input2`` for each ``k``: (…, i), (…, j), (k, i, j) -> (…, k)."""
    result = einsum("...i,kij,...j->...k", input1, weight, input2)
    return result if bias is None else result + bias
