"""Libraries and collections are called as people write; ids are safe and stay."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.cli import main
from subclust.core.exceptions import InputError
from subclust.core.records.names import LONGEST_NAME, check_given_name, id_of_name, is_reserved
from subclust.text.encoders.base import HashingEncoder
from subclust.text.ingest import ingest
from subclust.text.library import PassageLibrary
from subclust.text.library.catalogue import describe
from subclust.text.library.folder import check_name
from subclust.text.library.names import (
    find_library,
    library_id,
    name_of,
    rename_collection,
    rename_library,
    settle_name,
)
from subclust.text.sources.opening import open_source

HASHING = HashingEncoder(16)
NAME = "Ökologie & Umwelt"


def made(folder, text, titles=("Boats", "Canals"), filename="a.csv"):
    path = folder / filename
    path.write_text("title\n" + "".join(f"{title}\n" for title in titles))
    id_ = settle_name(folder, text)
    report = ingest(open_source(path), HASHING, folder, id_)
    return id_, report


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        (NAME, "oekologie-umwelt"),
        ("Straße über Łódź", "strasse-ueber-lodz"),
        ("Été 2024: thèses", "ete-2024-theses"),
        ("con", "con-1"),
        ("LPT1", "lpt1-1"),
        ("../../etc", "etc"),
    ],
)
def test_a_name_has_a_safe_id(name, id_):
    assert id_of_name(name) == id_
    assert id_of_name(name, {id_}) == f"{id_}-2"


@given(st.text(min_size=1), st.sets(st.text(string.ascii_lowercase, min_size=1, max_size=3)))
def test_every_name_has_an_id_that_every_disk_takes(name, taken):
    made = id_of_name(name, taken)
    check_name(made)
    assert not is_reserved(made) and made not in taken and made == made.lower()


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x00", "x" * (LONGEST_NAME + 1)])
def test_what_cannot_be_a_name_is_refused(tmp_path, name):
    with pytest.raises(InputError):
        check_given_name(name)
    with pytest.raises(InputError):
        settle_name(tmp_path, name)


def test_a_library_is_found_by_its_id_and_by_its_name(tmp_path):
    id_, _ = made(tmp_path, NAME)
    assert (id_, name_of(tmp_path, id_)) == ("oekologie-umwelt", NAME)
    for text in (id_, NAME, f" {NAME.upper()} "):
        assert find_library(tmp_path, text) == settle_name(tmp_path, text) == id_
    assert find_library(tmp_path, "other") is None and library_id(tmp_path, "other") == "other"
    assert settle_name(tmp_path, "Ökologie Umwelt") == "oekologie-umwelt-2"
    assert settle_name(tmp_path, "mine") == "mine" and name_of(tmp_path, "mine") == "mine"


def test_renaming_moves_no_id(tmp_path):
    id_, _ = made(tmp_path, "mine")
    made(tmp_path, "other", filename="b.csv")
    rename_library(tmp_path, id_, NAME)
    assert PassageLibrary.names(tmp_path) == ["mine", "other"]
    assert describe(tmp_path, "mine").title == NAME
    for taken in ("other", " Other "):
        with pytest.raises(InputError):
            rename_library(tmp_path, id_, taken)
    PassageLibrary.remove(tmp_path, id_)
    assert name_of(tmp_path, id_) == "mine"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"name": ""}', b"\xff\x00"])
def test_a_damaged_name_is_none(tmp_path, content):
    id_, _ = made(tmp_path, NAME)
    (tmp_path / f".{id_}.name.json").write_bytes(content)
    assert name_of(tmp_path, id_) == id_ == describe(tmp_path, id_).title


def test_a_renamed_collection_is_imported_no_second_time(tmp_path):
    made(tmp_path, "mine")
    library = PassageLibrary.open(tmp_path, "mine")
    before = sorted(library.fingerprints())
    assert rename_collection(library, "a", "März & April") == 2
    assert library.collections() == {"März & April": 2}
    assert sorted(library.fingerprints()) == before
    for filename in ("a.csv", "b.csv"):
        _, report = made(tmp_path, "mine", filename=filename)
        assert (report.n_imported, report.n_unchanged) == (0, 2)
    with pytest.raises(InputError):
        rename_collection(library, "a", "b")
    made(tmp_path, "mine", ["Dykes"], "c.csv")
    assert rename_collection(library, "c", "März & April") == 1
    assert library.collections() == {"März & April": 3}


def test_the_commands_take_ids_and_names(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    path = tmp_path / "a.csv"
    path.write_text("title\nBoats\n")

    def run(*words):
        assert main([*words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    assert run("import", str(path), "--library", NAME)["library"] == "oekologie-umwelt"
    for text in (NAME, "oekologie-umwelt"):
        entry = run("library", "show", text)
        assert (entry["name"], entry["title"]) == ("oekologie-umwelt", NAME)
        assert run("search", "boats", "--library", text, "--method", "tfidf-kmeans")
    assert run("library", "rename", NAME, "Wasser") == {
        "library": "oekologie-umwelt",
        "title": "Wasser",
    }
    told = run("library", "rename", "Wasser", "Schiffe", "--collection", "a")
    assert (told["library"], told["n_passages"]) == ("oekologie-umwelt", 1)
