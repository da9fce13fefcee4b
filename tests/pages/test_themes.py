import json
from dataclasses import replace

import pytest
import themed_library
from app_files import PAGES
from page_texts import texts
from streamlit.testing.v1 import AppTest

from subclust.core.settings import Settings
from subclust.exports import FORMATS, OF_THEMES
from subclust.figures.theme_map import n_theme_marks, theme_scatter
from subclust.jobs import JobQueue, JobStore
from subclust.text.encoders import HashingEncoder
from subclust.themes import ThemesRequest, ThemeStore, find_themes, plan_themes
from subclust.themes.recipes import LABELS, PAIRS, SOURCE
from subclust.training.augmentation.word_changes import WITH_SYNONYMS, WITHOUT_SYNONYMS
from subclust.ui.components.view import View
from subclust.ui.explore.found_themes import WHENCE
from subclust.ui.explore.themes import FITS, SAYS
from subclust.ui.i18n.language import catalogue


@pytest.fixture(scope="module")
def themed_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("themed")
    themed_library.build(folder)
    themed_library.build(folder, "small", n_texts=60)
    return folder


@pytest.fixture
def place(themed_dir, monkeypatch):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(themed_dir))
    return Settings.from_environment()


@pytest.fixture
def found(place):
    request = ThemesRequest("themed", "kmeans", 3, projection="pca")
    plan = plan_themes(request, place, HashingEncoder())
    return find_themes(plan, place, HashingEncoder(), place.data_dir / "run")


def opened(**params):
    page = AppTest.from_file(PAGES / "explore.py", default_timeout=60)
    for name, value in params.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


@pytest.mark.parametrize("there", [True, False])
def test_the_page_says_where_nothing_knew_synonyms(found, place, there):
    wordings = WITH_SYNONYMS if there else WITHOUT_SYNONYMS
    key = "0123456789abcde" + str(int(there))
    told = {**found.told, "training": {"wordings": wordings}}
    ThemeStore(place.themes_dir).save(replace(found, key=key, told=told))
    said = texts(opened(whole="themed", themes=key))
    assert ("WordNet" in said) != there


def test_buttons_lead_to_a_whole_collection_and_back(place):
    page = opened(library="themed", method="centred-cosine", q="ants")
    page.button(key="explore-collection").click().run()
    assert page.query_params["whole"] == "themed"
    assert [one.label for one in page.selectbox] == ["Library", "Method", "Number of themes"]
    page.button(key="explore-question").click().run()
    assert page.text_input(key="query").value == "ants"


def test_themes_are_refused_in_one_sentence_and_offered_in_plain_words(place):
    page = opened(whole="small")
    assert "60" in page.info[0].value
    assert page.button(key="themes-find").disabled
    assert any(one.startswith("AECL: ") for one in page.selectbox(key="themes-method").options)
    page.selectbox(key="themes-library").set_value("themed").run()
    assert not page.info and not page.button(key="themes-find").disabled
    assert "240 passages" in texts(page) and SAYS["aecl"] in texts(page)
    page.text_input(key="themes-filter").set_value("collection=even").run()
    assert "but there are 120" in page.info[0].value
    page.text_input(key="themes-filter").set_value("").run()
    page.selectbox(key="themes-method").set_value("fcl").run()
    assert page.info


def test_a_library_of_too_many_texts_is_refused_until_a_filter_is_given(place, monkeypatch):
    monkeypatch.setattr("subclust.themes.texts.MOST", 239)
    page = opened(whole="themed", method="kmeans")
    page.text_input(key="themes-filter").set_value("title~Title").run()
    assert "use a filter" in page.info[0].value and "there are 240" in page.info[0].value
    assert page.button(key="themes-find").disabled
    page.text_input(key="themes-filter").set_value("year=1900-1947").run()
    assert not page.info and not page.button(key="themes-find").disabled


def test_finding_themes_is_queued_once_and_its_progress_shown(place, launcher):
    page = opened(whole="themed")
    page.selectbox(key="themes-method").set_value("scl").run()
    page.selectbox(key="themes-number").set_value(4)  # and at once, before the page is drawn again
    page.button(key="themes-find").click().run()
    (job,) = [one for one in JobStore(place.jobs_dir).jobs() if one.kind == "themes"]
    assert job.argv[:7] == ("themes", "--library", "themed", "--method", "scl", "--n-themes", "4")
    assert page.query_params["themes"] == job.title.rpartition("/")[2]
    page.button(key="themes-find").click().run()
    assert len([one for one in JobStore(place.jobs_dir).jobs() if one.kind == "themes"]) == 1
    assert page.button(key="themes-stop").label == "Stop"


def test_kept_themes_are_listed_opened_and_searched_within(place, found):
    page = opened(whole="themed", themes=found.key)
    assert "3 themes of 240 passages" in texts(page)
    assert texts(page).count("<li data-passage=") == 6
    assert page.button(key="group-0").label
    page.button(key="group-1").click().run()
    assert page.query_params["theme"] == "1"
    size = found.sizes()[1]
    shown = texts(page)
    assert f"{size} passages." in shown and shown.count("<li data-passage=") == 50
    assert f"data-passage='{found.ids_of(1)[0]}'" in shown
    page.button(key="themes-show-more").click().run()
    assert texts(page).count("<li data-passage=") == size
    page.toggle(key="themes-table").set_value(True).run()
    assert len(page.dataframe[0].value) == size
    page.text_input(key=f"themes-query-{found.key}-1").set_value("night").run()
    assert page.query_params["within"] == f"{found.key}-1"
    assert page.query_params["q"] == "night"


def test_themes_are_offered_as_tables_and_references(place, found):
    page = opened(whole="themed", themes=found.key)
    page.button(key="themes-export").click().run()
    assert not page.exception
    labels = [button.proto.label for button in page.get("download_button")]
    assert labels == [FORMATS[suffix].label for suffix in OF_THEMES]


