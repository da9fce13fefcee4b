"""Encoders as ONNX files on disk, made once by torch.onnx and never taken half-written."""

import hashlib
import json
import logging
import os
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import FileLock, Timeout

from subclust.core.exceptions import EncoderError
from subclust.core.records import FloatArray
from subclust.text.encoders.backends import BACKENDS
from subclust.text.encoders.quantising import ALPHA, CALIBRATION, quantise_apart, quantise_dynamic
from subclust.text.encoders.runtimes import take_runtime

if TYPE_CHECKING:
    from subclust.text.encoders.sentence import SentenceEncoder

OPSET = 23
"""The first with an operator for attention, which the runtimes then compute in one piece."""

PROBES = (
    "",
    "A cat",
    "  THE OLD Library, of Alexandria ",
    "Überblick: Städte an der Donau",
    "42 maps & 7 globes (1765)",
    "日本の図書館",
)
"""Texts whose vectors are kept beside the file: whoever opens it computes them again."""

PROBE_TOKENS = 8
"""Word pieces of them that are read: the fewest that any setting allows."""

_FORMAT = 1
_INPUTS = ("input_ids", "attention_mask")
_WAIT_SECONDS = 900.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Exported:
    """An encoder on disk.

    Parameters
    ----------
    model : Path
        ONNX: ``input_ids`` and ``attention_mask`` of shape (n_texts, n_tokens), int64, to
        ``vectors`` of shape (n_texts, embedding_dim), float32.
    embedding_dim : int
    probes : ndarray of shape (n_probes, embedding_dim)
        What PyTorch in float32 gave for `PROBES`.
    sha256 : str
        Of the file when it was written; empty where that was not noted.
    """

    model: Path
    embedding_dim: int
    probes: FloatArray
    sha256: str = ""

    def is_whole(self) -> bool:
        """Return whether the file is what was written, as far as can be known."""
        try:
            return _digest(self.model) == self.sha256
        except OSError:
            return False


def exported(encoder: "SentenceEncoder", folder: Path, precision: str = "float32") -> Exported:
    """Find an encoder's export, or make it; the first time takes about half a minute.

    Its folder is named after the encoder, its weights and configuration, the precision and the
    versions that made it. It is written under another name and renamed when it is whole, and one
    process makes it while the others wait.

    Parameters
    ----------
    encoder : SentenceEncoder
        Without replaced layers.
    folder : Path
        Of all exports; made when needed.
    precision : {"float32", "int8", "int8-static"}
        With ``"int8"`` the matrices of weights are whole numbers of 8 bits, and what they are
        multiplied with is rounded to such as it comes (dynamic quantisation). The range of that is
        taken from the whole batch, so a text's vector depends a little on the texts beside it.
        With ``"int8-static"`` it was taken from `CALIBRATION`, once.

    Raises
    ------
    EncoderError
        If it cannot be exported or written.
    """
    place = folder / _key(encoder, precision)
    try:
        found = _read(place)
        if found is not None:
            return found
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{place.name}.lock", timeout=_WAIT_SECONDS):
            return _read(place) or _make(encoder, folder, place, precision)
    except (OSError, Timeout) as error:
        raise EncoderError(
            "The exported encoder {place} cannot be written or read ({error}); make room and "
            "check the rights of that folder, or set SUBCLUST_ENCODER_BACKEND to torch.",
            place=place,
            error=error,
        ) from error


def is_exported(encoder: "SentenceEncoder", folder: Path, precision: str = "float32") -> bool:
    """Return whether `exported` would find the export and need not make it."""
    try:
        return _read(folder / _key(encoder, precision)) is not None
    except OSError:
        return False


def _key(encoder: "SentenceEncoder", precision: str) -> str:
    """Name a folder after all that an export depends on."""
    packages = ["torch", "transformers", "sentence-transformers", "onnx", "onnxscript"]
    if precision != "float32":
        packages.append("onnxruntime")
    told = [f"{_FORMAT} {OPSET}", encoder.weights_sha256]
    told += [f"{name} {version(name)}" for name in packages]
    if precision == "int8-static":
        told += [str(encoder.max_seq_length), str(ALPHA), *CALIBRATION]
    for file in sorted(encoder.folder.rglob("*.json")):
        told.append(f"{file.relative_to(encoder.folder)} {_digest(file)}")
    digest = hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]
    return f"{Path(encoder.name).name}-{precision}-{digest}"


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read(place: Path) -> Exported | None:
    """Read an export; None where there is none that is whole."""
    try:
        told = json.loads((place / "export.json").read_text(encoding="utf-8"))
        if (place / "model.onnx").stat().st_size != told["n_bytes"]:
            return None
        probes = np.asarray(told["probes"], dtype=np.float32)
        if probes.ndim != 2 or len(probes) != len(PROBES):
            return None
        return Exported(place / "model.onnx", probes.shape[1], probes, told.get("sha256", ""))
    except (FileNotFoundError, NotADirectoryError, ValueError, KeyError, TypeError):
        return None


