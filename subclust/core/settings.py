"""What the machine offers: folders, device, offline flag. The only reader of ``os.environ``."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from subclust.core import variables
from subclust.core.exceptions import SettingsError
from subclust.core.live import LiveAccess, live_sources
from subclust.core.logs import LogForm
from subclust.core.messages import N_
from subclust.core.storage import StoragePath

Device = Literal["cuda", "mps", "cpu"]

_PACKAGE = Path(__file__).resolve().parents[1]
PROJECT_ROOT = _PACKAGE.parent
"""The folder that the package lies in: a checkout, or the site's packages."""

IS_CHECKOUT = (PROJECT_ROOT / "pyproject.toml").is_file()
SHIPPED = PROJECT_ROOT if IS_CHECKOUT else _PACKAGE / "shipped"
"""Where the shipped models are, and the configuration of Streamlit."""

SHIPPED_MODELS = SHIPPED / "models"

APPROXIMATE_BACKENDS = ("onnx-int8", "openvino-int8")
"""Those whose vectors do not stand for the others'; their names end the encoder's revision."""
_EXACT = ("torch", "torch-bf16", "onnx", "openvino", "openvino-bf16")
ENCODER_BACKENDS = ("auto", *_EXACT, *APPROXIMATE_BACKENDS)
"""What may compute the embeddings; see ``subclust.text.encoders.backends``."""


def _usual_data_dir() -> Path:
    """Return a checkout's ``data`` folder, else the user's folder for the data of programs."""
    if IS_CHECKOUT:
        return PROJECT_ROOT / "data"
    from platformdirs import user_data_path

    return user_data_path("subclust", appauthor=False)


