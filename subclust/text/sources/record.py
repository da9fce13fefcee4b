"""A record with named fields, from whatever file, to a document."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from subclust.core.messages import N_, Message
from subclust.core.records import Passage
from subclust.core.records.languages import language_codes
from subclust.text.sources.base import EXCERPT, MOST_ORIGINAL, Document, Refusal
from subclust.text.sources.cleaning import clean_abstract, clean_text, is_nothing
from subclust.text.sources.dates import read_date
from subclust.text.sources.fields import AS_GIVEN, BY_NAME, field_of
from subclust.text.sources.kinds import KIND_BY_NAME, kind_of
from subclust.text.sources.passages import LONG_RECORD, Piece, cut, paragraphs_of

_NOT_METADATA = {"id", "title", "text", "label", "path", "description"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufeff]")
_DOI_PREFIX = re.compile(
    r"^(?:https?://(?:(?:dx|www)\.)?doi\.org/|(?:doi|info:doi)[:/]?\s*)+(?=10\.)", re.IGNORECASE
)
_DOI_ADDRESS = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\d{4,9}/\S+)", re.IGNORECASE)
_DEEPEST = 10
"""Lists within lists of a field's value; no field means anything below."""

_LONGEST_DATE = 200
"""Characters of a date that are looked at, since the expression takes quadratic time."""

MOST_CARRIED = 10_000
"""Characters of a field that each passage of a divided record has; the first alone has longer ones.

Otherwise a full text with one tag in it is kept once for each of its passages. A title has no more.
"""

_SCHEMES = ("doi", "pmid", "ut", "eid", "openalex", "pmcid")
OWN_PREFIX = "id:"
"""Before an id of somebody's own list, in files that only have a place for a record's number."""

OWN = re.compile(rf"(?:{'|'.join(_SCHEMES)}|isbn|control|id):|sha256-[0-9a-f]{{16}}")
"""How ids begin that a record keeps when a file that was exported from here is imported."""

MADE = re.compile("sha256-")
"""How an id begins that was made of a record's words, since its file has none."""

_BOOKS = frozenset({"", "book", "thesis", "report", "map", "motion_picture", "song", "document"})
_SHORTEST_COPY = 8
"""Words from which on an abstract can be told to be another one's copy."""

TEXT_COLUMNS = ("title", "text")
_NOT_CLEANED = frozenset({*TEXT_COLUMNS, *AS_GIVEN.values()})
"""Texts that are cleaned as a whole, and what they were."""


def clean(value: Any, depth: int = 0) -> str:
    """Return a field's value as text: lists joined by "; ", control characters taken out."""
    if isinstance(value, str) and value.isprintable():
        return _composed(value.strip())
    if isinstance(value, list | tuple | dict) and depth >= _DEEPEST:
        return ""
    if isinstance(value, list | tuple):
        return "; ".join(text for one in value if (text := clean(one, depth + 1)))
    if isinstance(value, dict):
        return "; ".join(f"{clean(k)}: {clean(v, depth + 1)}" for k, v in value.items())
    if value is None or value != value:  # an empty cell, or a missing number
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # spreadsheets keep 2021 as 2021.0
    try:
        text = str(value)
    except ValueError:  # a whole number of thousands of digits
        return ""
    return _composed(_UNPRINTABLE.sub("", text).strip())


