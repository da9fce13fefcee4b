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

_TEXTS = """
The library was founded in 1765 by a society of merchants who paid two pounds a year each and met
in a room above the corn exchange. Its first catalogue, printed in 1771, lists 812 volumes, most
of them sermons, travels and histories, and a globe that could not be borrowed. Members were fined
sixpence for a book kept longer than a fortnight, and the money bought maps.

We propose a method for clustering short documents that needs no labels. An encoder and a
projection head are trained together: two augmented views of a text are drawn near each other,
while texts of different pseudo-labels are pushed apart. On six public collections accuracy rises
by 3.4 points over the best earlier model, and an ablation shows that each part helps.

Patients over 65 with atrial fibrillation were assigned at random to apixaban (5 mg twice daily)
or to warfarin. After a median of 22 months, stroke or systemic embolism had occurred in 1.3% and
1.6% a year (hazard ratio 0.79; 95% confidence interval, 0.66 to 0.95). Major bleeding was less
frequent in the first group, and mortality from any cause was lower.

Worker ants leave the nest at dawn and follow trails that others have marked. Where a trail
divides, more of them take the branch with the stronger scent, so that the shorter way to the food
wins within minutes. The queen, who may live for fifteen years, does nothing but lay eggs; the
brood is carried between chambers as warmth and moisture change.

Between 1760 and 1840 the making of cloth moved from cottages into mills. Water drove the first
frames and steam the later ones; canals, and then railways, brought coal and carried bales. Towns
grew faster than their drains. Parliament limited the hours of children in 1833, but inspectors
were four for the whole kingdom, and owners paid the fines as a cost of business.

Let G be a finite group and p a prime that divides its order. Then G has a subgroup whose order is
the largest power of p that divides |G|; all such subgroups are conjugate, and their number is
congruent to 1 modulo p. The proof lets G act on subsets of that size by multiplication and counts
the orbits whose length is not divisible by p.

How do I read a large CSV file in pandas without running out of memory? I have 24 GB of RAM and a
file of 60 GB. read_csv() with chunksize=100000 works, but groupby() on the chunks gives the wrong
result for keys that occur in two of them. Is there a way to merge the partial sums, or should I
use Spark, Dask or SQLite instead?

Die Stadt liegt an der Donau und hatte 2019 rund 153.000 Einwohner. Im Mittelalter war sie ein
Zentrum des Fernhandels; der Dom gilt als Hauptwerk der Gotik in Süddeutschland. La ville fut
prise par Napoléon en 1809. El puente de piedra, de dieciséis arcos, data del siglo XII.

Police said a 34-year-old man was arrested on Tuesday after a fire at a warehouse near the port of
Rotterdam. Nobody was hurt. Shares in the operator fell 4.2 percent in early trading in Amsterdam;
analysts at two banks lowered their forecasts. The prime minister, who was on a visit to Jakarta,
thanked the 120 firefighters who had worked through the night.

In the first movement the second subject appears in the dominant, as expected, but the
recapitulation avoids the tonic until the coda. Critics of the time heard this as a mistake. The
slow movement, a set of five variations for strings and solo oboe, was encored at the premiere in
Vienna; the finale, a rondo, borrows its tune from a Bohemian dance.

Photosynthesis converts light into chemical energy. In the thylakoid membranes chlorophyll absorbs
photons, water is split, and oxygen is released; the ATP and NADPH that are formed drive the
Calvin cycle, in which carbon dioxide is fixed into sugars. C4 plants such as maize concentrate
CO2 around the enzyme and lose less water in hot, dry climates.

Interlibrary loan requests in public libraries, 2008-2020 : a survey of 412 institutions.
Subjects: Document delivery; Resource sharing; Consortia; Open access publishing. Includes
bibliographical references (pages 201-219) and index. ISBN 978-0-00-000000-2 (paperback). Also
available as an e-book: licensed for one reader at a time.

Under the new statute a court must decide within a day whether an arrest was lawful, and the
person held is told the reasons in a language that he or she understands. Judges are bound by the
law alone. No one may be put at a disadvantage because of origin, faith or political opinion;
complaints go to the regional court, whose ruling is final.

king

how to train a puppy not to bite

Effects of sleep deprivation on memory consolidation in adolescents
"""

CALIBRATION = tuple(" ".join(text.split()) for text in _TEXTS.split("\n\n"))
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

    # Seven bits: without VNNI, sums of two products of eight would overflow.
    return {
        "op_types_to_quantize": ["MatMul"],
        "per_channel": True,
        "reduce_range": True,
        "weight_type": QuantType.QInt8,
    }


def quantise_static(whole: Path, file: Path, feeds: Sequence[Feed]) -> None:
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
        factor = smoothing(largest[name], of_weights)
        smooth = f"{name}_smooth"
        model.graph.initializer.append(numpy_helper.from_array(1 / factor, f"{smooth}_by"))
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


def smoothing(inputs: FloatArray, weights: FloatArray, alpha: float = ALPHA) -> FloatArray:
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
    """Do `quantise_static` in a process of its own, so that this one may load OpenVINO.

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
    """Run `quantise_static` on the files ``WHOLE FILE FEEDS``."""
    whole, file, kept = map(Path, arguments)
    with np.load(kept, allow_pickle=False) as found:
        n_feeds = len(found.files) // 2
        feeds = [
            {name: found[f"{name}-{i}"] for name in ("input_ids", "attention_mask")}
            for i in range(n_feeds)
        ]
    quantise_static(whole, file, feeds)


if __name__ == "__main__":
    main(sys.argv[1:])