class _Below:
    """A folder in the data folder."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, settings: "Settings", kind: type) -> Path:
        return settings.data_dir / self.name


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
        Encoder: the embedded ``all-MiniLM-L6-v2``, ``e5-small`` of the extra ``e5``, another
        sentence-transformers name, or a folder.
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
    names : {"headings", "words", "language-model"}
        What names groups: ``headings``, with the encoder; ``words``, without it; or
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
    accounts : Path or None
        TOML file that says how people sign in to the app and what each may do; see
        `subclust.core.accounts.read_accounts`. Without it there are no accounts.
    api : bool
        Whether the server of the pages also answers programs, under ``/api/v1``.
    api_origins : tuple of str
        Sites whose pages may ask the API, such as ``https://catalogue.example``.
    metrics_port : int
        Port of this machine on which the app serves metrics for Prometheus; 0 for none.
    log : {"quiet", "text", "json"}
        What the app writes to standard error: ``quiet`` for warnings only; ``text`` or ``json`` for
        a line a request and search as well, with its id and times and nothing that was asked.
    read_only : bool
        Whether the app's pages only show and change nothing; commands are not affected.
    shipped_models_dir : Path
        Folder of the models that came with Subclust, which are only read.
    """

    data_dir: Path = field(default_factory=_usual_data_dir)
    models_dir: Path = field(default_factory=lambda: _usual_data_dir() / "models")
    benchmark_data_dir: Path | None = None
    encoder: str = "all-MiniLM-L6-v2"
    max_seq_length: int = 128
    device: Literal["auto", "cuda", "mps", "cpu"] = "auto"
    offline: bool = True
    jobs_backend: str = "local"
    llm_url: str = ""
    llm_model: str = ""
    llm_key: str = field(default="", repr=False)
    names: Literal["headings", "words", "language-model"] = "headings"
    live: tuple[LiveAccess, ...] = ()
    live_cache_hours: float = 24.0
    n_workers: int = 1
    local_worker: int = 0
    libraries: Path | None = None
    encoder_backend: str = "auto"
    hosts: tuple[str, ...] = ()
    embed_in: tuple[str, ...] = ()
    accounts: Path | None = None
    api: bool = False
    api_origins: tuple[str, ...] = ()
    metrics_port: int = 0
    log: LogForm = "quiet"
    read_only: bool = False
    # A lambda, so that the constant is looked up late: the tests replace it.
    shipped_models_dir: Path = field(default_factory=lambda: SHIPPED_MODELS)

    embeddings_dir = _Below("embeddings")
    """Folder of the embedding cache."""
    encoders_dir = _Below("encoders")
    """Folder of encoders that were unpacked, or exported for ONNX Runtime and OpenVINO."""
    jobs_dir = _Below("jobs")
    """Folder of the background jobs."""
    sets_dir = _Below("sets")
    """Folder of the labelled sets that are kept."""
    corrections_dir = _Below("corrections")
    """Folder of the corrections that are saved."""
    sessions_dir = _Below("sessions")
    """Folder of the answers that somebody has saved."""
    live_dir = _Below("live")
    """Folder of what live sources have answered, and of when each may be asked again."""
    uploads_dir = _Below("uploads")
    """Folder of the files that somebody has uploaded to import, until they are in a library."""
    harvests_dir = _Below("harvests")
    """Folder of the harvests, each with how far it has come."""
    bin_dir = _Below("bin")
    """Folder of what was deleted and can be put back for 30 days."""
    audit_dir = _Below("audit")
    """Folder of who changed what, where people sign in."""
    tokens_dir = _Below("tokens")
    """Folder of the access tokens, of which nothing is kept but a hash."""
    themes_dir = _Below("themes")
    """Folder of the themes that were found of whole collections."""

    @property
    def library_dir(self) -> Path:
        """Folder of the passage libraries, or their place in object storage."""
        return self.libraries or self.data_dir / "library"

    def live_access(self, name: str) -> LiveAccess | None:
        """Return how a live source is asked; None where it is not switched on."""
        return next((access for access in self.live if access.name == name), None)

    @classmethod
    def from_environment(cls) -> "Settings":
        """Read ``SUBCLUST_*`` environment variables, and torchrun's, over the defaults.

        Raises
        ------
        SettingsError
            If a variable has a value that cannot be used; the sentence names it.
        """
        given: dict[str, Any] = {}
        for field_, (variable, read) in _VARIABLES.items():
            text = os.environ.get(variable)
            if text or text is not None and read is variables.flag:  # an empty flag is off
                given[field_] = read(variable, text)
        if "data_dir" in given:
            given.setdefault("models_dir", given["data_dir"] / "models")
        return cls(**given)

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
        # A job started by one of torchrun's workers must not take itself for a worker of that run.
        rest = {k: v for k, v in os.environ.items() if k not in ("WORLD_SIZE", "LOCAL_RANK")}
        return {**rest, **own}

    def variables(self) -> dict[str, str]:
        """Return the ``SUBCLUST_*`` variables that make these settings, with whole file names.

        Those of the language model are not among them: jobs ask none, and a key must not lie in
        their records. Those of the live sources are in the environment that a job inherits.
        """

        def whole(path: Path | None) -> str:
            if path is None or isinstance(path, StoragePath):
                return str(path or "")
            return str(path.absolute())

        # Another machine may have the project elsewhere.
        usual = self.shipped_models_dir == SHIPPED / "models"
        shipped = None if usual else self.shipped_models_dir
        encoder = Path(self.encoder)
        return {
            "SUBCLUST_DATA_DIR": whole(self.data_dir),
            "SUBCLUST_LIBRARIES": whole(self.libraries),
            "SUBCLUST_MODELS_DIR": whole(self.models_dir),
            "SUBCLUST_SHIPPED_MODELS_DIR": whole(shipped),
            "SUBCLUST_BENCHMARK_DATA_DIR": whole(self.benchmark_data_dir),
            "SUBCLUST_ENCODER": whole(encoder) if encoder.is_dir() else self.encoder,
            "SUBCLUST_ENCODER_BACKEND": self.encoder_backend,
            "SUBCLUST_MAX_SEQ_LENGTH": str(self.max_seq_length),
            "SUBCLUST_DEVICE": self.device,
            "SUBCLUST_OFFLINE": "1" if self.offline else "0",
            "SUBCLUST_ACCOUNTS": whole(self.accounts),
            "SUBCLUST_API": "1" if self.api else "0",
            "SUBCLUST_METRICS_PORT": str(self.metrics_port),
            "SUBCLUST_LOG": self.log,
            "SUBCLUST_READ_ONLY": "1" if self.read_only else "0",
            "SUBCLUST_JOBS": self.jobs_backend,
            "SUBCLUST_HOSTS": " ".join(self.hosts),
        }

    def resolve_device(self) -> Device:
        """Return the torch device to use: cuda, then mps, then cpu, unless one was asked for.

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
    # One of the two values that PyTorch's deterministic algorithms accept. cuBLAS reads it when it
    # is first used, so it has to be set before that.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")


def storage_endpoint() -> str:
    """Return the address of the object storage, as AWS's own programs are told it; "" for AWS's."""
    return os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")


def keep_ray_to_itself() -> None:
    """Have a Ray that is started from here tell nobody that it is used."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


