"""What a UNIMARC record says, by our names, as catalogues in France and Italy have it."""

from collections.abc import Iterator
from typing import Any

from pymarc import Field, Record, Subfield

from subclust.text.sources.dates import read_date
from subclust.text.sources.host_parts import is_part_known, parts_of_host
from subclust.text.sources.marc_fields import (
    Fields,
    all_of,
    by_tag,
    control,
    control_raw,
    every,
    first,
    joined,
    meeting,
    numbers,
    part,
    tidy,
    without_stop,
)

_TITLE = {"a": " ; ", "e": " : ", "d": " = ", "h": ". ", "i": ". "}
_HEAD = {"b": ", ", "c": ", ", "d": " ", "f": ", ", "t": ". ", "h": ". ", "i": ". "}
_EDITORS = frozenset({"340", "651", "365", "220"})
_KINDS = {"b": "manuscript", "c": "song", "d": "song", "e": "map", "f": "map",
          "g": "motion_picture", "i": "song", "j": "song", "k": "graphic", "l": "software",
          "m": "document", "r": "document"}  # fmt: skip


def is_unimarc(record: Record) -> bool:
    """Return whether a record is UNIMARC, by the title that it has in 200 and not in 245."""
    tags = {field.tag: field for field in record.fields}
    return "245" not in tags and "200" in tags and bool(tags["200"].get_subfields("a", "e"))


def fields_of_unimarc(record: Record) -> dict[str, Any]:
    """Return the fields of a UNIMARC record.

    Title from 200, names from 7XX, publication from 214, 210 or 100, what it stands in from 461 to
    463, subjects from 6XX, abstract from 330 (else contents from 327).

    Returns
    -------
    dict
        By our names; lists where there can be several values.
    """
    fields = by_tag(record)
    host = _host(fields)
    own, agency = control(fields, "001"), _agency(fields)
    contents = [part(one, "a", "b", "c", "d") for one in every(fields, "327")]
    abstracts = [part(one, "a") for one in every(fields, "330")]
    address = first(fields, "856", "u")
    permanent = control(fields, "003")
    return {
        "number": own or first(fields, "035", "a"),
        "control": f"{agency}:{own}" if own and agency else "",
        "title": next(
            (title for one in every(fields, "200", "500")
             if (title := without_stop(joined(one, _TITLE, "aedhi")))), ""
        ),
        "text": abstracts or contents,
        **_people(fields),
        "year": _date(fields),
        "type": _kind(record, fields, bool(host)),
        "isbn": numbers(all_of(fields, ("010",), "a")),
        "issn": host.pop("issn", "") or first(fields, "011", "a"),
        "edition": first(fields, "205", "a"),
        "publisher": next(
            (tidy(one) for one in all_of(fields, ("214", "219", "210"), "c")), ""
        ),
        "place": next((tidy(one) for one in all_of(fields, ("214", "219", "210"), "a")), ""),
        "pages": _pages(first(fields, "215", "a"), bool(host)),
        "doi": next(
            (one for tag in ("017", "024") for field in every(fields, tag)
             for one in field.get_subfields("a") if "10." in one), ""
        ),
        "url": address or (permanent if permanent.startswith("http") else ""),
        "keywords": list(_subjects(fields)),
        "language": all_of(fields, ("101",), "a"),
        "licence": first(fields, "371", "a"),
        "notes": [
            *(part(one, "a", "b", "c", "d", "e") for one in every(fields, "300", "328")),
            *(contents if abstracts else ()),
            *host.pop("notes", ()),
        ],
        **_series(fields),
        **{name: value for name, value in host.items() if value},
    }  # fmt: skip


def _people(fields: Fields) -> dict[str, list[str]]:
    people: dict[str, list[str]] = {}
    for tag in ("700", "710", "720", "701", "711", "721", "702", "712", "722", "730"):
        for field in fields.get(tag, ()):
            if name := _name(field):
                people.setdefault(_role(tag, field.get_subfields("4")), []).append(name)
    if "authors" not in people and "editors" not in people and "other contributors" in people:
        people["authors"] = people.pop("other contributors")
    return people


def _role(tag: str, roles: list[str]) -> str:
    if "070" in roles:
        return "authors"
    if _EDITORS & set(roles):
        return "editors"
    return "other contributors" if tag[2] == "2" else "authors"


