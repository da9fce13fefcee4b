"""The Models page's words: facts of a model in sentences a librarian understands."""

from collections.abc import Mapping
from string import punctuation
from typing import Any

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.judged import VERDICTS, is_number, judged_methods
from subclust.checkpoints.promotions import Promotion
from subclust.checkpoints.summary import CheckpointSummary
from subclust.methods import METHODS
from subclust.ui.components.times import day, moment
from subclust.ui.components.words import method_label
from subclust.ui.i18n.language import N_, _, _n, number

LEAD = N_(
    "A model is one trained version of a way of grouping. See here where each comes from and how "
    "well it groups, choose the one that is used, and go back if the one before served you better."
)

ARI_EXPLAINED = N_(
    "The adjusted Rand index (ARI) says how nearly a model's groups are those that people made: 1 "
    "is the same groups, about 0 is chance; the adjusted mutual information (AMI) is read alike. "
    "Models were told how many groups there are, except under 'own number'."
)

SCORES = {
    "validation_ari": N_("ARI on held-out queries"),
    "validation_ami": N_("AMI on held-out queries"),
    "validation_queries": N_("held-out queries"),
    "validation_mixed_ari": N_("ARI where hits of other subjects are mixed in"),
    "validation_mixed_ari_without_gate": N_("the same without setting any aside"),
}

FACTS = {
    "created": N_("made"),
    "parent": N_("started from"),
    "size": N_("size"),
    "data": N_("trained on"),
    "encoder": N_("language model"),
    "method": N_("way of grouping"),
}


_OF_JUDGEMENTS = (
    N_("better"),
    N_("worse"),
    N_("no clear difference"),
    N_("Verdict"),
    N_("Compared with"),
    N_("Measured on"),
    N_("Mean difference in ARI"),
    N_("p-value"),
    N_("Queries"),
)
"""What a card's judgement is told in; `subclust.checkpoints.judged` has the words."""


def somebody_on(page: str) -> str:
    """Name in a history whoever did something on a page without giving a name."""
    return f"somebody on the {page} page"


def trained_methods() -> list[str]:
    """List the ways of grouping that have models."""
    return [card.name for card in METHODS.values() if card.needs_checkpoint]


def model_label(address: str) -> str:
    """Write ``METHOD/NAME`` for people."""
    method, _slash, name = address.partition("/")
    return f"{name} ({method_label(method)})" if name else method_label(method)


def in_markdown(text: str) -> str:
    """Have Streamlit show a text as it is, none of it as Markdown."""
    return "".join(f"\\{letter}" if letter in punctuation else letter for letter in text)


def size_in_words(size: int) -> str:
    """Write a number of bytes as "14.9 MB"."""
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{max(size, 1) / 1e3:.0f} kB"


def origin(summary: CheckpointSummary) -> str:
    """Return when a model was made, or where it comes from."""
    if summary.shipped:
        return _("came with Subclust")
    told = _("date not known")
    if summary.imported:
        told = _("added from a file on {day}").format(day=day(summary.imported))
    elif summary.created:
        told = _("made on {day}").format(day=day(summary.created))
    if not summary.hides_shipped:
        return told
    return _("{made}, in place of the one that came with Subclust").format(made=told)


def sentence_case(text: str) -> str:
    """Begin a text with a capital, and leave the rest of it as it is."""
    return text[:1].upper() + text[1:]


def short_facts(summary: CheckpointSummary) -> str:
    """Sum a model up in one line under its name.

    A figure is set beside another one only where both were measured on the same queries; any other
    says on what it was measured.
    """
    parts = [sentence_case(origin(summary))]
    if verdict := summary.judgement.get("verdict"):
        told = VERDICTS.get(str(verdict), str(verdict))
        parts.append(_("judged: {verdict}").format(verdict=_(told)))
    parts += filter(None, [_judged_beside(summary) or _measured_alone(summary)])
    return " · ".join(parts)


def _judged_beside(summary: CheckpointSummary) -> str | None:
    """Return a model's score and that of the one before it on the same queries, if both are known.

    The first of a judgement's methods is the model itself, the second what it was compared with.
    """
    rows = judged_methods(summary.judgement)[:2]
    queries = summary.judgement.get("n_queries")
    if len(rows) < 2 or not is_number(queries) or any(row["ari"] is None for row in rows):
        return None
    mine, other = rows
    return _("ARI {ari} against {other} of {model}, on the same {queries}").format(
        ari=number(mine["ari"], 3),
        other=number(other["ari"], 3),
        model=in_markdown(model_label(other["name"])),
        queries=_n("{count} query", "{count} queries", int(queries)),
    )


def _measured_alone(summary: CheckpointSummary) -> str | None:
    """Return a model's score with the queries it was measured on, which were its training's own."""
    ari, queries = (summary.scores.get(f"validation_{what}") for what in ("ari", "queries"))
    if not is_number(ari):
        return None
    if not is_number(queries):
        return _("ARI {ari} on queries of its own training").format(ari=number(ari, 3))
    return _("ARI {ari} on {queries} of its own training").format(
        ari=number(ari, 3), queries=_n("{count} query", "{count} queries", int(queries))
    )


