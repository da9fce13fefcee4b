"""A model beside its card, its history and another model."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from subclust.checkpoints import CheckpointStore
from subclust.checkpoints.card import (
    MEASURES,
    is_number,
    judged_methods,
    judgement_rows,
)
from subclust.checkpoints.promotions import Promotion
from subclust.checkpoints.summary import CheckpointSummary, compare_checkpoints
from subclust.ui.components.words import day, moment, plain
from subclust.ui.i18n.language import N_, _, _n, file_size, number
from subclust.ui.models.facts import (
    data_in_words,
    field_label,
    model_label,
    origin,
    score_in_words,
    score_label,
    sentence_case,
    table_html,
    trained_methods,
    value_in_words,
)

_ARI_EXPLAINED = N_(
    "The adjusted Rand index (ARI) measures how well the groups agree with those that people "
    "made: 1 is the same groups, 0 is chance. The adjusted mutual information (AMI) reads the "
    "same way. The true number of groups was given, except under 'own number'."
)


_NOT_COMPARABLE = N_(
    "These two were not measured on the same held-out questions, so their scores do not show which "
    "is better. A model that is trained here is compared with the previous one on the same "
    "questions."
)


_OF_JUDGEMENTS = (
    N_("better"),
    N_("worse"),
    N_("no clear difference"),
    N_("Verdict"),
    N_("Compared with"),
    N_("Measured on"),
    N_("Mean difference in ARI"),
    N_("p-value"),
    N_("Questions"),
)
"""The words of a card's judgement, which `subclust.checkpoints.card` has."""


def draw_heading(summary: CheckpointSummary) -> None:
    """Draw a model's name, whether it is in use, and how well it groups."""
    st.html(_heading_html(summary))
    st.markdown(plain(_quality_sentence(summary)))


def _heading_html(summary: CheckpointSummary) -> str:
    """Write a model's name with its badges."""
    badges = []
    if summary.promoted:
        badges.append(f"<span class='sc-badge sc-on'>{_('in use')}</span>")
    if summary.default:
        badges.append(f"<span class='sc-badge sc-on'>{_('recommended')}</span>")
    return f"<h2 class='sc-model'>{html.escape(summary.name)} {' '.join(badges)}</h2>"


def _quality_sentence(summary: CheckpointSummary) -> str:
    """Return how well a model groups, and how that is known."""
    if sentence := summary.judgement.get("sentence"):
        return str(sentence)
    ari = summary.scores.get("validation_ari")
    if not is_number(ari):
        return _("It was never measured on held-out questions.")
    queries = summary.scores.get("validation_queries")
    if not queries:
        return _(
            "After training, its adjusted Rand index on held-out questions was {ari}. It was not "
            "compared with another model on them."
        ).format(ari=number(ari, 3))
    return _(
        "After training, its adjusted Rand index on {queries} held out was {ari}. It was not "
        "compared with another model on them."
    ).format(ari=number(ari, 3), queries=_n("{count} question", "{count} questions", int(queries)))


def draw_card(store: CheckpointStore, summary: CheckpointSummary) -> None:
    """Draw a model's card."""
    card = store.card(summary.method, summary.name)
    st.html(card_html(summary, card))
    with st.expander(_("All settings of its training")):
        st.html(_settings_html(store.config(summary.method, summary.name), card))


def card_html(summary: CheckpointSummary, card: Mapping[str, Any]) -> str:
    """Write what a model is for, where it comes from, how it was measured, and its limits."""
    parts = [_section(_("What it is"), _paragraph(card.get("summary")))]
    parts.append(_section(_("Intended use"), _paragraph(card.get("intended_use"))))
    parts.append(_section(_("Limits"), _paragraph(card.get("limits"))))
    facts = [(_("Where from"), sentence_case(origin(summary)))]
    if summary.imported and summary.created:
        facts.append((_("Made"), day(summary.created)))
    if summary.parent:
        parent = model_label(summary.parent)
        if not summary.parent_kept:
            parent = _("{model}, which is not here").format(model=parent)
        facts.append((_("Started from"), parent))
    if card.get("encoder"):
        facts.append((_("Encoder"), str(card["encoder"])))
    facts.append((_("Size"), file_size(summary.size)))
    if card.get("licence"):
        facts.append((_("Licence"), str(card["licence"])))
    parts.append(_section(_("Origin"), _pairs(facts)))
    data = "".join(
        f"<li>{html.escape(data_in_words(one))}"
        f"<br><code>sha256 {html.escape(str(one.get('sha256', _('unknown')))[:16])}</code></li>"
        for one in summary.training_data
    )
    parts.append(_section(_("Trained on"), f"<ul>{data}</ul>" if data else ""))
    parts.append(_section(_("How well it groups"), _measured(summary, card)))
    parts.append(_section(_("How to cite"), _paragraph(card.get("citation"))))
    return f"<div class='sc-card'>{''.join(parts)}</div>"


def _measured(summary: CheckpointSummary, card: Mapping[str, Any]) -> str:
    parts = []
    if summary.judgement:
        rows = judgement_rows(summary.judgement)
        parts.append(_pairs((_(name), _(told)) for name, told in rows))
        parts.append(_methods(summary.judgement))
        notes = summary.judgement.get("notes")
        parts += [_paragraph(note) for note in notes] if isinstance(notes, list) else []
    if summary.scores:
        pairs = [(score_label(k), score_in_words(k, v)) for k, v in summary.scores.items()]
        parts.append(f"<p>{_('Measured during training:')}</p>" + _pairs(pairs))
    elsewhere = card.get("judgement_elsewhere")
    if isinstance(elsewhere, Mapping):
        said = elsewhere.get("sentence") or _("no verdict")
        told = _("Judged where it was trained: {sentence}")
        parts.append(_paragraph(told.format(sentence=said)))
    if parts:
        parts.append(f"<p class='sc-note'>{html.escape(_(_ARI_EXPLAINED))}</p>")
    return "".join(parts)


