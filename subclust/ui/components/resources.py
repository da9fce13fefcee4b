"""What all visitors share: models, loaded once, and the queue of jobs."""

import gc

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.methods import LoadedMethod, find_method
from subclust.pipeline.names import choose_namer
from subclust.pipeline.query import SubtopicPipeline
from subclust.pipeline.served import ServedModel, served_model, shared_method
from subclust.text import encoders
from subclust.text.encoders import Encoder, unprepared
from subclust.text.library import PassageLibrary, settings_of
from subclust.text.library.imports import read_imports
from subclust.text.library.names import name_of
from subclust.text.library.terms import kept_terms
from subclust.text.retrieval import Retriever
from subclust.ui.components.view import View
from subclust.ui.i18n.language import _


def library_names(settings: Settings) -> list[str]:
    """List the libraries that can be searched."""
    return PassageLibrary.names(settings.library_dir)


def usual_library(wanted: str = View.library) -> str:
    """Return a library where it is there; otherwise the demo library, or the first that is."""
    try:
        names = library_names(Settings.from_environment())
    except SubclustError:  # said where the library is opened
        return wanted
    return next((name for name in (wanted, View.library, *names) if name in names), wanted)


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
    served = served_model(settings, method, checkpoint)
    _shared_method(served, str(settings.models_dir), encoder.revision, store, encoder)


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
    encoder = encoders.shared_encoder(_settings)
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
    loaded = shared_method(served, _store, _encoder)
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
