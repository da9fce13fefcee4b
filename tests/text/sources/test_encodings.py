"""Files in UTF-8, UTF-16, old encodings or several of them: each letter as it was written."""

import gzip
import unicodedata
from collections import Counter

import pymarc
import pytest
from raising import raises
from written_languages import LANGUAGES

from subclust.core.exceptions import InputError
from subclust.text.ingest.preview import _preview_file
from subclust.text.ingest.reading import Reading
from subclust.text.sources import Document
from subclust.text.sources.decoding import MOST_SAMPLES
from subclust.text.sources.encodings import ENCODINGS, MARC_8, settled
from subclust.text.sources.opening import open_source

RIS = "TY  - JOUR\r\nTI  - {}\r\nAU  - {}\r\nPY  - 2005\r\nER  - \r\n"
LEAST_RIGHT = 0.95


def ris(records):
    return "".join(RIS.format(*record) for record in records)


def table(records):
    return "title,author,year\r\n" + "".join(f'"{a}","{b}",2005\r\n' for a, b in records)


def marc_record(fields, declared="a"):
    """Write a record of fields that are bytes already: tag, and what is in it."""
    directory, body = b"", b""
    for tag, data in fields:
        directory += b"%s%04d%05d" % (tag, len(data) + 1, len(body))
        body += data + b"\x1e"
    base = 24 + len(directory) + 1
    leader = f"{base + len(body) + 1:05}nam {declared}22{base:05} a 4500".encode()
    return leader + directory + b"\x1e" + body + b"\x1d"


def marc(records, encoding, language="eng", declared="a", also=()):
    coded = f"050101s2005    xx            000 0 {language} d".encode()
    return b"".join(
        marc_record(
            [
                (b"001", b"%d" % number),
                (b"008", coded),
                (b"100", b"1 \x1fa" + name.encode(encoding)),
                (b"245", b"10\x1fa" + title.encode(encoding)),
                *also,
            ],
            declared,
        )
        for number, (title, name) in enumerate(records)
    )


def read(path, **options):
    documents = list(open_source(path, **options))
    assert all(isinstance(one, Document) for one in documents), documents
    return [(one.title, one.metadata.get("authors", "")) for one in documents]


