"""A trained model: what it is, its weights, and where they come from."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from subclust.core.exceptions import CheckpointError

Tensors = dict[str, npt.NDArray[Any]]

HEAD_PREFIX = "head."
"""Of the names of a checkpoint's tensors that belong to the method's own network."""

ENCODER_PREFIX = "encoder."
"""Of the names of those that replace layers of the base encoder."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Checkpoint:
    """A trained model: what it is, its weights, and where they come from.

    Parameters
    ----------
    method : str
        Name of the method it belongs to.
    config : mapping
        Constructor arguments and learned settings of the method. With ``layers_of``
        (``METHOD/NAME``) and ``layers_digest`` the layers of the base encoder are those of another
        checkpoint, beside what is in `tensors`, and are not kept twice.
    tensors : mapping of str to ndarray
    card : mapping
        What it was trained on, how long, with which arguments, and how it scores.
    shipped : bool
        Whether it came with the project; a store knows when it is read.
    """

    method: str
    name: str
    config: Mapping[str, Any]
    tensors: Mapping[str, npt.NDArray[Any]] = field(compare=False, repr=False)
    card: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    shipped: bool = field(default=False, compare=False)

    @property
    def head_weights(self) -> Tensors:
        """The tensors of the method's own network, by their names in it."""
        return self._part(HEAD_PREFIX)

    @property
    def encoder_layers(self) -> Tensors:
        """The tensors that replace layers of the base encoder, by their names in it."""
        return self._part(ENCODER_PREFIX)

    @property
    def parent(self) -> str | None:
        """The checkpoint that its training started from, as ``METHOD/NAME``."""
        return parent_of(self.method, self.config)

    @property
    def layers_digest(self) -> str:
        """A sha256 of the layers of the base encoder, by which another checkpoint knows them."""
        return _digest(self.encoder_layers)

    @property
    def weights_digest(self) -> str:
        """A sha256 of all its tensors."""
        return _digest(self.tensors)

    def _part(self, prefix: str) -> Tensors:
        return {
            name.removeprefix(prefix): tensor
            for name, tensor in self.tensors.items()
            if name.startswith(prefix)
        }


def _digest(tensors: Mapping[str, npt.NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name, tensor in sorted(tensors.items()):
        # With kind and shape, because the same bytes can also be another tensor.
        digest.update(f"{name} {tensor.dtype} {tensor.shape}\n".encode())
        digest.update(np.ascontiguousarray(tensor).tobytes())
    return digest.hexdigest()


def parent_of(method: str, config: Mapping[str, Any]) -> str | None:
    """Name the checkpoint that a training started from, as ``METHOD/NAME``, None where from none.

    Parameters
    ----------
    method : str
        That was trained.
    config : mapping
        Of its checkpoint: ``base`` is the name of one of the same method, or ``METHOD/NAME``.
    """
    base = config.get("base")
    if not isinstance(base, str) or not base:
        return None
    return base if "/" in base else f"{method}/{base}"


def proper_name(name: str) -> bool:
    """Return whether this can name a checkpoint, other than what a save leaves while it goes on."""
    return bool(_NAME.fullmatch(name)) and len(name) <= 80


def checked(name: str) -> str:
    """Return a method or checkpoint name that is safe as a folder's name.

    Raises
    ------
    CheckpointError
        If it is not.
    """
    if not proper_name(name):
        raise CheckpointError(
            "{name!r} cannot name a checkpoint: use up to 80 letters, digits, '.', '-' and '_', "
            "beginning with a letter or digit.",
            name=name,
        )
    return name


def unfit(checkpoint: Checkpoint) -> CheckpointError:
    """Return what is raised where weights do not fit the configuration beside them."""
    return CheckpointError(
        "The weights of the checkpoint {method}/{checkpoint} do not fit its configuration; "
        "restore its folder from a copy, or train it again.",
        method=checkpoint.method,
        checkpoint=checkpoint.name,
    )


def required(method: str, checkpoint: Checkpoint | None) -> Checkpoint:
    """Return the checkpoint of a method that needs one.

    Raises
    ------
    CheckpointError
        If there is none.
    """
    if checkpoint is None:
        raise CheckpointError("The method {name} needs a trained checkpoint.", name=method)
    return checkpoint
