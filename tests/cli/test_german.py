"""With ``--language de``, everything that a command prints for people is German."""

import json
import re
import shutil

import pytest
from made_library import make_library
from raising import numbers

from subclust.cli import main
from subclust.core.plugins import plugged
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.jobs import JobStore
from subclust.methods import METHODS
from subclust.text.encoders import load_encoder

ENGLISH = re.compile(
    r"\b(the|of|is|are|were|and|with|by|there|not|no|to|on|it|for|has|had|passages?|quer(y|ies)|"
    r"groups|yet|wrote|saved|removed|kept|documents?|found|written|nothing|refused|read|imported|"
    r"unknown|catalogue|repository|authors|parts)\b",
    re.IGNORECASE,
)

SUBJECTS = {
    "Steuer": "Stempelsteuer Zuckersteuer Gesetz Kaufleute Kolonie Jahr",
    "Heer": "Armee Musketen Kanonen Belagerung Festung Jahr",
    "Fisch": "Kabeljau Hering Fischfang Hafen Salzhandel Jahr",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A data folder and files without an English word."""
    tmp_path = tmp_path_factory.mktemp("deutsch")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"DATA_DIR": tmp_path / "data", "ENCODER": "hashing"}.items():
            patch.setenv(f"SUBCLUST_{name}", str(value))
        fill(Settings.from_environment(), tmp_path)
    return tmp_path


def fill(settings, tmp_path):
    passages = [
        Passage(f"{name}-{year}", f"{text} {year}", title=name, label=name)
        for name, text in SUBJECTS.items()
        for year in range(1760, 1768)
    ]
    make_library(settings.library_dir, load_encoder(settings), passages, "klein")
    rows = [{"text": one.text, "id": one.id, "label": one.label} for one in passages]
    lines = [json.dumps({"query": query, "passages": rows}) for query in ("Handel", "Krieg")]
    (tmp_path / "satz.jsonl").write_text("\n".join(lines))
    (tmp_path / "leer.csv").write_text("title,abstract\nErstes,Stempelsteuer\nZweites,\n")
    (tmp_path / "falsch.csv").write_text("query,text,label\nHandel,,Steuer\n")
    JobStore(settings.jobs_dir).begin("laufend", ("train", "qs3m"), device="cpu")
    words = ("search", "Zuckersteuer", "--library", "klein", "--method", "tfidf")
    assert main([*words, "--save", "Suche"]) == 0
    assert main(["sets", "add", str(tmp_path / "satz.jsonl"), "--name", "satz"]) == 0


@pytest.fixture
def german(run, settings, made, tmp_path):
    """Run commands in German, over a copy of that folder."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return lambda *words: run("--language", "de", *(w.replace("TMP", str(tmp_path)) for w in words))


@pytest.mark.parametrize(
    "words",
    [
        "library list",
        "library show klein",
        "library browse klein",
        "library browse klein --offset 99",
        "library imports klein",
        "library versions klein",
        "library compact klein",
        "library remove klein",
        "library remove klein --from-year 1760",
        "library rename klein Groß",
        "library backup klein TMP/klein.zip",
        "library reembed klein",
        "import TMP/leer.csv --library neu",
        "export --library klein --to TMP/klein.ris",
        "bin",
        "sources",
        "sources harvests",
        "search Zuckersteuer --library klein --method tfidf --levels 2 --stability",
        "search Hering --library klein --method tfidf --hits-of Armee",
        "explain Hering Fisch-1760 --library klein --method tfidf",
        "compare Hering --library klein --method tfidf --method jaccard",
        "cluster TMP/satz.jsonl --method tfidf",
        "themes --list",
        "sessions list",
        "sessions show Suche",
        "sessions check Suche",
        "sessions delete Suche",
        "check TMP/satz.jsonl",
        "check TMP/falsch.csv",
        "sets list",
        "sets show satz",
        "sets add TMP/satz.jsonl --name satz",
        "sets check TMP/falsch.csv",
        "sets template TMP/vorlage.csv",
        "sets remove satz",
        "corrections list",
        "bench TMP/satz.jsonl --method tfidf --method jaccard",
        "encoders",
        "models",
        "models history",
        "jobs list",
        "jobs show keiner",
        "jobs show laufend",
    ],
)
def test_no_sentence_is_left_in_english(german, words):
    _, out, err = german(*words.split())
    assert out or err or words in ("sources harvests", "themes --list")
    # Values that are typed as they are: commands, options, settings, names of formats.
    told = re.sub(r"„[^“]*“|--\S+|SUBCLUST_\w+|\S+@\S+|/\S+", "", out + err)
    assert not ENGLISH.search(told), told


def test_the_methods_of_the_product_are_described_in_german(german):
    of_the_benchmarks = {name for cards in plugged("methods") for name in cards}
    summaries = dict(line.split(maxsplit=1) for line in german("methods")[1].splitlines())
    assert set(summaries) == set(METHODS)
    told = [text for name, text in summaries.items() if name not in of_the_benchmarks]
    assert told and not ENGLISH.search("\n".join(told)), told


def test_json_stays_in_english(german):
    value = json.loads(german("check", "TMP/falsch.csv", "--json")[1])
    assert ENGLISH.search(json.dumps(value["problems"]))


def test_numbers_are_written_as_germans_do(german):
    words = ("search", "Heer", "--library", "klein", "--method", "tfidf", "--n-clusters", "3")
    first = german(*words)[1].splitlines()[0]
    assert sorted(numbers(first)) == ["24", "3"] and "„Heer“" in first
    assert re.search(
        r"ARI \d,\d{3}",
        german(
            "compare", "Hering", "--library", "klein", "--method", "tfidf", "--method", "jaccard"
        )[1],
    )
