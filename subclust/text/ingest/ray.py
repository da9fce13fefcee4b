"""An import shared out by Ray Data: tasks read the files, actors encode what was read.

A task or actor that dies, alone or with its machine, is started again by Ray, and what it had not
given yet is done once more; `subclust.text.ingest.committing` stores nothing twice.
"""

import hashlib
import logging
import pickle
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from subclust.core.exceptions import ClusterError, InputError, LibraryError, SettingsError
from subclust.core.records.progress import OpenProgress as Progress
from subclust.core.settings import Settings, keep_ray_to_itself
from subclust.core.storage import StoragePath
from subclust.text.encoders import load_encoder, uncached
from subclust.text.ingest.committing import ingest_shared
from subclust.text.ingest.local import BATCH_SIZE
from subclust.text.ingest.report import IngestReport
from subclust.text.ingest.shares import BlockWriter, ImportedFile, Share, SharedImport, read_shares
from subclust.text.library.imports import ImportLog

HERE = "local"
"""The address of a cluster that is started on this machine for one import."""

_READER_CPUS = 0.5
_WRITER_CPUS = 1
_BLOCK_BYTES = 1 << 20
"""Of what readers give at once: about one batch, so that all writers have something to do."""


@dataclass(frozen=True)
class Workers:
    """Who does an import.

    Parameters
    ----------
    address : str
        `HERE`, ``"auto"`` (the cluster that runs on this machine), or ``"HOST:6379"``.
    count : int or None
        Encoder actors, at least 1, each with a core and, where the cluster has some, a graphics
        card; by default as many as the cluster has cards, or cores but one.
    """

    address: str = HERE
    count: int | None = None


def ingest_on_ray(
    files: tuple[ImportedFile, ...],
    settings: Settings,
    name: str,
    workers: Workers,
    *,
    progress: Progress | None = None,
    batch_size: int = BATCH_SIZE,
    find_near_duplicates: bool = True,
    log: ImportLog | None = None,
) -> list[IngestReport]:
    """Import files with the workers of a Ray cluster.

    Parameters
    ----------
    files : tuple of ImportedFile
        On storage that all machines see, under the same names.
    settings : Settings
        Their libraries likewise, or in object storage.
    name : str
        Of the library.
    workers : Workers
    progress, batch_size, find_near_duplicates, log
        As for `ingest_shared`.

    Returns
    -------
    list of IngestReport
        One a file.

    Raises
    ------
    SettingsError
        If Ray is not installed.
    ClusterError
        If the cluster cannot be reached, or has too little for the workers.
    InputError, LibraryError
        As for `ingest_shared`.
    """
    if workers.count is not None and workers.count < 1:
        raise InputError(
            "There must be at least 1 worker, but there are {count}.", count=workers.count
        )
    files = tuple(replace(one, path=one.path.absolute()) for one in files)
    # Keys stay on this machine.
    told = replace(settings, llm_key="", live=())
    folder = settings.library_dir
    if not isinstance(folder, StoragePath):
        folder = folder.absolute()
    with _connected(workers) as ray, _alone(ray, folder, name):
        count, gpus = _division(ray, workers, settings)

        def engine(work: SharedImport) -> Iterator[Share]:
            return _shares(ray, work, told, count, gpus)

        return ingest_shared(
            files,
            load_encoder(settings),
            folder,
            name,
            engine,
            progress=progress,
            batch_size=batch_size,
            find_near_duplicates=find_near_duplicates,
            log=log,
        )


class _Writer:
    """An encoder actor of Ray Data."""

    def __init__(self, work: SharedImport, settings: Settings) -> None:
        self.writer = BlockWriter(work, lambda: uncached(load_encoder(settings)))

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """Encode one share."""
        return {"share": pickle.dumps(self.writer.write(pickle.loads(row["share"])))}


