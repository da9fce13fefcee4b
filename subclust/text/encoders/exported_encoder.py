"""The plain sentence encoder, computed by ONNX Runtime or OpenVINO instead of PyTorch."""

import logging
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from subclust.core.exceptions import EncoderError
from subclust.core.records import FloatArray, Query
from subclust.core.records.progress import Progress
from subclust.core.storage.cache_file import DAMAGED, set_aside, tell_once
from subclust.text.encoders.backends import Backend
from subclust.text.encoders.batches import in_token_batches, many_threads
from subclust.text.encoders.exported import PROBE_TOKENS, PROBES, Exported, exported, is_exported
from subclust.text.encoders.runtimes import Run, Tokens, open_model, serving, take_runtime
from subclust.text.encoders.sentence import EMBEDDED_MODEL, SHORT, SentenceEncoder, native_precision

TOKENS_AT_ONCE = 2048
"""Word pieces, padding counted, that go through the model at once."""


_log = logging.getLogger(__name__)


class ExportedEncoder(SentenceEncoder):
    """A sentence-transformers model that another runtime computes on the processor.

    It is exported at the first text that is encoded, once for a machine, and each time it is
    opened some vectors are compared with those of PyTorch. A damaged export is set aside and made
    anew, and where none can be written PyTorch computes, unless its vectors would be others.
    Where the process has loaded the other
    runtime, that one computes in float32 what does not have to be rounded (`serving`). What is
    learnt from it, or replaces layers of it, stays in PyTorch: `tuned` and `tunable` take its
    weights.

    Parameters
    ----------
    model : str
        As for `SentenceEncoder`.
    backend : Backend
        One that is not PyTorch and can be used here.
    exports : Path
        Folder of the exports.
    max_seq_length : int
    offline : bool

    Raises
    ------
    EncoderError
        If the weights cannot be had or are not the published ones.
    """

    def __init__(
        self,
        model: str = EMBEDDED_MODEL,
        *,
        backend: Backend,
        exports: Path,
        max_seq_length: int = 128,
        offline: bool = True,
    ) -> None:
        super().__init__(
            model,
            device="cpu",
            max_seq_length=max_seq_length,
            offline=offline,
            precision=backend.precision,
            unpacked=exports,
        )
        if backend.approximate:
            self.revision += f"-{backend.name}"
        self.backend = backend
        self.exports = exports
        self._exported: Exported | None = None
        self._without = False
        self._tokenizer: Any = None
        self._runs: dict[int, Run] = {}
        self._lock = threading.RLock()

    @property
    def embedding_dim(self) -> int:  # type: ignore[override]
        """Length of the vectors."""
        exported = self._export()
        return super().embedding_dim if exported is None else exported.embedding_dim

    @property
    def prepared(self) -> bool:
        """Whether it has been exported on this machine, so that the first text need not wait."""
        if self._without or self._exported is not None:
            return True
        return is_exported(self, self.exports, self._export_precision)

    def prepare(self) -> None:
        """Export it now, unless that has been done; this takes about half a minute.

        Raises
        ------
        EncoderError
            If it cannot be exported or written.
        """
        serving(self.backend)  # what cannot be had is told before half a minute's export
        self._export()

    @property
    def _export_precision(self) -> str:
        if self.backend.precision != "int8":
            return "float32"
        return "int8" if self.backend.extra == "onnx" else "int8-static"

    def _export(self) -> Exported | None:
        """Find or make the export; None where it cannot be written and PyTorch takes its place."""
        with self._lock:
            if self._exported is None and not self._without:
                try:
                    self._exported = exported(self, self.exports, self._export_precision)
                except EncoderError as error:
                    # PyTorch stands in only where the disk refuses, and never for vectors that are
                    # rounded.
                    if self.backend.approximate or not isinstance(error.__cause__, OSError):
                        raise
                    self._without = True
                    self.precision = native_precision(self.device)
                    tell_once(
                        _log,
                        "No exported encoder can be kept in %s, so that PyTorch computes (%s).",
                        self.exports,
                        error.__cause__,
                    )
            return self._exported

    def _run(self, n_threads: int) -> Run | None:
        """Return the model on so many threads: a runtime's number is fixed when it is opened."""
        with self._lock:
            if n_threads not in self._runs:
                self.prepare()
                opened = self._export()
                if opened is None:
                    return None
                try:
                    run = self._opened(opened, n_threads)
                except EncoderError as error:
                    if not self._set_aside(opened, error):
                        raise
                    anew = self._export()
                    if anew is None:
                        return None
                    run = self._opened(anew, n_threads)
                self._runs[n_threads] = run
            return self._runs[n_threads]

    def _opened(self, export: Exported, n_threads: int) -> Run:
        served = self.backend
        try:
            served = take_runtime(self.backend)
            run = open_model(served, export.model, n_threads)
            self._check(run, served, export)
        except EncoderError:
            raise
        except Exception as error:  # the runtimes raise anything at all
            raise EncoderError(
                "{label} cannot compute the exported encoder {model} ({error}); set "
                "SUBCLUST_ENCODER_BACKEND to torch.",
                label=served.label,
                model=export.model,
                error=error,
            ) from error
        self.precision = served.precision
        return run

    def _set_aside(self, export: Exported, error: EncoderError) -> bool:
        """Set an export aside whose file is not what was written; return whether it was."""
        if export.is_whole():
            return False
        place = export.model.parent
        try:
            shutil.rmtree(place.with_name(f"{place.name}{DAMAGED}"), ignore_errors=True)
            set_aside(place)
        except OSError:
            return False
        self._exported = None
        _log.warning("The exported encoder %s was damaged and is made anew (%s).", place, error)
        return True

    def _check(self, run: Run, served: Backend, export: Exported) -> None:
        """Compare some vectors with those of PyTorch: versions, processors and files may be off."""
        expected = export.probes
        tokens = self._tokens(PROBES, PROBE_TOKENS)
        found = self._checked(run(*self._padded(tokens)))
        cosine = float((found * expected).sum(axis=1).min())
        if not cosine >= served.least_cosine:
            raise EncoderError(
                "{label} gives other vectors than PyTorch for the encoder {name} (cosine "
                "{cosine:.5f}, at least {least_cosine} is needed), so it is not used; set "
                "SUBCLUST_ENCODER_BACKEND to torch.",
                label=served.label,
                name=self.name,
                cosine=cosine,
                least_cosine=served.least_cosine,
            )

    def _encode(
        self, texts: Sequence[str], query: Query | None, progress: Progress | None
    ) -> FloatArray:
        tokens = self._tokens(texts, self.max_seq_length)
        lengths = np.asarray([len(ids) for ids in tokens], dtype=np.float32)
        short = len(texts) * lengths.max(initial=0) <= SHORT
        run = self._run(1 if short else many_threads())
        if run is None:
            return super()._encode(texts, query, progress)
        return in_token_batches(
            lengths,
            TOKENS_AT_ONCE,
            self.embedding_dim,
            lambda batch: run(*self._padded([tokens[i] for i in batch])),
            progress,
        )

    def _tokens(self, texts: Sequence[str], max_length: int) -> list[list[int]]:
        with self._lock:  # its truncation is a state of its own
            if self._tokenizer is None:
                from transformers import AutoTokenizer

                self._tokenizer = AutoTokenizer.from_pretrained(
                    str(self.folder), local_files_only=True
                )
            found = self._tokenizer(
                list(texts), truncation=True, max_length=max_length, padding=False
            )
            ids: list[list[int]] = found["input_ids"]
            return ids

    def _padded(self, tokens: Sequence[Sequence[int]]) -> tuple[Tokens, Tokens]:
        """Return ``input_ids`` and ``attention_mask``, both of shape (n_texts, n_tokens)."""
        lengths = np.asarray([len(ids) for ids in tokens])
        mask = np.arange(lengths.max()) < lengths[:, None]
        filled = np.full(mask.shape, self._tokenizer.pad_token_id or 0, dtype=np.int64)
        filled[mask] = np.concatenate([np.asarray(ids, dtype=np.int64) for ids in tokens])
        return filled, mask.astype(np.int64)
