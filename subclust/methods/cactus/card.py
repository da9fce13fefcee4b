"""Cards of the CACTUS room."""

from subclust.records import MethodCard

_LOADER = "subclust.methods.cactus.clusterer:load"
_TRAINER = "subclust.methods.cactus.training:train"
_PAPER = "Context-Aware Clustering using Large Language Models (CACTUS), under review"
_SCL = "Barnabo et al., Supervised Clustering Loss, 2023"


def _card(name: str, label: str, summary: str, where: str, fits: str = "") -> MethodCard:
    return MethodCard(
        name=name,
        label=label,
        summary=summary,
        paper=where,
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        query_specific=name == "cactus-query",
        comparison=not fits,
        fits=fits,
    )


CARDS: tuple[MethodCard, ...] = (
    _card(
        "cactus",
        "CACTUS",
        "Reads all passages of a hit set together, so that each is understood beside the others.",
        f"{_PAPER}, section 3",
        "Take it if your sets are small, such as the items of a list or what one person asked, and "
        "what belongs together depends on what else there is.",
    ),
    _card(
        "cactus-query",
        "CACTUS for queries",
        "Reads all passages of a hit set together with the question.",
        f"After {_PAPER}, section 3; the query as one more entity is ours",
        "As CACTUS, for sets that answer a question: it reads the question along with them.",
    ),
    _card(
        "cactus-sia-first",
        "CACTUS (first token)",
        "As CACTUS; passages see only each other's first word piece.",
        f"{_PAPER}, table 3",
    ),
    _card(
        "cactus-sia-kv-mean",
        "CACTUS (KV-mean)",
        "As CACTUS; passages see each other's mean keys and values.",
        f"{_PAPER}, table 3",
    ),
    _card(
        "cactus-fia",
        "CACTUS (full attention)",
        "As CACTUS, with every word in sight of every other; slow on large sets.",
        f"{_PAPER}, table 3",
    ),
    _card(
        "cactus-nia",
        "CACTUS (no attention)",
        "Learnt as CACTUS is, but each passage is read alone.",
        f"{_PAPER}, table 3",
    ),
    _card(
        "cactus-nia-context",
        "CACTUS (mean)",
        "Learnt as CACTUS is; each passage is read alone and then sees the mean of the set.",
        f"{_PAPER}, table 3",
    ),
    _card(
        "scl-structural",
        "SCL",
        "Each passage is read alone; learnt by spanning forests. A rival of CACTUS.",
        f"{_SCL}; {_PAPER}, section 4.2",
    ),
    _card(
        "scl-structural-context",
        "SCL (context)",
        "As SCL; each passage then sees the mean of the set.",
        f"{_SCL}; {_PAPER}, section 4.2",
    ),
    _card(
        "word-emb",
        "Word embeddings",
        "The mean of learnt word vectors, without a language model above them.",
        f"{_PAPER}, section 4.2",
    ),
    _card(
        "word-emb-context",
        "Word embeddings (context)",
        "The mean of learnt word vectors, which then sees the mean of the set.",
        f"{_PAPER}, section 4.2",
    ),
)
