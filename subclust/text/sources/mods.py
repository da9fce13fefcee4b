"""What a MODS record says, by our names."""

from collections.abc import Iterator
from typing import Any

from subclust.text.sources.host_parts import parts_of_host
from subclust.text.sources.xml_records import children, first_text, found, text_of

_TYPES = {
    "cartographic": "map", "notated music": "song", "sound recording": "song",
    "sound recording-musical": "song", "moving image": "motion_picture", "still image": "graphic",
    "software, multimedia": "software", "mixed material": "document",
}  # fmt: skip
_ISSUANCES = {"serial": "periodical", "continuing": "periodical", "monographic": "book"}


def mods_fields(element: Any) -> dict[str, Any]:
    """Return the fields of a ``mods`` element by our names; lists where there can be several."""
    hosts = [one for one in children(element, "relatedItem") if one.get("type") == "host"]
    series = [one for one in children(element, "relatedItem") if one.get("type") == "series"]
    host = hosts[0] if hosts else None
    numbers = _identifiers(element)
    hosted = _identifiers(host)
    info = children(element, "recordInfo")
    number = next((one for each in info for one in children(each, "recordIdentifier")), None)
    agency = number.get("source") if number is not None else None
    fields: dict[str, Any] = {
        "number": text_of(number),
        "control": f"{agency}:{text_of(number)}" if agency else "",
        "title": _title(element),
        "text": [text_of(one) for one in children(element, "abstract")]
        or [text_of(one) for one in children(element, "tableOfContents")],
        **_people(element),
        "year": _date(element) or _date(host),
        "type": _kind(element, host, hosted),
        "venue": _title(host),
        "series": _title(series[0]) if series else "",
        "publisher": _origin(element, "publisher") or _origin(host, "publisher"),
        "place": _place(element) or _place(host),
        "edition": _origin(element, "edition"),
        "pages": first_text(element, "physicalDescription", "extent"),
        "doi": numbers.get("doi", []),
        "isbn": numbers.get("isbn", []) or hosted.get("isbn", []),
        "issn": hosted.get("issn", []) or numbers.get("issn", []),
        "pmid": numbers.get("pmid", []),
        "url": [
            *(text_of(one) for one in found(element, "location", "url")),
            *numbers.get("uri", []),
        ],
        "keywords": list(_subjects(element)),
        "language": [
            text_of(one) for one in found(element, "language", "languageTerm")
            if one.get("type") != "text" or not found(element, "language", "languageTerm")[1:]
        ],
        "licence": first_text(element, "accessCondition"),
        "notes": [text_of(one) for one in children(element, "note")],
    }  # fmt: skip
    for one in (*found(element, "part"), *(found(host, "part") if host is not None else ())):
        fields |= {name: value for name, value in _part(one).items() if value}
    return fields


def _title(element: Any) -> str:
    if element is None:
        return ""
    infos = children(element, "titleInfo")
    # A title with a type is an abbreviated, translated or uniform one.
    infos.sort(key=lambda one: bool(one.get("type")))
    for info in infos[:1]:
        start = first_text(info, "nonSort")
        title = first_text(info, "title")
        joint = "" if start.endswith(("'", "’", "-")) else " "
        title = f"{start}{joint}{title}".strip() if start else title
        if below := first_text(info, "subTitle"):
            title = f"{title} : {below}"
        for name in ("partNumber", "partName"):
            if one := first_text(info, name):
                title = f"{title}. {one}"
        return title
    return ""


def _people(element: Any) -> dict[str, list[str]]:
    people: dict[str, list[str]] = {}
    for one in children(element, "name"):
        roles = {text_of(role).casefold() for role in found(one, "role", "roleTerm")}
        if name := _name(one):
            people.setdefault(_role(roles), []).append(name)
    if "authors" not in people and "editors" not in people and "other contributors" in people:
        people["authors"] = people.pop("other contributors")
    return people


