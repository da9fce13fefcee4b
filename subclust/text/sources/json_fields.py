"""Records as JSON has them, nested, by our names: OpenAlex, Crossref, CSL and their like."""

import io
import re
from collections.abc import Mapping
from typing import Any

import ijson

from subclust.text.sources.fields import BY_NAME, FIELDS, field_of
from subclust.text.sources.heads import settle_columns
from subclust.text.sources.kinds import KIND_BY_NAME
from subclust.text.sources.record import TEXT_COLUMNS, clean

MOST_WORDS = 20_000
"""Of an abstract that is an index of words; what has more is none."""

_OURS = {name: field.name for field in reversed(FIELDS) for name in field.csl} | {
    "subject": "keywords", "article-number": "article_number",
}  # fmt: skip
_LEFT_OUT = frozenset(
    {"author", "editor", "translator", "issued", "accessed", "categories", "reference",
     "indexed", "assertion", "relation", "link", "deposited", "created"}
)  # fmt: skip
_LISTS = frozenset(
    "items results records data docs hits works entries documents articles publications result "
    "references entry response message rows list searchresults search-results resultList".split()
)
_INNER = ("_source", "record", "bibjson", "attributes", "fields", "publication")
"""What a record may lie in, in an item of a list."""

_NAMED = ("display_name", "name", "full_name", "fullName", "literal", "title", "term", "tag",
          "value", "keyword", "descriptor", "text", "#text", "$")  # fmt: skip
_ADDRESS = re.compile(r"https?://openalex\.org/")


