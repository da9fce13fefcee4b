"""The public surface: what ``import subclust`` offers, and each example in its documentation."""

import doctest
import inspect
import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from made_library import make_library
from raising import values_of
from small_sets import labelled

import subclust
from subclust.core.exceptions import InputError
from subclust.core.records import Passage
from subclust.core.settings import PROJECT_ROOT
from subclust.text.encoders import shared_encoder
from subclust.text.library import PassageLibrary

SUBJECTS = {
    "tax": "stamp duty and sugar tax laws angered the merchants of the colony in year {}",
    "army": "the army marched with muskets and cannon to the siege of the fort in year {}",
    "fish": "cod and herring fishing fed the harbour towns and their salt trade in year {}",
}
TEXTS = [text.format(year) for text in SUBJECTS.values() for year in range(1760, 1764)]
RIS = """TY  - JOUR
TI  - {title}
AB  - {title} is told here at some length.
ER  -
"""


def _begin(monkeypatch, folder, **variables):
    """Stand in a folder with a small demo library, as somebody who has just begun."""
    monkeypatch.chdir(folder)
    for name, value in {"DATA_DIR": folder / "data", "DEVICE": "cpu", **variables}.items():
        monkeypatch.setenv(f"SUBCLUST_{name}", str(value))
    settings = subclust.Settings.from_environment()
    if "demo" not in PassageLibrary.names(settings.library_dir):
        passages = [
            Passage(f"{name}{year}", text.format(year), name, metadata={"year": f"{year}"})
            for name, text in SUBJECTS.items()
            for year in range(1760, 1768)
        ]
        make_library(settings.library_dir, shared_encoder(settings), passages)
    return settings


@pytest.fixture
def demo(monkeypatch, tmp_path):
    return _begin(monkeypatch, tmp_path, ENCODER="hashing")


def test_nothing_heavy_is_imported_with_the_package():
    heavy = "torch streamlit pandas numpy sklearn scipy lancedb plotly".split()
    found = subprocess.run(
        [sys.executable, "-c", f"import sys, subclust; print(*sys.modules.keys() & {heavy!r})"],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT_ROOT,
    )
    assert found.stdout.split() == []


def test_every_public_name_is_there_and_listed():
    assert len(subclust.__all__) <= 12
    assert set(subclust.__all__) <= set(dir(subclust))
    for name in subclust.__all__:
        assert inspect.getdoc(getattr(subclust, name))
    with pytest.raises(AttributeError):
        subclust.nothing  # noqa: B018


def _examples():
    """Find the examples of the package's own documentation and of each public name."""
    found = doctest.DocTestFinder(recurse=False)
    named = {"subclust": subclust} | {one: getattr(subclust, one) for one in subclust.__all__}
    for name in named.keys() - {"Settings", "SubclustError"}:
        yield from found.find(named[name], name, module=False, globs={"subclust": subclust})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    titles = ("Sea fishing in winter", "Taxes on tea")
    (folder / "papers.ris").write_text("".join(RIS.format(title=one) for one in titles))
    for file, years in {"labelled.csv": (1780, 1784), "held-out.csv": (1790, 1792)}.items():
        rows = [
            f"year {year},{text.format(year)} by {place},{label}"
            for year in range(*years)
            for label, text in SUBJECTS.items()
            for place in ("Boston", "Salem", "Nantucket")
        ]
        (folder / file).write_text("\n".join(["query,text,label", *rows]) + "\n")
    return folder


@pytest.mark.parametrize("example", sorted(_examples()), ids=lambda example: example.name)
def test_the_examples_of_the_documentation(example, monkeypatch, folder):
    # With what ships, since that is what a reader has who tries them.
    _begin(monkeypatch, folder, SHIPPED_MODELS_DIR=PROJECT_ROOT / "models")
    assert example.examples, f"{example.name} has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    told = []
    runner.run(example, out=told.append)
    assert not runner.failures, "".join(told)


