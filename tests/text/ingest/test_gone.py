"""Which records of a library a newer file has no longer."""

import json

import pytest
from raising import raises

from subclust.core.exceptions import InputError
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.ingest.preview import _preview_file
from subclust.text.ingest.survey import survey
from subclust.text.sources.opening import open_source


def jsonl(path, *records):
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


def record(id_, title):
    return {"id": id_, "title": title, "text": f"{title} at length."}


def taken(folder, path):
    ingest(open_source(path), HashingEncoder(16), folder, "mine")


REFUSED = {
    "csv": ("doi,title\n{one}10.5555/b,\n", "10.5555/a,Ash\n"),
    "more.csv": ("doi,title\n{one}10.5555/b,Boats,3\n", "10.5555/a,Ash\n"),
    "ris": (
        "{one}TY  - JOUR\nDO  - 10.5555/b\nER  - \n",
        "TY  - JOUR\nTI  - Ash\nDO  - 10.5555/a\nER  - \n",
    ),
    "bib": (
        "{one}@article{{k2, doi = {{10.5555/b}}}}\n",
        "@article{k1, title={Ash}, doi={10.5555/a}}\n",
    ),
    "jsonl": ('{one}{{"doi": "10.5555/b"}}\n', '{"doi": "10.5555/a", "title": "Ash"}\n'),
    "xml": (
        "<xml><records>{one}<record><titles><title>Boats</title></titles>"
        "<electronic-resource-num>10.5555/b</electronic-resource-num>"
        "<notes>a &broken</notes></record>"
        "</records></xml>",
        "<record><titles><title>Ash</title></titles>"
        "<electronic-resource-num>10.5555/a</electronic-resource-num></record>",
    ),
}


@pytest.mark.parametrize("ending", REFUSED)
def test_a_record_that_is_refused_is_not_gone(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    records = [
        {"doi": f"10.5555/{title[0].lower()}", "title": title} for title in ("Ash", "Boats", "Coal")
    ]
    taken(tmp_path, jsonl(tmp_path / "a.jsonl", *records))
    frame, good = REFUSED[ending]
    path.write_text(frame.format(one=good))
    found = survey([path], tmp_path, "mine", collection="a")
    assert (found.reports[0].n_refused, found.n_unidentified) == (1, 0)
    assert found.removable() == ("a:doi:10.5555/c",)
    seen = _preview_file(path, collection="a", library=(tmp_path, "mine"))
    assert (len(seen.refusals), seen.n_gone, seen.n_unidentified) == (1, 1, 0)


def test_what_cannot_be_told_apart_from_what_is_gone_is_counted(tmp_path):
    records = [
        {"doi": f"10.5555/{title[0].lower()}", "title": title} for title in ("Ash", "Boats", "Coal")
    ]
    path = jsonl(tmp_path / "a.jsonl", *records)
    taken(tmp_path, path)
    path.write_text(json.dumps(records[0]) + "\n{broken\n{}\n")
    found = survey([path], tmp_path, "mine")
    assert (len(found.gone), found.n_unidentified) == (2, 2)
    with raises(InputError, count=2):
        found.removable()


def test_what_was_set_apart_from_another_record_of_its_id_is_not_gone(tmp_path):
    path = jsonl(tmp_path / "a.jsonl", record(1, "Boats in ice"), record(1, "Salt of the earth"))
    taken(tmp_path, path)
    jsonl(path, record(1, "Boats in ice"), {"id": "1"})
    assert survey([path], tmp_path, "mine").gone == ()