@pytest.mark.parametrize("source", ["user", SOURCE, LABELS, PAIRS])
def test_the_page_says_where_the_number_of_themes_comes_from(place, found, source):
    key = source.encode().hex()[:16].rjust(16, "0")
    ThemeStore(place.themes_dir).save(replace(found, key=key, n_themes_source=source))
    for lang in ("en", "de"):
        shown = texts(opened(whole="themed", themes=key, lang=lang))
        words = {one: catalogue(lang).gettext(one) for one in WHENCE.values()}
        told = [one for one, in_words in words.items() if in_words in shown]
        assert told == ([] if source == "user" else [WHENCE[source]])


def test_the_page_shows_the_names_of_another_namer(place, found):
    for namer in ("words", "headings"):
        names = {number: f"Theme {number} by {namer}" for number in found.names}
        renamed = replace(found, key="b" * 16, names=names, told={**found.told, "names": namer})
        ThemeStore(place.themes_dir).save(renamed)
        page = opened(whole="themed", themes="b" * 16)
        labels = " ".join(str(one.label) for one in page.button)
        assert f"Theme 1 by {namer}" in labels


def crowded_map():
    from types import SimpleNamespace

    from subclust.core.records import MappedPassage, Passage, Query, Subtopic, SubtopicMap
    from subclust.ui.explore.found_themes import draw_themes_map

    groups = tuple(
        Subtopic(
            number,
            f"Theme {number}",
            0.3,
            tuple(
                MappedPassage(Passage(f"{number}-{n}", "text"), n + 1, 0.5, n % 100, n // 100)
                for n in range(size)
            ),
        )
        for number, size in enumerate((12_300, 8_200))
    )
    groups = SubtopicMap(Query(""), "themed", "kmeans", None, 0, 2, "user", groups, "pca")
    draw_themes_map(SimpleNamespace(key="0123456789abcdef", theme=None), groups)


def test_a_map_that_leaves_texts_out_says_so(place, found):
    page = AppTest.from_function(crowded_map, default_timeout=60).run()
    assert not page.exception
    assert "20,500 passages, the 20,000 most" in texts(page)
    passages = plan_themes(found.request, place, HashingEncoder()).found.passages
    assert n_theme_marks(found.as_map(passages)) == 240
    assert "are drawn" not in texts(opened(whole="themed", themes=found.key))


def test_a_search_within_a_theme_finds_its_texts_alone(place, found):
    within = f"{found.key}-2"
    page = opened(
        q="the war", library="themed", method="centred-cosine", within=within, list="hits"
    )
    inside = set(found.ids_of(2))
    listed = {part.split("'")[0] for part in texts(page).split("data-passage='")[1:]}
    assert listed and listed <= inside
    page.button(key="within-leave").click().run()
    assert "within" not in page.query_params


def test_themes_are_shown_with_their_names_before_their_map_is_made(place, found, launcher):
    key = "fedcba9876543210"
    store, jobs = ThemeStore(place.themes_dir), JobQueue(JobStore(place.jobs_dir), launcher)
    asked = replace(found, key=key, request=replace(found.request, projection="umap"))
    store.save(asked)
    job = jobs.submit(["themes"], kind="themes", title=f"themed/{key}", device="cpu")
    page = opened(whole="themed", themes=key)
    assert "3 themes of 240 passages" in texts(page) and page.get("plotly_chart")
    assert "overview" in texts(page)
    jobs.cancel(job.id)
    launcher.alive.clear()
    assert "again" in texts(page.run())
    store.save(replace(asked, coordinates=-found.coordinates, projection="umap"))
    (chart,) = page.run().get("plotly_chart")
    assert "overview" not in texts(page)
    x = [x for trace in json.loads(chart.proto.spec)["data"] for x in trace["x"]]
    assert x[0] == pytest.approx(-figure_x(found, place), abs=1e-4)


def figure_x(themes, place):
    """Return where the first mark lies in the map of themes as they were found."""
    passages = plan_themes(themes.request, place, HashingEncoder()).found.passages
    return theme_scatter(themes.as_map(passages)).data[0].x[0]


def test_an_address_of_themes_that_are_gone_says_so(place):
    page = opened(whole="themed", themes="0123456789abcdef")
    assert page.info and not page.get("plotly_chart")
    page = opened(q="ants", library="themed", within="0123456789abcdef-1", method="centred-cosine")
    assert "no longer exists" in page.warning[0].value


def test_the_map_has_a_mark_a_text_with_its_id(found, place):
    passages = plan_themes(found.request, place, HashingEncoder()).found.passages
    figure = theme_scatter(found.as_map(passages), chosen=1)
    assert [trace.type for trace in figure.data] == ["scattergl"] * 3
    ids = {point[0] for trace in figure.data for point in trace.customdata}
    assert ids == set(found.ids)
    assert figure.data[-1].name == found.names[1]
    assert figure.data[0].marker.opacity < figure.data[-1].marker.opacity


def test_a_theme_belongs_to_the_view_and_its_library():
    view = View.from_params({"q": ["a"], "within": ["0123456789abcdef-12"]})
    assert view.theme == "0123456789abcdef-12"
    assert view.to_params()["within"] == "0123456789abcdef-12"
    assert View.from_params({"within": ["../x-1"]}).theme == ""
    assert view.changed(library="other").theme == "" and view.changed(query="b").theme
    assert view.grouping() != replace(view, theme="").grouping()
    assert set(FITS) == set(SAYS)


def test_the_store_lists_the_newest_first(place, found):
    assert found.key in [one.key for one in ThemeStore(place.themes_dir).all()]