def written(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def samples(n_records):
    """Yield every language in each of its encodings, so many records at a time."""
    for language, known in LANGUAGES.items():
        records = list(zip(known.titles, known.names, strict=True))
        for encoding in known.encodings:
            for at in range(0, len(records), n_records):
                part = records[at : at + n_records]
                try:
                    "".join(map("".join, part)).encode(encoding)
                except UnicodeEncodeError:  # a letter that it has not
                    continue
                if not ris(part).isascii():
                    yield language, encoding, known.marc, part


@pytest.mark.parametrize("n_records", [1, 10])
@pytest.mark.parametrize("kind", ["ris", "csv", "mrc"])
def test_most_old_files_are_recognised(tmp_path, kind, n_records):
    right, wrong = 0, Counter()
    for language, encoding, code, part in samples(n_records):
        match kind:
            case "ris":
                data = ris(part).encode(encoding)
            case "csv":
                data = table(part).encode(encoding)
            case _:
                data = marc(part, encoding, code)
        source = open_source(written(tmp_path, f"old.{kind}", data))
        got = [(one.title, one.metadata["authors"]) for one in source if isinstance(one, Document)]
        if got == part:
            right += 1
            assert source.decoding.is_assumed and source.decoding.samples
        else:
            wrong[language, encoding, source.decoding.encoding] += 1
    assert right >= LEAST_RIGHT * (right + wrong.total()), wrong


GERMAN = [("Häfen und Öfen", "Größl, Änne"), ("Flüsse im Gebirge", "Müller, Jörg")]


@pytest.mark.parametrize("language", ["de", "ru", "ja"])
@pytest.mark.parametrize("mark", [b"", b"\xff\xfe", b"\xfe\xff"])
@pytest.mark.parametrize("name", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("kind", ["ris", "csv"])
def test_wide_characters_with_and_without_mark(tmp_path, kind, name, mark, language):
    known = LANGUAGES[language]
    records = list(zip(known.titles, known.names, strict=True))
    if mark:
        mark = "\ufeff".encode(name)
    data = mark + (ris(records) if kind == "ris" else table(records)).encode(name)
    assert read(written(tmp_path, f"wide.{kind}", data)) == records
    packed = written(tmp_path, f"packed.{kind}.gz", gzip.compress(data))
    assert read(packed) == records


def test_two_exports_in_one_file_each_in_its_own_encoding(tmp_path):
    first, second = ris(GERMAN[:1]).encode(), ris(GERMAN[1:]).encode("cp1252")
    assert read(written(tmp_path, "a.ris", first + second)) == GERMAN
    assert read(written(tmp_path, "b.ris", second + first)) == GERMAN[::-1]
    source = open_source(written(tmp_path, "c.ris", first * 9 + second))
    list(source)
    assert source.decoding.is_mixed and source.decoding.encoding == "cp1252"


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_one_odd_byte_leaves_the_rest_of_a_file_as_it_is(tmp_path, language):
    known = LANGUAGES[language]
    records = list(zip(known.titles, known.names, strict=True))
    odd = RIS.replace("PY  - 2005", "N1  - Caf\xe9").format("Odd", "Falk, Ada").encode("latin-1")
    got = list(open_source(written(tmp_path, "odd.ris", ris(records).encode() + odd)))
    assert [(one.title, one.metadata["authors"]) for one in got[:-1]] == records
    within = ris(records).encode().replace(b"PY  - 2005", b"PY  - 2005\r\nN2  - A\xff b")
    assert read(written(tmp_path, "within.ris", within)) == records


@pytest.mark.parametrize("kind", ["ris", "csv"])
def test_marks_in_the_middle_of_joined_files_are_no_letters(tmp_path, kind):
    part = (lambda one: ris([one])) if kind == "ris" else (lambda one: f'{one[0]},"{one[1]}"\r\n')
    head = "" if kind == "ris" else "title,author\r\n"
    joined = (
        "\ufeff" + head + "".join("\ufeff" * (at > 0) + part(one) for at, one in enumerate(GERMAN))
    )
    assert read(written(tmp_path, f"joined.{kind}", joined.encode())) == GERMAN
    assert read(written(tmp_path, f"wide.{kind}", joined.encode("utf-16-le"))) == GERMAN


@pytest.mark.parametrize("declared", ["a", " "])
@pytest.mark.parametrize("language", ["tr", "cs", "ru", "ja", "el"])
def test_one_odd_byte_in_a_marc_record(tmp_path, language, declared):
    known = LANGUAGES[language]
    records = list(zip(known.titles, known.names, strict=True))
    data = marc(records, "utf-8", declared=declared, also=[(b"500", b"  \x1faNote \xe1")])
    got = list(open_source(written(tmp_path, "odd.mrc", data)))
    assert [(one.title, one.metadata["authors"]) for one in got] == records
    assert all(one.mended for one in got)


@pytest.mark.parametrize("declared", ["a", " "])
@pytest.mark.parametrize("encoding", ["marc-8", "utf-8"])
def test_a_leader_that_names_another_encoding(tmp_path, encoding, declared):
    title = "Zelená kniha o českých řekách"
    data = title.encode() if encoding == "utf-8" else _in_marc_8(title)
    coded = b"050101s2005    xx            000 0 cze d"
    record = marc_record([(b"008", coded), (b"245", b"10\x1fa" + data)], declared)
    (one,) = open_source(written(tmp_path, "a.mrc", record))
    assert one.title == title
    assert bool(one.mended) == ((encoding == "utf-8") != (declared == "a"))


def _in_marc_8(text):
    marks = {"\u0301": b"\xe2", "\u030c": b"\xe9", "\u030a": b"\xea"}
    coded, held = b"", ""
    for sign in unicodedata.normalize("NFD", text):
        if sign in marks:  # it comes before its letter
            coded = coded[:-1] + marks[sign] + held.encode()
        else:
            coded += sign.encode()
            held = sign
    return coded


def test_latin_letters_whose_leader_says_utf_8_are_no_marc_8(tmp_path):
    records = [("L'école à la fenêtre", "Lefèvre, Hélène")]
    assert read(written(tmp_path, "a.mrc", marc(records, "cp1252", "fre"))) == records


@pytest.mark.parametrize("odd", [b"\xb20", b"\xc3\xa90", b"\xb2\xb3", b"0\xff"])
def test_a_strange_indicator_costs_nothing(tmp_path, odd):
    record = marc_record([(b"001", b"1"), (b"245", odd + b"\x1faMaps of the coast")])
    (one,) = open_source(written(tmp_path, "a.mrc", record))
    assert one.title == "Maps of the coast" and one.mended


def test_no_word_of_a_program_reaches_the_reader(tmp_path):
    for code in range(0x80, 0x100):
        byte = bytes([code])
        record = marc_record(
            [(b"001", byte), (b"245", byte + b"0\x1f" + byte + b"Maps\x1faMaps" + byte)]
        )
        for item in open_source(written(tmp_path, "a.mrc", record)):
            told = f"{item.mended} {item}" if isinstance(item, Document) else str(item)
            assert "codec" not in told and "Unicode" not in told


XML = """<?xml version="1.0"{}?>
<collection xmlns="http://www.loc.gov/MARC21/slim">{}</collection>"""


@pytest.mark.parametrize(
    ("declared", "language", "encoding"),
    [
        ("UTF-8", "de", "cp1252"),
        (None, "de", "cp1252"),
        ("iso-8859-1", "de", "utf-8"),
        ("iso-8859-1", "de", "cp1252"),
        ("UTF-16", "ru", "utf-8"),
        ("windows-1251", "ru", "cp1251"),
        ("UTF-8", "ru", "cp1251"),
        ("windows-1250", "pl", "cp1250"),
        ("Shift_JIS", "ja", "cp932"),
        ("no-such-encoding", "ja", "utf-8"),
        ("UTF-8", "ja", "utf-16-le"),
    ],
)
def test_xml_that_declares_one_encoding_and_is_in_another(tmp_path, declared, language, encoding):
    known = LANGUAGES[language]
    body = "".join(
        f'<record><controlfield tag="001">{number}</controlfield><datafield tag="245" ind1="1" '
        f'ind2="0"><subfield code="a">{title}</subfield></datafield></record>\n'
        for number, title in enumerate(known.titles)
    )
    text = XML.format(f' encoding="{declared}"' if declared else "", body)
    path = written(tmp_path, "a.xml", text.encode(encoding))
    assert [one.title for one in open_source(path)] == list(known.titles)


@pytest.mark.parametrize("encoding", ["cp1257", "Windows-1257", "windows-1257", " CP1257 "])
def test_an_encoding_that_is_asked_for_is_used(tmp_path, encoding):
    records = [("Ôðèëèâû", "Ïåòð")]
    path = written(tmp_path, "a.ris", ris([("Ąžuolas", "Čepaitis, Ą")]).encode("cp1257"))
    assert read(path, encoding=encoding) == [("Ąžuolas", "Čepaitis, Ą")]
    source = open_source(path, encoding="latin-1")
    assert [one.title for one in source] != [records[0][0]]
    assert not source.decoding.is_assumed and source.decoding.encoding == "iso8859-1"
    other = written(tmp_path, "a.mrc", marc(GERMAN, "cp850"))
    assert read(other, encoding="cp850") == GERMAN


@pytest.mark.parametrize("name", ["no-such", "rot13", "base64", "zip", ""])
def test_an_encoding_that_there_is_not(tmp_path, name):
    path = written(tmp_path, "a.ris", ris(GERMAN).encode())
    if not name:
        assert read(path, encoding=name) == GERMAN
        return
    with raises(InputError, name=name):
        open_source(path, encoding=name)


def test_each_encoding_to_choose_is_found_by_both_of_its_names():
    labels = {name: str(card.label) for name, card in ENCODINGS.items() if name != MARC_8}
    assert len(set(labels.values())) == len(labels)
    for name, label in labels.items():
        assert settled(name) == settled(label) == name


def test_what_was_assumed_is_told_before_and_after(tmp_path):
    path = written(tmp_path, "a.ris", ris(GERMAN * 3).encode("mac-roman"))
    seen = _preview_file(path)
    assert seen.decoding.encoding == "mac-roman" and seen.decoding.is_assumed
    assert len(seen.decoding.samples) == MOST_SAMPLES
    assert all("ä" in line or "ö" in line or "ü" in line for line in seen.decoding.samples[:2])
    other = _preview_file(path, encoding="cp1252")
    assert other.decoding.encoding == "cp1252" and not other.decoding.is_assumed
    assert other.decoding.samples != seen.decoding.samples
    reading = Reading(open_source(path))
    list(reading.batches(10))
    told = reading.report("mine", 0.0).to_dict()
    assert told["encoding"] == "Mac Roman" and told["encoding_assumed"] is True
    plain = Reading(open_source(written(tmp_path, "b.ris", ris(GERMAN).encode())))
    list(plain.batches(10))
    told = plain.report("mine", 0.0).to_dict()
    assert told["encoding"] == "UTF-8" and told["encoding_assumed"] is False


def test_letters_and_accents_become_one(tmp_path):
    apart = unicodedata.normalize("NFD", ris(GERMAN))
    assert apart != ris(GERMAN)
    assert read(written(tmp_path, "a.ris", apart.encode())) == GERMAN
    record = pymarc.Record(leader="00000nam a2200000 a 4500")
    title = unicodedata.normalize("NFD", "Häfen")
    record.add_field(pymarc.Field("245", ["1", "0"], [pymarc.Subfield("a", title)]))
    assert read(written(tmp_path, "a.mrc", record.as_marc()))[0][0] == "Häfen"
