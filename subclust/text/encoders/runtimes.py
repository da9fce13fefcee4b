"""ONNX Runtime and OpenVINO, opened on an exported encoder. Imported when they are used.

A process has one of them at most: with both loaded, a signal that Python handles ends it in a
segmentation fault. `take_runtime` sees to that, and nothing else imports them.
"""

import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from subclust.core.exceptions import EncoderError
from subclust.core.records import FloatArray
from subclust.text.encoders.backends import BACKENDS, Backend, this_processor

Tokens = npt.NDArray[np.int64]

Run = Callable[[Tokens, Tokens], FloatArray]
"""From ``input_ids`` and ``attention_mask`` of shape (n_texts, n_tokens) to vectors of shape
(n_texts, embedding_dim); several threads may call it at once."""

_MODULES = {"onnx": "onnxruntime", "openvino": "openvino"}
_LABELS = {"onnx": "ONNX Runtime", "openvino": "OpenVINO"}
_loading = threading.Lock()


def loaded_runtime() -> str | None:
    """Name the runtime that this process has loaded, by its extra; None where it has none."""
    # Whoever imported it, the other one must not join it. A module that is blocked stands as None.
    return next((name for name, module in _MODULES.items() if sys.modules.get(module)), None)


def serving(backend: Backend) -> Backend:
    """Return the back end that computes another one's vectors in this process.

    It is that back end itself, unless the process has loaded the other runtime. That one then
    computes in float32, whose vectors stand for those of all back ends that do not round.

    Parameters
    ----------
    backend : Backend
        One that is not PyTorch.

    Raises
    ------
    EncoderError
        If its vectors are rounded and the other runtime is loaded: nothing else gives the same.
    """
    loaded = loaded_runtime()
    if loaded is None or loaded == backend.extra:
        return backend
    if backend.approximate:
        raise EncoderError(
            "The encoder back end {backend} needs {label}, but this process has loaded {label_2}, "
            "and the two do not go together in one process; set SUBCLUST_ENCODER_BACKEND to "
            "{extra} or torch and start again.",
            backend=backend.name,
            label=_LABELS[backend.extra],
            label_2=_LABELS[loaded],
            extra=backend.extra,
        )
    return BACKENDS[loaded]


def take_runtime(backend: Backend) -> Backend:
    """Load a back end's runtime into this process, unless it has loaded the other one.

    Parameters
    ----------
    backend : Backend
        One that is not PyTorch.

    Returns
    -------
    Backend
        As `serving` gives it; its runtime is loaded now.

    Raises
    ------
    EncoderError
        As `serving` raises it.
    ImportError
        If the runtime cannot be imported.
    """
    with _loading:
        served = serving(backend)
        if served.extra == "openvino":
            _silent_openvino()
        else:
            import_module(_MODULES[served.extra])
        return served


def open_model(backend: Backend, model: Path, n_threads: int) -> Run:
    """Open an ONNX file in the runtime of a back end.

    Parameters
    ----------
    backend : Backend
        One that is not PyTorch and whose runtime was taken.
    model : Path
    n_threads : int
        Threads of the processor that a call may use.

    Raises
    ------
    Exception
        Of any kind, if the runtime does not take the file.
    """
    if backend.extra == "onnx":
        return _open_onnx(model, n_threads)
    return _open_openvino(model, n_threads, backend.precision)


def _open_onnx(model: Path, n_threads: int) -> Run:
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # which Windows builds send
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads
    options.log_severity_level = 3
    # Waiting threads would spin and take a core from a training beside.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Fused with the addition before it, layer normalisation is not vectorised, and slower.
    session = onnxruntime.InferenceSession(
        model,
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=["SkipLayerNormFusion"],
    )

    def run(input_ids: Tokens, attention_mask: Tokens) -> FloatArray:
        feed = {"input_ids": input_ids, "attention_mask": attention_mask}
        return np.asarray(session.run(["vectors"], feed)[0], dtype=np.float32)

    return run


def _open_openvino(model: Path, n_threads: int, precision: str) -> Run:
    core = _silent_openvino().Core()
    native = precision == "bfloat16" or (precision == "int8" and this_processor().bfloat16)
    compiled = core.compile_model(
        core.read_model(model),
        "CPU",
        {
            "INFERENCE_NUM_THREADS": n_threads,
            "INFERENCE_PRECISION_HINT": "bf16" if native else "f32",
            "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": 1,
            "ENABLE_CPU_PINNING": False,
        },
    )

    def run(input_ids: Tokens, attention_mask: Tokens) -> FloatArray:
        request = compiled.create_infer_request()  # one may not be used by two threads
        found = request.infer({"input_ids": input_ids, "attention_mask": attention_mask})
        return np.array(found["vectors"], dtype=np.float32)

    return run


def _silent_openvino() -> Any:
    """Import OpenVINO without its model converter, which tells its makers of each import.

    The package goes without the converter where that cannot be imported, and it is not needed: the
    runtime reads ONNX itself. Nothing is sent, also where nobody has opted out.
    """
    converter = "openvino.tools.ovc"
    before = sys.modules.get(converter)
    sys.modules[converter] = None  # type: ignore[assignment]
    try:
        import openvino
    finally:
        if before is None:
            del sys.modules[converter]
        else:
            sys.modules[converter] = before
    return openvino
