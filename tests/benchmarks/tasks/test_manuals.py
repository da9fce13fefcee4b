"""Hit sets of translated manuals, read out of Debian packages."""

import io
import tarfile

import pytest

from benchmarks.tasks import TASKS
from benchmarks.tasks.manuals import CARDS, CODES, ENGLISH, OTHERS, build
from subclust.core.exceptions import BenchmarkError

LANGUAGES = (ENGLISH, *OTHERS)
HELP = dict(zip(LANGUAGES, ("C", "de", "fr", "es", "pt_BR"), strict=True))
BOOK = dict(zip(LANGUAGES, ("en-US", "de-DE", "fr-FR", "es-ES", "pt-BR"), strict=True))


def text(language, of, words=14):
    return " ".join(f"{language}{of}w{number}" for number in range(words))


def package(path, files):
    """Write a Debian package of these files, by their places."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(content.encode())
            tar.addfile(member, io.BytesIO(content.encode()))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": packed.getvalue()}
    whole = b"!<arch>\n"
    for name, content in parts.items():
        whole += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
        whole += content + b"\n" * (len(content) % 2)
    path.write_bytes(whole)
    return path


def page(title, guide, paragraphs):
    link = f'<link type="guide" xref="{guide}#part"/>' if guide else ""
    said = "".join(f"<p>{one}</p>" for one in paragraphs)
    return (
        f'<page xmlns="http://projectmallard.org/1.0/"><info>{link}<desc><p>left out</p></desc>'
        f"</info><title>{title}</title>{said}</page>"
    )


@pytest.fixture
def manual(tmp_path):
    """A guide of three pages, of which one paragraph is short and one not translated."""
    files = {}
    for language, folder in HELP.items():
        root = f"usr/share/help/{folder}/gnome-help"
        files[f"{root}/net.page"] = page(f"Net {language}", "", [])
        for number in range(3):
            paragraphs = [text(language, f"p{number}{row}") for row in range(3)]
            paragraphs += ["short", text(ENGLISH, f"same{number}")]
            files[f"{root}/net-{number}.page"] = page(f"{language} {number}", "net", paragraphs)
    return package(tmp_path / "help.deb", files)


@pytest.fixture
def book(tmp_path):
    """A chapter of three sections, the first on its own page; the second has three parts."""
    files = {}
    toc = "<div class='toc'><dl>{}</dl></div>"

    def section(title, level, paragraphs, inner=""):
        said = "".join(f"<div class='para'>{one}</div>" for one in paragraphs)
        head = f"<h{level} class='title'>1.2. {title}</h{level}>"
        return f"<div class='section'>{head}{said}{inner}</div>"

    for language, folder in BOOK.items():
        root = f"usr/share/doc/debian-handbook/html/{folder}"
        links = ("chapter.html#one", "two.html", "three.html")
        entries = "".join(f"<dt><a href='{link}'>x</a></dt>" for link in links)
        parts = "".join(
            section(f"part {n}", 3, [text(language, f"part{n}{row}") for row in range(2)])
            for n in range(3)
        )
        first = section("one", 2, [text(language, f"one{row}") for row in range(5)])
        bodies = {
            "index": toc.format("<dt><a href='chapter.html'>x</a></dt>"),
            "chapter": toc.format(entries) + first,
            "two": section("two", 2, [text(language, "two")], parts),
            "three": section("three", 2, [text(language, f"three{row}") for row in range(2)]),
        }
        for name, body in bodies.items():
            title = f"<title>Chapter 1. {language} {name}</title>"
            files[f"{root}/{name}.html"] = f"<html><head>{title}</head><body>{body}</body></html>"
    return package(tmp_path / "book.deb", files)


def test_one_card_for_each_language_and_pair():
    assert len(CARDS) == 26 and {card.name for card in CARDS} <= TASKS.keys()
    assert {card.split for card in CARDS if card.name.startswith("gnome")} == {"validation"}
    assert {card.split for card in CARDS if card.name.startswith("debian")} == {"test"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guide_in_each_language(manual, language):
    (made,) = build(TASKS[f"gnome_help_{language}"], [manual])
    assert made.query.text == f"Net {language}"
    assert made.gold() == [f"en {number}" for number in range(3) for _ in range(3)]
    assert [p.text for p in made.passages] == [
        text(language, f"p{number}{row}") for number in range(3) for row in range(3)
    ]
    assert {p.metadata["language"] for p in made.passages} == {CODES[language]}


def test_every_other_paragraph_of_a_mixed_section_is_english(manual):
    (mixed,) = build(TASKS["gnome_help_de_mixed"], [manual])
    (english,) = build(TASKS["gnome_help_en"], [manual])
    assert mixed.query.text == "Net de"
    assert mixed.gold() == english.gold()
    for number in range(3):
        said = [p.metadata["language"] for p in mixed.passages[3 * number : 3 * number + 3]]
        assert set(said) == {"eng", "ger"} and said[0] != said[1]


def test_every_other_section_of_an_apart_one_is_english(manual):
    (apart,) = build(TASKS["gnome_help_de_apart"], [manual])
    assert [p.metadata["language"] for p in apart.passages] == (
        ["eng"] * 3 + ["ger"] * 3 + ["eng"] * 3
    )


def test_chapters_by_sections_and_sections_by_parts(book):
    parts, chapter = build(TASKS["debian_handbook_fr"], [book])
    assert parts.query.text == "two"
    assert parts.gold() == [f"part {n}" for n in range(3) for _ in range(2)]
    assert chapter.query.text == "fr chapter"
    assert chapter.gold() == ["one"] * 4 + ["two"] * 4 + ["three"] * 2
    assert chapter.passages[0].text == text("fr", "one0")


def test_what_is_no_package_is_rejected(tmp_path):
    path = tmp_path / "other.deb"
    path.write_bytes(b"PK\x03\x04 something else")
    with pytest.raises(BenchmarkError):
        build(TASKS["gnome_help_de"], [path])
