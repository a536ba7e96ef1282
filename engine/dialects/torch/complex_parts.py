"""Complex tensors, as eigenvalues are: the parts that they are made of."""

from __future__ import annotations

from engine.dialects.torch.arguments import no_gradient
from engine.dialects.torch.tensor import Tensor


def real(input: Tensor) -> Tensor:
    """The real part, in the same memory; a tensor of real numbers is its own.

    >>> import numpy as np
    >>> real(Tensor(np.array([1 + 2j, 3 - 1j], np.complex64)))
    tensor([1., 3.])
    """
    if not input.is_complex():
        return input
    no_gradient(input, "real")
    return Tensor(input._array.real)


def imag(input: Tensor) -> Tensor:
    """The imaginary part of a complex tensor, in the same memory.

    >>> import numpy as np
    >>> imag(Tensor(np.array([1 + 2j, 3 - 1j], np.complex64)))
    tensor([ 2., -1.])
    """
    if not input.is_complex():
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    no_gradient(input, "imag")
    return Tensor(input._array.imag)