def _role(roles: set[str]) -> str:
    if not roles or roles & {"aut", "author", "creator", "cre", "verfasser", "verfasserin"}:
        return "authors"
    return "editors" if roles & {"edt", "editor", "herausgeber"} else "other contributors"


def _name(element: Any) -> str:
    parts: dict[str, list[str]] = {}
    for one in children(element, "namePart"):
        parts.setdefault(one.get("type", ""), []).append(text_of(one))
    family, given = " ".join(parts.get("family", ())), " ".join(parts.get("given", ()))
    mark = ". " if element.get("type") == "corporate" else " "
    plain = mark.join(part.rstrip(".") for part in parts.get("", ()))
    name = f"{family}, {given}" if family and given else family or plain or given
    name = name or first_text(element, "displayForm")
    return ", ".join([name, *parts.get("termsOfAddress", ())]) if name else ""


def _origins(element: Any) -> list[Any]:
    return children(element, "originInfo") if element is not None else []


def _origin(element: Any, name: str) -> str:
    return next((text for one in _origins(element) if (text := first_text(one, name))), "")


def _place(element: Any) -> str:
    terms = [one for each in _origins(element) for one in found(each, "place", "placeTerm")]
    return next((text_of(one) for one in terms if one.get("type") != "code"), "")


def _date(element: Any) -> str:
    for name in ("dateIssued", "copyrightDate", "dateCreated", "dateOther"):
        dates = [one for each in _origins(element) for one in children(each, name)]
        dates = [one for one in dates if one.get("point") != "end"]
        dates.sort(key=lambda one: (one.get("keyDate") != "yes", not one.get("encoding")))
        if dates:
            return text_of(dates[0])
    if element is not None:
        return first_text(element, "part", "date")
    return ""


def _part(element: Any) -> dict[str, str]:
    told = {}
    for one in children(element, "detail"):
        name = {"number": "issue"}.get(one.get("type", ""), one.get("type", ""))
        if name in ("volume", "issue"):
            told[name] = first_text(one, "number") or first_text(one, "caption")
    for one in children(element, "extent"):
        if one.get("unit", "pages").startswith("page"):
            ends = [first_text(one, "start"), first_text(one, "end")]
            told["pages"] = "-".join(filter(None, ends)) or first_text(one, "list")
    if not told and (text := first_text(element, "text")):
        return parts_of_host(text)
    return told


def _identifiers(element: Any) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for one in children(element, "identifier") if element is not None else ():
        if one.get("invalid") != "yes" and (text := text_of(one)):
            kind = {"issn-l": "issn", "url": "uri"}.get(one.get("type", ""), one.get("type", ""))
            held.setdefault(kind.casefold(), []).append(text)
    return held


def _subjects(element: Any) -> Iterator[str]:
    for one in children(element, "subject"):
        parts = []
        for child in children(one, "topic", "geographic", "temporal", "genre", "name", "titleInfo"):
            parts.append(_name(child) or _title_of(child) or text_of(child))
        if text := " -- ".join(filter(None, parts)):
            yield text
    for one in children(element, "genre"):
        if text := text_of(one):
            yield text


def _title_of(info: Any) -> str:
    return " ".join(filter(None, (first_text(info, "nonSort"), first_text(info, "title"))))


def _kind(element: Any, host: Any, hosted: dict[str, list[str]]) -> str:
    genres = " ".join(text_of(one).casefold() for one in children(element, "genre"))
    if "thesis" in genres or "dissertation" in genres:
        return "thesis"
    resource = first_text(element, "typeOfResource").casefold()
    if resource in _TYPES:
        return _TYPES[resource]
    if "conference p" in genres and host is not None:
        return "paper-conference"
    if host is not None:
        return "chapter" if "isbn" in hosted or "chapter" in genres else "article-journal"
    return _ISSUANCES.get(_origin(element, "issuance"), "book" if "book" in genres else "")
