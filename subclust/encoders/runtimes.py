"""ONNX Runtime and OpenVINO, opened on an exported encoder. Imported when they are used."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from subclust.encoders.backends import Backend
from subclust.records import FloatArray

Tokens = npt.NDArray[np.int64]

Run = Callable[[Tokens, Tokens], FloatArray]
"""From ``input_ids`` and ``attention_mask`` of shape (n_texts, n_tokens) to vectors of shape
(n_texts, embedding_dim); several threads may call it at once."""


def open_model(backend: Backend, model: Path, n_threads: int) -> Run:
    """Open an ONNX file in the runtime of a back end.

    Parameters
    ----------
    backend : Backend
        One that is not PyTorch and can be used here.
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
    # Threads that wait would else keep a core busy that a training beside could use.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(input_ids: Tokens, attention_mask: Tokens) -> FloatArray:
        feed = {"input_ids": input_ids, "attention_mask": attention_mask}
        return np.asarray(session.run(["vectors"], feed)[0], dtype=np.float32)

    return run


def _open_openvino(model: Path, n_threads: int, precision: str) -> Run:
    core = silent_openvino().Core()
    compiled = core.compile_model(
        core.read_model(model),
        "CPU",
        {
            "INFERENCE_NUM_THREADS": n_threads,
            "INFERENCE_PRECISION_HINT": "bf16" if precision == "bfloat16" else "f32",
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


def silent_openvino() -> Any:
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
