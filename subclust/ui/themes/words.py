"""What the page of themes says."""

from subclust.themes.offers import OFFERS
from subclust.themes.recipes import LABELS, PAIRS, SOURCE
from subclust.ui.i18n.language import N_, _, _n

FITS: dict[str, str] = {
    "aecl": N_("no labels, short texts"),
    "scl": N_("no labels, short or long texts"),
    "fcl": N_("a few labels"),
    "kmeans": N_("a first look, at once"),
    "tfidf-kmeans": N_("texts in a language that the encoder does not know"),
}
"""When each method fits, as the command line says it."""

SAYS: dict[str, str] = {
    "aecl": N_("Learns from the texts alone which of them belong together."),
    "scl": N_("Learns from the texts and from the same texts with words left out."),
    "fcl": N_(
        "Learns from the texts that have a label, or from pairs that you have put together or "
        "apart, and groups all others accordingly."
    ),
    "kmeans": N_("Learns nothing: splits the texts around centres of their meaning."),
    "tfidf-kmeans": N_("Learns nothing: splits the texts by the words that they share."),
}
"""What each does."""

WHENCE: dict[str, str] = {
    SOURCE: N_("The number of themes was chosen by how well the texts fit them."),
    LABELS: N_("There are as many themes as different labels."),
    PAIRS: N_("There are as many themes as groups that your corrections keep apart."),
}
"""Where the number of themes comes from, if nobody asked for it."""

STAGES: dict[str, str] = {
    "waiting": N_("Waiting for its turn"),
    "reading": N_("Reading the texts"),
    "encoding": N_("Encoding other wordings of the texts"),
    "training": N_("Learning"),
    "saving": N_("Naming the themes and drawing the map"),
}
"""What a search for themes is at."""


def method_words(name: str) -> str:
    """Say a method and when it fits."""
    return f"{OFFERS[name].label}: {_(FITS[name])}"


def about_minutes(name: str, n_texts: int) -> str:
    """Return how long a method will take."""
    minutes = OFFERS[name].minutes * n_texts / 10_000
    if not minutes:
        return _("It takes less than a minute or two, most of it for the map.")
    return _n(
        "It takes about {count} minute on a plain computer, in the background.",
        "It takes about {count} minutes on a plain computer, in the background.",
        max(1, round(minutes + 1)),
    )