def _methods(judgement: Mapping[str, Any]) -> str:
    rows = [
        [
            f"{model_label(row['name'])}: {row['role']}" if row["role"] else row["name"],
            *("–" if row[key] is None else f"{row[key]:.3f}" for key in MEASURES),
        ]
        for row in judged_methods(judgement)
    ]
    return table_html("", ["", *MEASURES.values()], rows, "sc-figures") if rows else ""


def _settings_html(config: Mapping[str, Any], card: Mapping[str, Any]) -> str:
    """Write the settings of a model's training and configuration."""
    rows = []
    stages = card.get("stages")
    for at, stage in enumerate(stages if isinstance(stages, list) else [], start=1):
        rows += _flat(_("stage {number}").format(number=at), stage)
    rows += _flat(_("training"), card.get("training")) + _flat(_("setting"), config)
    rows += _flat(_("version of"), card.get("versions"))
    return table_html("", ["", _("Value")], rows)


def _flat(prefix: str, value: object) -> list[list[str]]:
    if isinstance(value, Mapping):
        return [row for key, item in value.items() for row in _flat(f"{prefix}: {key}", item)]
    return [] if value is None else [[prefix.replace("_", " "), value_in_words("", value)]]


def _section(title: str, body: str) -> str:
    return f"<h3>{html.escape(title)}</h3>{body}" if body else ""


def _paragraph(text: object) -> str:
    return f"<p>{html.escape(str(text))}</p>" if text else ""


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{html.escape(k)}</dt><dd>{html.escape(v)}</dd>" for k, v in pairs)
    return f"<dl>{rows}</dl>"


def draw_comparison(store: CheckpointStore, summary: CheckpointSummary) -> None:
    """Draw a model beside another one: scores and differences."""
    others = [
        f"{method}/{name}"
        for method in (summary.method, *(m for m in trained_methods() if m != summary.method))
        for name in store.names(method)
        if (method, name) != (summary.method, summary.name)
    ]
    if not others:
        st.caption(_("No other model to compare with yet."))
        return
    in_use = f"{summary.method}/{store.promoted(summary.method)}"
    first = next((one for one in (summary.parent, in_use) if one in others), others[0])
    other = st.selectbox(
        _("Compare with"),
        others,
        index=others.index(first),
        format_func=model_label,
        key=f"compare-{summary.address}",
        width=360,
    )
    method, _slash, name = other.partition("/")
    found = compare_checkpoints(store, (method, name), (summary.method, summary.name))
    if found["judged"] is not None:
        told = _("Both were measured on {data}.")
        st.caption(told.format(data=plain(str(found["judged"]["measured_on"]))))
        found["scores"] = found["judged"]["scores"]
    elif not found["same_data"]:
        st.info(_(_NOT_COMPARABLE))
        found["scores"] = [{**row, "difference": None} for row in found["scores"]]
    st.html(comparison_html(found))


def comparison_html(comparison: Mapping[str, Any]) -> str:
    """Write the scores of two models side by side, then the facts that differ."""
    heads = [
        model_label(f"{one['method']}/{one['name']}")
        for one in (comparison["first"], comparison["second"])
    ]
    scores = [
        [
            score_label(row["score"]),
            *(score_in_words(row["score"], row[side]) for side in ("first", "second")),
            _difference(row),
        ]
        for row in comparison["scores"]
    ]
    facts = [
        [
            field_label(row["field"]),
            *(value_in_words(row["field"], row[side]) for side in ("first", "second")),
        ]
        for row in comparison["differences"]
        if row["field"] != "config.base"  # "started from" says the same
        if row["first"] or row["second"]  # unknown of an older one, off in the other
    ]
    parts = []
    if scores:
        if not any(row[-1] for row in scores):  # measured on different queries
            scores = [row[:-1] for row in scores]
        last = [_("Second minus first")] if len(scores[0]) > len(heads) + 1 else []
        parts.append(table_html(_("Scores"), ["", *heads, *last], scores, "sc-even"))
    parts.append(table_html(_("Differences"), ["", *heads], facts, "sc-even"))
    return "<br>".join(parts)


def _difference(row: Mapping[str, Any]) -> str:
    if row["difference"] is None or row["score"].endswith("_queries"):
        return ""
    return f"{row['difference']:+.3f}"


def draw_history(store: CheckpointStore, method: str) -> None:
    """Draw who promoted which of a method's models, when and why."""
    history = store.history(method, undone=True)
    if not history:
        st.caption(_("No model of this method has been promoted yet."))
        return
    st.html(_history_html(history, store.current(method)))


def _history_html(history: Sequence[Promotion], current: int | None) -> str:
    """Write who promoted which model, when and why, newest first; one row is the current."""
    rows = []
    for place, one in reversed(list(enumerate(history))):
        then = _("in use now") if place == current else ""
        if one.undone:
            told = (
                _("rolled back on {day} by {name}") if one.undone_by else _("rolled back on {day}")
            )
            then = told.format(day=moment(one.undone), name=one.undone_by)
        when = moment(one.when) or _("from the start")
        rows.append([one.name, when, one.who or "", one.why or "", then])
    marked = None if current is None else len(history) - 1 - current
    heads = [_("Model"), _("When"), _("Who"), _("Why"), _("Since")]
    return table_html("", heads, rows, "sc-history", marked)
