"""A model's card, its history and its comparison as HTML, every text of them escaped.

A card may come from elsewhere; as Markdown it could have the browser fetch a picture.
"""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from subclust.checkpoints.judged import MEASURES, judged_methods, judgement_rows
from subclust.checkpoints.promotions import Promotion
from subclust.checkpoints.summary import CheckpointSummary
from subclust.ui.components.times import day, moment
from subclust.ui.i18n.language import _
from subclust.ui.models.words import (
    ARI_EXPLAINED,
    data_in_words,
    field_label,
    model_label,
    origin,
    score_in_words,
    score_label,
    sentence_case,
    size_in_words,
    value_in_words,
)


def heading_html(summary: CheckpointSummary) -> str:
    """Write a model's name with what it is now."""
    badges = []
    if summary.promoted:
        badges.append(f"<span class='sc-badge sc-on'>{_('in use')}</span>")
    if summary.default:
        badges.append(f"<span class='sc-badge sc-on'>{_('recommended')}</span>")
    return f"<h2 class='sc-model'>{html.escape(summary.name)} {' '.join(badges)}</h2>"


def sentence_html(text: str, kind: str = "sc-quality") -> str:
    """Write a sentence as a paragraph."""
    return f"<p class='{kind}'>{html.escape(text)}</p>"


def card_html(summary: CheckpointSummary, card: Mapping[str, Any]) -> str:
    """Write what a model is for, where it comes from, how it was measured, and its limits."""
    parts = [_section(_("What it is"), _paragraph(card.get("summary")))]
    parts.append(_section(_("Intended use"), _paragraph(card.get("intended_use"))))
    facts = [(_("Where from"), sentence_case(origin(summary)))]
    if summary.imported and summary.created:
        facts.append((_("Made"), day(summary.created)))
    if summary.parent:
        parent = model_label(summary.parent)
        if not summary.parent_kept:
            parent = _("{model}, which is not kept here").format(model=parent)
        facts.append((_("Started from"), parent))
    if card.get("encoder"):
        facts.append((_("Reads with"), str(card["encoder"])))
    facts.append((_("Size"), size_in_words(summary.size)))
    if card.get("licence"):
        facts.append((_("Licence"), str(card["licence"])))
    parts.append(_section(_("Origin"), _pairs(facts)))
    data = "".join(
        f"<li>{html.escape(data_in_words(one))}"
        f"<br><code>sha256 {html.escape(str(one.get('sha256', _('not told')))[:16])}</code></li>"
        for one in summary.training_data
    )
    parts.append(_section(_("Trained on"), f"<ul>{data}</ul>" if data else ""))
    parts.append(_section(_("How well it groups"), _measured(summary, card)))
    parts.append(_section(_("Limits"), _paragraph(card.get("limits"))))
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
        parts.append(f"<p>{_('When it was trained:')}</p>" + _pairs(pairs))
    elsewhere = card.get("judgement_elsewhere")
    if isinstance(elsewhere, Mapping):
        said = elsewhere.get("sentence") or _("nothing in words")
        told = _("Where it comes from, this was said of it: {sentence}")
        parts.append(_paragraph(told.format(sentence=said)))
    if parts:
        parts.append(f"<p class='sc-note'>{html.escape(_(ARI_EXPLAINED))}</p>")
    return "".join(parts)


def _methods(judgement: Mapping[str, Any]) -> str:
    rows = [
        [
            f"{model_label(row['name'])}: {row['role']}" if row["role"] else row["name"],
            *("–" if row[key] is None else f"{row[key]:.3f}" for key in MEASURES),
        ]
        for row in judged_methods(judgement)
    ]
    return _table("", ["", *MEASURES.values()], rows, "sc-figures") if rows else ""


def history_html(history: Sequence[Promotion], current: int | None) -> str:
    """Write who put which model in use, when and why, newest first.

    Parameters
    ----------
    history : sequence of Promotion
        Oldest first.
    current : int or None
        Place in it of the one that counts now.
    """
    rows = []
    for place, one in reversed(list(enumerate(history))):
        then = _("in use now") if place == current else ""
        if one.undone:
            told = (
                _("gone back from on {day} by {name}")
                if one.undone_by
                else _("gone back from on {day}")
            )
            then = told.format(day=moment(one.undone), name=one.undone_by)
        when = moment(one.when) or _("at the beginning")
        rows.append([one.name, when, one.who or "", one.why or "", then])
    marked = None if current is None else len(history) - 1 - current
    heads = [_("Model"), _("When"), _("Who"), _("Why"), _("Since")]
    return _table("", heads, rows, "sc-history", marked)


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
        if row["first"] or row["second"]  # not told of an older one, and off in the other
    ]
    parts = []
    if scores:
        if not any(row[-1] for row in scores):  # of different queries, so there is no difference
            scores = [row[:-1] for row in scores]
        last = [_("Second less first")] if len(scores[0]) > len(heads) + 1 else []
        parts.append(_table(_("Scores"), ["", *heads, *last], scores, "sc-even"))
    parts.append(_table(_("Where they differ"), ["", *heads], facts, "sc-even"))
    return "<br>".join(parts)


def _difference(row: Mapping[str, Any]) -> str:
    if row["difference"] is None or row["score"].endswith("_queries"):
        return ""
    return f"{row['difference']:+.3f}"


def settings_html(config: Mapping[str, Any], card: Mapping[str, Any]) -> str:
    """Write the values of a model's training and configuration."""
    rows = []
    stages = card.get("stages")
    for number, stage in enumerate(stages if isinstance(stages, list) else [], start=1):
        rows += _flat(_("stage {number}").format(number=number), stage)
    rows += _flat(_("training"), card.get("training")) + _flat(_("setting"), config)
    rows += _flat(_("version of"), card.get("versions"))
    return _table("", ["", _("Value")], rows)


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


def _table(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    kind: str = "",
    marked: int | None = None,
) -> str:
    head = "".join(
        f"<th scope='col'>{html.escape(text)}</th>" if text else "<td></td>" for text in heads
    )
    body = ""
    for place, row in enumerate(rows):
        cells = "".join(f"<td>{html.escape(text)}</td>" for text in row[1:])
        now = " class='sc-now'" if place == marked else ""
        body += f"<tr{now}><th scope='row'>{html.escape(row[0])}</th>{cells}</tr>"
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return (
        f"<table class='sc-sides {kind}'>{title}<thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )
