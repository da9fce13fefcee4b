"""What a MARC 21 record says, by our names."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pymarc import Field, Record

from subclust.text.sources.dates import read_date
from subclust.text.sources.host_parts import is_part_known, parts_of_host
from subclust.text.sources.kinds import KIND_BY_NAME, kind_of

Fields = Mapping[str, list[Field]]
"""The fields of each tag of a record."""

# Without the look-behind, a long run of blanks would take quadratic time.
_END_MARK = re.compile(r"(?<!\s)\s+[/:;=,]\s*$|[,/]\s*$")
"""Marks that divide a record's parts on a printed card, at the end of a part."""

_MARKED = re.compile(r"[.:;=/,?!([]$")
_SHORT = frozenset(
    "th yu ch ph chr kr inc ltd co corp bros dept univ jr sr dr etc esq mrs rev hon gen vol ed no "
    "st ca fl".split()
)  # fmt: skip
_NUMBER = re.compile(r"[\dXx][\dXx \-–]{6,}[\dXx]")
_DOI = re.compile(r"(?:doi:?\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/", re.IGNORECASE)
_CONTROL = re.compile(r"\(([^()\s]+)\)\s*(\S+)")
# OCLC's numbers come as ocm00012345, ocn123456789, on1234567890 or bare; all are one.
_OCLC = re.compile(r"^(?:oc[mn]|on)?0*(?=\d)")
_NOWHERE = re.compile(
    r"not identified|unbekannt|\bs\.\s*[ln]\.|verlag nicht|verlagsort nicht", re.IGNORECASE
)
_EDITOR = re.compile(
    r"edt|pbd|ed\.|eds\.|editor|hrsg|herausgeb|éditeur scientifique", re.IGNORECASE
)
_HELPERS = re.compile(
    r"trl|ill|pbl|prt|dte|fmo|dgg|dgs|ths|opn|oth|rev|exp|own|fnd|sponsor|translat|illustrat|"
    r"publisher|printer|übers|degree|former owner|issuing|host",
    re.IGNORECASE,
)

_HEAD = {"b": " ", "c": ", ", "d": ", ", "q": " ", "t": ". ", "n": ". ", "p": ". ", "k": ". ",
         "f": ", ", "l": ". ", "s": ". ", "m": ", ", "o": ". ", "r": ", "}  # fmt: skip
"""What sets off a subfield of a heading where its record has no mark there."""

_BODY = {**_HEAD, "b": ". ", "e": ". "}
_TITLE = {"l": ". ", "b": " : ", "n": ". ", "p": ". ", "k": ", ", "f": ", ", "g": " ", "s": ". "}
_SUBJECTS = ("600", "610", "611", "630", "647", "648", "650", "651", "653", "654", "655", "656",
             "657", "689", "690", "691")  # fmt: skip
_KINDS = {"c": "song", "d": "song", "e": "map", "f": "map", "g": "motion_picture", "i": "song",
          "j": "song", "k": "graphic", "m": "software", "o": "document", "p": "document",
          "r": "document"}  # fmt: skip
_THESIS = re.compile(r"thes[ie]s|dissertation|hochschulschrift|habilitation", re.IGNORECASE)


