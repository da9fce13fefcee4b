"""Whatever a stored text says, every page shows it as words: no markup, no link, no picture."""

import json
import re
from html.parser import HTMLParser

import pytest
from app_files import APP
from google.protobuf.message import Message
from hostile_data import NAME, planted_in
from streamlit.testing.v1 import AppTest

from subclust.sessions import SessionStore

ASKED = {"q": "tea ships harbour BAD", "library": "{library}", "method": "tfidf", "groups": "3"}
PAGES = {
    "an answer": ("explore", ASKED),
    "hits": ("explore", {**ASKED, "list": "hits"}),
    "a group": ("explore", {**ASKED, "group": "0"}),
    "levels": ("explore", {**ASKED, "levels": "2"}),
    "a question of such words": ("explore", {**ASKED, "q": NAME}),
    "what is not there": ("explore", {"q": NAME, "library": NAME, "session": NAME}),
    "a session": ("explore", {"q": NAME, "session": "{session}"}),
    "themes": ("explore", {"themes": "f" * 16, "library": "{library}"}),
    "columns": (
        "compare",
        {"q": ASKED["q"], "library": "{library}", "a": "tfidf", "b": "sbert-cosine"},
    ),
    "libraries": ("library", {}),
    "jobs": ("library", {"show": "imports"}),
    "an import with rejected records": ("library", {"show": "imports", "job": "refused"}),
    "saved corrections": ("explore", {**ASKED, "corrections": "evil"}),
    "an import that failed": ("library", {"show": "imports", "job": "evil"}),
    "a set": ("train", {"set": "evil@1"}),
    "a training that failed": ("train", {"show": "Trainings", "job": "trained"}),
    "a model": ("models", {"way": "qs3m", "model": "evil"}),
}

ACTIVE = re.compile(
    r":[a-z-]+\[BAD|:material/bad|!?\]\((javascript|data|https?):|\*\*BAD|`BAD|\$BAD|~~BAD|<bad|"
    r"<script|<img|https://evil"
)
"""What Markdown, as Streamlit reads it, would make of a text that is not escaped."""

ALIVE = re.compile(r"https?://evil|:material/bad")
"""What it makes of a text once its escapes are gone: addresses and icons."""

PLAIN = re.compile(
    r".*\.(id|key|element_id|form_id|widget_id|url_path|page_script_hash|raw_value|value|default"
    r"|set_value|raw_values|query_params?.*)|Selectbox\.options|MultiSelect\.options|Code\.code_text"
    r"|.*\.placeholder|PlotlyChart\.\w+|Html\.body|BidiComponent\.\w+|Dataframe\.columns"
)
"""Fields that are shown as they are (heads of tables are painted), or are looked at in a way of
their own."""


class Tags(HTMLParser):
    """Collects the tags of a piece of HTML, with their attributes."""

    def __init__(self, content):
        super().__init__()
        self.found = []
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def active_html(content):
    """Return what of some HTML runs, loads or leads where it should not."""
    found = []
    for tag, attributes in Tags(content).found:
        href = attributes.get("href") or "#"
        if (
            tag in ("bad", "script", "img", "iframe", "object", "embed", "form", "base", "meta")
            or any(name.startswith("on") or name in ("src", "srcdoc") for name in attributes)
            or not href.startswith(("#", "?", "/", "https://", "http://", "mailto:"))
        ):
            found.append((tag, attributes))
    return found


def active_plot(spec):
    """Return the texts of a figure that plotly would read as markup."""
    found = []

    def walk(value, key=""):
        if isinstance(value, str) and key not in ("customdata", "ids", "uirevision"):
            found.extend(re.findall(r"<(?!/?(?:br|b|i|span|extra)\b)[^>]*>", value))
        elif isinstance(value, list | dict):
            for name, one in value.items() if isinstance(value, dict) else enumerate(value):
                walk(one, name if isinstance(name, str) else key)

    walk(json.loads(spec))
    return found


def strings(message, path):
    """Yield every text of what a page sends to the browser, with the name of its field."""
    for field, value in message.ListFields():
        name = f"{path}.{field.name}"
        several = value if field.is_repeated else [value]
        if field.message_type and field.message_type.GetOptions().map_entry:
            several = value.values()
        for one in several:
            if isinstance(one, Message):
                yield from strings(one, name.rpartition(".")[2] if "." not in name else name)
            elif isinstance(one, str):
                yield name, one


def sent(node):
    proto = getattr(node, "proto", None)
    if isinstance(proto, Message):
        yield from strings(proto, proto.DESCRIPTOR.name)
    if getattr(node, "type", "") == "table":
        frame = node.value.reset_index()
        yield from (("Table.cell", str(cell)) for row in frame.values for cell in row)
    for child in getattr(node, "children", {}).values():
        yield from sent(child)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    with planted_in(tmp_path_factory.mktemp("hostile")) as planted:
        return planted


@pytest.mark.parametrize("which", PAGES)
def test_a_page_shows_words_and_nothing_else(which, planted, launcher, monkeypatch):
    settings, library = planted
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("SUBCLUST_MODELS_DIR", str(settings.models_dir))
    page, asked = PAGES[which]
    app = AppTest.from_file(APP, default_timeout=120)
    (session,) = SessionStore(settings.sessions_dir).headers()
    for name, value in asked.items():
        app.query_params[name] = value.format(library=library, session=session.id)
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    texts = list(sent(app._tree))
    assert any("BAD" in text or "evil" in text for _, text in texts)
    wrong = [
        (name, text)
        for name, text in texts
        if not PLAIN.fullmatch(name)
        and (ACTIVE.search(re.sub(r"\\.", "", text)) or ALIVE.search(text.replace("\\", "")))
    ]
    wrong += [(name, active_html(text)) for name, text in texts if name == "Html.body"]
    wrong += [(name, active_plot(text)) for name, text in texts if name == "PlotlyChart.spec"]
    assert [one for one in wrong if one[1]] == []


@pytest.mark.parametrize(
    "text",
    [
        ":red[BAD]",
        "![BAD](https://evil.example)",
        "[x](javascript:BAD())",
        "<script>BAD()",
        "**BAD**",
    ],
)
def test_what_is_not_escaped_is_found(text):
    assert ACTIVE.search(re.sub(r"\\.", "", text))
    assert active_html("<a href='javascript:x'>") and active_html("<p onclick=x>")
    assert active_plot(json.dumps({"data": [{"text": ["<a href='x'>x</a>"]}]}))
