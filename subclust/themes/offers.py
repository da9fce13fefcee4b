"""The methods that find themes, and when each fits, in words a librarian understands."""

from collections.abc import Sequence
from dataclasses import dataclass

from subclust.core.exceptions import InputError
from subclust.core.messages import N_, Message
from subclust.core.records import Passage

FEWEST, MOST = 200, 20_000
"""Passages below which there are no reliable themes, and beyond which nothing is promised."""

FEWEST_LABELLED = 4
"""Passages with a label that a method which learns from labels must have."""


@dataclass(frozen=True)
class Offer:
    """A method of the themes.

    Parameters
    ----------
    name, label : str
    fits : str
        When to take it, in a few words.
    says : str
        What it does, in a sentence.
    minutes : float
        That 10,000 short texts take on one core, about and rounded up; 0 for seconds.
    needs_labels : bool
        Whether some of the texts must have a label, or pairs must be given.
    """

    name: str
    label: str
    fits: str
    says: str
    minutes: float = 0.0
    needs_labels: bool = False


OFFERS: dict[str, Offer] = {
    offer.name: offer
    for offer in (
        Offer(
            "aecl",
            "AECL",
            Message("no labels, short passages"),
            N_("Learns from the passages alone which of them belong together."),
            3.0,
        ),
        Offer(
            "scl",
            "SCL",
            Message("no labels, short or long passages"),
            N_("Learns from the passages and from the same passages with words left out."),
            4.0,
        ),
        Offer(
            "fcl",
            "FCL",
            Message("a few labels"),
            N_(
                "Learns from the passages that have a label, or from pairs that you have put "
                "together or apart, and groups all others accordingly."
            ),
            2.0,
            needs_labels=True,
        ),
        Offer(
            "kmeans",
            "k-means",
            Message("a first look, at once"),
            N_("Learns nothing: splits the passages around centres of their meaning."),
        ),
        Offer(
            "tfidf-kmeans",
            "k-means on words",
            Message("passages in a language that the encoder does not know"),
            N_("Learns nothing: splits the passages by the words that they share."),
        ),
    )
}
"""By name; the first is what is taken unless another is asked for."""


def find_offer(name: str) -> Offer:
    """Look a method up.

    Raises
    ------
    InputError
        If themes cannot be found by it.
    """
    if name not in OFFERS:
        raise InputError(
            "{name!r} does not find themes; choose one of {methods}.",
            name=name,
            methods=", ".join(f"{offer.name} ({offer.fits})" for offer in OFFERS.values()),
        )
    return OFFERS[name]


def why_not(
    method: str, passages: Sequence[Passage], n_themes: int | str, *, pairs: bool = False
) -> str | None:
    """Return why a method cannot find the themes of some texts; None if it can.

    Parameters
    ----------
    method : str
    passages : sequence of Passage
    n_themes : int or "auto"
    pairs : bool
        Whether pairs are given.
    """
    offer, n_texts = find_offer(method), len(passages)
    if n_texts < FEWEST:
        return Message(
            "Themes need at least {most} passages, but there are {count:,}; import more, use a "
            "wider filter, or ask a question instead.",
            most=FEWEST,
            count=n_texts,
        )
    if n_texts > MOST:
        return too_many(n_texts)
    if len({passage.text for passage in passages}) < 2:
        return Message(
            "All {count:,} passages are the same, so there are no themes.", count=n_texts
        )
    if n_themes != "auto":
        if isinstance(n_themes, str) or isinstance(n_themes, bool) or n_themes < 2:
            return Message(
                "The number of themes must be at least 2, but is {n_themes}.", n_themes=n_themes
            )
        if n_themes > n_texts // 2:
            return Message(
                "{count:,} themes are too many for {size:,} passages; ask for at most {most:,}.",
                count=n_themes,
                size=n_texts,
                most=n_texts // 2,
            )
    return _why_not_labels(offer, passages) if offer.needs_labels and not pairs else None


def too_many(n_texts: int) -> str:
    """Return the sentence that there are too many texts for themes."""
    return Message(
        "Themes are found in at most {most:,} passages, but there are {count:,}; use a filter, "
        "such as one collection or some years.",
        most=MOST,
        count=n_texts,
    )


def check(
    method: str, passages: Sequence[Passage], n_themes: int | str, *, pairs: bool = False
) -> None:
    """Reject what cannot be.

    Raises
    ------
    InputError
        With the sentence of `why_not`, or if pairs are given to a method that reads none.
    """
    offer = find_offer(method)
    if pairs and not offer.needs_labels:
        raise InputError(
            "{label} learns from no pairs; give them to fcl, or leave them out.", label=offer.label
        )
    if sentence := why_not(method, passages, n_themes, pairs=pairs):
        raise InputError(sentence)


def _why_not_labels(offer: Offer, passages: Sequence[Passage]) -> str | None:
    labels = [passage.label for passage in passages if passage.label]
    if len(labels) < FEWEST_LABELLED:
        return Message(
            "{method} learns from a few labels, but {count} of these passages have one; label at "
            "least {most}, or choose a method that needs no labels.",
            method=offer.label,
            count=len(labels),
            most=FEWEST_LABELLED,
        )
    if len(set(labels)) < 2:
        return Message(
            "All labelled passages have the same label, {text!r}, so {method} cannot learn what "
            "divides them; label some of another theme, or choose a method that needs no "
            "labels.",
            text=labels[0],
            method=offer.label,
        )
    if len(set(labels)) == len(labels):
        return Message(
            "No two of the labelled passages have the same label, so {method} cannot learn what "
            "belongs together; label two of a theme, or choose a method that needs no labels.",
            method=offer.label,
        )
    return None
