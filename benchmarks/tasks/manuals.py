"""Sections of two manuals in five languages, translated by people paragraph by paragraph."""

import io
import itertools
import re
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from lxml import etree, html

from subclust.core.exceptions import BenchmarkError
from subclust.core.records import ClusteringInstance, Passage, Query, TaskCard

ENGLISH = "en"
OTHERS = ("de", "fr", "es", "pt")
CODES = {"en": "eng", "de": "ger", "fr": "fre", "es": "spa", "pt": "por"}
"""As `subclust.core.records.languages` writes them."""

MIXED, APART = "_mixed", "_apart"
"""Ends of names: half of each section in English, or every other section."""

_FEWEST_WORDS, _FEWEST, _MOST = 12, 2, 4
"""Words of an English paragraph; paragraphs of a section that counts, and of it taken."""

_FEWEST_SECTIONS, _MOST_SECTIONS = 3, 8
_SAME = 0.5
"""Share of the words of two versions that are equal where nobody has translated the paragraph."""

_BOOK = "usr/share/doc/debian-handbook/html"
_BOOK_FOLDERS = {"en": "en-US", "de": "de-DE", "fr": "fr-FR", "es": "es-ES", "pt": "pt-BR"}
_HELP = "usr/share/help"
_HELP_FOLDERS = {"en": "C", "de": "de", "fr": "fr", "es": "es", "pt": "pt_BR"}
_MALLARD = "{http://projectmallard.org/1.0/}"
_NUMBER = re.compile(r"^(?:\w+\s)?[\dA-Z]+(?:\.\d+)*\.\s+")

_HELP_CARD = TaskCard(
    name="gnome_help",
    label="GNOME Help",
    file="languages/gnome-user-docs_43.0-2_all.deb",
    sha256="0d635a840747958ca84da778b40d341f1155603851f922c9a171f5a181d6a39f",
    licence="CC BY-SA 3.0",
    citation="The GNOME Documentation Project and its translators, GNOME Help 43; Debian package "
    "gnome-user-docs 43.0-2.",
    split="validation",
    url="https://packages.debian.org/bookworm/gnome-user-docs",
    builder="benchmarks.tasks.manuals:build",
)
_BOOK_CARD = replace(
    _HELP_CARD,
    name="debian_handbook",
    label="Debian Handbook",
    file="languages/debian-handbook_11.20220922_all.deb",
    sha256="3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa",
    licence="CC BY-SA 3.0 (or GPL 2 and later)",
    citation="Hertzog, Mas and their translators, The Debian Administrator's Handbook, edition of "
    "Debian 11; Debian package debian-handbook 11.20220922.",
    split="test",
    url="https://packages.debian.org/bookworm/debian-handbook",
)


@dataclass(frozen=True)
class Section:
    """A section of a manual in all languages.

    Parameters
    ----------
    titles : mapping of str to str
        By language.
    paragraphs : list of mapping of str to str
        Texts by language; each is translated in all of them.
    """

    titles: Mapping[str, str]
    paragraphs: list[Mapping[str, str]]


@dataclass(frozen=True)
class Subject:
    """A chapter, or whatever else has sections; the query is its title."""

    titles: Mapping[str, str]
    sections: list[Section]


