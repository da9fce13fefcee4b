"""What tells the methods of this room apart."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Variant:
    """A method of this room.

    Parameters
    ----------
    context : str
        How entities see one another: one of `set_encoder.CONTEXTS`, or ``"words"`` and
        ``"words-context"`` for means of word embeddings.
    loss : str
        That a recipe gets unless it names another.
    uses_query : bool
        Whether the query is one more entity of each subset.
    """

    context: str
    loss: str = "augmented-triplet"
    uses_query: bool = False

    @property
    def words_only(self) -> bool:
        """Whether it has no layers: the mean of word embeddings."""
        return self.context.startswith("words")

    @property
    def sees(self) -> str:
        """Return how a network over vectors sees the others: ``"none"``, ``"mean"``, ``"all"``."""
        if self.context in ("nia", "words"):
            return "none"
        return "mean" if self.context.endswith("-context") else "all"


VARIANTS: dict[str, Variant] = {
    "cactus": Variant("sia"),
    "cactus-query": Variant("sia", uses_query=True),
    "cactus-sia-first": Variant("sia-first"),
    "cactus-sia-kv-mean": Variant("sia-kv-mean"),
    "cactus-fia": Variant("fia"),
    "cactus-nia": Variant("nia"),
    "cactus-nia-context": Variant("nia-context"),
    "scl-structural": Variant("nia", loss="structural"),
    "scl-structural-context": Variant("nia-context", loss="structural"),
    "word-emb": Variant("words", loss="structural"),
    "word-emb-context": Variant("words-context", loss="structural"),
}
"""By name of method."""
