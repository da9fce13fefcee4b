"""Where two columns differ: the flow of passages, agreement, disputed pairs, what moved."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from subclust.comparison import LETTERS, Comparison, flows, moved
from subclust.comparison.over_queries import Difference
from subclust.figures.flow import alluvial
from subclust.figures.palette import group_style
from subclust.ui import state
from subclust.ui.compare.view import SELECTIONS, CompareView, change_view, mark
from subclust.ui.components.browser import figure_theme
from subclust.ui.components.markup import draw_lead
from subclust.ui.components.session import show_in_widget
from subclust.ui.components.words import method_label, n_passages, plain
from subclust.ui.explore.passages import draw_passages
from subclust.ui.i18n.language import _, _n, number


def column_title(found: Comparison, place: int) -> str:
    """Return how a column groups: its method, and what else differs between columns."""
    column, one = found.columns[place], found.maps[place]
    parts = [method_label(one.method)]
    if one.checkpoint and len({other.checkpoint for other in found.maps}) > 1:
        parts.append(_("model {name}").format(name=one.checkpoint))
    if len({other.n_clusters for other in found.columns}) > 1:
        asked = column.n_clusters
        groups = ("{count} group", "{count} groups")
        parts.append(_("number automatic") if asked == "auto" else _n(*groups, int(asked)))
    if one.query.text != found.ranking.query.text:
        parts.append(_("under “{query}”").format(query=one.query.text))
    if len({other.context for other in found.columns}) > 1:
        parts.append(
            {
                "title": _("follows the question"),
                "description": _("follows the longer question"),
                "passages": _("follows the passages"),
            }[column.context]
        )
    return ", ".join(parts)


def _group_name(found: Comparison, place: int, group: int) -> str:
    """Write a group's symbol and its name in a column."""
    return f"{group_style(group).glyph} {found.names(place)[group]}"


def _agreement_sentence(found: Comparison, first: int, second: int) -> str:
    """Return how far two columns agree."""
    ari = found.pair(first, second).agreement.ari
    words = {"first": LETTERS[first], "second": LETTERS[second], "ari": number(ari, 3)}
    if ari >= 0.999:
        return _("{first} and {second} make the same groups.").format(**words)
    if ari >= 0.75:
        return _("{first} and {second} make nearly the same groups (ARI {ari}).").format(**words)
    if ari >= 0.4:
        return _("{first} and {second} agree in part (ARI {ari}).").format(**words)
    if ari >= 0.1:
        return _("{first} and {second} agree only slightly (ARI {ari}).").format(**words)
    return _("{first} and {second} agree no more than chance would have it (ARI {ari}).").format(
        **words
    )


def draw_headline(found: Comparison) -> None:
    """Draw what is compared, and how far the first two columns agree."""
    told = _("{passages} for “{question}”, grouped in {count} ways.").format(
        passages=n_passages(len(found.passages)),
        question=found.ranking.query.text,
        count=number(len(found.maps)),
    )
    agreed = _agreement_sentence(found, 0, 1)
    draw_lead(f"{told} {agreed}")


def difference_sentence(difference: Difference, n_queries: int) -> str:
    """Return whether a column is better than the first over the questions, and how sure that is."""
    interval, helps = difference.interval, difference.helps
    words = {
        "letter": LETTERS[difference.column],
        "first": LETTERS[0],
        "mean": _signed(difference.test.mean_difference),
        "low": _signed(interval.low),
        "high": _signed(interval.high),
        "wins": number(helps.wins),
        "ties": number(helps.ties),
        "losses": number(helps.losses),
        "count": number(n_queries),
    }
    counted = _("It is better on {wins} of {count} questions, equal on {ties}, worse on {losses}.")
    if math.isnan(interval.low):
        said = _("One question cannot tell whether {letter} is better than {first}.")
    elif interval.low > 0:
        said = _(
            "{letter} is better than {first}: {mean} in the adjusted Rand index on average, "
            "95% interval {low} to {high}."
        )
    elif interval.high < 0:
        said = _(
            "{letter} is worse than {first}: {mean} in the adjusted Rand index on average, "
            "95% interval {low} to {high}."
        )
    else:
        said = _(
            "There is no clear difference between {letter} and {first}: {mean} in the adjusted "
            "Rand index on average, 95% interval {low} to {high}."
        )
    return f"{said.format(**words)} {counted.format(**words)}"