def test_the_notebook_to_begin_with(monkeypatch, folder, capsys):
    _begin(monkeypatch, folder, SHIPPED_MODELS_DIR=PROJECT_ROOT / "models")
    text = (PROJECT_ROOT / "docs/researchers/first-steps.ipynb").read_text(encoding="utf-8")
    names: dict = {}
    for cell in json.loads(text)["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["other"].what_changed in capsys.readouterr().out
    assert (folder / "groups.ris").read_text().count("TY  - ") == len(names["answer"])


def test_the_groups_of_texts_are_in_their_order(demo, tmp_path):
    grouping = subclust.group(iter(TEXTS), n_clusters=3, method="tfidf")
    assert len(grouping) == 12
    assert len(set(grouping.labels[:4])) == len(set(grouping.labels[4:8])) == 1
    assert grouping.names.keys() == set(grouping.labels.tolist())
    assert grouping.scores.shape == (12,)
    frame = grouping.to_frame()
    assert frame["text"].tolist() == TEXTS
    np.testing.assert_array_equal(frame["group"], grouping.labels)
    assert frame["name"].tolist() == [grouping.names[label] for label in grouping.labels]
    assert len(repr(grouping)) < 300
    assert grouping._repr_html_().count("data-passage=") == 12
    assert grouping.export(tmp_path / "groups.csv").read_bytes()


@pytest.mark.parametrize(
    "texts",
    [
        "one text",
        ["a", None],
        [],
        ["a", float("nan")],
        ["a", " "],
        {"a": "b"},
        pd.DataFrame({"text": TEXTS}),
    ],
    ids=str,
)
def test_what_is_no_list_of_texts_is_refused(demo, texts):
    with pytest.raises(InputError):
        subclust.group(texts, method="tfidf")


def test_a_question_too_long_is_refused(demo):
    with pytest.raises(InputError):
        subclust.group(TEXTS, "x" * 5000, method="tfidf")


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": 5},
        {"max_other": "x"},
        {"max_other": None},
        {"random_state": None},
        {"random_state": 1.5},
    ],
    ids=str,
)
def test_a_parameter_of_another_kind_is_refused(demo, wrong):
    with pytest.raises(InputError):
        subclust.group(TEXTS, method="tfidf", **wrong)


def test_a_column_of_a_data_frame_is_a_list_of_texts(demo):
    one = subclust.group(
        pd.Series(TEXTS, index=range(5, 17)), method="tfidf", random_state=np.int64(0)
    )
    assert len(one) == 12
    assert "1 text in 1 group:" in repr(subclust.group(["Tea."], method="tfidf"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": None},
        {"question": ["a", "b"]},
        {"top_k": "x"},
        {"top_k": 1.5},
        {"expected": "taxes"},
        {"expected": [5]},
        {"collection": "none"},
    ],
    ids=str,
)
def test_a_parameter_of_a_search_that_does_not_fit_is_refused(demo, wrong):
    library = subclust.open_library()
    with pytest.raises(InputError):
        library.search(**{"question": "trade", "method": "centred-cosine", **wrong})


@pytest.mark.parametrize("name", [None, 5, "a b/c"])
def test_a_name_that_no_library_can_have_is_refused(demo, name):
    with pytest.raises(InputError):
        subclust.open_library(name)


@pytest.fixture
def answer(demo):
    return subclust.open_library().search("trade in the colony", 3, "centred-cosine", top_k=20)


def test_an_answer_has_its_hits_in_their_order(answer):
    ids = [hit.passage.id for hit in answer.ranking.hits]
    frame = answer.to_frame()
    assert frame["id"].tolist() == ids
    assert frame["rank"].tolist() == list(range(1, 21))
    assert set(frame["year"]) <= {str(year) for year in range(1760, 1768)}
    assert answer.origin.library == "demo"


def test_an_answer_is_cut_anew(answer):
    more = answer.regroup(n_clusters=4)
    assert more.n_clusters == 4
    again = subclust.open_library().search("trade in the colony", 4, "centred-cosine", top_k=20)
    np.testing.assert_array_equal(more.labels, again.labels)
    assert more.regroup(n_clusters=3).subtopics.subtopics == answer.subtopics.subtopics
    for wrong in (0, 2.5, "many"):
        with pytest.raises(InputError):
            answer.regroup(n_clusters=wrong)


def test_another_question_says_what_moved(answer):
    other = answer.regroup("soldiers and war", 3)
    assert [hit.passage.id for hit in other.ranking.hits] == answer.to_frame()["id"].tolist()
    assert len(other.effects) == 20
    before = dict(zip(answer.to_frame()["id"], answer.labels, strict=True))
    assert all(one.before == before[one.passage.id] for one in other.effects)
    assert other.subtopics.query.text == "soldiers and war"