def _composed(text: str) -> str:
    """Return a text with each letter and its accents as one sign, where there is one."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text
    return unicodedata.normalize("NFC", text)


def document(
    record: Mapping[str, Any], place: str, collection: str, mended: Sequence[str] = ()
) -> Document | Refusal:
    """Make a document of a record.

    A record without text stands for itself by its title. Fields that are not ours are kept as
    metadata. The passage's id is ``<collection>:<id>``. Where the record has no ``id``, it is what
    identifies it in the world (DOI, PubMed, Web of Science, Scopus or OpenAlex number, ISBN with
    edition, a catalogue's control number), else a digest of title, authors, year, venue and pages,
    the same at the next import; the number that its file gave it is kept as ``number``. A text of
    more than `LONG_RECORD` characters becomes several passages, each with its position.

    Parameters
    ----------
    record : mapping of str to value
        A field may have several values, as a list: of a title the first one counts, and of
        abstracts all that differ. ``control`` is a catalogue's control number with its code.
    place : str
        For the refusal.
    collection : str
    mended : sequence of str
        What was put right in it already.
    """
    fields: dict[str, str] = {}
    remarks = list(mended)
    for name, value in record.items():
        if value is None or value == "" or value == []:
            continue
        field = field_of(clean(name))
        if not fields.get(field):
            fields[field] = _value(field, value, remarks)
    _settle(fields)
    text = fields.get("text", "") or fields.get("title", "")
    title = _shortened(fields, remarks)
    wrong = _why_not(fields, text)
    if wrong is not None:
        return Refusal(
            place,
            *wrong,
            excerpt(fields),
            original({k: cell for k, v in record.items() if (cell := _as_cell(k, v))}),
            _own_ids(fields, collection),
        )
    id_ = identity(fields).replace("#", "%23")  # which sets a passage's number apart
    number = fields.get("number", "").removeprefix(OWN_PREFIX)
    if number == id_:
        del fields["number"]
    metadata = {k: v for k, v in fields.items() if v and k and k not in _NOT_METADATA}
    label = fields.get("label") or None
    whole = Passage(
        id=f"{collection}:{id_}",
        text=text,
        title=title,
        collection=collection,
        label=label,
        path=fields.get("path") or label,
        metadata=metadata,
    )
    passages = (whole,) if len(text) <= LONG_RECORD else tuple(_divided(whole))
    description = fields.get("description") or None
    former = tuple(one for one in (number, "sha256-" + digest(title, text)) if one not in ("", id_))
    return Document(id_, title, passages, description, metadata, place, tuple(remarks), former)


def _shortened(fields: dict[str, str], remarks: list[str]) -> str:
    """Return the title, which each passage has, at a length at which they can; keep what it was."""
    title = fields.get("title", "")
    if len(title) <= MOST_CARRIED:
        return title
    fields.setdefault(AS_GIVEN["title"], title)
    shortened = N_("Its title has more than {count:,} characters; it was shortened.")
    remarks.append(Message(shortened, count=MOST_CARRIED))
    return title[: MOST_CARRIED - 1].rstrip() + "…"


def _why_not(fields: Mapping[str, str], text: str) -> tuple[Message, Message, str] | None:
    """Return why a record is refused, what to do, and the field; None where it is not."""
    if not text:
        return (
            Message("It has neither a text nor a title."),
            Message("Fill in one of them and import it again."),
            "text",
        )
    # All of its passages have these, or an id made of one of them.
    for name in ("id", "label", "path", "number", "control", *_SCHEMES):
        if len(fields.get(name, "")) > MOST_CARRIED:
            too_long = N_("Its field {field} has more than {count:,} characters.")
            return (
                Message(too_long, field=name, count=MOST_CARRIED),
                Message("Shorten it and import it again."),
                name,
            )
    return None


def _settle(fields: dict[str, str]) -> None:
    """Write each field of a record in one way, however its file writes it."""
    for name in ("title", "text"):
        given = fields.get(name)
        if given and not fields.get(AS_GIVEN[name]):  # else it was exported from here
            shown = clean_text(given)
            fields[name] = clean_abstract(shown) if name == "text" else shown
            if fields[name] != given and fields[name]:
                fields[AS_GIVEN[name]] = given
    _settle_numbers(fields)
    _settle_dates(fields)
    first, last = fields.pop("first page", ""), fields.pop("last page", "")
    if first and not fields.get("pages"):
        fields["pages"] = "-".join(dict.fromkeys(filter(None, (first, last))))
    if language := fields.get("language"):
        fields["language"] = "; ".join(language_codes(language))
    if kind := fields.get("type"):
        known = [one for part in kind.split("; ") if (one := kind_of(part)) in KIND_BY_NAME]
        fields["type"] = known[0] if known else kind_of(kind)


def _settle_numbers(fields: dict[str, str]) -> None:
    doi = fields.get("doi", "") or next(iter(_DOI_ADDRESS.findall(fields.get("url", ""))), "")
    if doi:
        fields["doi"] = _DOI_PREFIX.sub("", doi).replace("\\_", "_").rstrip(".,;")
    numbers = [one for one in fields.pop("issn", "").split("; ") if one]
    if numbers:
        # RIS and EndNote have one tag for ISSN and ISBN; the number of digits tells them apart.
        books = [one for one in numbers if len(re.sub(r"[^\dXx]", "", one)) in (10, 13)]
        serials = [_hyphened(one) for one in numbers if one not in books]
        fields["issn"] = "; ".join(dict.fromkeys(serials))
        if books and not fields.get("isbn"):
            fields["isbn"] = "; ".join(books)


def _hyphened(issn: str) -> str:
    found = re.fullmatch(r"(?:ISSN:?\s*)?(\d{4})[-\s]?(\d{3}[\dXx])\b.*", issn.strip())
    return f"{found[1]}-{found[2].upper()}" if found else issn


def _settle_dates(fields: dict[str, str]) -> None:
    """Give the year by itself, and the date where it is known more exactly, or in other words."""
    given, dated = fields.pop("year", ""), fields.pop("date", "")
    year, date = read_date(given), read_date(dated)
    fields["year"] = (year or date)[:4]
    exact = max((one for one in (year, date) if one[:4] == fields["year"]), key=len, default="")
    if len(exact) > 4:
        fields["date"] = exact
    else:
        told = (
            one
            for one in (dated, given)
            if re.search(r"[^\W\d_]|\d{2}.*\d{3}", one[:_LONGEST_DATE])
        )
        fields["date"] = next((one for one in told if read_date(one) != one), "")


def identity(fields: dict[str, str]) -> str:
    """Return what tells a record from all others, wherever its file comes from."""
    if fields.get("id"):
        return fields["id"]
    # Removed whatever becomes the id: it is no metadata.
    control = fields.pop("control", "")
    if OWN.match(number := fields.get("number", "")):
        return number.removeprefix(OWN_PREFIX)  # a file that was exported from here
    for scheme in _SCHEMES:
        if value := fields.get(scheme):
            return f"{scheme}:{value.rpartition('/')[2] if scheme == 'openalex' else value}".lower()
    # A chapter carries the ISBN of its book, so only a record that stands in nothing is known by
    # it.
    isbn = re.sub(r"[^\dXx]", "", fields.get("isbn", "").split(";")[0])
    if len(isbn) in (10, 13) and fields.get("type", "") in _BOOKS and not fields.get("venue"):
        edition = re.sub(r"\W+", "-", fields.get("edition", "").casefold()).strip("-")
        return f"isbn:{isbn}" + (f":{edition}" if edition else "")
    if control:
        return f"control:{control}"
    told = [fields.get(name, "") for name in ("title", "authors", "year", "venue", "pages")]
    # Many records share a title such as "Editorial"; with little else to go by, the text counts
    # too.
    is_told = fields.get("authors") and (fields.get("year") or fields.get("venue"))
    parts = told if is_told else [*told, fields.get("date", ""), fields.get("text", "")]
    return "sha256-" + digest(*(" ".join(re.findall(r"\w+", one.casefold())) for one in parts))


def ids_of(item: Document | Refusal, collection: str) -> tuple[str, ...] | None:
    """Return the ids that a record has which is refused for another reason than its own words.

    Parameters
    ----------
    item : Document or Refusal
        What was made of it nonetheless.
    collection : str

    Returns
    -------
    tuple of str or None
        As of a `Refusal`: None where it has no id but a digest of words that may be wrong.
    """
    if isinstance(item, Refusal):
        return item.ids
    ids = [item.id, *item.former_ids]
    return None if MADE.match(item.id) else tuple(f"{collection}:{one}" for one in ids)


def _own_ids(fields: dict[str, str], collection: str) -> tuple[str, ...] | None:
    """Return the ids of a record of which there is nothing to read."""
    number = fields.get("number", "")
    id_ = identity(fields).replace("#", "%23")
    if MADE.match(id_) and id_ not in (fields.get("id"), number):
        return None
    return tuple(f"{collection}:{one}" for one in dict.fromkeys((id_, number)) if one)


def digest(*texts: str) -> str:
    """Return 16 hexadecimal digits that stand for some texts."""
    return hashlib.sha256("\x00".join(texts).encode("utf-8", "replace")).hexdigest()[:16]


def excerpt(value: Any) -> str:
    """Shorten what was refused to one line of at most `EXCERPT` characters."""
    if isinstance(value, Mapping):
        value = "; ".join(f"{name}: {clean(one)}" for name, one in value.items() if clean(one))
    words = " ".join(clean(str(value)[: 8 * EXCERPT]).split())
    return words if len(words) <= EXCERPT else words[: EXCERPT - 1].rstrip() + "…"


def original(fields: Mapping[str, str]) -> dict[str, str]:
    """Return what is kept of a refused record: all of its fields, or none if they are too long."""
    whole = "".join(f"{name}{value}" for name, value in fields.items())
    return dict(fields) if len(whole.encode("utf-8", "replace")) <= MOST_ORIGINAL else {}


def _as_cell(field: str, value: Any) -> str:
    """Write the values of a field so that a table's reader takes them apart again."""
    if field != "text" or not isinstance(value, list | tuple):
        return clean(value)
    return "\n\n".join(filter(None, map(clean, value)))


def placed(metadata: Mapping[str, str], piece: Piece, number: int) -> dict[str, str]:
    """Add to metadata where in its document a passage stands.

    Parameters
    ----------
    metadata : mapping of str to str
    piece : Piece
    number : int
        Of the passage in its document, from 1.
    """
    place = {"position": str(number), "characters": f"{piece.start}-{piece.end}"}
    return {**(metadata if number == 1 else carried(metadata)), **place}


def carried(metadata: Mapping[str, str]) -> dict[str, str]:
    """Return those fields of a record that each of its passages has, not the first one alone."""
    return {name: value for name, value in metadata.items() if len(value) <= MOST_CARRIED}


def _divided(whole: Passage) -> list[Passage]:
    return [
        Passage(
            id=f"{whole.id}#{number}",
            text=piece.text,
            title=whole.title,
            collection=whole.collection,
            label=whole.label,
            path=whole.path,
            metadata=placed(whole.metadata, piece, number),
        )
        for number, piece in enumerate(cut(paragraphs_of(whole.text)), start=1)
    ]


def _value(field: str, value: Any, remarks: list[str]) -> str:
    given = value if isinstance(value, list | tuple) else [value]
    values = [text for one in given if (text := clean(one)) and not is_nothing(text)]
    if field == "authors":  # two may have one name
        people = (name for one in values for name in _people(clean_text(one)))
        return "; ".join(name.rstrip(" ,") for name in people)  # EndNote marks bodies by a comma
    if field == "text":
        return _abstracts(values, remarks)
    if field not in _NOT_CLEANED:
        values = [clean_text(one) for one in values]
    values = list(dict.fromkeys(values))
    if field in BY_NAME and not BY_NAME[field].many:
        return values[0] if values else ""
    return "; ".join(values)


def _people(given: str) -> list[str]:
    """Divide names that one cell joins by a bar or by "and", where each part can be a name."""
    if "|" not in given and "and" not in given and "&" not in given:
        return [given] if given else []
    parts = [one.strip() for one in re.split(r"(?:(?<!\s)\s+)?\|+\s*", given) if one.strip()]
    if len(parts) == 1 and ";" not in given:
        parts = re.split(r"(?:,\s+|(?<!\s)\s+(?:,\s+)?)(?:and|&)\s+", given)
        if not all("," in one or 2 <= len(one.split()) <= 4 for one in parts):
            return [given]
    return parts


def _abstracts(values: list[str], remarks: list[str]) -> str:
    """Put abstracts together; of two of the same words the longer one counts."""
    kept: list[str] = []
    for value in sorted(values, key=len, reverse=True):
        if not any(_is_copy(value, other) for other in kept):
            kept.append(value)
    if len(kept) > 1:
        several = N_("It has {count} abstracts; all of them were kept, one below the other.")
        remarks.append(Message(several, count=len(kept)))
    elif len(values) > 1:
        remarks.append(Message("Its abstract was there twice; it was kept once."))
    return "\n\n".join(value for value in dict.fromkeys(values) if value in kept)


def _is_copy(value: str, other: str) -> bool:
    words, others = (re.findall(r"\w+", clean_text(one).casefold()) for one in (value, other))
    if words == others or len(words) < _SHORTEST_COPY:
        return words == others
    return sum((Counter(words) & Counter(others)).values()) >= 0.9 * len(words)
