import json

import numpy as np
import pytest
from raising import numbers

from subclust.cli.documents import library_actions as command
from subclust.core.limits import teams_of
from subclust.core.records import Passage
from subclust.jobs import JobStore
from subclust.text.encoders.base import HashingEncoder
from subclust.text.library import PassageLibrary


@pytest.fixture
def other_encoder(monkeypatch):
    """Let the command know an encoder that is called "other"."""
    loaded = command.load_encoder

    def load(settings):
        if settings.encoder != "other":
            return loaded(settings)
        encoder = HashingEncoder(24)
        encoder.name = "other"
        return encoder

    monkeypatch.setattr(command, "load_encoder", load)


def printed(run, *words):
    status, out, err = run("library", *words, "--json")
    assert status == 0, err
    return json.loads(out)


def test_list_and_show(run, library):
    entry = printed(run, "show", "small")
    assert list(entry) == [
        "name", "n_passages", "n_documents", "collections", "languages", "recognised",
        "not_known", "years", "sources", "n_bytes", "n_bytes_other", "encoder_name",
        "encoder_revision", "embedding_dim",
        "is_current", "written", "has_text_index", "has_vector_index", "n_fragments", "version",
        "can_roll_back", "problem", "unfinished", "title",
    ]  # fmt: skip
    assert (entry["n_passages"], entry["is_current"]) == (24, True)
    assert entry["languages"] == {"unknown": 24} and entry["years"] == {"unknown": 24}
    assert printed(run) == printed(run, "list") == {"libraries": [entry]}
    status, out, _ = run("library")
    assert status == 0 and numbers(out)[:2] == ["24", "24"]
    status, out, _ = run("library", "show", "small")
    assert "languages:   unknown 24" in out and "encoder:     hashing" in out


def test_languages_that_the_encoder_does_not_know_are_told_with_what_helps(run, settings):
    text = "Die Bibliothek hat viele Bücher über die Geschichte der Stadt und ihrer Bewohner."
    library = PassageLibrary.create(
        settings.library_dir, "deutsch", embedding_dim=2, encoder_name="all-MiniLM-L6-v2",
        encoder_revision="1",
    )  # fmt: skip
    library.add([Passage("a", text)], np.eye(1, 2, dtype=np.float32))
    assert printed(run, "show", "deutsch")["not_known"] == {"ger": 1}
    assert "library reembed deutsch --encoder e5-small" in run("library", "show", "deutsch")[1]
    assert "Deutsch" in run("--language", "de", "library", "show", "deutsch")[1]


def test_without_a_library_it_says_how_to_make_one(run, settings):
    assert "subclust import FILE" in run("library")[1]
    assert printed(run, "list") == {"libraries": []}


def test_browsing(run, library):
    page = printed(run, "browse", "small", "--words", "fishing", "--limit", "3", "--offset", "1")
    assert (page["n_passages"], page["offset"]) == (8, 1)
    assert [one["id"] for one in page["passages"]] == ["fish1761", "fish1762", "fish1763"]
    assert list(page["passages"][0]) == [
        "id", "text", "title", "collection", "label", "path", "metadata",
    ]  # fmt: skip
    status, out, _ = run("library", "browse", "small", "--id", "tax1760")
    first, second, *_ = out.splitlines()
    assert numbers(first) == ["1", "1", "1"] and second.startswith("tax1760  Colony: ")
    assert "0 passages match" in run("library", "browse", "small", "--words", "zebra")[1]


def test_what_would_be_removed_is_told_first(run, library):
    words = ("remove", "small", "--words", "army")
    told = {"library": "small", "n_passages": 8, "n_documents": 8}
    assert printed(run, *words) == {**told, "removed": False}
    assert "add --yes" in run("library", *words)[1] and library.count() == 24
    assert printed(run, *words, "--yes") == {**told, "removed": True}
    assert library.count() == 16
    told = run("library", "remove", "small")[1]
    assert numbers(told) == ["16"] and "--yes" in told
    assert "removed." in run("library", "remove", "small", "--yes")[1]
    assert PassageLibrary.names(library.folder) == []


def test_a_damaged_library_can_be_removed(run, library):
    for manifest in (library.folder / "small.lance" / "_versions").iterdir():
        manifest.write_bytes(b"nonsense")
    assert "damaged" in run("library", "list")[1]
    assert run("library", "remove", "small", "--yes")[0] == 0
    assert PassageLibrary.names(library.folder) == []


def test_backup_and_restore(run, library, tmp_path):
    file = tmp_path / "small.zip"
    report = printed(run, "backup", "small", file)
    assert report == {
        "library": "small", "n_passages": 24, "n_bytes": file.stat().st_size, "file": str(file),
    }  # fmt: skip
    assert printed(run, "restore", file, "--name", "copy")["library"] == "copy"
    assert PassageLibrary.open(library.folder, "copy").revision() == library.revision()
    assert "24 passages" in run("library", "restore", file, "--name", "third")[1]


