"""What labelling will cost, before it starts."""

from collections.abc import Sequence
from dataclasses import dataclass

from subclust.core.records import ClusteringInstance
from subclust.labelled.llm.prompt import prompt_for

CHARACTERS_PER_TOKEN = 4.0
"""Of English, about; other languages and scripts take more tokens."""

WORDS_OF_TITLES = 1.25
"""An answer is the texts again, with titles and bullets, a quarter more."""


@dataclass(frozen=True)
class LabellingCost:
    """An estimate.

    Parameters
    ----------
    n_requests, n_entities : int
    tokens_in, tokens_out : int
        Of all questions and answers; about, and without questions that are asked again.
    price : float or None
        In the currency of the prices that were given.
    """

    n_requests: int
    n_entities: int
    tokens_in: int
    tokens_out: int
    price: float | None

    def in_words(self) -> str:
        """Tell it in a sentence."""
        money = "" if self.price is None else f", at a price of about {self.price:,.2f}"
        return (
            f"{self.n_requests:,} questions about {self.n_entities:,} texts, about "
            f"{self.tokens_in:,} tokens sent and {self.tokens_out:,} received{money}"
        )


def estimate_cost(
    instances: Sequence[ClusteringInstance],
    things: str = "products",
    *,
    price_in: float | None = None,
    price_out: float | None = None,
) -> LabellingCost:
    """Estimate what it takes to label some subsets.

    Parameters
    ----------
    instances : sequence of ClusteringInstance
    things : str
        As for `prompt_for`.
    price_in, price_out : float, optional
        Of a million tokens sent and received; without both there is no price.
    """
    texts = [[passage.text for passage in instance.passages] for instance in instances]
    asked = sum(len(prompt_for(subset, things)) for subset in texts)
    answered = sum(len(text) + 1 for subset in texts for text in subset) * WORDS_OF_TITLES
    tokens_in = round(asked / CHARACTERS_PER_TOKEN)
    tokens_out = round(answered / CHARACTERS_PER_TOKEN)
    price = None
    if price_in is not None and price_out is not None:
        price = (tokens_in * price_in + tokens_out * price_out) / 1e6
    return LabellingCost(len(texts), sum(map(len, texts)), tokens_in, tokens_out, price)
