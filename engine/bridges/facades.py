"""Whose tensors a bridge deals in when nobody says so."""

from __future__ import annotations

from engine.dynamic.facade import Facade


def native() -> Facade:
    """The native API's facade. It stands on the modes, as bridges do, so it is only loaded when it is wanted.

    >>> native().name
    'native'
    """
    from engine.native.tensors import FACADE

    return FACADE
