"""Exported encoders in whole numbers of 8 bits, as ONNX Runtime's tools make them."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from subclust.core.exceptions import EncoderError
from subclust.core.records import FloatArray

if TYPE_CHECKING:
    from onnx import NodeProto

Feed = dict[str, npt.NDArray[np.int64]]
"""``input_ids`` and ``attention_mask``, both of shape (n_texts, n_tokens)."""

ALPHA = 0.75
"""How much of the range of a matrix product's input goes into its weights."""

_SECONDS = 900.0

CALIBRATION = tuple(
    " ".join(text.split())
    for text in Path(__file__).with_name("calibration.txt").read_text("utf-8").split("\n\n")
)
"""Texts of the kind that encoders read here, from which ranges are taken."""


def quantise_dynamic(whole: Path, file: Path) -> None:
    """Round the weights now, and what they are multiplied with as it comes.

    The range of that is taken from a whole batch.

    Parameters
    ----------
    whole : Path
        ONNX, float32.
    file : Path
        Written.
    """
    from onnxruntime.quantization import quantize_dynamic

    quantize_dynamic(whole, file, **_of_weights())


def _of_weights() -> dict[str, Any]:
    """Return how weights are rounded, to ONNX Runtime's tools."""
    from onnxruntime.quantization import QuantType

    # Seven bits: on processors without VNNI, the sum of two 8-bit products can overflow 16 bits.
    return {
        "op_types_to_quantize": ["MatMul"],
        "per_channel": True,
        "reduce_range": True,
        "weight_type": QuantType.QInt8,
    }


def _quantise_static(whole: Path, file: Path, feeds: Sequence[Feed]) -> None:
    """Round the weights, and what they are multiplied with by a range that some texts gave.

    A few features of an encoder are far larger than the others, and a range that has room for them
    leaves few steps for the rest. So each input of a matrix product is first divided by a factor
    per feature, with which the weights are multiplied [1]_; the product is the same.

    Parameters
    ----------
    whole : Path
        ONNX, float32.
    file : Path
        Written.
    feeds : sequence of Feed
        The texts.

    References
    ----------
    .. [1] Xiao et al., "SmoothQuant", ICML 2023, equations 3 and 4.
    """
    from onnxruntime.quantization import (
        CalibrationDataReader,
        QuantFormat,
        QuantType,
        quantize_static,
    )

    class Reader(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left = list(feeds)

        def get_next(self) -> Feed | None:
            return self.left.pop(0) if self.left else None

    smooth = file.with_name("smooth.onnx")
    _write_smooth(whole, smooth, feeds)
    quantize_static(
        smooth,
        file,
        Reader(),
        quant_format=QuantFormat.QDQ,
        activation_type=QuantType.QUInt8,
        extra_options={
            # Attention, and what is added to a product, stay as they are.
            "MatMulConstBOnly": True,
            "OpTypesToExcludeOutputQuantization": ["MatMul"],
        },
        **_of_weights(),
    )
    smooth.unlink()


def _write_smooth(whole: Path, file: Path, feeds: Sequence[Feed]) -> None:
    """Write a model that gives the same, and the inputs of whose products are of like ranges."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(whole)
    weights = {one.name: one for one in model.graph.initializer}
    products: dict[str, list[NodeProto]] = {}
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in weights:
            products.setdefault(node.input[0], []).append(node)
    largest = _largest(model, list(products), file, feeds)
    for name, nodes in products.items():
        values = [numpy_helper.to_array(weights[node.input[1]]) for node in nodes]
        of_weights = np.max([np.abs(one).max(axis=1) for one in values], axis=0)
        factor = _smoothing(largest[name], of_weights)
        smooth = f"{name}_smooth"
        model.graph.initializer.append(numpy_helper.from_array(1 / factor, f"{smooth}_by"))
        # ONNX wants each node before those that use its output.
        first = min(list(model.graph.node).index(node) for node in nodes)
        multiply = helper.make_node("Mul", [name, f"{smooth}_by"], [smooth], name=smooth)
        model.graph.node.insert(first, multiply)
        for node, one in zip(nodes, values, strict=True):
            changed = numpy_helper.from_array(one * factor[:, None], node.input[1])
            weights[node.input[1]].CopyFrom(changed)
            node.input[0] = smooth
    onnx.save(model, file)


def _largest(model: Any, names: list[str], file: Path, feeds: Sequence[Feed]) -> dict[str, Any]:
    """Return the largest magnitude of each feature over the texts, (n_features,)."""
    import onnx
    import onnxruntime
    from onnx import helper

    told = onnx.ModelProto()
    told.CopyFrom(model)
    told.graph.output.extend(
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names
    )
    onnx.save(told, file)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    found = [session.run(names, feed) for feed in feeds]
    return {
        name: np.max([np.abs(one).reshape(-1, one.shape[-1]).max(axis=0) for one in ones], axis=0)
        for name, ones in zip(names, zip(*found, strict=True), strict=True)
    }


def _smoothing(inputs: FloatArray, weights: FloatArray, alpha: float = ALPHA) -> FloatArray:
    """Compute the factors of a matrix product's features: SmoothQuant's equation 4.

    Parameters
    ----------
    inputs, weights : ndarray of shape (n_features,)
        The largest magnitude of each feature.
    alpha : float
        0 to 1.

    Returns
    -------
    ndarray of shape (n_features,)
        float32, positive; their geometric mean is 1.
    """
    least = np.float32(1e-5)
    found = np.maximum(inputs, least) ** alpha / np.maximum(weights, least) ** (1 - alpha)
    return np.asarray(found / np.exp(np.log(found).mean()), dtype=np.float32)


def quantise_apart(whole: Path, file: Path, feeds: Sequence[Mapping[str, Any]]) -> None:
    """Do `_quantise_static` in a process of its own, so that this one may load OpenVINO.

    Raises
    ------
    EncoderError
        If it fails.
    """
    kept = file.with_name("feeds.npz")
    numbered = {f"{name}-{i}": one for i, feed in enumerate(feeds) for name, one in feed.items()}
    np.savez(kept, allow_pickle=False, **numbered)
    command = [
        sys.executable,
        "-m",
        "subclust.text.encoders.quantising",
        *map(str, (whole, file, kept)),
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise EncoderError(
            "Rounding the exported encoder took longer than {seconds:.0f} seconds, so it was "
            "given up; set SUBCLUST_ENCODER_BACKEND to openvino.",
            seconds=_SECONDS,
        ) from error
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise EncoderError(
            "The exported encoder {whole} cannot be rounded to 8 bits ({last}); set "
            "SUBCLUST_ENCODER_BACKEND to openvino.",
            whole=whole,
            last=last[0][:200],
        )
    kept.unlink()


def main(arguments: Sequence[str]) -> None:
    """Run `_quantise_static` on the files ``WHOLE FILE FEEDS``."""
    whole, file, kept = map(Path, arguments)
    with np.load(kept, allow_pickle=False) as found:
        n_feeds = len(found.files) // 2
        feeds = [
            {name: found[f"{name}-{i}"] for name in ("input_ids", "attention_mask")}
            for i in range(n_feeds)
        ]
    _quantise_static(whole, file, feeds)


if __name__ == "__main__":
    main(sys.argv[1:])
