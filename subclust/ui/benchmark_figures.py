"""The figures of the Benchmarks page that show training and what was learnt."""

import html
from collections.abc import Mapping
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
    in_words,
    spaces_in_2d,
    spaces_in_3d,
    symbol_in_3d,
    training_curves,
)
from subclust.ui.theme import figure_theme
from subclust.ui.words import counted

_CONFIG = {"displayModeBar": False}
_ALL = "All of them"
_FLAT, _DEEP = "Flat", "In depth"

HEADINGS = {
    "convergence": "how soon training pays",
    "epoch-time": "the time of an epoch",
    "spaces": "what each method sees",
    "growth": "memory and time as subsets grow",
}
"""Kinds of figures that `draw_figure` draws, and what stands above each."""


def draw_figure(figure: Mapping[str, Any]) -> None:
    """Draw a figure of one of the kinds in `HEADINGS`, or say that it was not measured."""
    first, second = (series["label"] for series in figure["series"])
    if figure["ours"] is None:
        st.caption(f"{figure['caption']} {first} and {second} were not measured here yet.")
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
    st.caption(search["caption"])
    rows = []
    for row in search["rows"]:
        ours = row["ours"]
        shown: dict[str, Any] = {"Data": row["label"]}
        for at, column in enumerate(search["columns"]):
            shown[f"{column}, published"] = f"{row['published'][at]:.1f}"
            shown[f"{column}, here"] = f"{ours['values'][at]:.3g}" if ours else "not run"
        shown["Best of"] = counted(ours["n_trials"], "trial") if ours else ""
        rows.append(shown)
    st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"search-{search['name']}")


def _draw_training(figure: Mapping[str, Any]) -> None:
    panels = figure["ours"]["panels"]
    whole = figure["kind"] == "convergence"
    note = (
        "Each line is one training run; a mark shows where it is first as good as the reference "
        "ever gets, the dotted line."
        if whole
        else "It is reckoned as the time of a step times the steps of an epoch."
    )
    st.caption(f"{figure['caption']} {note}")
    for panel, place in zip(panels, st.columns(len(panels), gap="large"), strict=True):
        with place:
            st.subheader(panel["label"], anchor=False)
            said = speed_sentences(panel, figure["kind"])
            items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in said)
            st.html(f"<ul class='sc-said'>{items}</ul>")
            curves = curves_of(panel)
            theme = figure_theme()
            st.plotly_chart(
                training_curves(curves, panel["reference"], panel["reference_best"], theme=theme)
                if whole
                else epoch_bars(curves, theme=theme),
                theme=None,
                config=_CONFIG,
                key=f"{figure['name']}-{panel['name']}",
                alt=" ".join(said) + " The table below lists the same.",
            )
    with st.expander("The same as a table"):
        rows = [_run(panel, run) for panel in panels for run in panel["runs"]]
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"table-{figure['name']}",
            column_config={
                "Best ARI": st.column_config.NumberColumn(format="%.3f"),
                "Times sooner": st.column_config.NumberColumn(format="%.1f"),
                "Times faster": st.column_config.NumberColumn(format="%.1f"),
            },
        )


def _run(panel: Mapping[str, Any], run: Mapping[str, Any]) -> dict[str, Any]:
    reached, curve = run["reached_seconds"], run["curve"]
    return {
        "Data": panel["label"],
        "Method": run["label"],
        "Checkpoint": run["checkpoint"] or "",
        "Best ARI": run["best"],
        "As good as the reference after": "never" if reached is None else in_words(reached),
        "Times sooner": run["speedup"],
        "Trained for": in_words(curve[-1]["training_seconds"]) if curve else "",
        "Steps": run["steps"],
        "Epochs": f"{run['steps'] / run['steps_per_epoch']:.2f}",
        "One epoch": in_words(run["seconds_per_epoch"]),
        "Times faster": run["epoch_speedup"],
        "Device": panel["story"].get("device", ""),
    }


