"""Which model answers for a method, and models that are loaded once for all who ask."""

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from subclust.checkpoints import DEFAULT_METHOD, CheckpointStore
from subclust.core.settings import Settings
from subclust.methods import LoadedMethod, find_method, load_method
from subclust.text.encoders import Encoder


@dataclass(frozen=True)
class ServedModel:
    """What stands behind a method now.

    Parameters
    ----------
    method : str
    checkpoint : str or None
        The one in use; None where the method has none.
    written : tuple of int
        When its files were written; another tuple is another model, even under the same name.
    is_default : bool
        Whether nobody named it, so that one that needs no training stands for it over an encoder
        that it was not trained with.
    """

    method: str
    checkpoint: str | None
    written: tuple[int, ...] = ()
    is_default: bool = False


def served_model(settings: Settings, method: str, checkpoint: str | None = None) -> ServedModel:
    """Return which model a method uses: the one that is named, else the one in use now.

    Raises
    ------
    SubclustError
        If there is no such method, or it has no model.
    """
    store = CheckpointStore.of(settings)
    card = find_method(method, store)
    if not card.needs_checkpoint:
        return ServedModel(card.name, checkpoint)
    name = checkpoint or store.promoted(card.name)
    unnamed = method == DEFAULT_METHOD and checkpoint is None
    return ServedModel(card.name, name, _written(store.place(card.name, name)), unnamed)


def shared_method(served: ServedModel, store: CheckpointStore, encoder: Encoder) -> LoadedMethod:
    """Load a method, once in this process.

    Parameters
    ----------
    served : ServedModel
    store : CheckpointStore
    encoder : Encoder
        The base encoder.

    Raises
    ------
    CheckpointError
        If the model is missing, damaged, or made for another encoder.
    """
    return _loaded(_Wanted(served, encoder.revision, store, encoder))


@dataclass(frozen=True)
class _Wanted:
    # lru_cache compares the model and the encoder's revision; the other two just come along.
    served: ServedModel
    encoder_revision: str
    store: CheckpointStore = field(compare=False)
    encoder: Encoder = field(compare=False)


@lru_cache(maxsize=16)
def _loaded(wanted: _Wanted) -> LoadedMethod:
    served = wanted.served
    if served.is_default:
        return load_method(DEFAULT_METHOD, wanted.store, wanted.encoder)
    return load_method(served.method, wanted.store, wanted.encoder, served.checkpoint)


def _written(folder: Path) -> tuple[int, ...]:
    """Return times and places of a checkpoint's files, which change when it is written."""
    # config.json, card.json and weights.safetensors, from which the README is made.
    stats = [path.stat() for path in sorted(folder.glob("[cw]*")) if path.is_file()]
    return tuple(number for stat in stats for number in (stat.st_mtime_ns, stat.st_ino))
