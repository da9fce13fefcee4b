"""MediaWiki XML dumps, and the one that ships inside gensim."""

import hashlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from subclust.core.exceptions import FileFormatError, InputError
from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.text.sources.base import Document, Refusal, Source, absent
from subclust.text.sources.unpacking import Metered, TooLongError, opened
from subclust.text.sources.wikitext import paragraphs
from subclust.text.sources.xml_records import MOST_DEPTH

DEMO_DUMP = "test/test_data/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
DEMO_SHA256 = "a53f4648dec40467ebdcbc7a1307eddb51fe6e28e9309f6ebde81ba0d04bea2d"
DEMO_PASSAGES = 4803
"""That the articles of that dump are cut into."""

DEMO_LICENCE = "CC BY-SA 3.0"
"""Of the English Wikipedia in May 2016, when that dump was made (4.0 came in June 2023)."""

_DISAMBIGUATION = frozenset(
    "disambiguation disambig disamb dab hndis geodis letter-number_combination_disambiguation "
    "letter_disambiguation hospital_disambiguation surname given_name set_index_article sia "
    "disambiguation_page schooldis roaddis mathdab numberdis airport_disambiguation".split()
)
_TEMPLATE_NAME = re.compile(r"\{\{([^{}|]{1,60})[|}]")

_MOST_ELEMENTS = 100_000
"""Of one page; one with its latest text alone has some twenty."""


class WikipediaDump(Source):
    """The articles with sections of a MediaWiki dump (``pages-articles``, bzip2, gzip or plain).

    Redirects, pages of other name spaces, disambiguation pages and pages without a section that
    holds a paragraph are no articles and are passed over. A passage has the id
    ``enwiki:<page>#<n>``, its top-level heading as label and all its headings as path; the lead is
    the document's description.

    Parameters
    ----------
    path : Path
    collection : str
    licence : str
        Of the text, kept with each passage.
    sha256 : str, optional
        What the file's digest must be.
    """

    label = Message("Wikipedia dump")

    def __init__(
        self,
        path: Path,
        collection: str = "Wikipedia",
        *,
        licence: str = "CC BY-SA",
        sha256: str | None = None,
    ) -> None:
        super().__init__(path, collection)
        self.licence = licence
        self.sha256 = sha256

    def __iter__(self) -> Iterator[Document | Refusal]:
        """Read the articles in order.

        Raises
        ------
        FileFormatError
            If the file is not a dump, or not the one that is expected.
        """
        self._check()
        n_pages = n_articles = 0
        try:
            with opened(self.path) as stream:
                for page, site in _pages(stream):
                    n_pages += 1
                    document = self._document(page, site)
                    if document is not None:
                        n_articles += 1
                        yield document
        except DefusedXmlException as error:
            raise FileFormatError(
                "{file} declares its own entities, which dumps do not need but attacks use, so "
                "it was not read; download it again.",
                file=self.path.name,
            ) from error
        except TooLongError as error:
            raise FileFormatError(
                "{file} holds a page that is larger than any article; choose a dump of current "
                "pages (pages-articles).",
                file=self.path.name,
            ) from error
        except (ElementTree.ParseError, OSError, EOFError) as error:
            if n_pages == 0:
                raise FileFormatError(
                    "{file} cannot be read as a MediaWiki dump ({error}); download it again, or "
                    "choose another format.",
                    file=self.path.name,
                    error=error,
                ) from error
            yield Refusal(
                Message("after page {number}", number=n_pages),
                Message("The dump is damaged or cut off there ({error}).", error=error),
                Message("Download it again and import it once more."),
            )
            return
        if n_pages == 0:
            raise FileFormatError(
                "{file} is XML but holds no MediaWiki page; choose another format.",
                file=self.path.name,
            )
        if n_articles == 0:
            raise FileFormatError(
                "{file} holds {count:,} pages, but none is an article with sections; choose "
                "another dump.",
                file=self.path.name,
                count=n_pages,
            )

    def _check(self) -> None:
        if not self.path.is_file():
            raise absent(self.path)
        if self.sha256 is not None:
            with self.path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            if digest != self.sha256:
                raise FileFormatError(
                    "{path} is not the expected file (sha256 {digest}…, expected {sha256}…), "
                    "so it is rejected; install or download it again.",
                    path=self.path,
                    digest=digest[:12],
                    sha256=self.sha256[:12],
                )

    def _document(self, page: Any, site: "_Site") -> Document | None:
        title = page.findtext("{*}title") or ""
        wikitext = page.findtext("{*}revision/{*}text") or ""
        if (
            page.findtext("{*}ns") != "0"
            or page.find("{*}redirect") is not None
            # Old dumps have no <redirect> element.
            or wikitext.lstrip()[:9].upper() == "#REDIRECT"
            or _is_disambiguation(title, wikitext)
        ):
            return None
        page_id = page.findtext("{*}id") or ""
        read = list(paragraphs(wikitext))
        lead = "\n\n".join(section.text for section in read if not section.path)
        metadata = {
            "url": site.base + quote(title.replace(" ", "_"), safe="/:(),'!*"),
            "licence": self.licence,
            "language": site.language,
            "source": site.name,
        }
        with_lead = {**metadata, "description": lead} if lead else metadata
        passages = tuple(
            Passage(
                id=f"{site.database}:{page_id}#{number}",
                text=section.text,
                title=title,
                collection=self.collection,
                label=section.path[0],
                path=" / ".join(section.path),
                metadata=with_lead,
            )
            for number, section in enumerate(section for section in read if section.path)
        )
        if not passages:
            return None
        return Document(f"{site.database}:{page_id}", title, passages, lead or None, metadata)


