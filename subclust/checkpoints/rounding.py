"""Layers of an encoder in 8 bits a weight: whole numbers, times a power of two for each row.

Such weights are exact in half precision and in bfloat16, so that a file of half the size holds the
same layers, and reading and writing them again changes nothing.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from subclust.checkpoints.checkpoint import ENCODER_PREFIX, Tensors

EXPONENT = ".exponent"
"""Ending of the name under which the powers of two of a matrix lie beside its whole numbers."""

_MOST = 127


def rounded(matrix: npt.NDArray[Any]) -> npt.NDArray[np.float16]:
    """Return a matrix whose rows are whole numbers up to 127 times a power of two.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_columns)

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
        No weight differs by more than the largest of its row over 127; one that is such a matrix
        already comes back as it is.
    """
    numbers, exponents = _parts(matrix)
    return np.ldexp(numbers.astype(np.float32), exponents[:, None]).astype(np.float16)


def packed(tensors: Mapping[str, npt.NDArray[Any]]) -> Tensors:
    """Return the tensors of a checkpoint as they are stored: in 8 bits where that loses nothing."""
    stored: Tensors = {}
    for name, tensor in tensors.items():
        if name.startswith(ENCODER_PREFIX) and tensor.ndim == 2 and tensor.dtype == np.float16:
            numbers, exponents = _parts(tensor)
            # Only layers that were rounded before survive this; all others keep 16 bits.
            if np.array_equal(rounded(tensor), tensor):
                stored[name], stored[name + EXPONENT] = numbers, exponents
                continue
        stored[name] = tensor
    return stored


def unpacked(stored: Mapping[str, npt.NDArray[Any]]) -> Tensors:
    """Return the tensors of a checkpoint from what `packed` made of them.

    Raises
    ------
    ValueError
        If whole numbers and powers of two do not belong together.
    """
    tensors: Tensors = {}
    for name, tensor in stored.items():
        if name.endswith(EXPONENT) and name.removesuffix(EXPONENT) in stored:
            continue
        exponents = stored.get(name + EXPONENT)
        if exponents is not None:
            if tensor.ndim != 2 or exponents.shape != tensor.shape[:1]:
                raise ValueError(f"{name} has other rows than {name}{EXPONENT}")
            whole = np.ldexp(tensor.astype(np.float32), exponents.astype(np.int64)[:, None])
            tensor = whole.astype(np.float16)
        tensors[name] = tensor
    return tensors


def _parts(matrix: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    values = matrix.astype(np.float32)
    largest = np.abs(values).max(axis=1, initial=0.0)
    # The least power of two by which the largest weight is at most 127.
    exponents = np.ceil(np.log2(np.where(largest > 0, largest, 1.0) / _MOST)).astype(np.int64)
    numbers = np.rint(np.ldexp(values, -exponents[:, None]))
    return numbers.astype(np.int8), exponents.astype(np.int8)
