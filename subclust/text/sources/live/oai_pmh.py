"""Any repository that speaks OAI-PMH: its records, or those of a set, to the last one.

oaipmh-scythe, which is maintained and built on the same client, was looked at and not taken: it
parses answers leniently, so that of a page that was cut off the rest is missing without a word; it
sleeps as long as ``Retry-After`` says, be it a day; and it bounds neither the size of an answer nor
the time in all. What would remain of it is one request and one token.
"""

import re
from dataclasses import dataclass

from subclust.core.exceptions import InputError, LiveSourceError
from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.catalogue_xml import catalogue_document
from subclust.text.sources.live.answers import count, xml_parts
from subclust.text.sources.live.base import SINCE, LiveSource, Page, PlaceLostError
from subclust.text.sources.xml_records import first_text, text_of

_EMPTY = {"noRecordsMatch"}
_ADVICE = {
    "cannotDisseminateFormat": Message(
        "choose another format, oai_dc is one that every repository has"
    ),
    "noSetHierarchy": Message("leave out the set, it has none"),
    "badArgument": Message("check whether set, dates and format are right"),
    "badVerb": Message("check whether its address is right"),
}


@dataclass(frozen=True)
class _Read:
    items: list[Document | Refusal]
    token: str | None = None
    total: int | None = None
    error: tuple[str, str] | None = None


class OaiPmh(LiveSource):
    """Records of a repository, in its own order."""

    @property
    def url(self) -> str:
        """The repository's address."""
        return self.request.url or super().url

    def page(self, place: str | None, n_records: int) -> Page:
        """Ask for the next list of records; how long it is the repository decides."""
        parameters = {"verb": "ListRecords"}
        if place is not None:
            parameters["resumptionToken"] = place
        else:
            parameters.update(self._selection())
        # Some repositories send OAI-PMH errors with an HTTP status of their own.
        answer = self.transport.ask(self.url, parameters, self._read, answers=(400, 404, 422))
        read = answer.value
        if read.error is not None:
            self._refuse(*read.error)
        if read.token is not None and read.token == place:
            raise LiveSourceError(
                "{source} returns the same page of records again and again; what came before "
                "is kept. Tell whoever looks after it, or harvest it set by set.",
                source=self.url,
            )
        return Page(tuple(read.items), read.token, read.total, answer.asked_at, answer.from_cache)

    def _selection(self) -> dict[str, str]:
        request = self.request
        for name, moment in (("first", request.since), ("last", request.until)):
            if moment and not re.fullmatch(SINCE, moment):
                raise InputError(
                    "The {name} date must be like 2024-05-31 or 2024-05-31T00:00:00Z, but is "
                    "{date!r}.",
                    name=name,
                    date=moment,
                )
        chosen = {
            "metadataPrefix": request.format or "oai_dc",
            "set": request.set,
            "from": request.since,
            "until": request.until,
        }
        return {name: value for name, value in chosen.items() if value}

    def _read(self, content: bytes) -> _Read:
        items: list[Document | Refusal] = []
        token, total, error = None, None, None
        tags = {"record", "resumptionToken", "error"}
        for part in xml_parts(content, "OAI-PMH", tags, self.card.label):
            if isinstance(part, Refusal):
                items.append(part)
            elif part.tag == "resumptionToken":
                # `text_of` would change blanks within the token, which must be returned as it is.
                token = "".join(part.element.itertext()).strip() or None
                total = count(part.element.get("completeListSize"))
            elif part.tag == "error":
                error = (part.element.get("code", ""), text_of(part.element))
            else:
                name = first_text(part.element, "header", "identifier")
                items.append(
                    catalogue_document(
                        part.element,
                        Message("record {number}", number=name or part.number),
                        self.collection,
                    )
                )
        if error is not None and error[0] in _EMPTY:
            error = None
        elif error is None and not items and token is None:
            raise ValueError(Message("OAI-PMH without records"))
        return _Read(items, token, total, error)

    def _refuse(self, code: str, said: str) -> None:
        told = (
            f"{code}: {said[:200]}"
            if said and code
            else said[:200] or code or Message("no reason given")
        )
        if code == "badResumptionToken":
            raise PlaceLostError(
                "{source} no longer knows where its next page begins ({why}); harvest it again "
                "from the beginning; what is already in the library is not added twice.",
                source=self.url,
                why=told,
            )
        advice = _ADVICE.get(code, Message("check whether its address is right"))
        raise LiveSourceError(
            "{url} refused the request ({reason}); {advice}.",
            url=self.url,
            reason=told,
            advice=advice,
        )
