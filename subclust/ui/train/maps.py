"""Two maps of one held-out query: as the model before groups it, and as the new one does."""

import html

import streamlit as st

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings
from subclust.figures import PlacedMap, group_style, placed_maps
from subclust.jobs.view import JobView
from subclust.jobs.words import option
from subclust.judging.maps import JudgedMap, JudgementMaps, judged_on, judgement_maps
from subclust.judging.record import Judgement, Role
from subclust.ui.components.error_words import error_words
from subclust.ui.components.resources import shared_encoder
from subclust.ui.components.theme import figure_theme
from subclust.ui.i18n.language import _, number

_CONFIG = {"displayModeBar": False}


@st.fragment  # Another query draws these maps again, and not the page.
def draw_maps(settings: Settings, judgement: Judgement, view: JobView) -> None:
    """Draw the choice of a held-out query, and its two maps side by side."""
    st.html(f"<h4 class='sc-part'>{_('One query before and after')}</h4>")
    queries = [query for query, _change in judgement.changes()]
    chosen = st.selectbox(
        _("Held-out query"),
        queries,
        index=None,
        placeholder=_("Choose a query to see its maps"),
        key=f"judge-query-{view.job.id}",
        width=460,
    )
    if chosen is None:
        return
    try:
        with st.spinner(_("Drawing the maps …")):
            maps = _maps(view.job.id, view.job.created, chosen, "base", settings, judgement, view)
    except SubclustError as error:
        st.warning(error_words(error))
        return
    for at, (one, place) in enumerate(
        zip((maps.before, maps.after), st.columns(2, gap="medium"), strict=True)
    ):
        when = _("Before") if at == 0 else _("After")
        with place:
            st.plotly_chart(
                placed_maps(
                    [placed(one, when)], maps.gold, maps.subtopics, ids=maps.ids,
                    theme=figure_theme(),
                ),
                theme=None,
                config=_CONFIG,
                key=f"judge-map-{at}-{view.job.id}",
                alt=_("{when}: the passages of {query}, ARI {ari}.").format(
                    when=when, query=chosen, ari=number(one.ari, 2)
                ),
            )  # fmt: skip
    st.html(legend(maps))
    told = _(
        "Colour and shape are your labels. A filled mark lies in the group that stands for its "
        "label, a hollow one does not. Near means alike for that model."
    )
    st.html(f"<p class='sc-note'>{told}</p>")


def placed(one: JudgedMap, when: str) -> PlacedMap:
    """Shape a map for the figure."""
    return PlacedMap(
        f"{when}: {one.name}",
        one.ari,
        tuple(x for x, _y in one.coordinates),
        tuple(y for _x, y in one.coordinates),
        one.groups,
    )


def legend(maps: JudgementMaps) -> str:
    """Write the symbol and colour of each label before its name."""
    items = []
    for place, name in enumerate(maps.subtopics):
        style = group_style(place, figure_theme())
        items.append(
            f"<li><span aria-hidden='true' style='color:{style.outline}'>{style.glyph}</span> "
            f"{html.escape(name)} <i>{maps.gold.count(place)}</i></li>"
        )
    return f"<ul class='sc-symbols'>{''.join(items)}</ul>"


@st.cache_data(max_entries=64, show_spinner=False)
def _maps(
    job: str,
    created: float | None,
    query: str,
    against: Role,
    _settings: Settings,
    _judgement: Judgement,
    _view: JobView,
) -> JudgementMaps:
    words = (option(_view.job.argv, name) for name in ("--data", "--validation"))
    data = [word for word in words if word]
    instances = judged_on(_judgement, data, _settings)
    return judgement_maps(
        _judgement,
        query,
        instances,
        settings=_settings,
        against=against,
        encoder=shared_encoder(_settings),
    )