def _signed(value: float) -> str:
    if math.isnan(value):
        return "–"
    return ("−" if value < 0 else "+") + number(abs(value), 3)


def draw_marked(view: CompareView, found: Comparison) -> None:
    """List the marked passages, with their group in each column."""
    wanted = set(view.marked)
    marked = [id_ for id_ in found.passages if id_ in wanted]
    if not marked:
        return
    with st.container(border=True, key="compare-chosen", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            title = _n("Chosen: {count} passage", "Chosen: {count} passages", len(marked))
            st.subheader(title, anchor=False)
            st.button(_("Clear"), key="compare-clear", on_click=lambda: mark([], anew=True))
        groups = [found.groups(place) for place in range(len(found.maps))]
        rows = [
            {
                _("Title"): found.passages[id_].title,
                **{
                    _in(place): _group_name(found, place, of[id_])
                    for place, of in enumerate(groups)
                },
                _("Passage"): found.passages[id_].text,
            }
            for id_ in marked
        ]
        st.dataframe(
            pd.DataFrame(rows, index=pd.Index(marked, name="id")),
            hide_index=True,
            key="compare-chosen-table",
            alt=_("The chosen passages with their group in each column"),
        )
        # Hundreds of texts keep the browser busy; they are drawn when they are wanted.
        texts = st.expander(_("Read them"), key="compare-read", on_change="rerun")
        if texts.open:
            of = {
                member.passage.id: (member, group)
                for group in found.maps[0].subtopics
                for member in group.passages
            }
            with texts:
                draw_passages([of[id_] for id_ in marked], asks=False)


def draw_flow(view: CompareView, found: Comparison) -> None:
    """Draw where the passages of each group go from column to column, and the same as a table."""
    titles = [f"{LETTERS[place]}: {column_title(found, place)}" for place in range(len(found.maps))]
    groupings = [found.groups(place) for place in range(len(found.maps))]
    one_by_one = flows(groupings, list(found.passages))
    split = sum(flow.source != flow.target for flow in one_by_one)
    described = _(
        "Flow of the passages between the groups of {columns}: {streams}, {moved} of them into "
        "a group that is not the matched one. The table below lists the same."
    ).format(
        columns=", ".join(titles),
        streams=_n("{count} stream", "{count} streams", len(one_by_one)),
        moved=number(split),
    )
    with st.container(key="compare-flow"):
        st.html(
            alluvial(
                found.maps,
                LETTERS[: len(titles)],
                described=described,
                marked=set(view.marked),
                theme=figure_theme(),
            )
        )
    frame = pd.DataFrame(
        [
            {
                _("From"): f"{LETTERS[flow.column]} {_group_name(found, flow.column, flow.source)}",
                _("To"): f"{LETTERS[flow.column + 1]} "
                f"{_group_name(found, flow.column + 1, flow.target)}",
                _("Passages"): len(flow.passages),
            }
            for flow in one_by_one
        ]
    )
    st.caption(_("Each stream as a row. Choose rows to mark their passages on all maps."))
    _selectable(
        "flow-table",
        frame,
        [flow.passages for flow in one_by_one],
        _("Each stream of passages between two groups"),
    )


def draw_between(view: CompareView, found: Comparison) -> tuple[int, int]:
    """Draw the choice of two columns, where there are more than two."""
    if len(found.maps) == 2:
        return 0, 1
    choices = [(pair.first, pair.second) for pair in found.pairs]
    show_in_widget(state.COMPARE_BETWEEN, view.between)
    st.radio(
        _("Which two columns"),
        choices,
        key=state.COMPARE_BETWEEN,
        horizontal=True,
        format_func=lambda pair: f"{LETTERS[pair[0]]} – {LETTERS[pair[1]]}",
        on_change=lambda: change_view(between=st.session_state[state.COMPARE_BETWEEN]),
    )
    return view.between


def draw_agreement(found: Comparison, first: int, second: int) -> None:
    """Draw how far columns agree, and the pairs about which two of them do not."""
    st.markdown(plain(_agreement_sentence(found, first, second)))
    st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Columns"): f"{LETTERS[pair.first]} – {LETTERS[pair.second]}",
                    "ARI": pair.agreement.ari,
                    "AMI": pair.agreement.ami,
                    "NMI": pair.agreement.nmi,
                    _("Passages"): pair.agreement.n_passages,
                }
                for pair in found.pairs
            ]
        ),
        hide_index=True,
        key="compare-agreement",
        alt=_("Agreement of each two columns"),
        column_config={
            name: st.column_config.NumberColumn(format="%.3f") for name in ("ARI", "AMI", "NMI")
        },
    )
    st.caption(
        _(
            "1 is full agreement. The adjusted Rand index (ARI) and the adjusted mutual "
            "information (AMI) are 0 by chance; the normalised one (NMI) is above 0 by chance."
        )
    )
    _draw_dispute(found, first, second)


