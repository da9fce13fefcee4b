"""Subsets of entities, each to be divided by itself, as the data sets of CACTUS are."""

from collections.abc import Mapping, Sequence
from typing import Literal

from subclust.core.records import TaskCard

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test")

_BUILD = "benchmarks.tasks.entity_builders:"

CLINC = {
    "documents/clinc150_train.jsonl.gz": (
        "685ca25d153856113ec57e6babaa3176a815310f126f7141fccc5efb03bc3218"
    ),
    "documents/clinc150_val.jsonl.gz": (
        "74d112515b471b628f1d78aec6d3326d06ab806a2541512e2afe07cc91b58382"
    ),
    "documents/clinc150_test.jsonl.gz": (
        "0701b1f736884e742a3779db13d319162905b70e1b04f73b6b6f1e796688fcf3"
    ),
}
HWU64 = {
    "documents/hwu64_train.jsonl.gz": (
        "53ef9d4f95d08d2d696ea1f4361820c842bb9544c4c629e28abc97c3d8b4d445"
    ),
    "documents/hwu64_valid.jsonl.gz": (
        "c9d942070fab2cdaab8d6419afff8510671d4b6a2b86fb20e20e66109ccffa66"
    ),
    "documents/hwu64_test.jsonl.gz": (
        "2e9c5cb62541a3edc5c77aac5d34ec5cccd8295b08b5d53f1a5b9dbae6acba94"
    ),
}
STACKOVERFLOW = {
    "documents/stackoverflow.jsonl.gz": (
        "edb3e0ad45cc9193833dfe9fcf130bf577029cd8431d338a130ea76b03841c67"
    ),
}
ARXIV = {
    "documents/arxiv_train.jsonl.gz": (
        "88761574cc76c8c1ab30ca2ea052fb49a160bf52c25ef7bd88cd294751d0e7e7"
    ),
    "documents/arxiv_test.jsonl.gz": (
        "942ae36191b105c280e56d46d739f6ae7f7156305b72b7d5924614f345f12aa1"
    ),
}

_AS_CACTUS = (
    "subsets of entities as in Context-Aware Clustering using Large Language Models (CACTUS), "
    "section 4.1 and table 1."
)
_ORIGINS: Mapping[str, tuple[str, str, str]] = {
    "clinc": (
        "CC BY 3.0",
        "Larson et al., An Evaluation Dataset for Intent Classification and Out-of-Scope "
        f"Prediction, EMNLP 2019; {_AS_CACTUS}",
        "https://github.com/clinc/oos-eval",
    ),
    "hwu64": (
        "CC BY 4.0",
        "Liu, Eshghi, Swietojanski and Rieser, Benchmarking Natural Language Understanding "
        f"Services for building Conversational Agents, IWSDS 2019; {_AS_CACTUS}",
        "https://github.com/xliuhw/NLU-Evaluation-Data",
    ),
    "stackoverflow": (
        "CC BY-SA 3.0",
        "Xu et al., Self-taught convolutional neural networks for short text clustering, Neural "
        f"Networks 88, 2017; {_AS_CACTUS}",
        "https://github.com/jacoxu/STC2",
    ),
    "arxiv": (
        "CC0 1.0 (arXiv metadata)",
        f"Titles of arXiv, 1993 to 2019; {_AS_CACTUS}",
        "https://www.kaggle.com/Cornell-University/arxiv",
    ),
}

_SIZES = (
    " A subset has 3 to 20 entities, falling off geometrically, at least two groups, and no entity "
    "twice, so that it has about as many entities and groups as one of the paper's Amazon sets, "
    "whose labels cannot be had."
)
_RELATED = (
    "A subset starts from one {label} drawn by lot and takes those{where} whose texts share most "
    "words with it, so that its groups are not easily told apart; {n} of them, and each entity's "
    "is drawn by Zipf's law with an exponent of {skew}."
)
_SEEN = " All splits have the same {labels}, each over texts of its own."
_UNSEEN = (
    " Training, validation and test have half, a fifth and three tenths of the {labels} and none "
    "in common, so that a method meets some that it has never seen."
)
_CONTEXT = (
    "Every other subset is of one {family}, and its groups are {labels}; the others are of two or "
    "more, and these are their groups. So the same two texts belong together in one subset and "
    "apart in another, and only who sees the whole subset can tell: as somebody tidies a list just "
    "as finely as what is on it asks for."
)
_LARGE = (
    " A subset has 30 to 80 entities, about 46, in four to eight groups, as those of the paper's "
    "Gifts set, which is not public."
)


