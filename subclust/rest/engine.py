"""What answers questions: models that all requests share, a search for each core at a time."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import LibraryNotFoundError, SubclustError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.pipeline.names import choose_namer
from subclust.pipeline.query import SubtopicPipeline
from subclust.pipeline.served import served_model, shared_method
from subclust.text.encoders import shared_encoder
from subclust.text.library import PassageLibrary, settings_of
from subclust.text.library.names import find_library
from subclust.text.library.terms import kept_terms
from subclust.text.retrieval import Retriever


def known_library(folder: Path, text: str) -> str:
    """Return the id of a library by its id or name.

    Raises
    ------
    LibraryNotFoundError
        If there is none of that name.
    """
    id_ = find_library(folder, text)
    if id_ is None:
        names = ", ".join(PassageLibrary.names(folder)) or Message("none")
        raise LibraryNotFoundError(
            "There is no library {name!r} (available: {names}).", name=text[:80], names=names
        )
    return id_


class Engine:
    """Opens pipelines by the names of what is in them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # FastAPI runs some forty requests at once; more searches than cores slow each other down.
        self._turns = threading.BoundedSemaphore(os.cpu_count() or 1)

    def pipelines(
        self, library: str, methods: Sequence[tuple[str, str | None]], random_state: int = 0
    ) -> list[SubtopicPipeline]:
        """Open a library with several methods.

        Parameters
        ----------
        library : str
            Name or id.
        methods : sequence of (str, str or None)
            Method and checkpoint; None is the one in use.

        Raises
        ------
        SubclustError
            If one of them cannot be had; the sentence says what to do.
        """
        folder = self.settings.library_dir
        id_ = known_library(folder, library)
        passages = PassageLibrary.open(folder, id_)
        encoder = shared_encoder(settings_of(self.settings, passages))
        passages.check_encoder(encoder.name, encoder.revision)
        store = CheckpointStore.of(self.settings)
        namer = choose_namer(self.settings, encoder, kept_terms(folder, id_))
        retriever = Retriever(passages, encoder)
        return [
            SubtopicPipeline(
                retriever,
                shared_method(served_model(self.settings, method, checkpoint), store, encoder),
                namer=namer,
                random_state=random_state,
            )
            for method, checkpoint in methods
        ]

    def load(self) -> None:
        """Load what the first search of any library would wait for, as far as it can be had."""
        with suppress(SubclustError):
            encoder = shared_encoder(self.settings)
            store = CheckpointStore.of(self.settings)
            encoder.encode_asked(".")  # its weights are read at the first text
            shared_method(served_model(self.settings, "default"), store, encoder)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until a core is free for a search."""
        with self._turns:
            yield
