"""What went wrong with a file or a library, in the visitor's language."""

import re

import pytest
from raising import numbers

from subclust.core.exceptions import InputError, SubclustError
from subclust.core.messages import Message
from subclust.core.settings import PROJECT_ROOT
from subclust.core.translation import translated
from subclust.labelled.reading.kinds import KINDS
from subclust.text.ingest.uploads import receive_file
from subclust.text.sources.opening import open_source
from subclust.training.split import not_resumable
from subclust.ui.components.words import ON_PAGES, error_words, way_out_words
from subclust.ui.i18n import language
from subclust.ui.i18n.messages import _messages_of

COMMAND = re.compile("python -m|command line|Befehlszeile|Kommandozeile|--[a-z]", re.IGNORECASE)
PACKAGE = PROJECT_ROOT / "subclust"
NOT_ON_PAGES = (
    "The job {id} is not for this process",
    "There is no passage {passage_id!r} among",
    "There is no run {folder} that kept how it divided its questions",
    "{set} has 1 warning; run",
    "{set} has {n:,} warnings; run",
    "{modules} is not installed",
    "The model could not be judged ({error})",
    "A backup is being restored to {folder}",
    "{other} is not what the run {folder} was given",
    "None of the {part} questions of the run {folder}",
    "{method} learns a whole collection",
    "{card} learns a whole collection",
    "--folds needs at least",
    "With --folds, every query is held out once",
    "What answers at {url} is no API of Subclust",
    "The folder {folder} is not empty",
    "{method}/{name} came with Subclust and is not changed",
    "There are no labelled questions to judge on",
    "{own} is to be compared with itself",
    "{name} was trained on {data}",
    "The task {card} reads {file} below",
    "The method {card} brings its own number of groups",
    'part = "gate" trains',
    'part = "words" weighs',
    "No text of the collection has a label",
    "The collection has no labels",
    "All texts of the collection have the same label",
    "The file {source} is not the published",
    "The encoder weights in {folder} are not the published",
    "Ray is not installed here",
    "{count} records of the export were rejected",
    "Its letters were read as {encoding}",
    "The parts that are not UTF-8 were read as",
    "--column needs OURS=THEIRS",
    "{file} has no such column as --column names",
    "--set ",
)
"""How sentences begin that only a command is told, or the log of a job."""

TEMPLATES = {
    text
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] not in ("ui", "cli")
    for text in _messages_of(path.read_text(encoding="utf-8"))
} | {kind.advice for kind in KINDS.values()}


@pytest.fixture
def german(monkeypatch):
    monkeypatch.setattr(language, "language", lambda: "de")


def test_what_names_a_command_is_said_in_other_words_on_a_page():
    assert ON_PAGES.keys() <= TEMPLATES
    named = {text for text in TEMPLATES if isinstance(text, str) and COMMAND.search(text)}
    assert all(text.startswith(NOT_ON_PAGES) for text in named - ON_PAGES.keys())
    for text in ON_PAGES.values():
        assert not COMMAND.search(text) and not COMMAND.search(translated(text, "de"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"id,text\n"),
        ("b.csv", b"id,what\n1,ants\n"),
        ("d.zip", b"PK\x03\x04"),
        ("e.foo", b"<html><body>No</body></html>"),
        ("f.xlsx", b"PK\x03\x04"),
        ("g.ris", b"nothing of that\n"),
    ],
)
def test_files_that_cannot_be_read_are_told_of_in_german(german, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SubclustError) as caught:
        list(open_source(tmp_path / name))
    said = caught.value.sentence
    told = error_words(caught.value)
    assert told.startswith(f"{name} ") and told != str(said)
    assert told == translated(said, "de", ON_PAGES)


def test_an_upload_that_is_too_large_is_refused_in_german(german, tmp_path):
    with pytest.raises(SubclustError) as caught:
        receive_file(tmp_path, None, "all.ris", n_bytes=10 << 30)
    told = error_words(caught.value)
    assert told.startswith("all.ris ist ") and numbers(told) == ["200"]


def test_what_stands_in_a_place_is_said_in_german_too(german):
    advice = Message("change the query")
    error = InputError("{label} refused the request (status {status}{reason}); {advice}.",
                       label="OpenAlex", status=400, reason="", advice=advice)  # fmt: skip
    told = error_words(error)
    assert told.startswith("OpenAlex ") and "(Status 400)" in told
    assert told.endswith(f"; {translated(advice, 'de')}.") and "change" not in told


def test_a_training_that_cannot_be_resumed_is_told_without_options(german):
    error = not_resumable(Message("the split in {path} is damaged", path="a/split.json"))
    told = error_words(error)
    assert "a/split.json" in told and "--" not in told and "damaged" not in told


def test_what_nobody_knows_stays(german):
    assert error_words("Something that no source says.") == "Something that no source says."
    assert error_words("") == ""
    odd = "The service is down, which is a pity."
    assert error_words(odd) == odd


def test_advice_that_the_reason_has_is_not_said_twice(german):
    reason = "a.csv is empty; choose another file."
    assert way_out_words(reason, "Choose another file.") == ""
    assert way_out_words("No.", None) == ""
    way_out = "See the log for the reason."
    assert way_out_words("No.", way_out) == translated(way_out, "de") != way_out