def build(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Make the hit sets of one language or of two; the last language of two is the question's."""
    source, language, how = _parts(card.name)
    spoken = [ENGLISH, language] if how else [language]
    read = _subjects_of_book if source == _BOOK_CARD.name else _subjects_of_help
    subjects = enumerate(read(files[0]))
    return [_instance(subject, spoken, n, apart=how == APART) for n, subject in subjects]


def _parts(name: str) -> tuple[str, str, str]:
    """Return source, language, and how two languages are put together, of a card's name."""
    how = next((one for one in (MIXED, APART) if name.endswith(one)), "")
    source, _, language = name.removesuffix(how).rpartition("_")
    return source, language, how


def _instance(
    subject: Subject, languages: Sequence[str], number: int, *, apart: bool
) -> ClusteringInstance:
    passages = []
    for place, section in enumerate(subject.sections):
        title = section.titles[ENGLISH]
        for row, versions in enumerate(section.paragraphs):
            language = languages[(place + (0 if apart else row)) % len(languages)]
            passages.append(
                Passage(
                    f"{number}.{place}.{row}.{language}",
                    versions[language],
                    label=title,
                    path=title,
                    metadata={"language": CODES[language]},
                )
            )
    return ClusteringInstance(Query(subject.titles[languages[-1]]), tuple(passages))


def _made(titles: Mapping[str, str], sections: Sequence[Section]) -> Iterator[Subject]:
    """Yield a subject of the sections that have enough paragraphs, if these are enough."""
    kept = [
        replace(section, paragraphs=section.paragraphs[:_MOST])
        for section in sections
        if len(section.paragraphs) >= _FEWEST
    ]
    if len({section.titles[ENGLISH] for section in kept}) >= _FEWEST_SECTIONS:
        yield Subject(titles, kept[:_MOST_SECTIONS])


def _translated(versions: Mapping[str, Sequence[str]]) -> list[Mapping[str, str]]:
    """Put the paragraphs of all languages side by side; leave out what is short or in English."""
    if len({len(texts) for texts in versions.values()}) > 1:
        return []
    return [
        row
        for texts in zip(*versions.values(), strict=True)
        if len((row := dict(zip(versions, texts, strict=True)))[ENGLISH].split()) >= _FEWEST_WORDS
        and all(_overlap(row[ENGLISH], row[other]) < _SAME for other in OTHERS)
    ]


def _overlap(one: str, other: str) -> float:
    words, others = set(one.split()), set(other.split())
    return len(words & others) / max(len(words | others), 1)


@lru_cache(maxsize=1)
def _subjects_of_book(file: Path) -> list[Subject]:
    """Return chapters by their sections, and sections by their subsections."""
    pages = _pages(file, _BOOK, _BOOK_FOLDERS, ".html")
    trees = {
        name: {one: _html(page) for one, page in versions.items()}
        for name, versions in pages.items()
    }
    found: list[Subject] = []
    for chapter in _linked(trees["index.html"][ENGLISH]):
        sections = []
        for name in dict.fromkeys(_linked(trees[chapter][ENGLISH])):
            versions = {one: _sections(tree) for one, tree in trees[name].items()}
            for parts in zip(*versions.values(), strict=True):
                whole = dict(zip(versions, parts, strict=True))
                titles = {one: _title(part) for one, part in whole.items()}
                sections.append(Section(titles, _translated(_paragraphs(whole))))
                inner = {one: part.xpath("./div[@class='section']") for one, part in whole.items()}
                found += _made(
                    titles,
                    [
                        Section(
                            {one: _title(part) for one, part in under.items()},
                            _translated(_paragraphs(under)),
                        )
                        for under in (
                            dict(zip(inner, row, strict=True))
                            for row in zip(*inner.values(), strict=True)
                        )
                    ],
                )
        heads = {one: _text(tree.xpath("//title")[0]) for one, tree in trees[chapter].items()}
        found += _made({one: _NUMBER.sub("", head) for one, head in heads.items()}, sections)
    return found


def _linked(tree: Any) -> list[str]:
    """Return the pages of a table of contents, of its first level."""
    links = tree.xpath("(//div[@class='toc'])[1]/dl/dt//a/@href")
    return list(dict.fromkeys(link.partition("#")[0] for link in links))


def _sections(tree: Any) -> list[Any]:
    """Return the outermost sections of a page."""
    is_outermost = "not(ancestor::div[@class='section'])"
    return list(tree.xpath(f"//div[@class='section' and {is_outermost}]"))


def _title(section: Any) -> str:
    return _NUMBER.sub("", _text(section.xpath("(.//*[@class='title'])[1]")[0]))


def _paragraphs(versions: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        one: [_text(p) for p in part.xpath(".//div[@class='para']")]
        for one, part in versions.items()
    }


@lru_cache(maxsize=1)
def _subjects_of_help(file: Path) -> list[Subject]:
    """Return guides by the pages that they list."""
    pages = _pages(file, _HELP, _HELP_FOLDERS, ".page", "gnome-help/")
    trees = {
        name.removesuffix(".page"): {one: etree.fromstring(page) for one, page in versions.items()}
        for name, versions in pages.items()
    }
    listed = defaultdict(list)
    for name, versions in trees.items():
        for link in versions[ENGLISH].iterfind(f"{_MALLARD}info/{_MALLARD}link[@type='guide']"):
            listed[link.get("xref").partition("#")[0]].append(name)
    found: list[Subject] = []
    for guide in sorted(listed):
        if guide not in trees:
            continue
        sections = []
        for name in dict.fromkeys(sorted(listed[guide])):
            versions = {one: _page_paragraphs(tree) for one, tree in trees[name].items()}
            sections.append(Section(_page_titles(trees[name]), _translated(versions)))
        found += _made(_page_titles(trees[guide]), sections)
    return found


def _page_titles(versions: Mapping[str, Any]) -> dict[str, str]:
    return {one: _text(tree.find(f"{_MALLARD}title")) for one, tree in versions.items()}


def _page_paragraphs(tree: Any) -> list[str]:
    left_out = {f"{_MALLARD}{name}" for name in ("info", "comment")}
    return [
        _text(p)
        for p in tree.iter(f"{_MALLARD}p")
        if left_out.isdisjoint(parent.tag for parent in p.iterancestors())
    ]


def _text(node: Any) -> str:
    return " ".join("".join(node.itertext()).split())


def _html(page: bytes) -> Any:
    return html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))


