"""Open what a pipeline needs by its names: library, encoder, method, namer."""

from subclust.checkpoints import CheckpointStore
from subclust.core.records.terms import Vocabulary
from subclust.core.settings import Settings
from subclust.methods import LoadedMethod, load_method
from subclust.pipeline.names import choose_namer
from subclust.pipeline.query import SubtopicPipeline
from subclust.text.encoders import Encoder, load_encoder
from subclust.text.library import PassageLibrary, settings_of
from subclust.text.library.terms import kept_terms
from subclust.text.retrieval import Retriever


def load_pipeline(
    settings: Settings,
    *,
    library: str = "demo",
    method: str | LoadedMethod = "default",
    checkpoint: str | None = None,
    random_state: int = 0,
    encoder: Encoder | None = None,
    vocabulary: Vocabulary | None = None,
) -> SubtopicPipeline:
    """Open a library with its own encoder, and a method by name.

    Parameters
    ----------
    settings : Settings
    library : str
        Its id.
    method : str or LoadedMethod
    checkpoint : str, optional
        Of the method; by default the one in use.
    random_state : int
    encoder : Encoder, optional
        The library's own, where it is loaded already.
    vocabulary : Vocabulary, optional
        Preferred terms for names; by default those that the library has.

    Raises
    ------
    LibraryNotFoundError, EncoderError, CheckpointError, InputError
        If one of them cannot be had; the sentence says what to do.
    """
    passages = PassageLibrary.open(settings.library_dir, library)
    encoder = encoder or load_encoder(settings_of(settings, passages))
    passages.check_encoder(encoder.name, encoder.revision)
    if not isinstance(method, LoadedMethod):
        method = load_method(method, CheckpointStore.of(settings), encoder, checkpoint)
    return SubtopicPipeline(
        Retriever(passages, encoder),
        method,
        namer=choose_namer(
            settings, encoder, vocabulary or kept_terms(settings.library_dir, library)
        ),
        random_state=random_state,
    )