def fields_of_marc21(record: Record) -> dict[str, Any]:
    """Return the fields of a bibliographic record.

    Title from 245 (or 130, 240), beside it the one in its own script from 880; abstract from 520
    (else contents from 505), names from 1XX and 7XX, year from 046, 264, 260 or 008, what it stands
    in and where from 773, series from 490 or 8XX, subjects from 6XX, language from 041 or 008,
    kind from the leader, numbers from 001, 003, 020, 022, 024 and 035. Of what can be there several
    times, a list.
    """
    fields, scripts = by_tag(record), _scripts(record)
    host = next(iter(fields.get("773", ())), None)
    abstracts = [part(one, "a", "b") for one in every(fields, "520")]
    contents = [part(one, "a", "t", "r", "g") for one in every(fields, "505")]
    title, own = _title(fields), _title(scripts)
    found: dict[str, Any] = {
        "number": control(fields, "001") or first(fields, "035", "a"),
        "control": _control_number(fields),
        "title": " = ".join(dict.fromkeys(filter(None, (title, own)))),
        "text": [*abstracts, *(part(one, "a", "b") for one in every(scripts, "520"))] or contents,
        **_people(fields),
        "year": _date(fields),
        "type": _kind(record, fields, host),
        "issn": [tidy(one) for one in all_of(fields, ("773",), "x")]
        or [tidy(one) for one in all_of(fields, ("022",), "a")],
        "isbn": numbers(all_of(fields, ("020",), "a")) or numbers(all_of(fields, ("773",), "z")),
        "edition": first(fields, "250", "a"),
        "doi": _doi(fields),
        "url": _address(fields),
        "keywords": [
            subject
            for given in (fields, scripts)
            for tag in _SUBJECTS
            for one in given.get(tag, ())
            if not _own_kind(one)
            for subject in _subjects(one)
        ],
        "language": _languages(fields),
        "licence": first(fields, "540", "a") or first(fields, "540", "u"),
        "source": control(fields, "003"),
        "notes": [
            *(part(one, "a", "b", "c", "d", "g") for one in every(fields, "500", "502", "501")),
            *(contents if abstracts else ()),
        ],
        "original script": [
            text
            for tag, given in scripts.items()
            if not tag.startswith(("6", "245", "520"))
            for one in given
            if (text := _heading(one) if tag[0] in "17" else part(one, "a", "b", "c", "t", "v"))
        ],
        **_published(fields),
        **_series(fields),
    }
    if host is not None:
        placed, remaining = _host(host)
        found |= {name: value for name, value in placed.items() if value}
        found["notes"] += remaining
    extent = first(fields, "300", "a")
    found.setdefault("pages", parts_of_host(extent).get("pages", extent) if host else extent)
    return found


def by_tag(record: Record) -> dict[str, list[Field]]:
    """Return the fields of each tag, in their order."""
    fields: dict[str, list[Field]] = {}
    for field in record.fields:
        fields.setdefault(field.tag, []).append(field)
    return fields


def every(fields: Fields, *tags: str) -> list[Field]:
    """List the fields of some tags."""
    return [field for tag in tags for field in fields.get(tag, ())]


def all_of(fields: Fields, tags: Iterable[str], *codes: str) -> list[str]:
    """List the values of some subfields."""
    return [
        " ".join(one.value.split())
        for field in every(fields, *tags)
        for one in field.subfields
        if one.code in codes and one.value.strip()
    ]


def first(fields: Fields, tag: str, *codes: str) -> str:
    """Return the first value of some subfields, without the mark at its end."""
    return tidy(next(iter(all_of(fields, (tag,), *codes)), ""))


def control(fields: Fields, tag: str) -> str:
    """Return what a control field holds."""
    return control_raw(fields, tag).strip()


def part(field: Field, *codes: str) -> str:
    """Return some subfields of a field in their order, in one line."""
    return " ".join(" ".join(one.value.split()) for one in field.subfields if one.code in codes)


def tidy(text: str) -> str:
    """Return a part without the mark that sets the next one off.

    >>> tidy("Harvest ledgers /"), tidy("Falk, Ada,")
    ('Harvest ledgers', 'Falk, Ada')
    """
    return _END_MARK.sub("", " ".join(text.split()))


def without_stop(text: str) -> str:
    """Return a heading without the full stop at its end, unless it ends in an abbreviation.

    >>> [without_stop(one) for one in ("Kilns.", "Falk, A.", "Falk, Ada, Jr.", "1566-1625.")]
    ['Kilns', 'Falk, A.', 'Falk, Ada, Jr.', '1566-1625']
    """
    text = tidy(text)
    if not text.endswith(".") or text.endswith(".."):
        return text
    last = re.split(r"[\s,(-]", text[:-1])[-1].rpartition(".")[2]
    return text if len(last) < 2 or last.casefold() in _SHORT else text[:-1]


def joined(field: Field, marks: Mapping[str, str], codes: str) -> str:
    """Return some subfields as one heading, set off by `marks` where its record has none.

    Of the other subfields, the mark at the end counts.
    """
    text = ""
    for one in field.subfields:
        value = " ".join(one.value.split())
        if one.code not in codes:
            if text and value and (mark := re.search(r"\s?[:;=/]$", value)):
                text = f"{text}{mark[0] if mark[0][0] == ' ' else ' ' + mark[0]}"
        elif value:
            given = marks.get(one.code, " ")
            text += (" " if _MARKED.search(text) else given) + value if text else value
    return text


def numbers(given: Iterable[str]) -> list[str]:
    """Return the numbers of books or serials without what is said about them."""
    return [found[0].strip() if (found := _NUMBER.search(one)) else one for one in given]


def _title(fields: Fields) -> str:
    for field in every(fields, "245", "240", "130", "740", "246"):
        if title := without_stop(joined(field, _TITLE, "abnpkfgls")):
            return title
    return ""