def _shares(
    ray: Any, work: SharedImport, settings: Settings, count: int, gpus: int
) -> Iterator[Share]:
    """Return the shares as workers finish them."""
    import ray.data as ray_data

    context = ray_data.DataContext.get_current()
    context.enable_progress_bars = False
    context.target_max_block_size = _BLOCK_BYTES

    def read(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for share in read_shares(work, int(row["file"])):
            yield {"share": pickle.dumps(share)}

    n_files = len(work.files)
    rows = ray_data.from_items(
        [{"file": file} for file in range(n_files)], override_num_blocks=n_files
    )
    # Readers ask for another share of a core than actors: else Ray Data fuses them, and each file
    # would be read within one actor.
    shares = rows.flat_map(read, num_cpus=_READER_CPUS).map(
        _Writer,
        fn_constructor_args=(work, settings),
        compute=ray_data.ActorPoolStrategy(size=count),
        num_cpus=_WRITER_CPUS,
        num_gpus=gpus,
    )
    try:
        for row in shares.iter_rows():
            yield pickle.loads(row["share"])
    except ray.exceptions.RayError as error:
        last = str(error).strip().splitlines()[-1:]
        raise ClusterError(
            "The Ray cluster failed ({names}); start the import again: it continues where it "
            "stopped.",
            names=" ".join(last),
        ) from error


def imported_ray() -> Any:
    """Import Ray so that it tells nobody of its use.

    Raises
    ------
    SettingsError
        If it is not installed.
    """
    keep_ray_to_itself()
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise SettingsError(
            "Ray is not installed here; run pip install 'subclust[ray]', or leave '--engine ray' "
            "out."
        ) from error
    return ray


@contextmanager
def _connected(workers: Workers) -> Iterator[Any]:
    """Join the cluster, or start one on this machine, for the time of an import."""
    ray = imported_ray()
    options: dict[str, Any] = {"address": workers.address}
    if workers.address == HERE and workers.count is not None:
        options["num_cpus"] = workers.count * _WRITER_CPUS + 1
    # A cluster that this process had joined before is used, and not left at the end.
    joined = ray.is_initialized()
    try:
        if not joined:
            with warnings.catch_warnings():
                # LanceDB warns of forks that go on using it; Ray forks only to start other
                # programs.
                warnings.filterwarnings("ignore", "lancedb fork support", RuntimeWarning)
                ray.init(
                    namespace="subclust",
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    **options,
                )
    except (ConnectionError, RuntimeError, ValueError) as error:
        last = str(error).strip().splitlines()[-1:]
        raise ClusterError(
            "The Ray cluster at {address} cannot be joined ({names}); check whether 'ray "
            "start' was run on this machine too.",
            address=workers.address,
            names=" ".join(last),
        ) from error
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray
    finally:
        if not joined:
            ray.shutdown()


@contextmanager
def _alone(ray: Any, folder: Path, library: str) -> Iterator[None]:
    """Be the only import of the cluster into a library; that ends with this process at the latest.

    In object storage it takes the place of the lock, which is a file.
    """
    place = hashlib.sha256(f"{folder}\n{library}".encode()).hexdigest()[:16]
    # It only holds the name, and must take no core from the workers.
    claim = ray.remote(num_cpus=0)(_Claim)
    try:
        held = claim.options(name=f"import-{place}").remote()
        ray.get(held.hold.remote())
    except (ValueError, ray.exceptions.RayError) as error:
        raise LibraryError(
            "The library {library!r} is in use by another import of this cluster; wait for that "
            "import to end, or stop it, and try again.",
            library=library,
        ) from error
    try:
        yield
    finally:
        ray.kill(held)


class _Claim:
    """An actor that does nothing; of one name there is one."""

    def hold(self) -> None:
        """Be there."""


def _division(ray: Any, workers: Workers, settings: Settings) -> tuple[int, int]:
    """Return how many encoder actors there are, and how many graphics cards each of them has."""
    there = ray.cluster_resources()
    cards = 0 if settings.device in ("cpu", "mps") else int(there.get("GPU", 0))
    cores = int(there.get("CPU", 0))
    most = max(0, min(cards, cores - 1) if cards else cores - 1)
    count = workers.count or max(1, most)
    if count > most:
        raise ClusterError(
            "The cluster has {cores} cores and {cards} graphics cards; that is enough for {most} "
            "workers, since one core reads the files.",
            cores=cores,
            cards=cards,
            most=most,
        )
    return count, int(cards > 0)