_DEVICE = N_("SUBCLUST_DEVICE must be auto, cuda, mps or cpu, but is {value!r}.")
_BACKEND = N_("SUBCLUST_ENCODER_BACKEND must be {allowed}, but is {value!r}.")
_LOG = N_("SUBCLUST_LOG must be quiet, text or json, but is {value!r}.")
_NAMES = N_("SUBCLUST_NAMES must be headings, words or language-model, but is {value!r}.")
_JOBS = N_(
    "SUBCLUST_JOBS must be 'local' or the address of a Ray cluster such as "
    "http://localhost:8265, but is {value!r}."
)
_LLM_URL = N_(
    "SUBCLUST_LLM_URL must be an address such as http://localhost:11434/v1, without a key in "
    "it, but is {value!r}."
)
_VARIABLES: dict[str, tuple[str, variables.Reader]] = {
    "data_dir": ("SUBCLUST_DATA_DIR", variables.folder),
    "libraries": ("SUBCLUST_LIBRARIES", variables.library_folder),
    "models_dir": ("SUBCLUST_MODELS_DIR", variables.folder),
    "shipped_models_dir": ("SUBCLUST_SHIPPED_MODELS_DIR", variables.folder),
    "benchmark_data_dir": ("SUBCLUST_BENCHMARK_DATA_DIR", variables.folder),
    "encoder": ("SUBCLUST_ENCODER", variables.text),
    "encoder_backend": (
        "SUBCLUST_ENCODER_BACKEND",
        variables.matching(
            "|".join(ENCODER_BACKENDS), _BACKEND, allowed=", ".join(ENCODER_BACKENDS)
        ),
    ),
    "max_seq_length": ("SUBCLUST_MAX_SEQ_LENGTH", variables.whole(8)),
    "device": ("SUBCLUST_DEVICE", variables.matching("auto|cuda|mps|cpu", _DEVICE)),
    "offline": ("SUBCLUST_OFFLINE", variables.flag),
    "jobs_backend": ("SUBCLUST_JOBS", variables.matching(r"local|https?://[^/\s]+(/.*)?", _JOBS)),
    "llm_url": ("SUBCLUST_LLM_URL", variables.matching(r"https?://[^/\s@]+(/\S*)?", _LLM_URL)),
    "llm_model": ("SUBCLUST_LLM_MODEL", variables.text),
    "llm_key": ("SUBCLUST_LLM_KEY", variables.text),
    "names": ("SUBCLUST_NAMES", variables.matching("headings|words|language-model", _NAMES)),
    "live": ("SUBCLUST_LIVE", lambda _, value: live_sources(value, os.environ)),
    "live_cache_hours": ("SUBCLUST_LIVE_CACHE_HOURS", variables.hours),
    "n_workers": ("WORLD_SIZE", variables.whole(1)),
    "local_worker": ("LOCAL_RANK", variables.whole(0)),
    "hosts": (
        "SUBCLUST_HOSTS",
        variables.several(r"[\w.:\[\]-]+", "names such as search.example.org"),
    ),
    "accounts": ("SUBCLUST_ACCOUNTS", variables.path),
    "api": ("SUBCLUST_API", variables.flag),
    "api_origins": (
        "SUBCLUST_API_ORIGINS",
        variables.several(r"https?://[\w.:\[\]-]+", "sites such as https://example.org"),
    ),
    "metrics_port": ("SUBCLUST_METRICS_PORT", variables.port),
    "log": ("SUBCLUST_LOG", variables.matching("quiet|text|json", _LOG)),
    "read_only": ("SUBCLUST_READ_ONLY", variables.flag),
    "embed_in": (
        "SUBCLUST_EMBED_IN",
        variables.several(r"https?://[\w.:\[\]*-]+", "sites such as https://example.org"),
    ),
}
"""Of each setting, the variable that it is read from and how."""