class _Site:
    """What the head of a dump says about its wiki."""

    name = "Wikipedia"
    database = "enwiki"
    language = "en"
    base = "https://en.wikipedia.org/wiki/"

    def read(self, element: Any) -> None:
        self.name = element.findtext("{*}sitename") or self.name
        self.database = element.findtext("{*}dbname") or self.database
        base = element.findtext("{*}base")
        if base and "/" in base:
            self.base = base.rsplit("/", 1)[0] + "/"


def _pages(stream: BinaryIO) -> Iterator[tuple[Any, _Site]]:
    site = _Site()
    root = None
    depth = n_elements = 0
    metered = Metered(stream)
    for event, element in ElementTree.iterparse(metered, events=("start", "end")):
        if root is None:
            root = element
            site.language = element.get("{http://www.w3.org/XML/1998/namespace}lang", site.language)
        if event != "end":
            depth += 1
            n_elements += 1
            if depth > MOST_DEPTH:
                raise TooLongError(
                    Message("nested more than {most_depth} levels deep", most_depth=MOST_DEPTH)
                )
            if n_elements > _MOST_ELEMENTS:
                raise TooLongError(
                    Message("of more than {most_elements:,} elements", most_elements=_MOST_ELEMENTS)
                )
            continue
        depth -= 1
        name = element.tag.rpartition("}")[2]
        if name == "siteinfo":
            site.read(element)
        elif name == "page":
            yield element, site
            metered.n_bytes = n_elements = 0
            root.clear()  # what has been read is not needed any more


def _is_disambiguation(title: str, wikitext: str) -> bool:
    if title.endswith("(disambiguation)"):
        return True
    names = {"_".join(name.lower().split()) for name in _TEMPLATE_NAME.findall(wikitext)}
    return not names.isdisjoint(_DISAMBIGUATION)


def demo_dump() -> WikipediaDump:
    """Find the dump of 106 pages inside the installed gensim, without importing gensim.

    Raises
    ------
    InputError
        If gensim is not installed. Reading raises FileFormatError if the file is not the right one.
    """
    found = importlib.util.find_spec("gensim")
    if found is None or not found.submodule_search_locations:
        raise InputError(
            "The demo articles come with the package gensim, which is not installed; "
            "run 'pip install gensim' and try again."
        )
    folder = Path(found.submodule_search_locations[0])
    return WikipediaDump(folder / DEMO_DUMP, licence=DEMO_LICENCE, sha256=DEMO_SHA256)