def _cards(
    name: str,
    label: str,
    origin: str,
    files: Sequence[Mapping[str, str]],
    construction: str,
    sizes: Sequence[tuple[int, int, float]],
) -> tuple[TaskCard, ...]:
    """Make the cards of three splits; files and sizes (subsets, entities, groups) are in order."""
    licence, citation, url = _ORIGINS[origin]
    cards = []
    rows = zip(SPLITS, files, sizes, strict=True)
    for seed, (split, sums, (n_queries, n_passages, n_labels)) in enumerate(rows):
        (file, sha256), *others = sums.items()
        cards.append(
            TaskCard(
                name=f"{name}_{split}",
                label=f"{label}, {'training' if split == 'train' else split}",
                file=file,
                sha256=sha256,
                licence=licence,
                citation=citation,
                split=split,
                url=url,
                construction=construction,
                builder=_BUILD + name.removesuffix("_entities"),
                seed=seed,
                other_files=dict(others),
                shared_queries=True,
                n_queries=n_queries,
                n_passages=n_passages,
                n_labels=n_labels,
            )
        )
    return tuple(cards)


def _each(files: Mapping[str, str]) -> list[dict[str, str]]:
    """Return a file for each split; validation shares that of test where there are two."""
    (train, *held_out) = files.items()
    return [{place: sha256} for place, sha256 in (train, held_out[0], held_out[-1])]


def _all(files: Mapping[str, str]) -> list[Mapping[str, str]]:
    """Return each split all files."""
    return [files] * len(SPLITS)


CARDS: tuple[TaskCard, ...] = (
    *_cards(
        "clinc_entities",
        "CLINC150 requests in subsets",
        "clinc",
        _each(CLINC),
        _RELATED.format(label="intent", where="", n="five to eight", skew=1.75)
        + _SEEN.format(labels="intents")
        + _SIZES,
        ((6000, 32459, 2.7), (400, 2168, 2.8), (600, 3175, 2.7)),
    ),
    *_cards(
        "clinc_unseen",
        "CLINC150 requests in subsets, unseen intents",
        "clinc",
        _all(CLINC),
        _RELATED.format(label="intent", where="", n="three or four", skew=1)
        + _UNSEEN.format(labels="intents of each domain")
        + _SIZES,
        ((6000, 32319, 2.6), (400, 2171, 2.6), (600, 3381, 2.7)),
    ),
    *_cards(
        "clinc_context",
        "CLINC150 requests in subsets, as finely as the subset asks for",
        "clinc",
        _all(CLINC),
        _CONTEXT.format(family="domain", labels="intents")
        + _UNSEEN.format(labels="intents of each domain")
        + _SIZES,
        ((6000, 32078, 2.8), (400, 2144, 2.7), (600, 3325, 2.7)),
    ),
    *_cards(
        "clinc_gifts",
        "CLINC150 requests in large subsets",
        "clinc",
        _each(CLINC),
        _RELATED.format(label="intent", where="", n="four to eight", skew=1)
        + _SEEN.format(labels="intents")
        + _LARGE,
        ((1000, 44530, 5.8), (100, 4569, 6.2), (200, 8947, 6.1)),
    ),
    *_cards(
        "hwu64_entities",
        "HWU64 requests in subsets",
        "hwu64",
        _each(HWU64),
        _RELATED.format(label="intent", where="", n="five to eight", skew=1.75)
        + _SEEN.format(labels="intents")
        + _SIZES,
        ((6000, 32459, 2.7), (400, 2168, 2.8), (600, 3175, 2.8)),
    ),
    *_cards(
        "hwu64_unseen",
        "HWU64 requests in subsets, unseen intents",
        "hwu64",
        _all(HWU64),
        _RELATED.format(label="intent", where="", n="three or four", skew=1)
        + _UNSEEN.format(labels="intents")
        + _SIZES,
        ((6000, 32319, 2.6), (400, 2171, 2.6), (600, 3381, 2.7)),
    ),
    *_cards(
        "stackoverflow_entities",
        "Stack Overflow question titles in subsets",
        "stackoverflow",
        _all(STACKOVERFLOW),
        _RELATED.format(label="tag", where="", n="five to eight", skew=1.75)
        + " The file's titles are divided by lot, half for training, a fifth for validation and "
        "the rest for test." + _SIZES,
        ((6000, 32459, 2.7), (400, 2168, 2.7), (600, 3175, 2.7)),
    ),
    *_cards(
        "arxiv_entities",
        "arXiv titles of an archive in subsets",
        "arxiv",
        _each(ARXIV),
        "The query is an archive's title. "
        + _RELATED.format(label="category", where=" of the archive", n="five to eight", skew=1.75)
        + _SEEN.format(labels="categories")
        + _SIZES,
        ((6000, 32420, 2.7), (400, 2205, 2.8), (600, 3105, 2.7)),
    ),
    *_cards(
        "arxiv_context",
        "arXiv titles in subsets, as finely as the subset asks for",
        "arxiv",
        _each(ARXIV),
        _CONTEXT.format(family="archive", labels="categories")
        + _SEEN.format(labels="categories")
        + _SIZES,
        ((6000, 32055, 2.8), (400, 2229, 2.9), (600, 3268, 2.8)),
    ),
)
