"""The figures of the Benchmarks page that show training and what was learnt."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from subclust.benchmarks.report import (
    AXES,
    curves_of,
    growth_of,
    growth_sentences,
    longest_of,
    space_sentence,
    spaces_of,
    speed_sentences,
    whole_rule,
)
from subclust.figures import (
    QuerySpaces,
    epoch_bars,
    group_style,
    growth_lines,
    spaces_in_2d,
    spaces_in_3d,
    symbol_in_3d,
    training_curves,
)
from subclust.ui.benchmark_words import passages_in_subtopics, said, telling, trials
from subclust.ui.language import N_, _, number
from subclust.ui.theme import figure_theme

_CONFIG = {"displayModeBar": False}
_VIEWS = {"flat": N_("Flat"), "deep": N_("In depth")}

DRAWN = ("convergence", "epoch-time", "spaces", "growth")
"""Kinds of figures that `draw_figure` draws."""


def draw_figure(figure: Mapping[str, Any]) -> None:
    """Draw a figure of one of the kinds in `DRAWN`, or say that it was not measured."""
    if figure["ours"] is None:
        first, second = (said(series["label"]) for series in figure["series"])
        told = _("{first} and {second} were not measured here yet.")
        st.caption(f"{said(figure['caption'])} {told.format(first=first, second=second)}")
    elif figure["kind"] == "spaces":
        for panel in figure["ours"]["panels"]:
            _draw_spaces(figure, panel)
    elif figure["kind"] == "growth":
        for panel in figure["ours"]["panels"]:
            _draw_growth(figure, panel)
    else:
        _draw_training(figure)


def draw_search(search: Mapping[str, Any]) -> None:
    """Draw the settings that the paper and we found best."""
    st.caption(said(search["caption"]))
    published, here = _("{setting}, published"), _("{setting}, here")
    rows = []
    for row in search["rows"]:
        ours = row["ours"]
        shown: dict[str, Any] = {_("Data"): said(row["label"])}
        for at, column in enumerate(search["columns"]):
            shown[published.format(setting=column)] = number(row["published"][at], 1)
            mine = f"{ours['values'][at]:.3g}" if ours else _("not run")
            shown[here.format(setting=column)] = mine
        shown[_("Best of")] = trials(ours["n_trials"]) if ours else ""
        rows.append(shown)
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"search-{search['name']}")


def _draw_training(figure: Mapping[str, Any]) -> None:
    panels = figure["ours"]["panels"]
    whole = figure["kind"] == "convergence"
    note = (
        _(
            "Each line is one training run; a mark shows where it is first as good as the "
            "reference ever gets, the dotted line."
        )
        if whole
        else _("It is reckoned as the time of a step times the steps of an epoch.")
    )
    st.caption(f"{said(figure['caption'])} {note}")
    for panel, place in zip(panels, st.columns(len(panels), gap="large"), strict=True):
        with place:
            st.subheader(said(panel["label"]), anchor=False)
            sentences = speed_sentences(panel, figure["kind"], telling())
            _draw_said(sentences)
            curves = curves_of(panel)
            theme = figure_theme()
            st.plotly_chart(
                training_curves(curves, panel["reference"], panel["reference_best"], theme=theme)
                if whole
                else epoch_bars(curves, theme=theme),
                theme=None,
                config=_CONFIG,
                key=f"{figure['name']}-{panel['name']}",
                alt=_described(sentences),
            )
    with st.expander(_("The same as a table")):
        rows = [_run(panel, run) for panel in panels for run in panel["runs"]]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"table-{figure['name']}",
            column_config={
                _("Best ARI"): st.column_config.NumberColumn(format="%.3f"),
                _("Times sooner"): st.column_config.NumberColumn(format="%.1f"),
                _("Times faster"): st.column_config.NumberColumn(format="%.1f"),
            },
        )


def _draw_said(sentences: Sequence[str]) -> None:
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    st.html(f"<ul class='sc-said'>{items}</ul>")


def _described(sentences: Sequence[str]) -> str:
    return " ".join([*sentences, _("The table below lists the same.")])


def _run(panel: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    reached, curve, lasting = run["reached_seconds"], run["curve"], telling().duration
    return {
        _("Data"): said(panel["label"]),
        _("Method"): said(run["label"]),
        _("Checkpoint"): run["checkpoint"] or "",
        _("Best ARI"): run["best"],
        _("As good as the reference after"): _("never") if reached is None else lasting(reached),
        _("Times sooner"): run["speedup"],
        _("Trained for"): lasting(curve[-1]["training_seconds"]) if curve else "",
        _("Steps"): run["steps"],
        _("Epochs"): number(run["steps"] / run["steps_per_epoch"], 2),
        _("One epoch"): lasting(run["seconds_per_epoch"]),
        _("Times faster"): run["epoch_speedup"],
        _("Device"): panel["story"].get("device", ""),
    }


def _draw_growth(figure: Mapping[str, Any], panel: Mapping[str, Any]) -> None:
    sentences = growth_sentences(panel, telling())
    told = _("Entities here have {count} word pieces.").format(count=longest_of(panel))
    st.caption(f"{said(figure['caption'])} {told}")
    _draw_said(sentences)
    for (what, axis), place in zip(AXES.items(), st.columns(len(AXES), gap="large"), strict=True):
        with place:
            st.plotly_chart(
                growth_lines(growth_of(panel, what), said(axis), theme=figure_theme()),
                theme=None,
                config=_CONFIG,
                key=f"{figure['name']}-{panel['name']}-{what}",
                alt=_described(sentences),
            )
    with st.expander(_("The same as a table")):
        rows = [
            {
                _("Entities"): size["n_entities"],
                _("Word pieces each"): size["n_tokens"],
                **{f"{one.upper()}, MB": size["memory"].get(one) for one in panel["contexts"]},
                **{f"{one.upper()}, s": size["time"].get(one) for one in panel["contexts"]},
            }
            for size in panel["sizes"]
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"table-{figure['name']}")


@st.fragment  # Another view or query draws this figure again, and not the page.
def _draw_spaces(figure: Mapping[str, Any], panel: Mapping[str, Any]) -> None:
    first, second = (series["label"] for series in figure["series"])
    told = space_sentence(panel, first, second, telling()) if panel["n_compared"] else ""
    meaning = _(
        "Where marks of one kind lie together, the method has understood what they have in common."
    )
    rule = whole_rule(panel["rule"], telling())
    st.caption(f"{said(figure['caption'])} {meaning} {told} {rule}")
    queries = {one.query: one for one in spaces_of(panel)}
    with st.container(horizontal=True, key="spaces"):
        view = st.segmented_control(
            _("View"),
            list(_VIEWS),
            default="flat",
            required=True,
            format_func=lambda view: _(_VIEWS[view]),
            key=f"{figure['name']}-view",
        )
        chosen = st.selectbox(
            _("Query"),
            ["", *queries],
            format_func=lambda query: query or _("All of them"),
            key=f"{figure['name']}-query",
            width=360,
        )
    shown = [queries[chosen]] if chosen else list(queries.values())
    if view == "deep" or len(shown) == 1:
        _draw_one_query(figure, shown[0], deep=view == "deep")
    else:
        st.plotly_chart(
            spaces_in_2d(shown, theme=figure_theme()),
            theme=None,
            config=_CONFIG,
            key=f"{figure['name']}-all",
            alt=f"{told} {_('The table below lists the ARI of each panel.')}".strip(),
        )
    with st.expander(_("The same as a table")):
        rows = [
            {
                _("Query"): one.query,
                _("Method"): said(space.label),
                "ARI": space.ari,
                _("Passages"): len(one.gold),
                _("Gold subtopics"): len(one.subtopics),
                _("Variance shown flat"): telling().share(sum(space.explained[:2])),
                _("Variance shown in depth"): telling().share(sum(space.explained)),
            }
            for one in queries.values()
            for space in one.methods
        ]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"table-{figure['name']}",
            column_config={"ARI": st.column_config.NumberColumn(format="%.3f")},
        )


def _draw_one_query(figure: Mapping[str, Any], one: QuerySpaces, *, deep: bool) -> None:
    st.subheader(one.query, anchor=False)
    hint = _("Drag to turn a space, scroll to come nearer.") if deep else ""
    told = passages_in_subtopics(len(one.gold), len(one.subtopics))
    st.caption(f"{told} {hint}".strip())
    for at, place in enumerate(st.columns(len(one.methods))):
        alone = replace(one, methods=(one.methods[at],))
        with place:
            st.plotly_chart(
                spaces_in_3d(alone, theme=figure_theme())
                if deep
                else spaces_in_2d([alone], theme=figure_theme()),
                theme=None,
                config=_CONFIG,
                key=f"{figure['name']}-{'deep' if deep else 'flat'}-{at}",
                alt=_("The passages of {query} as {method} sees them, ARI {ari}.").format(
                    query=one.query,
                    method=said(one.methods[at].label),
                    ari=number(one.methods[at].ari, 2),
                ),
            )
    st.html(_legend(one, deep))


def _legend(one: QuerySpaces, deep: bool) -> str:
    """Write the symbol and colour of each gold subtopic before its name."""
    items = []
    for place, name in enumerate(one.subtopics):
        style = group_style(place, figure_theme())
        glyph = symbol_in_3d(style)[1] if deep else style.glyph
        items.append(
            f"<li><span aria-hidden='true' style='color:{style.outline}'>{glyph}</span> "
            f"{html.escape(name)} <i>{one.gold.count(place)}</i></li>"
        )
    return f"<ul class='sc-symbols'>{''.join(items)}</ul>"
