from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from subclust.ui.components.browser import map_config
from subclust.ui.i18n import language
from subclust.ui.i18n.language import CATALOGUES, LANGUAGES, catalogue
from subclust.ui.i18n.messages import (
    _collect_messages,
    _faults,
    _messages_of,
    _placeholders,
    _read_catalogue,
)


def switch_alone():
    import streamlit as st

    from subclust.ui.i18n.language import draw_language_switch

    draw_language_switch()
    st.button("Something else", key="else")


@pytest.fixture
def open_app():
    """Open a page that has the switch and a button."""

    def open_at(**params):
        app = AppTest.from_function(switch_alone, default_timeout=60)
        for name, value in params.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return app

    return open_at


def many_sentences():
    import streamlit as st

    from subclust.ui.i18n.language import _, choose_language

    for number in range(20):
        st.text(f"{_('Explore')} {number}")
    st.button("German", on_click=choose_language, args=("de",))


def test_the_language_is_looked_up_once_a_run_and_again_in_the_next(monkeypatch):
    looked = []
    chosen = language.chosen_language
    monkeypatch.setattr(language, "chosen_language", lambda: looked.append(1) or chosen())
    app = AppTest.from_function(many_sentences, default_timeout=60).run()
    assert app.text[19].value == "Explore 19"
    assert len(looked) == 1
    app.button[0].click().run()
    assert app.text[19].value == f"{catalogue('de').gettext('Explore')} 19"
    assert len(looked) == 2


@pytest.fixture
def browser_asks(monkeypatch):
    def ask(locale):
        theme = SimpleNamespace(type="light")
        context = SimpleNamespace(locale=locale, theme=theme, url="http://localhost/")
        monkeypatch.setattr(language.st, "context", context)

    return ask


def switch_of(app):
    return app.segmented_control(key="language")


@pytest.mark.parametrize(
    ("locale", "shown"),
    [("de-AT", "de"), ("de", "de"), ("fr-FR", "en"), ("en-GB", "en"), (None, "en"), ("", "en")],
)
def test_a_new_visitor_gets_the_language_of_the_browser(open_app, browser_asks, locale, shown):
    browser_asks(locale)
    app = open_app()
    assert switch_of(app).value == shown
    assert switch_of(app).label == {"de": "Sprache", "en": "Language"}[shown]
    assert "lang" not in app.query_params


def test_the_address_decides_against_the_browser(open_app, browser_asks):
    browser_asks("de-DE")
    app = open_app(lang="en")
    assert switch_of(app).label == "Language"
    app.query_params["lang"] = "de"  # as the back button does
    app.run()
    assert switch_of(app).label == "Sprache"


def test_an_unknown_language_in_the_address_is_passed_over(open_app):
    assert switch_of(open_app(lang="tlh")).value == "en"


def test_the_switch_goes_into_the_address_and_stays(open_app):
    app = open_app(q="the American war")
    switch_of(app).set_value("de").run()
    assert switch_of(app).label == "Sprache"
    assert app.query_params["lang"] == "de"
    assert app.query_params["q"] == "the American war"
    app.button(key="else").click().run()
    assert app.query_params["lang"] == "de"
    del app.query_params["lang"]  # as coming back from another page does
    app.run()
    assert switch_of(app).label == "Sprache"
    assert app.query_params["lang"] == "de"


def test_explore_keeps_the_language_in_its_address(open_page):
    page = open_page(q="the American war", lang="de")
    page.button(key="group-1").click().run()
    assert page.query_params["lang"] == "de"
    assert page.query_params["group"] == "1"


def test_a_choice_that_comes_too_late_changes_nothing(open_app):
    app = open_app()
    switch_of(app).set_value(None).run()
    assert not app.exception
    assert switch_of(app).label == "Language"


