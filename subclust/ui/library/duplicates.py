"""Records of one work in a library: side by side, to be merged."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from subclust.core.access import may_change
from subclust.core.exceptions import SubclustError
from subclust.core.messages import N_
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.deleting.removal import merge_duplicates
from subclust.text.ingest.duplicates import DuplicateGroup, duplicates, first_passages
from subclust.text.library import PassageLibrary, settings_of
from subclust.text.library.catalogue import LibraryEntry, stamp
from subclust.ui.components.dialogs import close_dialog, dialog_button
from subclust.ui.components.resources import shared_encoder
from subclust.ui.components.words import cited, error_words, plain
from subclust.ui.i18n.language import _, _n, number
from subclust.ui.jobs import start_job
from subclust.ui.library.shown import draw_done, report_done, show_job

_MOST_SHOWN = 20
MOST_AT_ONCE = 20
"""Groups that are merged while the page waits; more are merged by a job."""

_FIELDS = {
    "title": N_("title"),
    "authors": N_("authors"),
    "year": N_("year"),
    "venue": N_("journal or book"),
    "volume": N_("volume"),
    "issue": N_("issue"),
    "pages": N_("pages"),
    "doi": N_("DOI"),
    "isbn": N_("ISBN"),
    "edition": N_("edition"),
    "type": N_("kind of document"),
}


def draw_duplicates(settings: Settings, entry: LibraryEntry) -> None:
    """Draw the button that looks for records of one work."""
    if entry.n_passages:
        dialog_button(
            _("Possible duplicates"),
            lambda: _draw_groups(settings, entry.name),
            key="library-duplicates",
            width="large",
        )


def _draw_groups(settings: Settings, name: str) -> None:
    folder = settings.library_dir
    draw_done()  # a merge of one group leaves the dialog open
    try:
        with st.spinner(_("Comparing the records …")):
            groups = _groups(str(folder), name, stamp(folder, name))
            shown = groups[:_MOST_SHOWN]
            library = PassageLibrary.open(folder, name)
            records = first_passages(library, [id_ for group in shown for id_ in group.ids])
    except SubclustError as error:
        st.warning(plain(error_words(error)))
        return
    if not groups:
        st.info(_("No two records of this library seem to describe the same work."))
        return
    same = [group for group in groups if group.certainty == "same"]
    if same and may_change("library"):
        st.button(
            _("Merge all certain duplicates ({count})").format(count=number(len(same))),
            key="duplicates-merge-all",
            type="primary",
            on_click=_merge_all,
            args=(settings, name, same),
        )
        st.caption(
            _(
                "A merged record has the fields of all. Restore the records under “Recently "
                "deleted passages” to undo it."
            )
        )
    for group in shown:
        _draw_group(settings, name, group, records)
    if len(groups) > len(shown):
        more = _n("{count} more group", "{count} more groups", len(groups) - len(shown))
        st.caption(more)


@st.cache_data(max_entries=8, show_spinner=False)
def _groups(folder: str, name: str, mark: str) -> list[DuplicateGroup]:
    return duplicates(PassageLibrary.open(Path(folder), name))


def _draw_group(
    settings: Settings, name: str, group: DuplicateGroup, records: dict[str, Passage]
) -> None:
    with st.container(border=True, key=f"duplicates-{group.ids[0]}"):
        columns = st.columns(min(len(group.ids), 3))
        for at, id_ in enumerate(group.ids):
            record = records[id_]
            doi = record.metadata.get("doi", "")
            told = [cited(record.metadata), doi, record.collection]
            facts = " · ".join(filter(None, told))
            columns[at % 3].markdown(f"**{plain(record.title)}**  \n:small[{plain(facts)}]")
        certain = group.certainty == "same"
        lines = [_("Certainly the same.") if certain else _("Probably the same.")]
        if group.evidence.agree:
            lines.append(_("Same: {fields}.").format(fields=_names(group.evidence.agree)))
        if group.evidence.differ:
            lines.append(_("Different: {fields}.").format(fields=_names(group.evidence.differ)))
        st.caption(plain(" ".join(lines)))
        if may_change("library"):
            st.button(
                _("Merge"),
                key=f"duplicates-merge-{group.ids[0]}",
                on_click=_merge,
                args=(settings, name, [group]),
            )


def _names(fields: Sequence[str]) -> str:
    return ", ".join(_(_FIELDS[name]) for name in fields)


def _merge_all(settings: Settings, name: str, groups: Sequence[DuplicateGroup]) -> None:
    close_dialog()
    if len(groups) <= MOST_AT_ONCE or settings.jobs_backend != "local":
        _merge(settings, name, groups)
        return
    words = ["library", "duplicates", name, "--merge"]
    try:
        job = start_job(settings, words, kind="merge", title=name)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    show_job(job.id)


def _merge(settings: Settings, name: str, groups: Sequence[DuplicateGroup]) -> None:
    try:
        encoder = shared_encoder(
            settings_of(settings, PassageLibrary.open(settings.library_dir, name))
        )
        n_merged = merge_duplicates(settings, name, groups, encoder)
    except SubclustError as error:
        st.toast(plain(error_words(error)))
        return
    told = _n(
        "{count} record was merged into another one.",
        "{count} records were merged into others.",
        n_merged,
    )
    report_done(told)
