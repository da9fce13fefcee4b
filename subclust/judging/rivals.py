"""What a trained model is compared with before anybody relies on it."""

from collections.abc import Mapping, Sequence
from typing import Any

from subclust.checkpoints import DEFAULT_METHOD, Checkpoint, CheckpointStore
from subclust.core.exceptions import CheckpointError, InputError
from subclust.core.messages import Message
from subclust.judging.record import Role
from subclust.methods import METHODS, LoadedMethod, load_method
from subclust.text.encoders import Encoder

BASELINE = "centred-cosine"
"""The method that learns nothing and is compared with every trained one."""


def name_of(method: LoadedMethod | Checkpoint) -> str:
    """Return ``METHOD/NAME``, or the method alone where it has no checkpoint."""
    checkpoint = method.checkpoint if isinstance(method, LoadedMethod) else method
    if checkpoint is None:
        assert isinstance(method, LoadedMethod)
        return method.card.name
    return f"{checkpoint.method}/{checkpoint.name}"


def find_rivals(
    checkpoint: Checkpoint,
    base: str | None,
    store: CheckpointStore,
    encoder: Encoder,
    *,
    saved: bool,
) -> dict[Role, LoadedMethod]:
    """Load what a trained model is compared with.

    Parameters
    ----------
    base : str or None
        ``METHOD/NAME``, the name of another checkpoint of the method, or a method without one. By
        default what the checkpoint started from, where it is still there; else what its method uses
        now; else the default method; else centred cosine.
    encoder : Encoder
        The base encoder.
    saved : bool
        Whether the store's checkpoint of that name is this one, and not one that it replaces.

    Returns
    -------
    dict
        ``"base"``, ``"default"`` where the method uses another one now, and ``"baseline"``.

    Raises
    ------
    InputError
        If the base is the checkpoint itself, or there is no such method.
    CheckpointError
        If the base that was asked for cannot be used.
    """
    own = name_of(checkpoint) if saved else None
    promoted = _promoted(checkpoint.method, store)
    found: dict[Role, LoadedMethod] = {}
    if base is not None:
        rival = _load(base, checkpoint.method, store, encoder)
        if name_of(rival) == own:
            raise InputError("{own} is to be compared with itself; name another --base.", own=own)
        found["base"] = rival
    else:
        started_from = checkpoint.config.get("base")
        for given in filter(None, (started_from, promoted, DEFAULT_METHOD, BASELINE)):
            try:
                rival = _load(given, checkpoint.method, store, encoder)
            except (CheckpointError, InputError):
                continue
            if name_of(rival) != own:
                found["base"] = rival
                break
    if promoted is not None and promoted not in (own, name_of(found["base"])):
        try:
            found["default"] = _load(promoted, checkpoint.method, store, encoder)
        except CheckpointError:  # one over another encoder cannot be compared
            pass
    same = name_of(found["base"]) == BASELINE
    # The same object, by which `judge_parts` knows that it has been measured.
    found["baseline"] = found["base"] if same else load_method(BASELINE, store, encoder)
    return found


def notes_on(
    checkpoint: Checkpoint, base: LoadedMethod, part: str, data: Sequence[Mapping[str, Any]]
) -> list[Message]:
    """Return what favours one side, as far as the cards of the two show it.

    Parameters
    ----------
    part : {"test", "validation", "folds", "given"}
    data : sequence of mappings
        ``name`` and ``sha256`` of the files that the queries come from.
    """
    notes = []
    if part == "validation":
        notes.append(
            Message(
                "The same data also decided when training stopped and where groups are cut, which "
                "favours the new model a little; keep a test part (test_share) to judge without "
                "that."
            )
        )
    if part == "given" and (shared := _shared(checkpoint.card, data)):
        notes.append(
            Message(
                "{name} was trained on {data}, so it may have seen these questions; name the run's "
                "own held-out questions with --split.",
                name=name_of(checkpoint),
                data=shared,
            )
        )
    if base.checkpoint is not None and (shared := _shared(base.checkpoint.card, data)):
        notes.append(
            Message(
                "{name} was itself trained on {data} and may have seen these questions, which "
                "favours it.",
                name=name_of(base),
                data=shared,
            )
        )
    return notes


def load_named(name: str, store: CheckpointStore, encoder: Encoder) -> LoadedMethod:
    """Load a method by the name that `name_of` gives it.

    Raises
    ------
    InputError, CheckpointError
        If there is no such method or checkpoint.
    """
    method, _, checkpoint = name.partition("/")
    return load_method(method, store, encoder, checkpoint or None)


def _load(given: str, method: str, store: CheckpointStore, encoder: Encoder) -> LoadedMethod:
    if "/" in given:
        return load_named(given, store, encoder)
    if given == DEFAULT_METHOD or (given in METHODS and given not in store.names(method)):
        return load_method(given, store, encoder)
    return load_method(method, store, encoder, given)


def _promoted(method: str, store: CheckpointStore) -> str | None:
    try:
        return f"{method}/{store.promoted(method)}"
    except CheckpointError:
        return None


def _shared(card: Mapping[str, Any], data: Sequence[Mapping[str, Any]]) -> str | None:
    """Name a file that is both among the data and among what a checkpoint was trained on."""
    trained = {source.get("sha256") for source in card.get("training_data", [])}
    trained.discard(None)
    return next((str(file["name"]) for file in data if file.get("sha256") in trained), None)