def choices_alone():
    import streamlit as st

    from subclust.ui.components.session import show_in_widget
    from subclust.ui.i18n.language import _, draw_language_switch

    draw_language_switch()
    show_in_widget("of-view", "train")
    st.button("press", key="button")
    st.file_uploader("files", accept_multiple_files=True, key="files")
    for key in ("of-view", "own"):
        words = {"explore": _("Explore"), "train": _("Train")}
        st.selectbox(key, list(words), format_func=words.__getitem__, key=key)


def test_choices_are_sent_again_in_the_words_of_a_new_language():
    """Of an option the browser knows the words alone, and those of before are unknown then."""
    app = AppTest.from_function(choices_alone, default_timeout=60).run()
    app.selectbox(key="own").set_value("train").run()
    assert not any(choice.proto.set_value for choice in app.selectbox)
    switch_of(app).set_value("de").run()
    sent = [(choice.proto.set_value, choice.proto.raw_value) for choice in app.selectbox]
    assert sent == [(True, catalogue("de").gettext("Train"))] * 2
    app.run()
    assert not any(choice.proto.set_value for choice in app.selectbox)
    assert [choice.value for choice in app.selectbox] == ["train", "train"]


def test_an_address_without_a_choice_has_no_language(open_app):
    app = open_app(q="war")
    app.button(key="else").click().run()
    assert "lang" not in app.query_params


def test_outside_a_page_it_is_english():
    assert language._("Models") == "Models"
    assert language._n("{count} passage", "{count} passages", 1200) == "1,200 passages"
    assert language.number(0.5, 3) == "0.500"


def test_numbers_and_counts_are_written_as_the_language_does(monkeypatch):
    monkeypatch.setattr(language, "language", lambda: "de")
    assert language.number(1234.5, 1) == "1.234,5"
    assert language.number(-0.25, 2) == "-0,25"


def test_the_buttons_above_a_map_are_called_by_the_language_of_the_page():
    said = {}
    for name in LANGUAGES:
        with language.speaking(name):
            config = map_config()
        assert config["locale"] == name
        said[name] = config["locales"][name]["dictionary"]
    assert said["en"].keys() == said["de"].keys()
    assert not set(said["en"].values()) & set(said["de"].values())


def test_each_language_has_a_catalogue_whose_words_are_its_own():
    assert set(LANGUAGES) - {"en"} == {folder.name for folder in CATALOGUES.iterdir()}
    assert catalogue("de").gettext("Models") == "Modelle"
    assert catalogue("de").gettext("no such sentence") == "no such sentence"


def test_all_sentences_of_the_interface_are_collected():
    messages = {message.id for message in _collect_messages()}
    assert {"Explore", "Language"} <= messages


@pytest.mark.parametrize("name", sorted(set(LANGUAGES) - {"en"}))
def test_every_sentence_is_translated_with_the_same_placeholders(name):
    path = CATALOGUES / name / "LC_MESSAGES" / "subclust.po"
    kept, there = _read_catalogue(path, name), _collect_messages()
    assert _faults(kept, there) == []
    assert {one.id for one in kept} - {one.id for one in there} == set(), "run `make messages`"


def test_faults_are_found(tmp_path):
    path = tmp_path / "subclust.po"
    path.write_text('msgid "Language"\nmsgstr "Sprache {count}"\n\nmsgid "Train"\nmsgstr ""\n')
    told = _faults(_read_catalogue(path, "de"), _collect_messages())
    assert any(one.startswith("'Train' ") for one in told)
    assert any("'Sprache {count}'" in one and "'Language'" in one for one in told)
    assert any(one.startswith("'Models' ") for one in told)


def test_sentences_are_found_wherever_they_are_said():
    source = "x = f\"<p>{_('in an f-string')}</p>\" + _('in ' 'two parts'); _n('one', 'many', 2)"
    assert sorted(map(str, _messages_of(source + "; _(name); other('no')"))) == [
        "('one', 'many')",
        "in an f-string",
        "in two parts",
    ]


def test_placeholders_are_those_of_format():
    assert _placeholders("{count} of {total:.2f}, {{not}} {a.b}") == ["count", "total", "a.b"]