def _draw_dispute(found: Comparison, first: int, second: int) -> None:
    dispute = found.pair(first, second).dispute
    names = LETTERS[first], LETTERS[second]
    st.markdown(
        _(
            "Of {all} pairs of passages, {one} are together only in {first} and {other} only in "
            "{second}."
        ).format(
            all=number(dispute.n_pairs),
            one=number(dispute.together_in_first),
            other=number(dispute.together_in_second),
            first=names[0],
            second=names[1],
        )
    )
    if not dispute.pairs:
        return
    passages = found.passages
    frame = pd.DataFrame(
        [
            {
                _("Together only in"): names[pair.together_in],
                _("One passage"): _short(passages[pair.first].title, passages[pair.first].text),
                _("The other"): _short(passages[pair.second].title, passages[pair.second].text),
            }
            for pair in dispute.pairs
        ]
    )
    st.caption(
        _n(
            "The pair of the best hits. Choose rows to mark their passages.",
            "The {count} pairs of the best hits. Choose rows to mark their passages.",
            len(frame),
        )
    )
    _selectable(
        f"dispute-{names[0]}{names[1]}",
        frame,
        [(pair.first, pair.second) for pair in dispute.pairs],
        _("Pairs of passages that only one of the two columns has in one group"),
    )


def draw_moved(found: Comparison, first: int, second: int) -> None:
    """Draw only the passages that are not in matched groups."""
    ids = list(found.passages)
    rows = moved(found.groups(first), found.groups(second), ids)
    if not rows:
        st.markdown(_("Nothing moved: both columns make the same groups."))
        return
    sentence = _("{moved} of {all} passages are in another group in {second} than in {first}.")
    words = {"moved": number(len(rows)), "all": number(len(ids))}
    words |= {"first": LETTERS[first], "second": LETTERS[second]}
    st.markdown(sentence.format(**words))
    frame = pd.DataFrame(
        [
            {
                _("Title"): found.passages[row.id].title,
                _in(first): _group_name(found, first, row.source),
                _in(second): _group_name(found, second, row.target),
                _("Passage"): found.passages[row.id].text,
            }
            for row in rows
        ],
        index=pd.Index([row.id for row in rows], name="id"),
    )
    st.caption(_("Choose rows to mark the passages on all maps."))
    _selectable(
        f"moved-{LETTERS[first]}{LETTERS[second]}",
        frame,
        [(row.id,) for row in rows],
        _("Passages that are in another group"),
    )


def _selectable(
    name: str, frame: pd.DataFrame, ids: Sequence[Sequence[str]], described: str
) -> None:
    """Draw a table whose chosen rows are marked on all maps, by the ids of each row."""
    key = SELECTIONS.key(name)

    def mark_rows() -> None:
        # Streamlit reports places in the frame, whatever the visitor sorted by.
        chosen = [ids[row] for row in st.session_state[key].selection.rows if row < len(ids)]
        mark([id_ for some in chosen for id_ in some])

    st.dataframe(
        frame,
        key=key,
        on_select=mark_rows,
        selection_mode="multi-row",
        hide_index=True,
        height=min(36 * (len(frame) + 1), 400),
        alt=described,
    )


def _in(place: int) -> str:
    return _("In {letter}").format(letter=LETTERS[place])


def _short(title: str, text: str) -> str:
    return f"{title}: {text}" if title else text