def test_another_encoder_and_back(run, library, other_encoder):
    report = printed(run, "reembed", "small", "--encoder", "other")
    assert (report["version"], report["n_encoded"], report["switched"]) == (2, 24, True)
    assert printed(run, "show", "small")["is_current"] is False
    assert "another encoder" in run("library")[1]
    states = [one["state"] for one in printed(run, "versions", "small")["versions"]]
    assert states == ["previous", "in use"]
    assert "1  previous: 24 passages, hashing" in run("library", "versions", "small")[1]
    assert printed(run, "rollback", "small")["version"] == 1
    assert printed(run, "show", "small")["is_current"] is True
    said = run("library", "reembed", "small", "--encoder", "other")[1]
    assert "searched with other" in said and "24 already there" in said
    assert "already has" in run("library", "reembed", "small", "--encoder", "other")[1]
    status, out, _ = run("library", "remove", "small", "--version", "1")
    assert "would be removed" in out
    assert run("library", "remove", "small", "--version", "1", "--yes")[0] == 0
    assert run("library", "rollback", "small")[0] == 1


def test_compacting(run, library):
    before = printed(run, "show", "small")
    report = printed(run, "compact", "small")
    assert report["n_fragments"] <= report["n_fragments_before"] == before["n_fragments"]
    assert "parts became" in run("library", "compact", "small")[1]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["show", "absent"], {"name": "absent", "there": "small", "same": "absent"}),
        (["show", "../x"], {"name": "../x"}),
        (["browse", "small", "--from-year", "5", "--to-year", "4"], {"first": 5, "last": 4}),
        (["remove", "small", "--version", "1", "--yes"], {"number": 1, "name": "small"}),
        (["remove", "small", "--version", "9"], {"name": "small", "number": 9}),
        (["remove", "small", "--version", "1", "--words", "x"], {}),
        (["remove", "absent", "--yes"], {"name": "absent", "there": "small", "same": "absent"}),
        (["backup", "small", "small.tar"], {"name": "small.tar"}),
        (["restore", "absent.zip"], {"file": "absent.zip"}),
        (["rollback", "small"], {"name": "small"}),
        (["rollback", "absent", "--queue"], {"name": "absent", "there": "small", "same": "absent"}),
        (["versions", "absent"], {"name": "absent", "there": "small", "same": "absent"}),
        (
            ["reembed", "small", "--encoder", "/no/such/folder"],
            {"model": "/no/such/folder", "embedded_model": "all-MiniLM-L6-v2"},
        ),
        (
            ["reembed", "small", "--encoder", "/no/such/folder", "--queue"],
            {"model": "/no/such/folder", "embedded_model": "all-MiniLM-L6-v2"},
        ),
        (["compact", "absent"], {"name": "absent", "there": "small", "same": "absent"}),
    ],
)
def test_bad_input_is_one_sentence(run, library, words, values):
    run.refused("library", *words, **values)


def test_wrong_usage_is_status_2(run, settings):
    assert run("library", "browse", "small", "--limit", "0")[0] == 2
    assert run("library", "browse", "small", "--offset", "-1")[0] == 2
    assert run("library", "nonsense")[0] == 2


def test_a_queued_reembedding_keeps_the_record_of_its_job(
    run, settings, library, other_encoder, idle
):
    words = ("library", "reembed", "small", "--encoder", "other")
    id_ = printed(run, *words[1:], "--queue")["job"]
    assert run(*words, "--queue")[2].values["job"] == "reembed-small"
    assert run(*words, "--job", id_)[0] == 0
    store = JobStore(settings.jobs_dir)
    job = store.load(id_)
    assert (job.argv, job.kind, job.title, job.outcome) == (words, "reembed", "small", "finished")
    lines = (store.path(id_) / "progress.jsonl").read_text().splitlines()
    last = json.loads(lines[-1])
    assert (last["step"], last["total"]) == (24, 24)
    assert PassageLibrary.open(library.folder, "small").encoder_name == "other"


def test_a_queued_merge_keeps_the_record_of_its_job(run, settings, tmp_path, idle):
    file = tmp_path / "a.jsonl"
    records = [
        {"id": f"{source}{n}", "title": f"Lighthouses of coast {n}", "doi": f"10.5555/{n}"}
        for n in range(3)
        for source in "ab"
    ]
    file.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert run("import", str(file), "--library", "mine")[0] == 0
    words = ("library", "duplicates", "mine", "--merge")
    assert run(*words[:-1], "--queue")[0] == 1
    id_ = printed(run, *words[1:], "--queue")["job"]
    assert run(*words)[0] == 1  # the library is needed by the job
    assert run(*words, "--job", id_)[0] == 0
    store = JobStore(settings.jobs_dir)
    job = store.load(id_)
    assert (job.argv, job.kind, job.title, job.outcome) == (words, "merge", "mine", "finished")
    lines = (store.path(id_) / "progress.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [1, 2, 3]
    assert PassageLibrary.open(settings.library_dir, "mine").count() == 3


def test_a_library_is_limited_and_opened_again(run, library, settings):
    for words, teams in ((("history", "law"), ["history", "law"]), (("everybody",), [])):
        to = [word for team in words for word in ("--to", team)]
        status, out, err = run("library", "limit", "small", *to, "--json")
        assert (status, err, json.loads(out)) == (0, "", {"library": "small", "teams": teams})
        assert list(teams_of(settings.library_dir, "small")) == teams
    assert run("library", "limit", "none", "--to", "law")[0] == 1