def test_an_answer_divides_in_the_ways_that_it_suggests(answer, demo):
    from subclust.sessions import SessionStore, kept_groups

    year = next(way for way in answer.ways() if way.key == "field:year")
    other = answer.regroup(year)
    frame = other.to_frame()
    assert (frame["name"] == frame["year"]).all()
    assert other.names.keys() == set(other.labels.tolist())
    assert sorted(frame["group"].value_counts(), reverse=True) == list(year.sizes)
    assert other.what_changed.values["total"] == 20
    assert answer.what_changed == ""
    explained = other.explain(frame["id"][0])
    assert explained.group.name == frame["year"][0] and not explained.words
    _, session = SessionStore(demo.sessions_dir).load(other.save("By year").id)
    assert kept_groups(session).query.way == year.key
    assert other.regroup(n_clusters=2).n_clusters == 2
    with pytest.raises(InputError):
        answer.regroup(subclust.api.results.Query("by journal", way="field:venue"))


def test_an_expected_subtopic_has_a_group_of_its_own(demo):
    from subclust.sessions import SessionStore, kept_groups

    library = subclust.open_library()
    words = {"method": "centred-cosine", "expected": ["siege cannon", "dinosaurs"]}
    answer = library.search("trade in the colony", 2, **words)
    frame = answer.to_frame()
    assert set(frame["title"][frame["name"] == "Siege cannon"]) == {"army"}
    assert "Siege cannon" in answer.regroup("soldiers").names.values()
    assert "Siege cannon" not in answer.regroup("soldiers", expected=()).names.values()
    _, session = SessionStore(demo.sessions_dir).load(answer.save("Sieges").id)
    assert kept_groups(session).query.expected == ("siege cannon", "dinosaurs")


def test_an_answer_is_kept_as_the_page_keeps_it(answer, demo):
    from subclust.sessions import SessionStore, kept_groups, kept_hits

    header = answer.save("Trade")
    _, session = SessionStore(demo.sessions_dir).load(header.id)
    assert kept_groups(session).to_dict() == answer.subtopics.to_dict()
    assert [(hit.passage.id, hit.score) for hit in kept_hits(session)] == [
        (hit.passage.id, hit.score) for hit in answer.ranking.hits
    ]
    assert session.address["groups"] == ["3"]


def test_a_training_says_how_it_goes_and_judges(demo, tmp_path):
    data, told = labelled(tmp_path / "set.jsonl"), []
    trained = {"changes": ["epochs=1"], "judge": True, "tell": told.append}
    checkpoint = subclust.train("qs3m", data, "mine", **trained)
    assert told
    assert checkpoint.card["judgement"]["n_queries"] == 2  # set aside by the recipe
    assert subclust.load_method("qs3m", checkpoint="mine").card.name == "qs3m"
    for wrong in ({"name": "mine"}, {"name": "other", "folds": 1}, {"name": "a/b"}):
        with pytest.raises(subclust.SubclustError):
            subclust.train("qs3m", data, **wrong)
    with pytest.raises(subclust.SubclustError):
        subclust.train("tfidf", data, "none")
    with pytest.raises(subclust.SubclustError):
        subclust.judge("qs3m", data)
    judgement = subclust.judge("qs3m/mine", data, save=True)
    assert judgement.n_queries == 6


def test_of_many_held_out_questions_some_are_judged_and_it_is_noted(demo, tmp_path, monkeypatch):
    monkeypatch.setattr("subclust.api.runs.MOST_JUDGED", 1)
    data = labelled(tmp_path / "set.jsonl")
    judgement = subclust.train("qs3m", data, "few", changes=["epochs=1"], judge=True).card[
        "judgement"
    ]
    assert judgement["n_queries"] == 1
    note = judgement["notes"][-1]
    assert values_of(note) == {"n_queries": 2, "n_drawn": 1}


def test_settings_given_go_before_those_of_the_environment(demo, tmp_path):
    other = subclust.Settings(data_dir=tmp_path / "other", encoder="hashing", device="cpu")
    with pytest.raises(subclust.SubclustError):
        subclust.open_library(settings=other)
    (tmp_path / "papers.ris").write_text(RIS.format(title="Sea fishing"))
    [report] = subclust.import_files([tmp_path / "papers.ris"], "Papers", settings=other)
    assert report.n_imported == 1
    assert len(subclust.open_library("Papers", settings=other)) == 1
    with pytest.raises(subclust.SubclustError):
        subclust.open_library("Papers")
