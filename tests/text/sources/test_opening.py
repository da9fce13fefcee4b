import importlib

import pytest

from subclust.core.exceptions import FileFormatError, InputError
from subclust.text.sources import SOURCES, Source
from subclust.text.sources.opening import open_source


def test_every_card_has_its_key_and_endings():
    assert all(name == card.name for name, card in SOURCES.items())
    endings = [ending for card in SOURCES.values() for ending in card.extensions]
    assert all(ending == ending.lower() and ending.startswith(".") for ending in endings)


@pytest.mark.parametrize("name", SOURCES)
def test_every_loader_gives_a_source_that_refuses_an_empty_file(tmp_path, name):
    module, _, attribute = SOURCES[name].loader.partition(":")
    assert issubclass(getattr(importlib.import_module(module), attribute), Source)
    path = tmp_path / f"empty{SOURCES[name].extensions[0]}"
    path.touch()
    source = open_source(path, name)
    assert isinstance(source, Source)
    assert source.label
    with pytest.raises(FileFormatError):
        list(source)


@pytest.mark.parametrize(
    ("name", "collection"),
    [("a.b.JSONL", "a.b"), ("a.jsonl.gz", "a"), ("a.csv.GZ", "a"), ("d.xml.bz2", "d")],
)
def test_the_ending_chooses_and_the_name_becomes_the_collection(tmp_path, name, collection):
    path = tmp_path / name
    path.touch()
    assert open_source(path).collection == collection
    assert open_source(path, collection="other").collection == "other"


def test_a_format_can_be_named(tmp_path):
    path = tmp_path / "export.dat"
    path.write_text('{"text": "a"}')
    assert len(list(open_source(path, "jsonl"))) == len(list(open_source(path))) == 1
    path.write_text("words")
    with pytest.raises(FileFormatError, match=r"\.jsonl.*--format"):
        open_source(path)
    with pytest.raises(InputError, match="jsonl, csv"):
        open_source(path, "word")
    with pytest.raises(FileFormatError, match="no file"):
        open_source(tmp_path / "none.csv")