def _pages(
    file: Path, root: str, folders: Mapping[str, str], ending: str, under: str = ""
) -> dict[str, dict[str, bytes]]:
    """Return the pages of a package that exist in all languages, by name and language."""
    places = {f"{root}/{folder}/{under}": one for one, folder in folders.items()}
    found: dict[str, dict[str, bytes]] = defaultdict(dict)
    with tarfile.open(fileobj=io.BytesIO(_content(file))) as packed:
        for member in packed:
            folder, _, name = member.name.removeprefix("./").rpartition("/")
            language = places.get(f"{folder}/")
            if language is not None and name.endswith(ending) and member.isfile():
                stream = packed.extractfile(member)
                assert stream is not None
                found[name][language] = stream.read()
    return {name: pages for name, pages in found.items() if len(pages) == len(folders)}


def _content(file: Path) -> bytes:
    """Return the archive of files within a Debian package, which is an archive of three."""
    with file.open("rb") as stream:
        if stream.read(8) != b"!<arch>\n":
            raise BenchmarkError("{path} is no Debian package.", path=file)
        while header := stream.read(60):
            size = int(header[48:58])
            content = stream.read(size + size % 2)[:size]
            if header.startswith(b"data.tar"):
                return content
    raise BenchmarkError("{path} holds no files.", path=file)


def _cards(card: TaskCard, sizes: tuple[int, int, float]) -> Iterator[TaskCard]:
    built = (
        "The query is the title of {subject}, a label that of {section}. Only paragraphs of "
        f"{_FEWEST_WORDS} words or more count that are translated into German, French, Spanish and "
        f"Portuguese, the first {_MOST} of a section, and sections of at least {_FEWEST}, the "
        f"first {_MOST_SECTIONS} of a subject; so the tasks "
        "of all languages have the same paragraphs."
    )
    parts = {
        "gnome_help": {"subject": "a guide", "section": "a page that it lists"},
        "debian_handbook": {
            "subject": "a chapter or section",
            "section": "a section or subsection of it",
        },
    }[card.name]
    n_queries, n_passages, n_labels = sizes
    for language, how in itertools.product((ENGLISH, *OTHERS), ("", MIXED, APART)):
        if how and language == ENGLISH:
            continue
        yield replace(
            card,
            name=f"{card.name}_{language}{how}",
            label=f"{card.label}, {_LABELS[how].format(_NAMES[language])}",
            construction=built.format(**parts) + _IN_TWO[how],
            n_queries=n_queries,
            n_passages=n_passages,
            n_labels=n_labels,
        )


_IN_TWO = {
    "": "",
    MIXED: " Every other paragraph of a section is in English.",
    APART: " Every other section is in English.",
}
_LABELS = {"": "{}", MIXED: "English and {}, mixed", APART: "English and {}, by section"}
_NAMES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese"}

CARDS: tuple[TaskCard, ...] = (
    *_cards(_HELP_CARD, (33, 713, 6.0)),
    *_cards(_BOOK_CARD, (44, 745, 4.7)),
)