def record_fields(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record's fields by our names, whichever service's it is.

    Parameters
    ----------
    item : mapping of str to value
        A work of OpenAlex or Crossref, an item of CSL JSON, or any object, nested or not.
    """
    for name in _INNER:
        inner = item.get(name)
        if isinstance(inner, dict) and not any(field_of(one) in TEXT_COLUMNS for one in item):
            item = {**inner, "id": item.get("id") or inner.get("id")}
    if "authorships" in item or "abstract_inverted_index" in item:
        return _openalex_fields(item)
    if _is_csl(item):
        return _csl_fields(item)
    if not any(isinstance(one, dict | list) for one in item.values()):
        return dict(item)
    return _nested_fields(item)


def _is_csl(item: Mapping[str, Any]) -> bool:
    """Return whether an object is named as Crossref and the Citation Style Language do."""
    issued, people = item.get("issued"), item.get("author")
    return (
        "container-title" in item
        or ("id" in item and "text" not in item and item.get("type") in KIND_BY_NAME)
        or isinstance(issued, dict)
        or (
            isinstance(people, list)
            and any(isinstance(one, dict) and "family" in one for one in people)
        )
    )


def _openalex_fields(work: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a work of OpenAlex."""
    place = work.get("primary_location") or work.get("host_venue") or {}
    venue = at(place, "source") if at(place, "source") else place
    biblio = work.get("biblio") or {}
    words = work.get("keywords") or work.get("topics") or work.get("concepts") or []
    return {
        "openalex": work.get("id") if _ADDRESS.match(clean(work.get("id"))) else None,
        "number": None if _ADDRESS.match(clean(work.get("id"))) else work.get("id"),
        "title": work.get("title") or work.get("display_name"),
        "text": work.get("abstract") or abstract(work.get("abstract_inverted_index")),
        "authors": [
            _named(at(one, "author")) or clean(at(one, "raw_author_name"))
            for one in objects(work.get("authorships"))
        ],
        "year": work.get("publication_year"),
        "date": work.get("publication_date"),
        "venue": _named(venue) or clean(at(place, "raw_source_name")),
        "issn": at(venue, "issn"),
        "publisher": at(venue, "host_organization_name") or at(venue, "publisher"),
        "volume": at(biblio, "volume"),
        "issue": at(biblio, "issue"),
        "first page": at(biblio, "first_page"),
        "last page": at(biblio, "last_page"),
        "doi": work.get("doi") or at(work.get("ids"), "doi"),
        "pmid": clean(at(work.get("ids"), "pmid")).rstrip("/").rpartition("/")[2],
        "url": at(place, "landing_page_url"),
        "licence": at(place, "license"),
        "keywords": [_named(one) or clean(one) for one in words]
        if isinstance(words, list)
        else words,
        "language": work.get("language"),
        "type": work.get("type"),
    }


def abstract(index: Any) -> str:
    """Put an abstract together from the places of its words; ``""`` where there is none.

    Parameters
    ----------
    index : mapping of str to list of int
        Each word and where it stands, from 0.
    """
    if not isinstance(index, dict):
        return ""
    placed = [
        (place, str(word))
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if isinstance(place, int) and not isinstance(place, bool)
    ]
    return " ".join(word for _, word in sorted(placed)) if len(placed) <= MOST_WORDS else ""


def _csl_fields(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an item of CSL JSON, or of a work of Crossref."""
    fields: dict[str, Any] = {
        _OURS.get(name, name): value
        for name, value in item.items()
        if name not in _LEFT_OUT or not isinstance(value, dict | list)
    }
    title = fields.get("title")
    subtitle = item.get("subtitle")
    if isinstance(title, list) and isinstance(subtitle, list):
        first, second = (clean(next(iter(one), "")) for one in (title, subtitle))
        del fields["subtitle"]
        if second and second.casefold() not in first.casefold():
            fields["title"] = f"{first}: {second}"
    if isinstance(item.get("license"), list):
        fields["license"] = next((clean(at(one, "URL")) for one in item["license"]), "")
    for name, kind in (("authors", "author"), ("editors", "editor")):
        if isinstance(item.get(kind), list):
            fields[name] = [told for one in item[kind] if (told := person(one))]
    if (
        not item.get("author")
        and not item.get("editor")
        and isinstance(people := item.get("translator"), list)
    ):
        fields["authors"] = [told for one in people if (told := person(one))]
    dated = next(
        (
            item[one]
            for one in ("issued", "published", "published-print", "published-online")
            if isinstance(item.get(one), dict)
        ),
        None,
    )
    if dated is not None:
        fields["year"] = _date(dated)
    for name in ("published", "published-print", "published-online"):
        if isinstance(item.get(name), dict):
            fields.pop(name, None)
    keywords = fields.get("keywords")
    if isinstance(keywords, str):
        mark = ";" if ";" in keywords else ","
        fields["keywords"] = [word.strip() for word in keywords.split(mark)]
    return {name: value for name, value in fields.items() if not _is_deep(value)}


def person(given: Any) -> str:
    """Return a person's name, whatever it lies in, family name first where that is known."""
    if not isinstance(given, dict):
        return clean(given)
    family = " ".join(
        part
        for name in ("non-dropping-particle", "family", "last_name", "lastName", "surname")
        if (part := clean(given.get(name)))
    )
    first = clean(
        next(
            (given[n] for n in ("given", "first_name", "firstName", "initials") if given.get(n)), ""
        )
    )
    if family and first:
        return f"{family}, {first}"
    return family or _named(given) or _named(given.get("author")) or first


def _nested_fields(item: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in item.items():
        field = field_of(clean(name))
        if field in ("authors", "editors") and isinstance(value, list | dict):
            people = (
                value
                if isinstance(value, list)
                else next((one for one in value.values() if isinstance(one, list)), [value])
            )
            value = [found for one in people if (found := person(one))]
        elif isinstance(value, dict) and (field in BY_NAME or name in ("source", "journal")):
            if field == "venue" or name == "source":
                field = "venue"
                for part in ("volume", "issue", "pages"):
                    if clean(value.get(part)):
                        fields.setdefault(part, value[part])
            value = _named(value) or value
        elif isinstance(value, dict) and name in (
            "externalIds",
            "external_ids",
            "ids",
            "identifiers",
        ):
            for scheme, one in value.items():
                if (known := field_of(scheme)) in BY_NAME:
                    fields.setdefault(known, one)
            continue
        elif isinstance(value, list) and name in ("external_ids", "identifier", "identifiers"):
            for one in objects(value):
                if (known := field_of(clean(one.get("type")))) in BY_NAME:
                    fields.setdefault(known, one.get("value") or one.get("id"))
            if not objects(value):
                fields.setdefault(field, value)
            continue
        elif isinstance(value, list) and field in BY_NAME:
            value = [_named(one) or clean(one) for one in value]
        fields.setdefault(field, value)
    listed = {name: one if isinstance(one, list) else [one] for name, one in fields.items()
              if one not in (None, "")}  # fmt: skip
    return {name: one for name, one in settle_columns(listed).items() if not _is_deep(one)}


def _is_deep(value: Any) -> bool:
    """Return whether a value is a list of objects, or one of several levels: nothing to read."""
    if isinstance(value, list):
        return any(isinstance(one, dict | list) for one in value) and not all(
            isinstance(one, list) for one in value
        )
    return isinstance(value, dict) and any(isinstance(one, dict | list) for one in value.values())


def _named(given: Any) -> str:
    if isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        return ""
    return next((clean(given[one]) for one in _NAMED if given.get(one)), "")


def at(value: Any, *path: str | int) -> Any:
    """Follow names and numbers into nested JSON; None where it does not lead on."""
    for step in path:
        if isinstance(step, str) and isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and len(value) > step:
            value = value[step]
        else:
            return None
    return value


def objects(value: Any) -> list[dict[str, Any]]:
    """List the objects of what should be a list of them."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _date(issued: Mapping[str, Any]) -> str:
    parts = issued.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        numbers = [clean(part) for part in parts[0][:3]]
        kept = numbers[:1]
        for number in numbers[1:]:
            if not number.isdecimal():
                break
            kept.append(number.zfill(2))
        return "-".join(kept)
    return clean(issued.get("raw") or issued.get("literal") or issued.get("date-time"))


def list_path(begin: str) -> str | None:
    """Return where in a JSON object its list of records lies, as ijson writes it.

    Parameters
    ----------
    begin : str
        The beginning of the file.

    Returns
    -------
    str or None
        ``"message.items.item"``, say; ``""`` where the object is a record itself, ``"message"``
        where one is in there; None where nothing tells.
    """
    names: list[str] = []
    inner: str | None = None
    try:
        prefix: str
        for prefix, event, value in ijson.parse(io.BytesIO(begin.encode("utf-8", "replace"))):
            depth = prefix.count(".") + 1 if prefix else 0
            if event == "map_key":
                names = [*names[:depth], str(value)]
                if field_of(str(value)) in TEXT_COLUMNS and depth < 2 and value != "query":
                    inner = prefix if inner is None else inner
                    if not prefix:
                        return ""
            elif event == "start_map" and prefix.endswith(".item"):
                path = prefix.removesuffix(".item").split(".")
                if "item" not in path and path[-1] in _LISTS and inner in (None, ""):
                    return prefix
            elif event == "end_array" and names and names[-1] in _LISTS and inner is None:
                inner_list = f"{prefix}.item"
                if "item" not in prefix.split("."):
                    return inner_list
    # The beginning of a file breaks off somewhere; what was found before counts.
    except (ijson.JSONError, ValueError):
        pass
    return inner
