"""Live sources: services on the network, each off until it is switched on in `Settings`.

`transport.py` is the only module that asks anything; a service's own file says what to ask for and
what the answer means.
"""

from dataclasses import dataclass
from typing import Literal

from subclust.core.messages import Message

__all__ = ["LIVE", "LiveCard"]


@dataclass(frozen=True)
class LiveCard:
    """A service on the network that documents can be asked of.

    Parameters
    ----------
    name : str
        For the command line and for `Settings`.
    label : str
        For people.
    summary : str
        What it has; no full sentence.
    loader : str
        ``"package.module:Class"``, a `LiveSource`.
    url : str
        Where it is asked; ``""`` where only the librarian knows, as of a repository.
    pause : float
        Seconds, at least, between the end of a request and the next one.
    page_size : int
        Records that one request asks for at most.
    rules : str
        Where the service says how it wants to be asked.
    key : {"none", "optional", "needed"}
        Whether it knows keys.
    key_page : str
        Where keys are had.
    searchable : bool
        Whether it finds what answers a query; else it is only harvested.
    """

    name: str
    label: str
    summary: str
    loader: str
    url: str
    pause: float
    page_size: int
    rules: str
    key: Literal["none", "optional", "needed"] = "none"
    key_page: str = ""
    searchable: bool = True

    @property
    def variable(self) -> str:
        """The ending of the environment variables that are about it, such as ``OAI_PMH``."""
        return self.name.upper().replace("-", "_")


LIVE: dict[str, LiveCard] = {
    card.name: card
    for card in (
        LiveCard(
            name="arxiv",
            label="arXiv",
            summary=Message(
                "preprints of physics, mathematics, computer science and their neighbours"
            ),
            loader="subclust.text.sources.live.arxiv:Arxiv",
            url="https://export.arxiv.org/api/query",
            pause=3.0,
            page_size=100,
            rules="https://info.arxiv.org/help/api/tou.html",
        ),
        LiveCard(
            name="openalex",
            label="OpenAlex",
            summary=Message("works of all subjects, with abstracts where publishers give them"),
            loader="subclust.text.sources.live.openalex:OpenAlex",
            url="https://api.openalex.org/works",
            pause=0.2,
            page_size=100,
            rules="https://developers.openalex.org/api-reference/authentication",
            key="needed",
            key_page="https://openalex.org/settings/api",
        ),
        LiveCard(
            name="crossref",
            label="Crossref",
            summary=Message("everything with a Crossref DOI, some of it with abstracts"),
            loader="subclust.text.sources.live.crossref:Crossref",
            url="https://api.crossref.org/works",
            pause=1.0,
            page_size=100,
            rules="https://www.crossref.org/documentation/retrieve-metadata/rest-api/"
            "access-and-authentication/",
            key="optional",
            key_page="https://www.crossref.org/services/metadata-retrieval/metadata-plus/",
        ),
        LiveCard(
            name="europe-pmc",
            label="Europe PMC",
            summary=Message("abstracts of the life sciences, those of PubMed among them"),
            loader="subclust.text.sources.live.europe_pmc:EuropePmc",
            url="https://www.ebi.ac.uk/europepmc/webservices/rest/search",
            pause=0.5,
            page_size=100,
            rules="https://europepmc.org/RestfulWebService",
        ),
        LiveCard(
            name="wikipedia",
            label="Wikipedia",
            summary=Message("articles, paragraph by paragraph, in any of its languages"),
            loader="subclust.text.sources.live.wikipedia:Wikipedia",
            url="https://{language}.wikipedia.org/w/api.php",
            pause=1.0,
            page_size=20,
            rules="https://www.mediawiki.org/wiki/API:Etiquette",
        ),
        LiveCard(
            name="oai-pmh",
            label=Message("OAI-PMH repository"),
            summary=Message(
                "the records of any repository that supports OAI-PMH, or of one of its sets"
            ),
            loader="subclust.text.sources.live.oai_pmh:OaiPmh",
            url="",
            pause=1.0,
            page_size=100,
            rules="https://www.openarchives.org/OAI/2.0/guidelines-harvester.htm",
            searchable=False,
        ),
        LiveCard(
            name="sru",
            label=Message("SRU catalogue"),
            summary=Message("the records of any library catalogue that supports SRU"),
            loader="subclust.text.sources.live.sru:Sru",
            url="",
            pause=1.0,
            page_size=50,
            rules="https://www.loc.gov/standards/sru/",
        ),
    )
}
