"""Two sets of long texts, each clustered whole."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.tasks.documents import read_documents
from subclust.core.records import ClusteringInstance, Query, TaskCard

QUERIES: Mapping[str, str] = {"newsgroups20": "Newsgroup posts", "reuters_r8": "Business news"}
"""What each set is about."""

_BUILDER = "benchmarks.tasks.long_text:whole"

CARDS: tuple[TaskCard, ...] = (
    TaskCard(
        name="newsgroups20",
        label="20 Newsgroups, whole",
        file="documents/newsgroups20_raw_train.jsonl.gz",
        sha256="794f4cf70ad44ec548c29ea2b648cb6ad6e2486a1cfc3dee1722bddb70ac322d",
        other_files={
            "documents/newsgroups20_raw_test.jsonl.gz": (
                "fa87859cdda378f4413deae3a78dc267e5fb05c3a32c78aada755155406ec5b0"
            )
        },
        licence="Usenet posts of 1993, distributed for research; no licence stated",
        citation=(
            "Lang, NewsWeeder: Learning to Filter Netnews, ICML 1995; whole as in Shi and Sakai, "
            "Self-Supervised and Few-Shot Contrastive Learning Frameworks for Text Clustering."
        ),
        split="test",
        url="http://qwone.com/~jason/20Newsgroups/",
        construction=(
            "All posts of both parts are the passages of one query, which says what the set is "
            "about. Posts of which nothing is left without headers and quotations are not in the "
            "files."
        ),
        builder=_BUILDER,
        n_queries=1,
        n_passages=18089,
        n_labels=20,
    ),
    TaskCard(
        name="reuters_r8",
        label="Reuters R8",
        file="documents/reuters_r8_train.jsonl.gz",
        sha256="fec1e257d8b0f37b8021dd041e2a1eacf29de0e101c06c8e7694fbd3d4b464be",
        other_files={
            "documents/reuters_r8_test.jsonl.gz": (
                "c8a1590e8a7f2615b31718bd9c3d18f454c8801aa9014fd7d48c1d71fbb3fed5"
            )
        },
        licence="Reuters-21578, for research only",
        citation=(
            "Lewis, Reuters-21578 text categorization test collection, 1997; the eight largest "
            "single-label classes of Cardoso-Cachopo, Improving Methods for Single-label Text "
            "Categorization, 2007."
        ),
        split="test",
        url="https://ana.cachopo.org/datasets-for-single-label-text-categorization",
        construction=(
            "All articles of both parts are the passages of one query, which says what the set is "
            "about. They are in lower case and very unequally divided: half are of one class."
        ),
        builder=_BUILDER,
        n_queries=1,
        n_passages=7674,
        n_labels=8,
    ),
)


def whole(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Make one query of all texts of both parts."""
    passages = tuple(passage for path in files for passage in read_documents(path))
    return [ClusteringInstance(Query(QUERIES[card.name]), passages)]
