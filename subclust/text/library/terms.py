"""Reading lists of preferred terms, and keeping one beside a library."""

import codecs
import json
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from subclust.core.exceptions import InputError, LibraryError
from subclust.core.messages import Message
from subclust.core.records.terms import Term, Vocabulary
from subclust.core.storage import StoragePath
from subclust.core.storage.damaged import read_typed
from subclust.core.storage.disk import refusals_told, write_whole
from subclust.text.library.folder import terms_file

_RDF = {".rdf": "xml", ".xml": "xml", ".ttl": "turtle"}
_SKOS = "http://www.w3.org/2004/02/skos/core#"


def read_terms(path: Path) -> Vocabulary:
    """Read preferred terms: one a line, or SKOS as RDF/XML (.rdf, .xml) or Turtle (.ttl).

    Of a concept each language's ``skos:prefLabel`` is a term with the concept's address, and its
    ``skos:altLabel`` and ``skos:hiddenLabel`` of that language stand for it.

    Raises
    ------
    InputError
        If the file cannot be read, has no term, or is RDF and rdflib is not installed.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            "The list of terms {file} cannot be read: {reason}",
            file=path,
            reason=error.strerror or error,
        ) from error
    syntax = _RDF.get(path.suffix.lower())
    terms = _of_rdf(content, syntax, path) if syntax else _of_lines(content, path)
    if not terms:
        raise InputError("There is no term in {file}.", file=path)
    return Vocabulary(tuple(terms))


def _of_lines(content: bytes, path: Path) -> list[Term]:
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))  # Excel's "Unicode text"
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    if "\0" in text:
        raise InputError(
            "{file} is not a text file; save the terms as plain text, one to a line.", file=path
        )
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [Term(line, line) for line in dict.fromkeys(lines) if line]


def _of_rdf(content: bytes, syntax: str, path: Path) -> list[Term]:
    try:
        from rdflib import Graph, Literal, URIRef
    except ImportError as error:
        raise InputError(
            "To read terms from RDF, install the extra: pip install 'subclust[skos]'."
        ) from error
    graph = Graph()
    try:
        graph.parse(data=content, format=syntax)
    except Exception as error:  # each of its parsers raises its own
        raise InputError(
            "The file {file} is not valid RDF: {reason}", file=path, reason=str(error)[:200]
        ) from error
    found = []
    for concept, label in graph.subject_objects(URIRef(f"{_SKOS}prefLabel")):
        if not isinstance(label, Literal):
            continue
        others = (
            str(other)
            for kind in ("altLabel", "hiddenLabel")
            for other in graph.objects(concept, URIRef(_SKOS + kind))
            if isinstance(other, Literal) and other.language == label.language
        )
        found.append(Term(str(label), str(concept), tuple(sorted(others))))
    return sorted(found, key=lambda term: (term.id, term.label))


def keep_terms(folder: Path, library: str, vocabulary: Vocabulary) -> None:
    """Keep the terms beside a library, in the place of those that it had; none takes them away.

    Raises
    ------
    LibraryError
        If the library is in object storage, or nothing can be written.
    """
    if isinstance(folder, StoragePath):
        raise LibraryError("A library in object storage has no terms; name a list at each search.")
    file = terms_file(folder, library)
    with refusals_told(Message("The terms of {name!r} cannot be saved", name=library), folder):
        if vocabulary.terms:
            write_whole(file, json.dumps(asdict(vocabulary), ensure_ascii=False))
        else:
            file.unlink(missing_ok=True)


def kept_terms(folder: Path, library: str) -> Vocabulary:
    """Return the terms of a library, none where it has no list.

    Raises
    ------
    LibraryError
        If the file is damaged.
    """
    if isinstance(folder, StoragePath):
        return Vocabulary()
    file = terms_file(folder, library)
    try:
        return _kept(file, file.stat().st_mtime_ns)
    except FileNotFoundError:
        return Vocabulary()
    except (OSError, ValueError) as error:
        raise LibraryError(
            "The list of terms {file} is damaged; set it again with 'library vocabulary'.",
            file=file,
        ) from error


@lru_cache(maxsize=8)
def _kept(file: Path, written_ns: int) -> Vocabulary:
    """Read what was written at a time, once in this process."""
    return read_typed(Vocabulary, file.read_bytes())
