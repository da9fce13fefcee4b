"""Facts of models in words and tables, every text of them escaped.

A card may come from elsewhere; as Markdown it could have the browser fetch a picture.
"""

from collections.abc import Mapping
from typing import Any

from subclust.checkpoints import Checkpoint
from subclust.checkpoints.card import is_number
from subclust.checkpoints.summary import CheckpointSummary
from subclust.methods import METHODS
from subclust.ui.components.words import day, method_label
from subclust.ui.i18n.language import N_, _, _n, file_size, number

_SCORES = {
    "validation_ari": N_("ARI on validation questions"),
    "validation_ami": N_("AMI on validation questions"),
    "validation_queries": N_("validation questions"),
    "validation_mixed_ari": N_("ARI with hits of other subjects mixed in"),
    "validation_mixed_ari_without_gate": N_(
        "ARI with hits of other subjects mixed in, without the gate"
    ),
    "validation_ari_with_gate": N_("ARI with the gate"),
    "gate": N_("AUC of the gate"),
    "passage_auc": N_("AUC of the gate on hits of one question"),
    "mixed_auc": N_("AUC of the gate with hits of other subjects mixed in"),
    "caution": N_("caution of the gate"),
}


_FACTS = {
    "created": N_("made"),
    "parent": N_("started from"),
    "size": N_("size"),
    "data": N_("trained on"),
    "encoder": N_("encoder"),
    "method": N_("method"),
}


def trained_methods() -> list[str]:
    """List the methods that have models."""
    return [card.name for card in METHODS.values() if card.needs_checkpoint]


def model_label(address: str) -> str:
    """Return ``METHOD/NAME`` as people read it."""
    method, _slash, name = address.partition("/")
    return f"{name} ({method_label(method)})" if name else method_label(method)


def sentence_case(text: str) -> str:
    """Return a text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


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


def data_in_words(data: Mapping[str, Any]) -> str:
    """Return a labelled set that a model was trained on, in one line."""
    counts = []
    if is_number(data.get("n_queries")):
        counts.append(_n("{count} question", "{count} questions", data["n_queries"]))
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
    """Return what a model was trained on and when, None for a shipped one."""
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
        (False, True): _("{name} is {what}, made on {made}; its training data are unknown."),
        (False, False): _("{name} is {what}; its training data are unknown."),
    }[bool(on), bool(made)]
    return told.format(name=name, what=what, data=on, made=made)


def _set_in_words(data: Mapping[str, Any]) -> str:
    n = data.get("n_queries")
    queries = f" ({_n('{count} question', '{count} questions', n)})" if isinstance(n, int) else ""
    return _set_name(data) + queries


def score_label(name: str) -> str:
    """Return the label of a score."""
    return sentence_case(_(_SCORES.get(name, name.replace("_", " "))))


def field_label(name: str) -> str:
    """Return the label of a fact or a setting."""
    part, _dot, rest = name.partition(".")
    if rest:
        kind = _("training") if part == "training" else _("setting")
        return f"{sentence_case(kind)}: {rest.replace('_', ' ').replace('.', ', ')}"
    return sentence_case(_(_FACTS.get(name, name)))


def score_in_words(name: str, value: object) -> str:
    """Write a score with three decimals; a number of queries as it is."""
    if not is_number(value) or name.endswith("_queries"):
        return value_in_words(name, value)
    return number(value, 3)


def value_in_words(name: str, value: object) -> str:
    """Write a fact or a setting as people read it."""
    if value is None:
        return "–"
    if name == "size" and isinstance(value, int):
        return file_size(value)
    if name in ("created", "imported"):
        return day(str(value))
    if name in ("parent", "method"):
        return model_label(str(value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return f"{value:.4g}" if isinstance(value, float) else str(value)
