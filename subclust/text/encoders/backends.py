"""What can compute an encoder's vectors on which processor: PyTorch, ONNX Runtime or OpenVINO."""

import json
import platform
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from subclust.core.exceptions import EncoderError
from subclust.core.messages import Message
from subclust.core.settings import APPROXIMATE_BACKENDS

MEASURED = Path(__file__).parent / "measured"
"""What ``python -m benchmarks encoders --save`` measured, a file for each class of processors."""

UNCHANGED = 0.002
"""Of the adjusted Rand index, by which it may differ from that of PyTorch in float32."""

_EXPORT = ("onnx", "onnxscript")
_ONNX, _OPENVINO = (*_EXPORT, "onnxruntime"), (*_EXPORT, "openvino")
_BOTH = (*_OPENVINO, "onnxruntime")  # whose tools round; in a process of its own


@dataclass(frozen=True)
class Processor:
    """A processor's abilities.

    Parameters
    ----------
    kind : str
        The class of processors that a measurement stands for: ``"amx"``, ``"avx512-bf16"``,
        ``"avx512"``, ``"avx2"``, or the machine's architecture where it is none of these.
    bfloat16 : bool
        Whether it multiplies matrices of bfloat16 natively.
    """

    kind: str
    bfloat16: bool

    def why_no_bfloat16(self) -> str | None:
        """Return why bfloat16 is not for this processor; None where it is."""
        if self.bfloat16:
            return None
        return Message(
            "this processor ({kind}) does not compute bfloat16, which takes AMX or AVX-512 "
            "BF16, and emulating it is slower than float32",
            kind=self.kind,
        )


def this_processor() -> Processor:
    """Look at the processor of this machine."""
    import torch

    able = torch.cpu.get_capabilities()
    amx, avx512_bf16 = bool(able.get("amx_bf16")), bool(able.get("avx512_bf16"))
    if amx:
        kind = "amx"
    elif avx512_bf16:
        kind = "avx512-bf16"
    elif able.get("avx512_f"):
        kind = "avx512"
    elif able.get("avx2"):
        kind = "avx2"
    else:
        kind = platform.machine().lower() or "unknown"
    return Processor(kind, amx or avx512_bf16)


@dataclass(frozen=True)
class Backend:
    """One way to compute an encoder's vectors.

    Parameters
    ----------
    name : str
        As in ``SUBCLUST_ENCODER_BACKEND``.
    label : str
        For people.
    precision : {"float32", "bfloat16", "int8"}
    modules : tuple of str
        That must be installed besides PyTorch.
    extra : str
        Of ``pyproject.toml``, which installs them.
    least_cosine : float
        To the vectors of PyTorch in float32, of every text.
    """

    name: str
    label: str
    precision: str
    modules: tuple[str, ...]
    extra: str
    least_cosine: float

    @property
    def approximate(self) -> bool:
        """Whether its vectors do not stand for those of the others, and are kept apart."""
        return self.name in APPROXIMATE_BACKENDS

    @property
    def is_torch(self) -> bool:
        """Whether PyTorch itself computes, on any device."""
        return not self.modules

    def why_not(self, processor: Processor) -> str | None:
        """Return why it cannot be used on this machine, and what to do; None where it can."""
        missing = [module for module in self.modules if find_spec(module) is None]
        if missing:
            return Message(
                "not installed: {modules}; run pip install 'subclust[{extra}]'",
                modules=", ".join(missing),
                extra=self.extra,
            )
        return processor.why_no_bfloat16() if self.precision == "bfloat16" else None


BACKENDS: dict[str, Backend] = {
    backend.name: backend
    for backend in (
        Backend("torch", "PyTorch, float32", "float32", (), "", 0.9999),
        Backend("torch-bf16", "PyTorch, bfloat16", "bfloat16", (), "", 0.999),
        Backend("onnx", "ONNX Runtime, float32", "float32", _ONNX, "onnx", 0.9999),
        Backend("onnx-int8", "ONNX Runtime, 8-bit", "int8", _ONNX, "onnx", 0.95),
        Backend("openvino", "OpenVINO, float32", "float32", _OPENVINO, "openvino", 0.9999),
        Backend("openvino-bf16", "OpenVINO, bfloat16", "bfloat16", _OPENVINO, "openvino", 0.999),
        Backend("openvino-int8", "OpenVINO, 8-bit", "int8", _BOTH, "openvino", 0.9),
    )
}
"""All that there are, by name."""


def choose_backend(
    asked: str, device: str, *, processor: Processor | None = None, measured: Path | None = None
) -> Backend | None:
    """Return the back end that was asked for, or the best that is there.

    Parameters
    ----------
    asked : str
        A name, or ``"auto"``.
    device : str
        Of PyTorch; on another than ``"cpu"`` PyTorch computes.
    processor : Processor, optional
        By default this machine's.
    measured : Path, optional
        Folder of the results, by default `MEASURED`.

    Returns
    -------
    Backend or None
        None for PyTorch in the precision that the device computes natively. ``"auto"`` is the
        fastest that is installed, among those that were measured on this class of processors,
        leave the adjusted Rand index unchanged and stand for float32; None where nothing was
        measured, or nothing is faster.

    Raises
    ------
    EncoderError
        If the one that was asked for cannot be used here; the sentence says why.
    """
    if asked == "auto":
        if device != "cpu":
            return None
        here = processor or this_processor()
        return next((one for one in ranked(here, measured) if one.why_not(here) is None), None)
    backend = BACKENDS.get(asked)
    if backend is None:
        raise EncoderError(
            "There is no encoder back end {asked!r}; take one of auto, {names}.",
            asked=asked,
            names=", ".join(BACKENDS),
        )
    if device != "cpu" and backend.is_torch:
        return None if backend.precision == "bfloat16" else backend
    if device != "cpu":
        raise EncoderError(
            "The encoder back end {asked} computes on the processor, but the device is {device}; "
            "set SUBCLUST_DEVICE to cpu, or SUBCLUST_ENCODER_BACKEND to auto.",
            asked=asked,
            device=device,
        )
    reason = backend.why_not(processor or this_processor())
    if reason is not None:
        raise EncoderError(
            "The encoder back end {asked} cannot be used: {reason}; or set "
            "SUBCLUST_ENCODER_BACKEND to auto.",
            asked=asked,
            reason=reason,
        )
    return backend


def ranked(processor: Processor, measured: Path | None = None) -> list[Backend]:
    """Return what ``"auto"`` may take on a class of processors, the fastest first.

    Returns
    -------
    list of Backend
        Up to PyTorch in float32, if it is reached; [] where nothing was measured.
    """
    file = (measured or MEASURED) / f"{processor.kind}.json"
    if not file.is_file():
        return []
    found = json.loads(file.read_text(encoding="utf-8"))["backends"]
    fit = [
        (row["passages_per_second"], BACKENDS[name])
        for name, row in found.items()
        if name in BACKENDS
        and not BACKENDS[name].approximate
        and abs(row["ari_difference"]) <= UNCHANGED
    ]
    return [backend for _, backend in sorted(fit, key=lambda pair: -pair[0])]