def _scripts(record: Record) -> dict[str, list[Field]]:
    """Return the fields in their own script by the tags of those that transcribe them."""
    fields: dict[str, list[Field]] = {}
    for field in record.fields:
        if field.tag == "880":
            linked = next((one.value for one in field.subfields if one.code == "6"), "")
            fields.setdefault(linked[:3], []).append(field)
    return fields


def meeting(name: str, details: Iterable[str]) -> str:
    """Return a meeting's name with number, date and place in brackets."""
    told = [
        text for one in details if (text := re.sub(r"^[\s(]+|(?<![\s):;,.])[\s):;,.]+$", "", one))
    ]
    return f"{tidy(name)} ({' : '.join(told)})" if told else name


def _heading(field: Field, title: bool = False) -> str:
    """Return a name, of a person with numeration and titles, of a meeting with its details."""
    person = field.tag.endswith("00") or field.tag == "880" and field.indicator1 in "013"
    if person:
        return without_stop(joined(field, _HEAD, "abcdqtnpkfls" if title else "abcq"))
    codes = [one.code for one in field.subfields]
    end = codes.index("t") if "t" in codes else len(codes)
    whole, details = field.subfields, "ndc"
    named = Field(field.tag, field.indicators, [one for one in whole[:end] if one.code in "abeq"])
    name = joined(named, _BODY, "abeq")
    name = meeting(name, (one.value for one in whole[:end] if one.code in details))
    if title and end < len(codes):
        work = joined(Field(field.tag, field.indicators, whole[end:]), _HEAD, "tnpkfls")
        name = f"{name.rstrip('.')}. {work}"
    return without_stop(name)


def _people(fields: Fields) -> dict[str, list[str]]:
    """Return authors, editors, others, and the works that names with titles stand for."""
    people: dict[str, list[str]] = {}
    for field in every(fields, "100", "110", "111", "700", "710", "711", "720"):
        codes = {one.code for one in field.subfields}
        if field.tag[0] == "7" and "t" in codes:
            people.setdefault("related works", []).append(_heading(field, title=True))
        elif name := _heading(field):
            said = "e4" if not field.tag.endswith("11") else "j4"
            roles = [one.value for one in field.subfields if one.code in said]
            people.setdefault(_role(field.tag, roles), []).append(name)
    if "authors" not in people and "editors" not in people and "other contributors" in people:
        people["authors"] = people.pop("other contributors")
    return people


def _role(tag: str, roles: list[str]) -> str:
    if any(re.match(r"aut\b|auth|verf|cre\b", role, re.IGNORECASE) for role in roles):
        return "authors"
    if roles and any(_EDITOR.match(role.strip()) for role in roles):
        return "editors"
    if tag[0] == "7" and roles and all(_HELPERS.match(role.strip()) for role in roles):
        return "other contributors"
    return "authors"


def _subjects(field: Field) -> list[str]:
    if field.tag == "653":  # each subfield is a keyword of its own
        return [text for one in field.get_subfields("a") if (text := without_stop(one))]
    if field.tag[1:] in ("00", "10", "11") or field.tag == "880" and "t" in field:
        head = _heading(field, title=True)
    else:
        codes = "adnpfklst" if field.tag == "630" else "abcdgt"
        head = without_stop(joined(field, _HEAD, codes))
    below = [without_stop(one) for one in field.get_subfields("v", "x", "y", "z")]
    parts = [text for text in (head, *below) if text]
    return [" -- ".join(parts)] if parts else []


def _date(fields: Fields) -> str:
    # Indicator 4 marks a copyright date, which is not always that of publication.
    places = sorted(every(fields, "264"), key=lambda one: one.indicator2 == "4")
    given = all_of(fields, ("046",), "k", "c", "o")
    given += [one.value for field in places for one in field.subfields if one.code == "c"]
    given += all_of(fields, ("260",), "c")
    for one in given:
        if date := read_date(one):
            return date
    fixed = control_raw(fields, "008")[7:11]
    coded = [re.sub(r"^year:|^[a-z]+:.*", "", one) for one in all_of(fields, ("773",), "g")]
    given = [*all_of(fields, ("502",), "d"), fixed if fixed.isdecimal() else "", *coded]
    return next((date for one in given if (date := read_date(one))), "")


def control_raw(fields: Fields, tag: str) -> str:
    """Return what a control field holds, place by place."""
    return next((field.data for field in fields.get(tag, ()) if field.data), "")


