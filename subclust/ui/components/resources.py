"""What all visitors share: models, loaded once, and the queue of jobs."""

import gc
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.jobs import JobQueue, JobStore, launcher_of
from subclust.methods import LoadedMethod, find_method, load_method
from subclust.pipeline.names import choose_namer
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import Encoder, load_encoder, unprepared
from subclust.text.library import PassageLibrary, settings_of
from subclust.text.library.imports import read_imports
from subclust.text.library.names import name_of
from subclust.text.library.terms import kept_terms
from subclust.text.retrieval import Retriever
from subclust.ui.i18n.language import _


def library_names(settings: Settings) -> list[str]:
    """List the libraries that can be searched."""
    return PassageLibrary.names(settings.library_dir)


def library_name(id_: str) -> str:
    """Return what people call a library, for what pages say and list."""
    return name_of(Settings.from_environment().library_dir, id_)


def library_label(id_: str) -> str:
    """Name a library in a choice, and say where it is not whole."""
    folder = Settings.from_environment().library_dir
    if read_imports(folder, id_, unfinished=True):
        return _("{library} (incomplete)").format(library=name_of(folder, id_))
    return name_of(folder, id_)


def default_method(settings: Settings) -> str | None:
    """Name the method that stands behind "default", None where there is none yet."""
    try:
        return find_method("default", CheckpointStore.of(settings)).name
    except SubclustError:
        return None


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
    """

    method: str
    checkpoint: str | None
    written: tuple[int, ...] = ()


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
    return ServedModel(card.name, name, _written(store.place(card.name, name)))


def shared_encoder(settings: Settings) -> Encoder:
    """Return the base encoder, which all visitors share.

    Raises
    ------
    EncoderError
        If it cannot be loaded.
    """
    wanted = _encoder_key(settings)
    if wanted in _loaded:
        return _shared_encoder(*wanted, settings)
    with st.spinner(_("Loading the encoder …")):
        encoder = _shared_encoder(*wanted, settings)
    waiting = unprepared(encoder)
    if waiting is not None:
        with st.spinner(
            _(
                "Preparing the encoder for this computer. This is done once and takes about "
                "half a minute …"
            ),
            show_time=True,
        ):
            waiting.prepare()
    _loaded.add(wanted)
    return encoder


_EncoderKey = tuple[str, str, str, int, bool, str]


def _encoder_key(settings: Settings) -> _EncoderKey:
    return (
        settings.encoder,
        settings.encoder_backend,
        settings.device,
        settings.max_seq_length,
        settings.offline,
        str(settings.embeddings_dir),
    )


def load_unseen(settings: Settings) -> None:
    """Load the base encoder where no page is drawn; one that has to be prepared first is left.

    Raises
    ------
    EncoderError
        If it cannot be loaded.
    """
    wanted = _encoder_key(settings)
    encoder = _shared_encoder(*wanted, settings)
    if unprepared(encoder) is None:
        encoder.encode_asked(".")  # its weights are read at the first text
        _loaded.add(wanted)


def open_pipeline(
    settings: Settings, library: str, method: str, checkpoint: str | None = None
) -> SubtopicPipeline:
    """Open a library with its own encoder, and a method, by name; all visitors share them.

    Parameters
    ----------
    settings : Settings
    library, method : str
    checkpoint : str, optional
        Of the method; by default the one in use.

    Raises
    ------
    SubclustError
        One of its children, if one of them cannot be had.
    """
    passages = PassageLibrary.open(settings.library_dir, library)
    encoder = shared_encoder(settings_of(settings, passages))
    passages.check_encoder(encoder.name, encoder.revision)
    served = served_model(settings, method, checkpoint)
    store = CheckpointStore.of(settings)
    loaded = _shared_method(served, str(settings.models_dir), encoder.revision, store, encoder)
    terms = kept_terms(settings.library_dir, library)
    return SubtopicPipeline(
        Retriever(passages, encoder), loaded, namer=choose_namer(settings, encoder, terms)
    )


def check_usable(settings: Settings, method: str, checkpoint: str) -> None:
    """Load a trained model as a search would, which then finds it loaded.

    Raises
    ------
    SubclustError
        One of its children, if it cannot be used here.
    """
    encoder = shared_encoder(settings)
    store = CheckpointStore.of(settings)
    served = ServedModel(method, checkpoint, _written(store.place(method, checkpoint)))
    _shared_method(served, str(settings.models_dir), encoder.revision, store, encoder)


def _written(folder: Path) -> tuple[int, ...]:
    """Return times and places of a checkpoint's files, which change when it is written."""
    stats = [path.stat() for path in sorted(folder.glob("[cw]*")) if path.is_file()]
    return tuple(number for stat in stats for number in (stat.st_mtime_ns, stat.st_ino))


_loaded: set[tuple[object, ...]] = set()
"""Encoders that have been loaded once, for which nobody waits."""

# Keyed on names and versions; the arguments with an underscore are not looked at.


@st.cache_resource(max_entries=2, show_spinner=False)
def _shared_encoder(
    name: str,
    backend: str,
    device: str,
    max_seq_length: int,
    offline: bool,
    cache_folder: str,
    _settings: Settings,
) -> Encoder:
    encoder = load_encoder(_settings)
    _set_aside_for_good()
    return encoder


@st.cache_resource(max_entries=16, show_spinner=False)
def _shared_method(
    served: ServedModel,
    models_folder: str,
    encoder_revision: str,
    _store: CheckpointStore,
    _encoder: Encoder,
) -> LoadedMethod:
    loaded = load_method(served.method, _store, _encoder, served.checkpoint)
    _set_aside_for_good()
    return loaded


def _set_aside_for_good() -> None:
    """Spare the collector of garbage what stays, since every visitor waits while it looks.

    What was set aside before is looked through once more, so that a model that nobody uses any
    longer goes.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def job_queue(settings: Settings) -> JobQueue:
    """Open the queue.

    Raises
    ------
    SettingsError
        If jobs are to run somewhere that is not there.
    """
    return JobQueue(JobStore(settings.jobs_dir), launcher_of(settings))
