"""Six sets of short texts, each clustered whole."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.tasks.documents import read_documents
from subclust.core.records import ClusteringInstance, Query, TaskCard

QUERIES: Mapping[str, str] = {
    "agnews": "News",
    "searchsnippets": "Web search results",
    "stackoverflow": "Programming questions",
    "googlenews_t": "News events",
    "googlenews_ts": "News events",
    "tweet": "Tweets",
}
"""What each set is about. Texts are mostly in lower case and without stop words as they came."""

_CONSTRUCTION = (
    "All texts of the file are the passages of one query, which says in a word or two what the set "
    "is about, for the papers have no queries."
)
_YIN = "Yin and Wang, A model-based approach for text clustering with outlier detection, ICDE 2016"
_UNSTATED = "Distributed for research; no licence stated"


def _card(
    name: str,
    label: str,
    sha256: str,
    licence: str,
    citation: str,
    url: str,
    n_passages: int,
    n_labels: float,
) -> TaskCard:
    return TaskCard(
        name=name,
        label=label,
        file=f"documents/{name}.jsonl.gz",
        sha256=sha256,
        licence=licence,
        citation=citation,
        split="test",
        url=url,
        construction=_CONSTRUCTION,
        builder="benchmarks.tasks.short_text:whole",
        n_queries=1,
        n_passages=n_passages,
        n_labels=n_labels,
    )


CARDS: tuple[TaskCard, ...] = (
    _card(
        "agnews",
        "AG News titles and leads",
        "af28e66538b8799d7c2f4019866c920e3dcae4bff5545a04b16d0b3ad6fe6218",
        "AG's corpus, for research and other non-commercial use",
        "Zhang, Zhao and LeCun, Character-level convolutional networks for text classification, "
        "NIPS 2015; the 8,000 texts of Rakib et al., NLDB 2020.",
        "https://github.com/rashadulrakib/short-text-clustering-enhancement",
        8000,
        4,
    ),
    _card(
        "searchsnippets",
        "SearchSnippets",
        "ccdfee942c60fe8f085047779327d78185b177bb4a44ffb3acf5b9eebdc28b3a",
        _UNSTATED,
        "Phan, Nguyen and Horiguchi, Learning to classify short and sparse text and web with "
        "hidden topics from large-scale data collections, WWW 2008.",
        "https://github.com/jacoxu/STC2",
        12340,
        8,
    ),
    _card(
        "stackoverflow",
        "Stack Overflow question titles",
        "edb3e0ad45cc9193833dfe9fcf130bf577029cd8431d338a130ea76b03841c67",
        "CC BY-SA 3.0",
        "Xu et al., Self-taught convolutional neural networks for short text clustering, Neural "
        "Networks 88, 2017.",
        "https://github.com/jacoxu/STC2",
        20000,
        20,
    ),
    _card(
        "googlenews_t",
        "Google News titles",
        "c06a53af0dcfee855da05dcf00fea39ee200a3364082ed29cc0ec943b59af156",
        _UNSTATED,
        f"{_YIN}.",
        "https://github.com/jackyin12/GSDMM",
        11108,
        152,
    ),
    _card(
        "googlenews_ts",
        "Google News titles and snippets",
        "f3b2414a5390459771673449a75f35257fdfd384c2fd5144c60a02d967537072",
        _UNSTATED,
        f"{_YIN}.",
        "https://github.com/jackyin12/GSDMM",
        11109,
        152,
    ),
    _card(
        "tweet",
        "Tweets",
        "92cbd2c1ad442112ad4765f3827a56f337adb8abd05bba52894c00b786431280",
        _UNSTATED,
        f"{_YIN}; tweets of the microblog tracks of TREC 2011 and 2012.",
        "https://github.com/jackyin12/GSDMM",
        2472,
        89,
    ),
)


def whole(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Make one query of all texts."""
    return [ClusteringInstance(Query(QUERIES[card.name]), tuple(read_documents(files[0])))]
