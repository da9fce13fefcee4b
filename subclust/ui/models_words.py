"""The Models page's words: facts of a model in sentences a librarian understands."""

from collections.abc import Mapping
from datetime import datetime
from string import punctuation
from typing import Any

from subclust.checkpoints.judged import VERDICTS, is_number
from subclust.checkpoints.promoting import came_with_project
from subclust.checkpoints.promotions import Promotion
from subclust.checkpoints.summary import CheckpointSummary
from subclust.methods import METHODS
from subclust.ui.language import N_
from subclust.ui.words import counted, method_label

LEAD = N_(
    "A model is one trained version of a way of grouping. See here where each comes from and how "
    "well it groups, choose the one that is used, and go back if the one before served you better."
)

ARI_EXPLAINED = (
    "The adjusted Rand index (ARI) says how nearly a model's groups are those that people made: 1 "
    "is the same groups, about 0 is chance; the adjusted mutual information (AMI) is read alike. "
    "Models were told how many groups there are, except under 'own number'."
)

SCORES = {
    "validation_ari": "ARI on held-out queries",
    "validation_ami": "AMI on held-out queries",
    "validation_queries": "held-out queries",
    "validation_mixed_ari": "ARI where hits of other subjects are mixed in",
    "validation_mixed_ari_without_gate": "the same without setting any aside",
}

FACTS = {
    "created": "made",
    "parent": "started from",
    "size": "size",
    "data": "trained on",
    "encoder": "language model",
    "method": "way of grouping",
}


def somebody_on(page: str) -> str:
    """Name in a history whoever did something on a page without giving a name."""
    return f"somebody on the {page} page"


def trained_methods() -> list[str]:
    """List the ways of grouping that have models."""
    return [card.name for card in METHODS.values() if card.needs_checkpoint]


def model_label(address: str) -> str:
    """Write ``METHOD/NAME`` for people."""
    method, _, name = address.partition("/")
    return f"{name} ({method_label(method)})" if name else method_label(method)


def in_markdown(text: str) -> str:
    """Have Streamlit show a text as it is, none of it as Markdown."""
    return "".join(f"\\{letter}" if letter in punctuation else letter for letter in text)


def day(time: str | None, *, clock: bool = False) -> str:
    """Write a time of ISO 8601 as "3 May 2026", or "3 May 2026, 14:05"; empty where there is none.

    What is no such time is given as it is.
    """
    if not time:
        return ""
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return time
    hours = f", {found:%H:%M} UTC" if clock else ""
    return f"{found.day} {found:%B %Y}{hours}"


