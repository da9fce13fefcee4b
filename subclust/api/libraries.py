"""Libraries: opened, searched, and filled from files."""

from collections.abc import Callable, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Literal

from subclust import __version__
from subclust.api.results import Answer, as_query, expecting
from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import CheckpointError
from subclust.core.messages import Message
from subclust.core.records import Query
from subclust.core.records.progress import OpenProgress as ImportProgress
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.core.storage.version import check_version
from subclust.grouping.clustering.base import NumberOfClusters
from subclust.grouping.naming.phrases import vocabulary
from subclust.methods import LoadedMethod, load_method
from subclust.pipeline.assemble import MAX_OTHER
from subclust.pipeline.load import load_pipeline
from subclust.text.encoders import Encoder, shared_encoder
from subclust.text.ingest.files import ingest_files
from subclust.text.ingest.report import IngestReport
from subclust.text.library import PassageLibrary, settings_of, with_own_encoder
from subclust.text.library.names import library_id, name_of, settle_name
from subclust.text.library.terms import read_terms


class Library:
    """Passages that can be searched; `open_library` makes it.

    Parameters
    ----------
    passages : PassageLibrary
    settings : Settings

    Examples
    --------
    >>> library = subclust.open_library("demo")
    >>> library
    <Library demo: 24 passages>
    >>> answer = library.search("sugar and tea", n_clusters=3, strictness="all", top_k=20)
    >>> answer.n_clusters, len(answer)
    (3, 20)
    """

    def __init__(self, passages: PassageLibrary, settings: Settings) -> None:
        self.passages = passages
        self.settings = settings

    @property
    def name(self) -> str:
        """Name of the library, as people call it."""
        return name_of(self.settings.library_dir, self.passages.name)

    @property
    def collections(self) -> dict[str, int]:
        """Number of passages of each part of the library, by the part's name."""
        return self.passages.collections()

    def search(
        self,
        question: str | Query,
        n_clusters: NumberOfClusters = "auto",
        method: str | LoadedMethod = "default",
        *,
        checkpoint: str | None = None,
        top_k: int = 200,
        collection: str | None = None,
        max_other: float = MAX_OTHER,
        strictness: Literal["all", "looser", "usual", "stricter"] = "usual",
        projection: Literal["pca", "umap"] = "pca",
        random_state: int = 0,
        vocabulary: str | PathLike[str] | None = None,
        expected: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> Answer:
        """Find the passages that answer a question, and group them.

        Parameters
        ----------
        question : str or Query
            A `Query` can carry a longer wording.
        n_clusters : int or "auto"
        method : str or LoadedMethod
            Name of a method, ``"default"`` for the one in use, or what `load_method` returned.
        checkpoint : str, optional
            Trained model of the method, by default the one in use.
        top_k : int
            Largest number of passages.
        collection : str, optional
            Searches that part of the library only.
        max_other : float
            Largest share of the passages, 0 to 1, that may fit no group (label -1).
        strictness : {"all", "looser", "usual", "stricter"}
            How surely a passage must be about the question to be grouped; with ``"all"``, all are.
        projection : {"pca", "umap"}
            What places the passages on the map.
        random_state : int
        vocabulary : str or path, optional
            File of preferred terms that groups are named by first, a plain list or SKOS; by default
            the library's own.
        expected : sequence of str
            Subtopics that are to have groups of their own; those that no passage is about get none.
        progress : callable, optional
            Called as ``progress(n_done, n_total)`` by methods that take seconds.

        Returns
        -------
        Answer

        Raises
        ------
        InputError
            If the question is empty or too long, or nothing answers it.
        SubclustError
            If the method cannot be loaded.
        """
        pipeline = load_pipeline(
            self.settings,
            library=self.passages.name,
            method=method,
            checkpoint=checkpoint,
            random_state=random_state,
            encoder=self._encoder,
            vocabulary=None if vocabulary is None else read_terms(Path(vocabulary)),
        )
        query = expecting(as_query(question), expected)
        ranking = pipeline.retrieve(
            query, top_k=top_k, collection=collection, strictness=strictness
        )
        subtopics = pipeline.group(
            ranking,
            n_clusters=n_clusters,
            max_other=max_other,
            projection=projection,
            progress=progress,
        )
        return Answer(
            subtopics,
            pipeline.origin(),
            ranking=ranking,
            pipeline=pipeline,
            settings=self.settings,
            max_other=max_other,
        )

    def __len__(self) -> int:
        """Count the passages."""
        return self.passages.count()

    def __repr__(self) -> str:
        """Name the library and count its passages."""
        return f"<{type(self).__name__} {self.name}: {len(self):,} passages>"

    @cached_property
    def _encoder(self) -> Encoder:
        return shared_encoder(settings_of(self.settings, self.passages))


def open_library(name: str = "demo", *, settings: Settings | None = None) -> Library:
    """Open a library.

    Parameters
    ----------
    name : str
        Its name or id.
    settings : Settings, optional
        By default those of the ``SUBCLUST_*`` environment variables.

    Returns
    -------
    Library

    Raises
    ------
    LibraryNotFoundError
        If there is none of that name; the sentence lists those that there are.
    LibraryError
        If it is damaged.

    Examples
    --------
    >>> subclust.open_library("demo").search("taxes").subtopics.library
    'demo'
    """
    settings = settings or Settings.from_environment()
    check_version(settings.data_dir, __version__)
    id_ = library_id(settings.library_dir, name)
    return Library(PassageLibrary.open(settings.library_dir, id_), settings)


def import_files(
    files: str | PathLike[str] | Sequence[str | PathLike[str]],
    library: str,
    *,
    format: str = "auto",
    collection: str | None = None,
    find_near_duplicates: bool = True,
    progress: ImportProgress | None = None,
    settings: Settings | None = None,
) -> tuple[IngestReport, ...]:
    """Import files into a library, which is made when it is not there.

    What is there already is left as it is, so an import that was interrupted is resumed by the
    same call.

    Parameters
    ----------
    files : path or sequence of paths
        RIS, BibTeX, CSV, MARC and others: see ``python -m subclust import --help``.
    library : str
        Name or id of the library.
    format : str
        Of all files; ``"auto"`` looks at each.
    collection : str, optional
        Part of the library that they become; by default the name of each file.
    find_near_duplicates : bool
        Whether passages that say nearly the same are looked for; all of them are imported.
    progress : callable, optional
        Called as ``progress(n_done, n_total)`` in passages of the file at hand; the total may be
        None.
    settings : Settings, optional
        By default those of the ``SUBCLUST_*`` environment variables.

    Returns
    -------
    tuple of IngestReport
        Of each file: how many passages were imported, and what was refused and why.

    Raises
    ------
    SubclustError
        If a file is not there or of no known format, or the library cannot be written.

    Examples
    --------
    >>> [report] = subclust.import_files("papers.ris", "papers")
    >>> report.n_imported, report.n_refused
    (2, 0)
    >>> len(subclust.open_library("papers"))
    2
    """
    settings = settings or Settings.from_environment()
    check_version(settings.data_dir, __version__)
    given = [files] if isinstance(files, str | PathLike) else files
    id_ = settle_name(settings.library_dir, library)
    encoder = shared_encoder(with_own_encoder(settings, id_))
    done = ingest_files(
        [Path(one) for one in given],
        encoder,
        settings.library_dir,
        id_,
        format=format,
        collection=collection,
        find_near_duplicates=find_near_duplicates,
        progress=lambda path: progress,
    )
    reports = tuple(one.report for one in done)
    # No library is made if nothing could be imported.
    if id_ in PassageLibrary.names(settings.library_dir):
        prepare_search(settings, encoder, id_)
    return reports


def prepare_search(
    settings: Settings,
    encoder: Encoder,
    library: str,
    progress: Callable[[str], ImportProgress | None] | None = None,
) -> CheckpointError | None:
    """Encode all that a library's first query would otherwise wait for.

    That is the words of which names are made and, for the default method, the passages anew. What
    is there already is not encoded again; without a default method the passages are left alone.

    Parameters
    ----------
    settings : Settings
    encoder : Encoder
    library : str
        Its id.
    progress : callable, optional
        Given what is encoded, returns the function that is told how far that is.

    Returns
    -------
    CheckpointError or None
        Why there is no default method, if there is none.
    """
    told = progress or (lambda what: None)
    found = PassageLibrary.open(settings.library_dir, library).passages()
    texts = [passage.text for passage in found.passages]
    encoder.encode(vocabulary(texts), progress=told(Message("Encoding words for names")))
    try:
        method = load_method("default", CheckpointStore.of(settings), encoder)
    except CheckpointError as error:
        return error
    if method.encoder.revision != encoder.revision:
        label = Message("Encoding for {method}", method=method.card.label)
        # The library's own vectors: computed again in other batches, they would differ in the last
        # digits, and so would maps.
        known = {encoder.revision: found.embeddings}
        method.encoder.encode_beside(texts, known, progress=told(label))
    return None
