"""What the machine offers: folders, device, offline flag. The only reader of ``os.environ``."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from subclust.core.exceptions import SettingsError
from subclust.core.storage import StoragePath, storage_path

Device = Literal["cuda", "mps", "cpu"]

_PACKAGE = Path(__file__).resolve().parents[1]
PROJECT_ROOT = _PACKAGE.parent
"""The folder that the package lies in: a checkout, or the site's packages."""

IS_CHECKOUT = (PROJECT_ROOT / "pyproject.toml").is_file()
SHIPPED = PROJECT_ROOT if IS_CHECKOUT else _PACKAGE / "shipped"
"""Where the shipped models are, and the configuration of Streamlit."""

SHIPPED_MODELS = SHIPPED / "models"

LIVE_SOURCES = ("arxiv", "openalex", "crossref", "europe-pmc", "wikipedia", "oai-pmh", "sru")
"""Services on the network that documents can be asked of, each off until it is switched on."""
APPROXIMATE_BACKENDS = ("onnx-int8", "openvino-int8")
"""Those whose vectors do not stand for the others'; their names end the encoder's revision."""
_EXACT = ("torch", "torch-bf16", "onnx", "openvino", "openvino-bf16")
ENCODER_BACKENDS = ("auto", *_EXACT, *APPROXIMATE_BACKENDS)
"""What may compute the embeddings; see ``subclust.text.encoders.backends``."""

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"", "0", "false", "no", "off"}


def usual_data_dir() -> Path:
    """Return where data lie unless the settings say otherwise.

    In a checkout that is its ``data`` folder; else the user's folder for the data of programs, such
    as ``~/.local/share/subclust``.
    """
    if IS_CHECKOUT:
        return PROJECT_ROOT / "data"
    from platformdirs import user_data_path

    return user_data_path("subclust", appauthor=False)