def quality_sentence(summary: CheckpointSummary) -> str:
    """Say in one or two sentences how well a model groups, and how that is known."""
    if sentence := summary.judgement.get("sentence"):
        return str(sentence)
    ari = summary.scores.get("validation_ari")
    if not is_number(ari):
        return _("It was never measured on queries that it was not trained on.")
    queries = summary.scores.get("validation_queries")
    if not queries:
        return _(
            "After its training it had an adjusted Rand index of {ari} on queries that had been "
            "kept apart. It was not compared with another model on them."
        ).format(ari=number(ari, 3))
    return _(
        "After its training it had an adjusted Rand index of {ari} on {queries} that had been kept "
        "apart. It was not compared with another model on them."
    ).format(ari=number(ari, 3), queries=_n("{count} query", "{count} queries", int(queries)))


def doubt(summary: CheckpointSummary, needed: str) -> str:
    """Say shortly why a reason is asked for, where the whole verdict stands beside it."""
    match summary.judgement.get("verdict"):
        case "worse":
            return _("Held-out queries say that it groups worse than the model before it.")
        case "unclear":
            return _("Held-out queries do not show that it groups better than the model before it.")
    return needed


def in_use_sentence(method: str, name: str, promotion: Promotion | None) -> str:
    """Say since when a model is in use, by whom and why, as far as that was told."""
    if promotion is None or promotion.name != name or promotion.when is None:
        return _("It was in use from the beginning.")
    told = {
        (True, True): _("Put in use on {day} by {who}, because: {why}"),
        (True, False): _("Put in use on {day} by {who}."),
        (False, True): _("Put in use on {day}, because: {why}"),
        (False, False): _("Put in use on {day}."),
    }[bool(promotion.who), bool(promotion.why)]
    when = moment(promotion.when)
    return told.format(day=when, who=promotion.who, why=promotion.why)


def data_in_words(data: Mapping[str, Any]) -> str:
    """Describe a labelled set that a model was trained on, in one line."""
    counts = []
    if is_number(data.get("n_queries")):
        counts.append(_n("{count} query", "{count} queries", data["n_queries"]))
    if is_number(data.get("n_passages")):
        counts.append(_n("{count} passage", "{count} passages", data["n_passages"]))
    known = data.get("licence") not in (None, "", "not stated")
    licence = [str(data["licence"])] if known else [_("licence not stated")]
    return f"{_set_name(data)} ({', '.join([*counts, *licence])})"


def _set_name(data: Mapping[str, Any]) -> str:
    name = str(data.get("set") or data.get("name") or _("a set without a name"))
    if not data.get("version"):
        return name
    return _("{set}, version {version}").format(set=name, version=data["version"])


def own_model_sentence(checkpoint: Checkpoint) -> str | None:
    """Return a sentence on whose a model is, what it was trained on and when.

    None of a model that came with Subclust.
    """
    if checkpoint.shipped:
        return None
    name, card = checkpoint.name, checkpoint.card
    sets = card.get("training_data")
    rows = [one for one in sets if isinstance(one, Mapping)] if isinstance(sets, list) else []
    on = _(" and ").join(map(_set_in_words, rows))
    made = day(str(card["created"])) if card.get("created") else ""
    what = _("your own model")
    if card.get("imported"):
        what = _("a model that was added here on {day}").format(day=day(str(card["imported"])))
    told = {
        (True, True): _("{name} is {what}, trained on {data} on {made}."),
        (True, False): _("{name} is {what}, trained on {data}."),
        (False, True): _(
            "{name} is {what}, of which is not known what it was trained on, made on {made}."
        ),
        (False, False): _("{name} is {what}, of which is not known what it was trained on."),
    }[bool(on), bool(made)]
    return told.format(name=name, what=what, data=on, made=made)


def _set_in_words(data: Mapping[str, Any]) -> str:
    n = data.get("n_queries")
    queries = f" ({_n('{count} query', '{count} queries', n)})" if isinstance(n, int) else ""
    return _set_name(data) + queries


def score_label(name: str) -> str:
    """Name a score of a card for people."""
    return sentence_case(_(SCORES[name]) if name in SCORES else name.replace("_", " "))


def field_label(name: str) -> str:
    """Name a fact or a setting of a comparison for people."""
    part, _dot, rest = name.partition(".")
    if rest:
        kind = _("training") if part == "training" else _("setting")
        return f"{sentence_case(kind)}: {rest.replace('_', ' ').replace('.', ', ')}"
    return sentence_case(_(FACTS.get(name, name)))


def score_in_words(name: str, value: object) -> str:
    """Write a score as all tables have them, with three decimals; a number of queries as it is."""
    if not is_number(value) or name.endswith("_queries"):
        return value_in_words(name, value)
    return number(value, 3)


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
        return _("yes") if value else _("no")
    return f"{value:.4g}" if isinstance(value, float) else str(value)