def _name(field: Field) -> str:
    """Return a person by family and given name, or a body or meeting by its parts."""
    if field.tag[1] == "1" or field.tag == "601":
        name = joined(field, {"b": ". "}, "ab")
        return without_stop(meeting(name, field.get_subfields("d", "f", "e")))
    return without_stop(joined(field, _HEAD, "abcd"))


def _subjects(fields: Fields) -> Iterator[str]:
    for field in every(fields, *(f"6{number:02d}" for number in range(9)), "615", "620"):
        if field.tag in ("600", "601", "602"):
            head = _name(field)
            dates = first({field.tag: [field]}, field.tag, "f")
            head = f"{head}, {dates}" if dates and field.tag == "600" else head
        else:
            head = without_stop(joined(field, _HEAD, "abhit"))
        below = [without_stop(one) for one in field.get_subfields("j", "x", "y", "z")]
        if parts := [text for text in (head, *below) if text]:
            yield " -- ".join(parts)
    yield from map(without_stop, all_of(fields, ("610",), "a"))


def _date(fields: Fields) -> str:
    given = all_of(fields, ("214", "219", "210"), "d")
    coded = next(iter(fields.get("100", ())), None)
    raw = coded.get_subfields("a")[:1] if coded is not None else []
    # The first date of publication stands at 100 $a/9-12.
    given += [one[9:13] for one in raw]
    given += all_of(fields, ("463", "461"), "d") + all_of(fields, ("328",), "d", "e")
    return next((date for one in given if (date := read_date(one))), "")


def _host(fields: Fields) -> dict[str, Any]:
    """Return what the record stands in, from fields with subfields or with fields within."""
    told: dict[str, Any] = {}
    for tag in ("461", "462", "463", "464"):
        for field in fields.get(tag, ()):
            held: dict[str, str] = {}
            for one in _unfolded(field):
                held.setdefault(one.code, " ".join(one.value.split()))
            told.setdefault("venue", without_stop(held.get("t", "")))
            told["venue"] = told["venue"] or without_stop(held.get("t", ""))
            told.setdefault("issn", held.get("x", ""))
            lines = [held[code] for code in "vp" if code in held]
            parts = parts_of_host(*lines)
            if tag == "463" and "volume" in told and list(parts) == ["volume"]:
                parts = {"issue": parts["volume"]}
            for name, value in parts.items():
                told.setdefault(name, value)
            unknown = [one for one in lines if not is_part_known(one)]
            told.setdefault("notes", []).extend(unknown)
    return told


def _unfolded(field: Field) -> Iterator[Subfield]:
    """Yield the subfields, also of fields that stand within the field, behind $1."""
    names = {"200a": "t", "011a": "x", "010a": "y", "200v": "v", "210d": "d", "200h": "h"}
    inner = ""
    for one in field.subfields:
        if one.code == "1":
            inner = one.value[:3]
        elif not inner:
            yield one
        elif code := names.get(inner + one.code):
            yield Subfield(code, one.value)


def _pages(extent: str, has_host: bool) -> str:
    return parts_of_host(extent).get("pages", extent) if has_host else extent


def _series(fields: Fields) -> dict[str, str]:
    for tag, code in (("225", "a"), ("410", "t")):
        for field in fields.get(tag, ()):
            if name := without_stop(part(field, code)):
                number = next(iter(field.get_subfields("v")), "")
                return {
                    "series": name,
                    "volume": parts_of_host(number).get("volume") or tidy(number),
                }
    return {}


def _agency(fields: Fields) -> str:
    """Return who issued the record."""
    return next(
        (one for field in fields.get("801", ()) if field.indicator2 == "3"
         for one in field.get_subfields("b")), ""
    )  # fmt: skip


def _kind(record: Record, fields: Fields, has_host: bool) -> str:
    type_, level = str(record.leader)[6:7], str(record.leader)[7:8]
    coded = next(iter(all_of(fields, ("105",), "a")), "")
    if "328" in fields or "m" in control_raw(fields, "105")[4:8] or "m" in coded[4:8]:
        return "thesis"
    if type_ in _KINDS:
        return _KINDS[type_]
    if level == "a" or has_host and level.strip() == "":
        held = all_of(fields, ("461", "462", "463", "464"), "x", "y")
        books = [one for one in held if len([sign for sign in one if sign.isalnum()]) > 8]
        return "chapter" if books and len(books) == len(held) else "article-journal"
    return {"s": "periodical", "i": "webpage"}.get(level, "book" if type_ == "a" else "")