def _draw_growth(figure: Mapping[str, Any], panel: Mapping[str, Any]) -> None:
    said = growth_sentences(panel)
    st.caption(f"{figure['caption']} Entities here have {longest_of(panel)} word pieces.")
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in said)
    st.html(f"<ul class='sc-said'>{items}</ul>")
    for (what, axis), place in zip(AXES.items(), st.columns(len(AXES), gap="large"), strict=True):
        with place:
            st.plotly_chart(
                growth_lines(growth_of(panel, what), axis, theme=figure_theme()),
                theme=None,
                config=_CONFIG,
                key=f"{figure['name']}-{panel['name']}-{what}",
                alt=" ".join(said) + " The table below lists the same.",
            )
    with st.expander("The same as a table"):
        rows = [
            {
                "Entities": size["n_entities"],
                "Word pieces each": size["n_tokens"],
                **{f"{one.upper()}, MB": size["memory"].get(one) for one in panel["contexts"]},
                **{f"{one.upper()}, s": size["time"].get(one) for one in panel["contexts"]},
            }
            for size in panel["sizes"]
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, key=f"table-{figure['name']}")


@st.fragment  # Another view or query draws this figure again, and not the page.
def _draw_spaces(figure: Mapping[str, Any], panel: Mapping[str, Any]) -> None:
    first, second = (series["label"] for series in figure["series"])
    said = space_sentence(panel, first, second) if panel["n_compared"] else ""
    st.caption(
        f"{figure['caption']} Where marks of one kind lie together, the method has understood what "
        f"they have in common. {said} {whole_rule(panel['rule'])}"
    )
    queries = {one.query: one for one in spaces_of(panel)}
    with st.container(horizontal=True, key="spaces"):
        view = st.segmented_control(
            "View", [_FLAT, _DEEP], default=_FLAT, required=True, key=f"{figure['name']}-view"
        )
        chosen = st.selectbox("Query", [_ALL, *queries], key=f"{figure['name']}-query", width=360)
    shown = list(queries.values()) if chosen == _ALL else [queries[chosen]]
    if view == _DEEP or len(shown) == 1:
        _draw_one_query(figure, shown[0], deep=view == _DEEP)
    else:
        st.plotly_chart(
            spaces_in_2d(shown, theme=figure_theme()),
            theme=None,
            config=_CONFIG,
            key=f"{figure['name']}-all",
            alt=f"{said} The table below lists the ARI of each panel.",
        )
    with st.expander("The same as a table"):
        rows = [
            {
                "Query": one.query,
                "Method": space.label,
                "ARI": space.ari,
                "Passages": len(one.gold),
                "Gold subtopics": len(one.subtopics),
                "Variance shown flat": f"{sum(space.explained[:2]):.0%}",
                "Variance shown in depth": f"{sum(space.explained):.0%}",
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
    hint = " Drag to turn a space, scroll to come nearer." if deep else ""
    st.caption(
        f"{counted(len(one.gold), 'passage')} in {counted(len(one.subtopics), 'gold subtopic')}."
        f"{hint}"
    )
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
                alt=f"The passages of {one.query} as {one.methods[at].label} sees them, "
                f"ARI {one.methods[at].ari:.2f}.",
            )
    st.html(_legend(one, deep))


def _legend(one: QuerySpaces, deep: bool) -> str:
    """Write the symbol and colour of each gold subtopic before its name."""
    items = []
    for number, name in enumerate(one.subtopics):
        style = group_style(number, figure_theme())
        glyph = symbol_in_3d(style)[1] if deep else style.glyph
        items.append(
            f"<li><span aria-hidden='true' style='color:{style.outline}'>{glyph}</span> "
            f"{html.escape(name)} <i>{one.gold.count(number)}</i></li>"
        )
    return f"<ul class='sc-symbols'>{''.join(items)}</ul>"