def _make(encoder: "SentenceEncoder", folder: Path, place: Path, precision: str) -> Exported:
    partial = folder / f"{place.name}.partial"
    for old in (partial, place):  # of a process that was killed, or cut short since
        shutil.rmtree(old, ignore_errors=True)
    partial.mkdir()
    model = partial / "model.onnx"
    if precision != "float32":
        whole = exported(encoder, folder)
        _quantise(encoder, whole.model, model, precision)
        probes = whole.probes
    else:
        _log.info("Exporting the encoder %s; this is done once.", encoder.name)
        probes = _export(encoder, model)
    told: dict[str, Any] = {
        "encoder": encoder.name,
        "precision": precision,
        "n_bytes": model.stat().st_size,
        "sha256": _digest(model),
        "probes": probes.tolist(),
    }
    with (partial / "export.json").open("w", encoding="utf-8") as stream:
        json.dump(told, stream)
        stream.flush()
        os.fsync(stream.fileno())
    with model.open("rb") as written:
        os.fsync(written.fileno())
    partial.rename(place)
    return Exported(place / "model.onnx", probes.shape[1], probes, told["sha256"])


def _export(encoder: "SentenceEncoder", file: Path) -> FloatArray:
    """Write the ONNX file and give the vectors of the probes."""
    import torch

    model = encoder.fresh_model().cpu().eval()
    if model.default_prompt_name is not None:
        raise EncoderError(
            "The encoder {encoder} puts a prompt before each text, which only PyTorch does here; "
            "set SUBCLUST_ENCODER_BACKEND to torch.",
            encoder=encoder.name,
        )
    model.max_seq_length = PROBE_TOKENS
    with torch.inference_mode():
        probes = model.encode(list(PROBES), show_progress_bar=False, normalize_embeddings=True)

    class Vectors(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> Any:
            features = {"input_ids": input_ids, "attention_mask": attention_mask}
            return self.model(features)["sentence_embedding"]

    # Two texts: torch.export would make a constant of a size of 1.
    n_tokens = torch.tensor([[7], [5]])
    mask = (torch.arange(7)[None, :] < n_tokens).long()
    free = torch.export.Dim.DYNAMIC
    try:
        with _quietly(), torch.no_grad():
            program = torch.onnx.export(
                Vectors().eval(),
                (torch.ones_like(mask), mask),
                input_names=list(_INPUTS),
                output_names=["vectors"],
                dynamic_shapes=({0: free, 1: free}, {0: free, 1: free}),
                opset_version=OPSET,
                verbose=False,
            )
            if program is None:
                raise ValueError("nothing was made")
            program.save(file)
    except OSError:
        raise
    except Exception as error:  # the exporter raises anything at all
        first = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise EncoderError(
            "The encoder {encoder} cannot be exported ({first}); set SUBCLUST_ENCODER_BACKEND to "
            "torch.",
            encoder=encoder.name,
            first=first[0][:200],
        ) from error
    return np.asarray(probes, dtype=np.float32)


def _quantise(encoder: "SentenceEncoder", whole: Path, file: Path, precision: str) -> None:
    if precision == "int8":
        take_runtime(BACKENDS["onnx-int8"])
        with _quietly():
            quantise_dynamic(whole, file)
        return
    tokenizer = encoder.fresh_model().tokenizer
    feeds = []
    for start in range(0, len(CALIBRATION), 4):
        found = tokenizer(
            list(CALIBRATION[start : start + 4]),
            truncation=True,
            max_length=encoder.max_seq_length,
            padding=True,
            return_tensors="np",
        )
        feeds.append({name: found[name].astype(np.int64) for name in _INPUTS})
    quantise_apart(whole, file, feeds)


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep what the libraries say to their developers from users."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "torch.export", "onnxscript")]
    root, levels = logging.getLogger(), [logger.level for logger in loggers]
    before = root.level
    try:
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        root.setLevel(max(before, logging.ERROR))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        root.setLevel(before)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
