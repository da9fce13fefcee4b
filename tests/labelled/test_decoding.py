import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subclust.labelled.reading import decoding
from subclust.labelled.reading.decoding import read_text


@given(
    st.text(st.sampled_from("ab \r\né漢🍎\x85\u2028"), max_size=60),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    st.booleans(),
    st.integers(1, 9),
)
def test_lines_are_those_of_the_whole_text(tmp_path, monkeypatch, text, encoding, packed, size):
    monkeypatch.setattr(decoding, "_CHUNK", size)
    path = tmp_path / ("x.jsonl.gz" if packed else "x.jsonl")
    content = text.encode(encoding)
    path.write_bytes(gzip.compress(content) if packed else content)
    problems = []
    found = read_text(path, problems.append)
    assert list(found.lines(newline="")) == list(io.StringIO(text, newline=""))
    assert "".join(found.lines()) == text.replace("\r\n", "\n").replace("\r", "\n")
    assert found.sure
    assert [problem.kind for problem in problems] == ["utf-16"] * (encoding[3:6] in "-16-32")


@given(
    st.text(st.sampled_from("abc \né漢"), max_size=60),
    st.text(st.sampled_from("abc \né漢"), max_size=60),
    st.sampled_from([b"\xe4", b"\xff", b"\x81", b"\xe2\x82", b"\xf0\x9f\x8d"]),
    st.integers(1, 9),
)
def test_the_first_wrong_byte_is_found_in_any_pieces(tmp_path, monkeypatch, a, b, wrong, size):
    content = a.encode() + wrong + b"x" + b.encode()
    (tmp_path / "x.csv").write_bytes(content)
    with pytest.raises(UnicodeDecodeError) as error:
        content.decode()
    at = error.value.start
    problems = []
    whole = read_text(tmp_path / "x.csv", problems.append)
    monkeypatch.setattr(decoding, "_CHUNK", size)
    pieces = read_text(tmp_path / "x.csv", problems.append)
    assert whole == pieces and not whole.sure
    line = content.count(b"\n", 0, at) + 1
    for problem in problems:
        assert problem.kind == "other-encoding" and problem.found.startswith(f"line {line}: “")
    assert "".join(whole.lines(newline="")) == content.decode(whole.encoding)
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        assert whole.encoding == "latin-1"
    else:
        assert whole.encoding == "cp1252"


def test_a_part_of_a_wide_letter_at_the_end(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes("ab".encode("utf-16") + b"\x00")
    problems = []
    found = read_text(path, problems.append)
    assert [problem.kind for problem in problems] == ["utf-16", "other-content"]
    assert not found.sure and list(found.lines()) == ["ab\ufffd"]


def test_nothing_is_read_of_what_is_no_text(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b"%PDF-1.7\n" + b"\xff" * 100)
    problems = []
    found = read_text(path, problems.append)
    assert [problem.kind for problem in problems] == ["other-content"]
    assert list(found.lines()) == [] and not found.sure


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("long.jsonl", b"a" * (9 << 20), "long-line"),
        ("long.jsonl.gz", gzip.compress(b"a\n" + b"b" * (9 << 20)), "long-line"),
        ("trap.jsonl.gz", gzip.compress((b"a" * 99 + b"\n") * 10_000) * 100, "packed-trap"),
    ],
)
def test_what_would_fill_the_memory_is_not_read(tmp_path, name, content, kind):
    path = tmp_path / name
    path.write_bytes(content)
    problems = []
    assert list(read_text(path, problems.append).lines()) == []
    assert [problem.kind for problem in problems] == [kind]
