"""What a terminal would obey is shown and not obeyed, from wherever it comes."""

import json

import pytest

from subclust.cli.printing import progress_bar
from subclust.core.records import Passage
from subclust.text.encoders import load_encoder

HOSTILE = "\u2028\x1b[2J\x1b]0;owned\x07 fish\r\x9b31m\u202egpj\u2066 \x00"
OBEYED = "\u2028\x1b\x07\r\x9b\u202e\u2066\x00"


@pytest.fixture
def hostile(settings, library):
    passages = [
        Passage(f"p{n}{HOSTILE}", f"{HOSTILE} cod {n}", title=f"{HOSTILE} {n}", collection=HOSTILE)
        for n in range(9)
    ]
    library.add(passages, load_encoder(settings).encode([one.text for one in passages]))
    return passages


@pytest.mark.parametrize(
    "words",
    [
        ("search", "cod", "--method", "tfidf", "--library", "small"),
        ("explain", "cod", f"p1{HOSTILE}", "--method", "tfidf", "--library", "small"),
        ("explain", "cod", HOSTILE, "--method", "tfidf", "--library", "small"),
        ("search", HOSTILE, "--method", "tfidf", "--library", "small"),
        ("search", "cod", "--library", HOSTILE),
        ("search", "cod", "--method", HOSTILE),
        ("library", "show", "small"),
        ("library", "browse", "small"),
        ("library", "show", HOSTILE),
        ("sessions", "show", HOSTILE),
        ("import", HOSTILE.replace("\x00", ""), "--library", "small"),
        ("import", "nowhere.csv", "--library", HOSTILE),
    ],
)
def test_nothing_that_is_printed_is_obeyed(run, hostile, words):
    _, out, err = run(*words)
    assert out or err
    assert set(out + err) & set(OBEYED) == set()


def test_json_has_it_whole(run, hostile):
    _, out, _ = run("search", "cod", "--method", "tfidf", "--library", "small", "--json")
    found = json.loads(out)
    titles = {one["title"] for group in found["subtopics"] for one in group["passages"]}
    assert {one.title for one in hostile} & titles
    assert set(out) & set(OBEYED) == set()


def test_progress_is_not_obeyed(capsys):
    progress_bar(HOSTILE)(1, 1)
    assert set(capsys.readouterr().err) & set(OBEYED) == set()