def _published(fields: Fields) -> dict[str, str]:
    # Indicator 1 is publication; the others are production, distribution and manufacture.
    chosen = sorted(
        every(fields, "264", "260"), key=lambda one: one.tag == "264" and one.indicator2 != "1"
    )
    told = {}
    for name, code in (("place", "a"), ("publisher", "b")):
        for field in chosen:
            values = [tidy(one.value).strip("[]") for one in field.subfields if one.code == code]
            if kept := [one for one in values if one and not _NOWHERE.search(one)]:
                told[name] = "; ".join(dict.fromkeys(kept))
                break
    told.setdefault("publisher", first(fields, "502", "c"))
    return told


def _series(fields: Fields) -> dict[str, str]:
    for tag, codes in (("490", "a"), ("440", "anp"), ("830", "anp"), ("810", "abt"), ("800", "at")):
        for field in fields.get(tag, ()):
            if name := without_stop(joined(field, _HEAD, codes)):
                number = next((one.value for one in field.subfields if one.code == "v"), "")
                told = parts_of_host(number).get("volume") or tidy(number)
                return {"series": name, "volume": told}
    return {}


def _host(field: Field) -> tuple[dict[str, str], list[str]]:
    """Return what a record stands in and where, and what of that could not be taken apart."""
    held: dict[str, list[str]] = {}
    for one in field.subfields:
        held.setdefault(one.code, []).append(" ".join(one.value.split()))
    where = held.get("g", [])
    parts = parts_of_host(*where, counted=next(iter(held.get("q", ())), ""))
    name = next((tidy(held[code][0]) for code in "tpsa" if code in held), "")
    remaining = [one for one in where if not is_part_known(one)]
    return {"venue": without_stop(name), **parts}, remaining


def _own_kind(field: Field) -> str:
    """Return the kind of document that an export from here has in field 655."""
    if field.tag != "655" or field.indicator2 != "4":
        return ""
    kind = kind_of(part(field, "a"))
    return kind if kind in KIND_BY_NAME else ""


def _kind(record: Record, fields: Fields, host: Field | None) -> str:
    leader = str(record.leader)
    type_, level = leader[6:7], leader[7:8]
    fixed = control_raw(fields, "008")
    if own := next((kind for one in fields.get("655", ()) if (kind := _own_kind(one))), ""):
        return own
    genres = " ".join(all_of(fields, ("655",), "a"))
    if level not in "abs" and (
        # "m" among the natures of contents (008/24-27) is a thesis.
        "502" in fields or _THESIS.search(genres) or type_ in "at" and "m" in fixed[24:28]
    ):
        return "thesis"
    if type_ in _KINDS:
        return "dataset" if type_ == "m" and fixed[26:27] == "a" else _KINDS[type_]
    if level in "ab" and level or host is not None and level.strip() == "":
        codes = {one.code for one in host.subfields} if host is not None else {"x"}
        is_in_book = level != "b" and "z" in codes and "x" not in codes
        return "chapter" if is_in_book else "article-journal"
    if type_ == "t":
        return "manuscript"
    return {"s": "periodical", "i": "webpage"}.get(level, "book" if type_ == "a" else "")


def _languages(fields: Fields) -> list[str]:
    given = all_of(fields, ("041",), "a") or all_of(fields, ("041",), "d")
    fixed = control_raw(fields, "008")[35:38].strip(" |#")
    return given or ([fixed] if len(fixed) == 3 else [])


def _doi(fields: Fields) -> str:
    for field in fields.get("024", ()):
        value = next((one.value.strip() for one in field.subfields if one.code == "a"), "")
        kinds = [one.value.casefold() for one in field.subfields if one.code == "2"]
        if value and ("doi" in kinds or _DOI.match(value)):
            return value
    return ""


def _address(fields: Fields) -> str:
    """Return the address of the work itself sooner than that of its cover or table of contents."""
    places = sorted(fields.get("856", ()), key=lambda one: one.indicator2 == "2")
    return next(
        (one.value.strip() for field in places for one in field.subfields if one.code == "u"), ""
    )


def _control_number(fields: Fields) -> str:
    own, issuer = control(fields, "001"), control(fields, "003")
    known = [found.groups() for one in all_of(fields, ("035",), "a")
             if (found := _CONTROL.fullmatch(one))]  # fmt: skip
    known.sort(key=lambda one: one[0].casefold() != "ocolc")
    for code, number in [(issuer, own), *known] if own and issuer else known:
        return f"{code}:{_OCLC.sub('', number) if code.casefold() == 'ocolc' else number}"
    return ""
