"""The two secrets of a class: the code that lets people join, and the key that steers. The store keeps a digest of the
latter."""

from __future__ import annotations

import re
import secrets

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters that sound or look like others from the last row."""
LENGTH = 6


def new_code() -> str:
    """A code that can be called out: 31^6, 887 million of them."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_key() -> str:
    """192 random bits."""
    return secrets.token_urlsafe(24)


def new_member() -> str:
    return secrets.token_urlsafe(9)


def read_code(typed: str) -> str:
    """A code as it was typed: case, spaces and hyphens do not matter; "" if it is none.

    >>> read_code(" KX7-P2m "), read_code("nonsense!"), read_code("")
    ('kx7p2m', '', '')
    """
    plain = re.sub(r"[\s-]", "", typed).lower()
    return plain if len(plain) == LENGTH and all(letter in ALPHABET for letter in plain) else ""
