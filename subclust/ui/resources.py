"""What all visitors share: the encoder and the trained models, loaded once."""

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.encoders import Encoder, load_encoder
from subclust.exceptions import SubclustError
from subclust.library import PassageLibrary
from subclust.methods import LoadedMethod, find_method, load_method
from subclust.pipeline import SubtopicPipeline
from subclust.retrieval import Retriever
from subclust.settings import Settings


def library_names(settings: Settings) -> list[str]:
    """List the libraries that can be searched."""
    return PassageLibrary.names(settings.library_dir)


def default_method(settings: Settings) -> str | None:
    """Name the method that stands behind "default", None where there is none yet."""
    try:
        return find_method("default", CheckpointStore(settings.models_dir)).name
    except SubclustError:
        return None


def open_pipeline(settings: Settings, library: str, method: str) -> SubtopicPipeline:
    """Open a library and a method by name, with the shared encoder and models.

    Raises
    ------
    SubclustError
        One of its children, if one of them cannot be had.
    """
    passages = PassageLibrary.open(settings.library_dir, library)
    encoder = _shared_encoder(
        settings.encoder,
        settings.device,
        settings.max_seq_length,
        settings.offline,
        str(settings.embeddings_dir),
        settings,
    )
    passages.check_encoder(encoder.name, encoder.revision)
    store = CheckpointStore(settings.models_dir)
    card = find_method(method, store)
    checkpoint = store.promoted(card.name) if card.needs_checkpoint else None
    loaded = _shared_method(
        card.name, checkpoint, str(settings.models_dir), encoder.revision, store, encoder
    )
    return SubtopicPipeline(Retriever(passages, encoder), loaded)


# Keyed on names and versions; the arguments with an underscore are not looked at.


@st.cache_resource(max_entries=2, show_spinner="Loading the language model …")
def _shared_encoder(
    name: str,
    device: str,
    max_seq_length: int,
    offline: bool,
    cache_folder: str,
    _settings: Settings,
) -> Encoder:
    return load_encoder(_settings)


@st.cache_resource(max_entries=16, show_spinner=False)
def _shared_method(
    name: str,
    checkpoint: str | None,
    models_folder: str,
    encoder_revision: str,
    _store: CheckpointStore,
    _encoder: Encoder,
) -> LoadedMethod:
    return load_method(name, _store, _encoder, checkpoint)