@dataclass(frozen=True)
class LiveAccess:
    """How a live source that is switched on is asked.

    Parameters
    ----------
    name : str
        One of `LIVE_SOURCES`.
    contact : str
        E-mail or web address that the service may write to; it goes into the User-Agent.
    key : str
        The service's key, ``""`` for none; it goes to the service and nowhere else.
    urls : tuple of str
        Addresses that may be asked instead of the service's own; of an OAI-PMH repository or an
        SRU catalogue, the ones that there are.
    """

    name: str
    contact: str = ""
    key: str = field(default="", repr=False)
    urls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """The machine's side of the configuration, made once by the app or the command line.

    Parameters
    ----------
    data_dir : Path
        Folder of libraries, caches, jobs, sets, corrections and sessions. In a checkout ``data/``,
        otherwise the user's data folder.
    models_dir : Path
        Folder of the models trained or imported here, and of which one is in use. By default
        ``models/`` in the data folder.
    benchmark_data_dir : Path or None
        Folder of the benchmark data sets.
    encoder : str
        Encoder: the embedded ``all-MiniLM-L6-v2``, another sentence-transformers name, or a folder.
    max_seq_length : int
        Word pieces of a passage that the encoder reads, at least 8.
    device : {"auto", "cuda", "mps", "cpu"}
        Device: ``cuda``, ``mps`` or ``cpu``; ``auto`` takes the first one that is there.
    offline : bool
        Whether nothing may be downloaded and no live source asked.
    jobs_backend : str
        What runs background jobs: ``local``, or the address of a Ray cluster such as
        ``http://localhost:8265``.
    llm_url : str
        OpenAI-compatible address of a language model that labels queries or names groups, such as
        ``http://localhost:11434/v1``. None is asked unless address and name are set.
    llm_model : str
        Name of that language model.
    llm_key : str
        Key that it asks for, if any.
    names : {"keyphrases", "words", "language-model"}
        What names groups: ``keyphrases``, ranked by the encoder; ``words``, counted without it; or
        ``language-model``, which receives each question and some passages.
    live : tuple of LiveAccess
        Live sources that are switched on; no other is asked, and none while ``offline`` is True.
    live_cache_hours : float
        Hours for which an answer of a live source is cached; 0 caches none.
    n_workers, local_worker : int
        Number of processes that torchrun or ``accelerate launch`` started to train together, and
        the number of this one on this machine.
    libraries : Path or None
        Folder of the libraries, or their place in object storage such as ``s3://bucket/prefix``. By
        default ``library/`` in the data folder.
    encoder_backend : str
        What computes the embeddings: ``torch``, ``torch-bf16``, ``onnx``, ``onnx-int8``,
        ``openvino``, ``openvino-bf16``, ``openvino-int8``, or ``auto`` for the fastest exact one.
    hosts : tuple of str
        Names by which the app may be asked for, besides those of the machine itself.
    embed_in : tuple of str
        Sites whose pages may show the app in a frame, such as ``https://catalogue.example``.
    read_only : bool
        Whether the app's pages only show and change nothing; commands are not affected.
    shipped_models_dir : Path
        Folder of the models that came with Subclust, which are only read.
    """

    data_dir: Path = field(default_factory=lambda: usual_data_dir())
    models_dir: Path = field(default_factory=lambda: usual_data_dir() / "models")
    benchmark_data_dir: Path | None = None
    encoder: str = "all-MiniLM-L6-v2"
    max_seq_length: int = 128
    device: Literal["auto", "cuda", "mps", "cpu"] = "auto"
    offline: bool = True
    jobs_backend: str = "local"
    llm_url: str = ""
    llm_model: str = ""
    llm_key: str = field(default="", repr=False)
    names: Literal["keyphrases", "words", "language-model"] = "keyphrases"
    live: tuple[LiveAccess, ...] = ()
    live_cache_hours: float = 24.0
    n_workers: int = 1
    local_worker: int = 0
    libraries: Path | None = None
    encoder_backend: str = "auto"
    hosts: tuple[str, ...] = ()
    embed_in: tuple[str, ...] = ()
    read_only: bool = False
    shipped_models_dir: Path = field(default_factory=lambda: SHIPPED_MODELS)

    @property
    def library_dir(self) -> Path:
        """Folder of the passage libraries, or their place in object storage."""
        return self.libraries or self.data_dir / "library"

    @property
    def embeddings_dir(self) -> Path:
        """Folder of the embedding cache."""
        return self.data_dir / "embeddings"

    @property
    def jobs_dir(self) -> Path:
        """Folder of the background jobs."""
        return self.data_dir / "jobs"

    @property
    def sets_dir(self) -> Path:
        """Folder of the labelled sets that are kept."""
        return self.data_dir / "sets"

    @property
    def corrections_dir(self) -> Path:
        """Folder of the corrections that are saved."""
        return self.data_dir / "corrections"

    @property
    def sessions_dir(self) -> Path:
        """Folder of the answers that somebody has saved."""
        return self.data_dir / "sessions"

    @property
    def live_dir(self) -> Path:
        """Folder of what live sources have answered, and of when each may be asked again."""
        return self.data_dir / "live"

    @property
    def uploads_dir(self) -> Path:
        """Folder of the files that somebody has uploaded to import, until they are in a library."""
        return self.data_dir / "uploads"

    @property
    def harvests_dir(self) -> Path:
        """Folder of the harvests, each with how far it has come."""
        return self.data_dir / "harvests"

    @property
    def bin_dir(self) -> Path:
        """Folder of what was deleted and can be put back for a week."""
        return self.data_dir / "bin"

    def live_access(self, name: str) -> LiveAccess | None:
        """Return how a live source is asked; None where it is not switched on."""
        return next((access for access in self.live if access.name == name), None)

    @property
    def themes_dir(self) -> Path:
        """Folder of the themes that were found of whole collections."""
        return self.data_dir / "themes"

    @classmethod
    def from_environment(cls) -> "Settings":
        """Read ``SUBCLUST_*`` environment variables, and torchrun's, over the defaults.

        Returns
        -------
        Settings

        Raises
        ------
        SettingsError
            If a variable has a value that cannot be used; the sentence names it.
        """
        default = cls()
        benchmark = os.environ.get("SUBCLUST_BENCHMARK_DATA_DIR", "")
        libraries = os.environ.get("SUBCLUST_LIBRARIES", "")
        data_dir = Path(os.environ.get("SUBCLUST_DATA_DIR") or default.data_dir)
        return cls(
            data_dir=data_dir,
            libraries=storage_path(libraries) if libraries else None,
            models_dir=Path(os.environ.get("SUBCLUST_MODELS_DIR") or data_dir / "models"),
            shipped_models_dir=Path(
                os.environ.get("SUBCLUST_SHIPPED_MODELS_DIR") or default.shipped_models_dir
            ),
            benchmark_data_dir=Path(benchmark) if benchmark else None,
            encoder=os.environ.get("SUBCLUST_ENCODER") or default.encoder,
            encoder_backend=_encoder_backend(default.encoder_backend),
            max_seq_length=_whole_number("SUBCLUST_MAX_SEQ_LENGTH", default.max_seq_length, 8),
            device=_device(os.environ.get("SUBCLUST_DEVICE") or default.device),
            offline=_flag("SUBCLUST_OFFLINE", default.offline),
            jobs_backend=_backend(os.environ.get("SUBCLUST_JOBS") or default.jobs_backend),
            llm_url=_address(os.environ.get("SUBCLUST_LLM_URL") or default.llm_url),
            llm_model=os.environ.get("SUBCLUST_LLM_MODEL") or default.llm_model,
            llm_key=os.environ.get("SUBCLUST_LLM_KEY") or default.llm_key,
            names=_names(os.environ.get("SUBCLUST_NAMES") or default.names),
            live=_live_sources(os.environ.get("SUBCLUST_LIVE", "")),
            live_cache_hours=_hours("SUBCLUST_LIVE_CACHE_HOURS", default.live_cache_hours),
            n_workers=_whole_number("WORLD_SIZE", default.n_workers, 1),
            local_worker=_whole_number("LOCAL_RANK", default.local_worker, 0),
            hosts=_several("SUBCLUST_HOSTS", r"[\w.:\[\]-]+", "names such as search.example.org"),
            read_only=_flag("SUBCLUST_READ_ONLY", default.read_only),
            embed_in=_several(
                "SUBCLUST_EMBED_IN", r"https?://[\w.:\[\]*-]+", "sites such as https://example.org"
            ),
        )

    def to_environment(self) -> dict[str, str]:
        """Return an environment in which another process, of whatever folder, has these settings.

        Returns
        -------
        dict
            This process's environment, with ``SUBCLUST_*`` and the place of the package set.
        """
        own = self.variables()
        paths = [str(PROJECT_ROOT), os.environ.get("PYTHONPATH", "")]
        own["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        rest = {k: v for k, v in os.environ.items() if k not in ("WORLD_SIZE", "LOCAL_RANK")}
        return {**rest, **own}

    def variables(self) -> dict[str, str]:
        """Return the ``SUBCLUST_*`` variables that make these settings, with whole file names.

        Those of the language model are not among them: jobs ask none, and a key must not lie in
        their records. Those of the live sources are in the environment that a job inherits.
        """
        return {
            "SUBCLUST_DATA_DIR": str(self.data_dir.absolute()),
            "SUBCLUST_LIBRARIES": self._libraries(),
            "SUBCLUST_MODELS_DIR": str(self.models_dir.absolute()),
            "SUBCLUST_SHIPPED_MODELS_DIR": self._shipped_models(),
            "SUBCLUST_BENCHMARK_DATA_DIR": (
                str(self.benchmark_data_dir.absolute()) if self.benchmark_data_dir else ""
            ),
            "SUBCLUST_ENCODER": (
                str(Path(self.encoder).absolute()) if Path(self.encoder).is_dir() else self.encoder
            ),
            "SUBCLUST_ENCODER_BACKEND": self.encoder_backend,
            "SUBCLUST_MAX_SEQ_LENGTH": str(self.max_seq_length),
            "SUBCLUST_DEVICE": self.device,
            "SUBCLUST_OFFLINE": "1" if self.offline else "0",
            "SUBCLUST_READ_ONLY": "1" if self.read_only else "0",
            "SUBCLUST_JOBS": self.jobs_backend,
            "SUBCLUST_HOSTS": " ".join(self.hosts),
        }

    def _shipped_models(self) -> str:
        """Return ``""`` for the default: another machine may have the project elsewhere."""
        usual = self.shipped_models_dir == SHIPPED / "models"
        return "" if usual else str(self.shipped_models_dir.absolute())

    def _libraries(self) -> str:
        if self.libraries is None or isinstance(self.libraries, StoragePath):
            return str(self.libraries or "")
        return str(self.libraries.absolute())

    def resolve_device(self) -> Device:
        """Name the torch device to use: cuda, then mps, then cpu, unless one was asked for.

        Raises
        ------
        SettingsError
            If the device that was asked for is not there.
        """
        import torch

        present: dict[Device, bool] = {
            "cuda": torch.cuda.is_available(),
            "mps": torch.backends.mps.is_available(),
            "cpu": True,
        }
        if self.device == "auto":
            return next(name for name, there in present.items() if there)
        if not present[self.device]:
            raise SettingsError(
                "The device {device!r} was asked for but this machine has none; set "
                "SUBCLUST_DEVICE to 'auto' or 'cpu'.",
                device=self.device,
            )
        return self.device


def let_cublas_repeat() -> None:
    """Have cuBLAS give the same each time; what somebody has set counts before."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")


def storage_endpoint() -> str:
    """Return the address of the object storage, as AWS's own programs are told it; "" for AWS's."""
    return os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")


def keep_ray_to_itself() -> None:
    """Have a Ray that is started from here tell nobody that it is used."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def _device(value: str) -> Literal["auto", "cuda", "mps", "cpu"]:
    match value:
        case "auto" | "cuda" | "mps" | "cpu":
            return value
    raise SettingsError(
        "SUBCLUST_DEVICE must be auto, cuda, mps or cpu, but is {value!r}.", value=value
    )


def _encoder_backend(default: str) -> str:
    value = os.environ.get("SUBCLUST_ENCODER_BACKEND") or default
    if value not in ENCODER_BACKENDS:
        allowed = ", ".join(ENCODER_BACKENDS)
        raise SettingsError(
            "SUBCLUST_ENCODER_BACKEND must be {allowed}, but is {value!r}.",
            allowed=allowed,
            value=value,
        )
    return value


def _names(value: str) -> Literal["keyphrases", "words", "language-model"]:
    match value:
        case "keyphrases" | "words" | "language-model":
            return value
    raise SettingsError(
        "SUBCLUST_NAMES must be keyphrases, words or language-model, but is {value!r}.", value=value
    )


def _backend(value: str) -> str:
    if value == "local" or re.fullmatch(r"https?://[^/\s]+(/.*)?", value):
        return value
    raise SettingsError(
        "SUBCLUST_JOBS must be 'local' or the address of a Ray cluster such as "
        "http://localhost:8265, but is {value!r}.",
        value=value,
    )


def _address(value: str) -> str:
    if not value or re.fullmatch(r"https?://[^/\s@]+(/\S*)?", value):
        return value
    raise SettingsError(
        "SUBCLUST_LLM_URL must be an address such as http://localhost:11434/v1, without a key in "
        "it, but is {value!r}.",
        value=value,
    )


def _live_sources(value: str) -> tuple[LiveAccess, ...]:
    names = dict.fromkeys(value.replace(",", " ").split())
    for name in names:
        if name not in LIVE_SOURCES:
            raise SettingsError(
                "SUBCLUST_LIVE must name live sources out of {names}, but names {name!r}.",
                names=", ".join(LIVE_SOURCES),
                name=name,
            )
    return tuple(_live_access(name) for name in names)


def _live_access(name: str) -> LiveAccess:
    ending = name.upper().replace("-", "_")
    contact = os.environ.get(f"SUBCLUST_CONTACT_{ending}") or os.environ.get("SUBCLUST_CONTACT", "")
    if contact and not re.fullmatch(r"[^\s@()<>]+@[^\s@()<>]+|https?://[^\s()<>]+", contact):
        raise SettingsError(
            "SUBCLUST_CONTACT must be an e-mail or web address, but is {contact!r}.",
            contact=contact,
        )
    key = os.environ.get(f"SUBCLUST_KEY_{ending}", "")
    if not re.fullmatch(r"[!-~]*", key):
        raise SettingsError(
            "SUBCLUST_KEY_{ending} must be a key without spaces; copy it again.", ending=ending
        )
    urls = os.environ.get(f"SUBCLUST_URL_{ending}", "").split()
    for url in urls:
        if not is_address(url):
            raise SettingsError(
                "SUBCLUST_URL_{ending} must be an address such as https://example.org/oai, or "
                "several with spaces between them, but has {url!r}.",
                ending=ending,
                url=url,
            )
    return LiveAccess(name, contact, key, tuple(urls))


def is_address(url: str) -> bool:
    """Return whether a text is a web address without name, password or fragment."""
    return re.fullmatch(r"https?://[^/\s@#?]+(/[^\s#]*)?(\?[^\s#]*)?", url) is not None


def _several(name: str, pattern: str, wanted: str) -> tuple[str, ...]:
    values = os.environ.get(name, "").replace(",", " ").split()
    for value in values:
        if not re.fullmatch(pattern, value):
            raise SettingsError(
                "{name} must list {wanted}, but has {value!r}.",
                name=name,
                wanted=wanted,
                value=value,
            )
    return tuple(values)


def _hours(name: str, default: float) -> float:
    value = os.environ.get(name)
    if not value:
        return default
    try:
        hours = float(value)
    except ValueError:
        hours = -1.0
    if not 0 <= hours <= 24 * 366:
        raise SettingsError(
            "{name} must be a number of hours from 0 to 8784, but is {value!r}.",
            name=name,
            value=value,
        )
    return hours


def _flag(name: str, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    raise SettingsError("{name} must be 1 or 0, but is {value!r}.", name=name, value=value)


def _whole_number(name: str, default: int, smallest: int) -> int:
    value = os.environ.get(name)
    if not value:
        return default
    if not value.isdecimal() or int(value) < smallest:
        raise SettingsError(
            "{name} must be a whole number of at least {smallest}, but is {value!r}.",
            name=name,
            smallest=smallest,
            value=value,
        )
    return int(value)
