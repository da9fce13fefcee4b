"""A model beside its card, its history and another model."""

from collections.abc import Iterator, Mapping, Sequence
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
from subclust.core.messages import Message
from subclust.ui.components.markup import draw_list, draw_pairs, draw_plain_table
from subclust.ui.components.words import day, moment, plain
from subclust.ui.i18n.language import N_, _, _n, file_size, number, said
from subclust.ui.models.facts import (
    data_in_words,
    field_label,
    model_label,
    origin,
    score_in_words,
    score_label,
    sentence_case,
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


def draw_heading(summary: CheckpointSummary) -> None:
    """Draw a model's name, whether it is in use, and how well it groups."""
    told = f" :blue-badge[{_('in use')}]" if summary.promoted else ""
    with st.container(key="model-heading"):
        st.header(plain(summary.name) + told, anchor=False)
    st.markdown(plain(_quality_sentence(summary)))


def _quality_sentence(summary: CheckpointSummary) -> str:
    """Return how well a model groups, and how that is known."""
    if sentence := summary.judgement.get("sentence"):
        return said(sentence) if isinstance(sentence, str) else str(sentence)
    ari = summary.scores.get("validation_ari")
    if not is_number(ari):
        return _("It was never measured on held-out questions.")
    queries = summary.scores.get("validation_queries")
    if not queries:
        return _(
            "After training, its adjusted Rand index on validation questions was {ari}. It was not "
            "compared with another model on them."
        ).format(ari=number(ari, 3))
    return _n(
        "After training, its adjusted Rand index on {count} validation question was {{ari}}. It "
        "was not compared with another model on it.",
        "After training, its adjusted Rand index on {count} validation questions was {{ari}}. It "
        "was not compared with another model on them.",
        int(queries),
    ).format(ari=number(ari, 3))


def draw_card(store: CheckpointStore, summary: CheckpointSummary) -> None:
    """Draw what a model is for, where it comes from, how it was measured, and its limits."""
    card = store.card(summary.method, summary.name)
    with st.container(key="model-card", gap="small"):
        for title, name in (
            (_("What it is"), "summary"),
            (_("Intended use"), "intended_use"),
            (_("Limits"), "limits"),
        ):
            _draw_text(title, card.get(name))
        st.subheader(_("Origin"), anchor=False)
        draw_pairs(_origin(summary, card), _("Origin"))
        if summary.training_data:
            st.subheader(_("Trained on"), anchor=False)
            unknown = _("unknown")
            draw_list(
                f"{data_in_words(one)}, sha256 {str(one.get('sha256', unknown))[:16]}"
                for one in summary.training_data
            )
        _draw_measured(summary, card)
        _draw_text(_("How to cite"), card.get("citation"))
    with st.expander(_("All settings of its training")):
        config = store.config(summary.method, summary.name)
        draw_plain_table(
            ["", _("Value")], _settings(config, card), _("All settings of its training")
        )


def _draw_text(title: str, text: object) -> None:
    if text:
        st.subheader(title, anchor=False)
        st.markdown(plain(str(text)))


def _origin(summary: CheckpointSummary, card: Mapping[str, Any]) -> list[tuple[str, str]]:
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
    return facts


def _draw_measured(summary: CheckpointSummary, card: Mapping[str, Any]) -> None:
    elsewhere = card.get("judgement_elsewhere")
    if not (summary.judgement or summary.scores or isinstance(elsewhere, Mapping)):
        return
    title = _("How well it groups")
    st.subheader(title, anchor=False)
    if summary.judgement:
        rows = judgement_rows(summary.judgement)
        draw_pairs(((said(name), said(told)) for name, told in rows), title)
        _draw_methods(summary.judgement)
        notes = summary.judgement.get("notes")
        for note in notes if isinstance(notes, list) else ():
            st.markdown(plain(said(note) if isinstance(note, str) else str(note)))
    if summary.scores:
        told = _("Measured during training:")
        st.markdown(told)
        pairs = ((score_label(k), score_in_words(k, v)) for k, v in summary.scores.items())
        draw_pairs(pairs, told)
    if isinstance(elsewhere, Mapping):
        told = _("Judged where it was trained: {sentence}")
        sentence = elsewhere.get("sentence") or _("no verdict")
        st.markdown(plain(told.format(sentence=sentence)))
    st.caption(_(_ARI_EXPLAINED))


def _draw_methods(judgement: Mapping[str, Any]) -> None:
    rows = [
        [
            f"{model_label(row['name'])}: {_(row['role'])}" if row["role"] else row["name"],
            *("–" if row[key] is None else number(row[key], 3) for key in MEASURES),
        ]
        for row in judged_methods(judgement)
    ]
    if rows:
        draw_plain_table(["", *map(_, MEASURES.values())], rows, _("Scores"))


def _settings(config: Mapping[str, Any], card: Mapping[str, Any]) -> list[list[str]]:
    """Return the settings of a model's training and configuration."""
    rows = []
    stages = card.get("stages")
    for at, stage in enumerate(stages if isinstance(stages, list) else [], start=1):
        rows += _flat(_("stage {number}").format(number=at), stage)
    rows += _flat(_("training"), card.get("training")) + _flat(_("setting"), config)
    return rows + _flat(_("version of"), card.get("versions"))


def _flat(prefix: str, value: object) -> list[list[str]]:
    if isinstance(value, Mapping):
        return [row for key, item in value.items() for row in _flat(f"{prefix}: {key}", item)]
    return [] if value is None else [[prefix.replace("_", " "), value_in_words("", value)]]


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
        st.caption(told.format(data=plain(said(found["judged"]["measured_on"]))))
        found["scores"] = found["judged"]["scores"]
    elif not found["same_data"]:
        st.info(_(_NOT_COMPARABLE))
        found["scores"] = [{**row, "difference": None} for row in found["scores"]]
    for title, heads, rows in _compared(found):
        st.subheader(title, anchor=False)
        draw_plain_table(heads, rows, title)


def _compared(comparison: Mapping[str, Any]) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield the scores of two models side by side, then the facts that differ, as tables."""
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
    if scores:
        if not any(row[-1] for row in scores):  # measured on different queries
            scores = [row[:-1] for row in scores]
        last = [_("Second minus first")] if len(scores[0]) > len(heads) + 1 else []
        yield _("Scores"), ["", *heads, *last], scores
    yield _("Differences"), ["", *heads], facts


def _difference(row: Mapping[str, Any]) -> str:
    if row["difference"] is None or row["score"].endswith("_queries"):
        return ""
    return said(Message("{difference:+.3f}", difference=row["difference"]))


def draw_history(store: CheckpointStore, method: str) -> None:
    """Draw who promoted which of a method's models, when and why."""
    history = store.history(method, undone=True)
    if not history:
        st.caption(_("No model of this method has been promoted yet."))
        return
    heads = [_("Model"), _("When"), _("Who"), _("Why"), _("Since")]
    draw_plain_table(heads, _history(history, store.current(method)), _("History"))


def _history(history: Sequence[Promotion], current: int | None) -> list[list[str]]:
    """Return who promoted which model, when and why, newest first."""
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
    return rows
