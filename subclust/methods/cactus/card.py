"""Cards of the CACTUS room."""

from subclust.core.records import MethodCard

_LOADER = "subclust.methods.cactus.clusterer:load"
_TRAINER = "subclust.methods.cactus.training:train"
_PAPER = "Context-Aware Clustering using Large Language Models (CACTUS), under review"


def _card(name: str, label: str, summary: str, where: str, fits: str) -> MethodCard:
    return MethodCard(
        name=name,
        label=label,
        summary=summary,
        paper=where,
        loader=_LOADER,
        trainer=_TRAINER,
        needs_checkpoint=True,
        query_specific=name == "cactus-query",
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
)
