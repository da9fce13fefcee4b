"""No sentence of a page is left in English where the visitor reads German."""

import html
import re
from functools import cache

import pytest
import small_library
from app_files import PAGES
from streamlit.testing.v1 import AppTest

from subclust.judging.published import read_published
from subclust.ui.components.words import EXAMPLES
from subclust.ui.i18n.language import catalogue
from subclust.ui.i18n.messages import _collect_messages
from subclust.ui.train.sets import EXAMPLE_ROWS

ENGLISH = re.compile(
    r"\b(the|of|and|which|with|are|that|this|from|your|it|its|is|not|to|for|you|they)\b"
)
"""Words that stand in nearly every English sentence and in no German one."""

NAMES = ("Web of Science",)
"""What is called the same in German."""

PLACES = (
    "button", "caption", "checkbox", "error", "expander", "header", "info", "markdown",
    "metric", "multiselect", "number_input", "radio", "selectbox", "select_slider", "success",
    "text", "text_area", "text_input", "title", "toggle", "warning", "segmented_control", "tabs",
)  # fmt: skip

PAPERS = read_published()

SAID = ("label", "help", "placeholder", "value", "body", "caption")


LIBRARYS = (
    r"<span class='sc-(?:title|excerpt)'>.*?</span>|</summary><p>.*?</p>|<h3 class='sc-why.*?</h3>"
)
"""What a list has of the library: titles, the first words and the whole of a passage."""


def open_german(page, **params):
    app = AppTest.from_file(PAGES / f"{page}.py", default_timeout=240)
    app.query_params["lang"] = "de"
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def visible(app):
    """List what a page says: every label, help, option and text, without its markup."""
    found = []
    for kind in PLACES:
        for element in app.get(kind):
            proto = getattr(element, "proto", element)
            for name in SAID:
                text = getattr(proto, name, "")
                found += [text] if isinstance(text, str) else []
            found += [str(one) for one in getattr(proto, "options", [])]
    found += [getattr(one.proto, "body", "") for one in app.get("html")]
    return [plain(text) for text in found if isinstance(text, str)]


def plain(text):
    text = re.sub(r"<style>.*?</style>", " ", text, flags=re.S)
    text = re.sub(r"<q lang='en'>.*?</q>", " ", text, flags=re.S)  # the papers' own words
    text = re.sub(LIBRARYS, " ", text, flags=re.S)
    text = re.sub(r"</?mark>", "", text)
    text = re.sub(r"\\([^\w\s])", r"\1", text)  # what keeps Streamlit from reading Markdown
    return html.unescape(re.sub(r"<[^<>]*>", " ", text))


def names_of_groups(app):
    """List the names on the buttons of groups, which are made of the passages' words."""
    keys = ("group-", "of-")
    found = [plain(one.label) for one in app.button if (one.key or "").startswith(keys)]
    answers = app.session_state["answers"] if "answers" in app.session_state else {}
    found += [group.name for one in answers.values() for group in one.subtopics.subtopics]
    return [re.sub(r" · \d+$", "", one) for one in found]


def ours():
    """List texts that are the library's or the visitor's, and stay as they are."""
    texts = [one for passage in small_library.passages() for one in (passage.text, passage.title)]
    rows = [cell for row in EXAMPLE_ROWS for cell in row]
    papers = [text for one in PAPERS for text in (one["citation"], one["label"])]
    texts += [one.path for one in small_library.passages() if one.path]
    return [*texts, *papers, "the American war", "a tax on paper", *EXAMPLES, *rows, *NAMES]


@cache
def own_of(names):
    """Return what matches `ours` and these names."""
    known = sorted({*ours(), *filter(None, names)}, key=len, reverse=True)
    return re.compile("|".join(re.escape(one) for one in known))


def left_in_english(texts, names=()):
    """Give the texts that hold an English word, without what is the library's own."""
    own = own_of(tuple(names))
    found = []
    for text in texts:
        rest = re.sub(r"…\s*[^…]*…|\S[^.:]{20,}…", " ", own.sub(" ", text))  # cut short
        rest = re.sub(r"https?://\S+|`[^`]*`|„[^“]*“|“[^”]*”", " ", rest)
        if ENGLISH.search(rest):
            found.append(" ".join(rest.split())[:200])
    return found


VIEWS = {
    "explore": [
        {"q": "", "method": "tfidf"},
        {"q": "the American war", "method": "centred-cosine", "levels": "2"},
        {"q": "the American war", "method": "tfidf", "list": "table", "groups": "4"},
        {"q": "the American war", "method": "tfidf", "list": "hits", "map": "pca"},
        {"q": "a tax on paper", "hits": "the American war", "method": "tfidf", "group": "1"},
    ],
    "compare": [{"q": "the American war", "a": "tfidf;groups:4", "b": "jaccard;groups:3"}],
    "train": [{}, {"show": "Trainings"}],
    "models": [{}],
    "benchmarks": [{"paper": paper["label"]} for paper in PAPERS],
    "library": [{"show": "import"}, {"show": "imports"}],
}


@pytest.mark.parametrize(
    ("page", "params"), [(page, one) for page, views in VIEWS.items() for one in views]
)
def test_no_english_sentence_is_left_on_a_german_page(page, params):
    app = open_german(page, **params)
    texts = visible(app)
    assert len(texts) > 5
    assert left_in_english(texts, names_of_groups(app)) == []


def test_an_english_sentence_would_be_found():
    assert left_in_english(["Choose the group."]) == ["Choose the group."]
    assert left_in_english(["Wählen Sie die Gruppe."]) == []
    assert left_in_english(["the American war"]) == []


def test_no_translation_is_english():
    german = catalogue("de")
    told = [message.id for message in _collect_messages() if isinstance(message.id, str)]
    without_options = {one: re.sub(r"--[\w-]+", "", german.gettext(one)) for one in told if one}
    english = [one for one, text in without_options.items() if left_in_english([text])]
    assert [one for one in english if "python -m" not in one] == []