def size_in_words(size: int) -> str:
    """Write a number of bytes as "14.9 MB"."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{max(size, 1) / 1e3:.0f} kB"


def origin(summary: CheckpointSummary) -> str:
    """Say when a model was made, or where it comes from."""
    if summary.shipped:
        return "came with Subclust"
    if summary.imported:
        return f"added from a file on {day(summary.imported)}"
    return f"made on {day(summary.created)}" if summary.created else "date not known"


def sentence_case(text: str) -> str:
    """Begin a text with a capital, and leave the rest of it as it is."""
    return text[:1].upper() + text[1:]


def short_facts(summary: CheckpointSummary) -> str:
    """Sum a model up in one line under its name."""
    parts = [sentence_case(origin(summary))]
    if is_number(ari := summary.scores.get("validation_ari")):
        parts.append(f"ARI {ari:.3f}")
    if verdict := summary.judgement.get("verdict"):
        parts.append(f"judged: {VERDICTS.get(str(verdict), str(verdict))}")
    return " · ".join(parts)


def quality_sentence(summary: CheckpointSummary) -> str:
    """Say in one or two sentences how well a model groups, and how that is known."""
    if sentence := summary.judgement.get("sentence"):
        return str(sentence)
    ari = summary.scores.get("validation_ari")
    if not is_number(ari):
        return "It was never measured on queries that it was not trained on."
    queries = summary.scores.get("validation_queries")
    on = f" on {int(queries):,} queries" if queries else ""
    return (
        f"After its training it had an adjusted Rand index of {ari:.3f}{on} that had been kept "
        "apart. It was not compared with another model on them."
    )


def doubt(summary: CheckpointSummary, needed: str) -> str:
    """Say shortly why a reason is asked for, where the whole verdict stands beside it."""
    match summary.judgement.get("verdict"):
        case "worse":
            return "Held-out queries say that it groups worse than the model before it."
        case "unclear":
            return "Held-out queries do not show that it groups better than the model before it."
    return needed


def in_use_sentence(method: str, name: str, promotion: Promotion | None) -> str:
    """Say since when a model is in use, by whom and why, as far as that was told."""
    if promotion is None or promotion.name != name or promotion.when is None:
        return "It was in use from the beginning."
    by = f" by {promotion.who}" if promotion.who else ""
    why = f", because: {promotion.why}" if promotion.why else "."
    return f"Put in use on {day(promotion.when, clock=True)}{by}{why}"


def data_in_words(data: Mapping[str, Any]) -> str:
    """Describe a labelled set that a model was trained on, in one line."""
    version = f", version {data['version']}" if data.get("version") else ""
    counts = [
        f"{data[key]:,} {noun}"
        for key, noun in (("n_queries", "queries"), ("n_passages", "passages"))
        if is_number(data.get(key))
    ]
    known = data.get("licence") not in (None, "", "not stated")
    licence = [str(data["licence"])] if known else ["licence not stated"]
    name = data.get("set") or data.get("name", "a set without a name")
    return f"{name}{version} ({', '.join([*counts, *licence])})"


def own_model_sentence(name: str, card: Mapping[str, Any]) -> str | None:
    """Say of a model that it is the user's, and what it was trained on and when.

    Parameters
    ----------
    name : str
    card : mapping

    Returns
    -------
    str or None
        None of a model that came with Subclust.
    """
    if came_with_project(card):
        return None
    sets = card.get("training_data")
    rows = [one for one in sets if isinstance(one, Mapping)] if isinstance(sets, list) else []
    on = " and ".join(map(_set_in_words, rows))
    trained = f", trained on {on}" if on else ", of which is not known what it was trained on"
    made = f" on {day(str(card['created']))}" if card.get("created") else ""
    made = f", made{made}" if made and not on else made
    if card.get("imported"):
        taken = day(str(card["imported"]))
        return f"{name} is a model that was added here on {taken}{trained}{made}."
    return f"{name} is your own model{trained}{made}."


def _set_in_words(data: Mapping[str, Any]) -> str:
    version = f", version {data['version']}" if data.get("version") else ""
    n = data.get("n_queries")
    queries = f" ({counted(n, 'query')})" if isinstance(n, int) else ""
    return f"{data.get('set') or data.get('name') or 'a set without a name'}{version}{queries}"


def score_label(name: str) -> str:
    """Name a score of a card for people."""
    return sentence_case(SCORES.get(name, name.replace("_", " ")))


def field_label(name: str) -> str:
    """Name a fact or a setting of a comparison for people."""
    part, _, rest = name.partition(".")
    if rest:
        kind = "training" if part == "training" else "setting"
        return f"{sentence_case(kind)}: {rest.replace('_', ' ').replace('.', ', ')}"
    return sentence_case(FACTS.get(name, name))


def score_in_words(name: str, value: object) -> str:
    """Write a score as all tables have them, with three decimals; a number of queries as it is."""
    if not is_number(value) or name.endswith("_queries"):
        return value_in_words(name, value)
    return f"{value:.3f}"


def value_in_words(name: str, value: object) -> str:
    """Write a fact or a setting of a comparison for people."""
    if value is None:
        return "–"
    if name == "size" and isinstance(value, int):
        return size_in_words(value)
    if name in ("created", "imported"):
        return day(str(value))
    if name in ("parent", "method"):
        return model_label(str(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
