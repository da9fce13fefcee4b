"""Whatever is wrong with a file: no traceback, one plain sentence, and no growing memory."""

import gc
from collections import Counter

import psutil
import pytest
from export_fixtures import every_format
from hypothesis import given
from hypothesis import strategies as st
from malformed_files import spoilt

from subclust.core.exceptions import FileFormatError
from subclust.text.sources import SOURCES, Document, Refusal
from subclust.text.sources.base import EXCERPT
from subclust.text.sources.opening import open_source

MOST_MEMORY = 120 << 20
"""Bytes that ten thousand files may leave behind, caches of the libraries included."""

EMPTY = [b"", b"\x01", b"\x0c", b" \x1c ", b"\xc2\xa0", b"\xef\xbb\xbf\r\n"]
"""Files without a letter."""


def outcome(path, format="auto"):
    """Read a file; say what became of it, and check the sentences."""
    try:
        items = list(open_source(path, format, "mine"))
    except FileFormatError as error:
        sentence = str(error)
        assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 1000, sentence
        return "file refused"
    assert items
    for item in items:
        if isinstance(item, Refusal):
            assert item.place and item.reason.endswith(".") and item.advice.endswith("."), item
            assert "\n" not in str(item) and len(item.excerpt) <= EXCERPT
            assert "Traceback" not in item.reason
        else:
            assert isinstance(item, Document) and item.passages
            assert all(passage.id and passage.text.strip() for passage in item.passages)
            assert all(isinstance(v, str) for p in item.passages for v in p.metadata.values())
            assert all(one.endswith(".") for one in item.mended)
    refused = sum(isinstance(item, Refusal) for item in items)
    return "some refused" if refused else "all read"


def read_spoilt(folder, seeds):
    told = Counter()
    for seed in seeds:
        name, data = spoilt(seed)
        path = folder / name
        path.write_bytes(data)
        try:
            told[outcome(path)] += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}, {name}: {error!r}") from error
        path.unlink()
    return told


def test_whole_files_are_read(tmp_path):
    for name, data in every_format().items():
        path = tmp_path / name
        path.write_bytes(data)
        assert outcome(path) in ("all read", "some refused"), name


def test_spoilt_files(tmp_path):
    told = read_spoilt(tmp_path, range(400))
    assert min(told.values()) > 20 and len(told) == 3, told


@pytest.mark.slow
def test_ten_thousand_spoilt_files_in_flat_memory(tmp_path):
    read_spoilt(tmp_path, range(1000))  # what libraries load and keep
    gc.collect()
    before = psutil.Process().memory_info().rss
    told = read_spoilt(tmp_path, range(1000, 11_000))
    gc.collect()
    grown = psutil.Process().memory_info().rss - before
    print(f"\n{dict(told)}, memory grew by {grown >> 20} MB")
    assert sum(told.values()) == 10_000 and grown < MOST_MEMORY


@pytest.mark.parametrize("format", SOURCES)
@given(data=st.data())
def test_no_input_makes_a_traceback(tmp_path, format, data):
    files = every_format()
    whole = files[data.draw(st.sampled_from(sorted(files)))]
    kinds = [
        st.binary(max_size=200),
        st.text(max_size=100).map(str.encode),
        st.builds(
            lambda at, n, new: whole[:at] + new + whole[at + n :],
            st.integers(0, len(whole)),
            st.integers(0, 50),
            st.binary(max_size=20),
        ),
    ]
    path = tmp_path / "noise.dat"
    path.write_bytes(data.draw(st.one_of(kinds)))
    outcome(path, format)


@pytest.mark.parametrize("format", SOURCES)
@pytest.mark.parametrize(
    "content", [b"\x01", b" \x1c ", b"\xc2\xa0", b"\x0c", b"", b"\xef\xbb\xbf\r\n"]
)
def test_a_file_without_a_letter_is_refused(tmp_path, format, content):
    path = tmp_path / "nothing.dat"
    path.write_bytes(content)
    assert outcome(path, format) in ("file refused", "some refused")


@pytest.mark.parametrize("format", SOURCES)
def test_a_whole_file_of_every_kind_read_as_every_other(tmp_path, format):
    for name, content in every_format().items():
        path = tmp_path / name
        path.write_bytes(content)
        outcome(path, format)
