"""Cards of the hit sets that divide in two ways, by what is asked."""

from collections.abc import Mapping
from typing import Literal

from benchmarks.tasks.entities import ARXIV, CLINC, HWU64
from benchmarks.tasks.products import CARDS as PRODUCTS
from benchmarks.tasks.wikipedia import CARDS as WIKIPEDIA
from subclust.core.records import TaskCard

_BOTH = (
    " Each hit set has passages in every row and column of a small table, so that its two "
    "divisions have an adjusted mutual information below 0.1, and it is asked for four times: in "
    "two wordings by row, in two by column, one after the other. The wordings come from a list of "
    "thirty for each side, half of them for training, a sixth for validation and a third for test."
)
_CEILING = (
    " Both can be recovered: where each passage goes to the label whose other passages have the "
    "nearest mean vector, the adjusted Rand index is {:.2f} by row and {:.2f} by column."
)
_RECOVERED: Mapping[str, tuple[float, float]] = {
    "wikipedia_test": (0.77, 0.39),
    "requests_test": (0.87, 0.34),
    "methods_test": (0.34, 0.49),
    "products_test": (0.66, 0.74),
}
"""By `benchmarks.dividing.measure.ceiling`."""
_WIKIPEDIA = (
    "Articles of one kind (people, works, events, places, organisations, things) by what their "
    "sections are about, told by their headings: rows are three to six articles, columns two to "
    "four kinds of section, at most three passages each. Six kinds of section occur in the test "
    "only." + _BOTH
)
_REQUESTS = (
    "Requests to an assistant: rows are what they are about, columns what is to be done, as the "
    "intent tells; training and validation are of CLINC150, the test of HWU64." + _BOTH
)
_METHODS = (
    "Abstracts of arXiv that name one of eight methods: rows are archives, columns the methods, "
    "the same in all splits." + _BOTH
)
_DECADES = "Abstracts of arXiv: rows are archives, columns decades." + _BOTH
_PRODUCTS = (
    "Titles of products: rows are brands, columns kinds of product, of which the title "
    "names exactly one. Training and validation are of industrial products, the test of office "
    "products." + _BOTH
)

_WIKIPEDIA_FILES = {
    f"clustering/{card.name}.jsonl.gz": card.sha256
    for card in WIKIPEDIA
    if card.name in ("wiki2014_train", "wiki2014_validation", "wiki2021_test", "trec_car_a")
}
_ITEMS = {card.label.split()[0]: card for card in PRODUCTS}


def _only(files: Mapping[str, str], *parts: str) -> dict[str, str]:
    return {file: sha256 for file, sha256 in files.items() if any(part in file for part in parts)}


def _card(
    name: str,
    label: str,
    split: Literal["train", "validation", "test"],
    files: Mapping[str, str],
    construction: str,
    builder: str,
    sizes: tuple[int, int, float],
    *,
    licence: str = "CC0 1.0 (arXiv metadata)",
    citation: str = "Abstracts of arXiv, 1993 to 2019, by archive and by method or date.",
    url: str = "https://www.kaggle.com/Cornell-University/arxiv",
) -> TaskCard:
    (file, sha256), *others = files.items()
    recovered = _RECOVERED.get(f"{name}_{split}")
    if recovered is not None:
        construction += _CEILING.format(*recovered)
    return TaskCard(
        name=f"crossed_{name}_{split}",
        label=f"{label}, {'training' if split == 'train' else split}",
        file=file,
        sha256=sha256,
        licence=licence,
        citation=citation,
        split=split,
        url=url,
        construction=construction,
        builder=builder,
        seed=0,
        other_files=dict(others),
        n_queries=sizes[0],
        n_passages=sizes[1],
        n_labels=sizes[2],
    )


def _wikipedia(
    split: Literal["train", "validation", "test"],
    files: tuple[str, ...],
    sizes: tuple[int, int, float],
) -> TaskCard:
    return _card(
        "wikipedia",
        "Wikipedia articles by article or by section",
        split,
        _only(_WIKIPEDIA_FILES, *files),
        _WIKIPEDIA,
        "benchmarks.tasks.crossed:wikipedia",
        sizes,
        licence="CC BY-SA 3.0",
        citation="Wikipedia articles of 2014 and 2021 and of TREC CAR v1.5: articles and the "
        "headings that they share.",
        url="",
    )


def _requests(
    split: Literal["train", "validation", "test"],
    files: Mapping[str, str],
    sizes: tuple[int, int, float],
) -> TaskCard:
    return _card(
        "requests",
        "Requests by subject or by action",
        split,
        files,
        _REQUESTS,
        "benchmarks.tasks.crossed_others:requests",
        sizes,
        licence="CC BY 4.0" if split == "test" else "CC BY 3.0",
        citation="Liu, Eshghi, Swietojanski and Rieser, Benchmarking Natural Language "
        "Understanding Services for building Conversational Agents, IWSDS 2019 (test); Larson et "
        "al., An Evaluation Dataset for Intent Classification and Out-of-Scope Prediction, EMNLP "
        "2019.",
        url="https://github.com/xliuhw/NLU-Evaluation-Data"
        if split == "test"
        else "https://github.com/clinc/oos-eval",
    )


def _papers(
    name: str,
    split: Literal["train", "validation", "test"],
    sizes: tuple[int, int, float],
) -> TaskCard:
    return _card(
        name,
        f"arXiv abstracts by field or by {'method' if name == 'methods' else 'decade'}",
        split,
        _only(ARXIV, "_test" if split == "test" else "_train"),
        _METHODS if name == "methods" else _DECADES,
        f"benchmarks.tasks.crossed_others:{name}",
        sizes,
    )


def _products(
    kind: Literal["Industrial", "Office"],
    split: Literal["train", "validation", "test"],
    sizes: tuple[int, int, float],
) -> TaskCard:
    items = _ITEMS[kind]
    return _card(
        "products",
        f"{kind} products by brand or by kind",
        split,
        {items.file: items.sha256},
        _PRODUCTS,
        "benchmarks.tasks.crossed_others:products",
        sizes,
        licence=items.licence,
        citation=items.citation,
        url=items.url,
    )


CARDS: tuple[TaskCard, ...] = (
    _wikipedia("train", ("wiki2014_train",), (1780, 47404, 3.5)),
    _wikipedia("validation", ("wiki2014_validation",), (280, 6128, 3.1)),
    _wikipedia("test", ("wiki2021_test", "trec_car_a"), (564, 11156, 3.1)),
    _requests("train", _only(CLINC, "_train"), (356, 12704, 3.2)),
    _requests("validation", _only(CLINC, "_train"), (120, 3904, 3.0)),
    _requests("test", HWU64, (68, 2256, 3.1)),
    _papers("methods", "train", (400, 19372, 3.7)),
    _papers("methods", "validation", (120, 6488, 3.8)),
    _papers("methods", "test", (120, 5896, 3.7)),
    _papers("decades", "validation", (120, 4544, 3.2)),
    _papers("decades", "test", (120, 4220, 3.1)),
    _products("Industrial", "train", (96, 1368, 2.6)),
    _products("Industrial", "validation", (60, 696, 2.6)),
    _products("Office", "test", (120, 2416, 3.0)),
)
