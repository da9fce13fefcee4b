"""Answers in the shapes of the real services, over records that the tests make.

The shapes follow each service's documentation: arXiv's Atom feed with OpenSearch counts, OpenAlex's
inverted abstracts and cursors, Crossref's JATS abstracts, Europe PMC's core results, MediaWiki's
generator answers.
"""

import json
from html import escape

from live_server import Reply


def records(n, start=0):
    """Make records of a few subjects that any service may have."""
    subjects = ("retrieval of passages", "clustering of hits", "naming of groups")
    return [
        {
            "number": number,
            "title": f"On the {subjects[number % 3]}, part {number}",
            "abstract": f"We study the {subjects[number % 3]} & say "
            f"what <i>we</i> found in {number}.",
            "year": 2000 + number % 25,
        }
        for number in range(start, start + n)
    ]


def as_json(content, status=200, **headers):
    kind = {"Content-Type": "application/json; charset=utf-8"}
    return Reply(json.dumps(content).encode(), status, {**kind, **headers})


def as_xml(content, status=200):
    return Reply(content.encode(), status, {"Content-Type": "text/xml; charset=utf-8"})


def arxiv(found):
    """Answer as export.arxiv.org/api/query."""

    def entry(one):
        number = one["number"]
        return f"""
  <entry>
    <id>http://arxiv.org/abs/2401.{number:05d}v2</id>
    <title>{escape(one["title"])},
  in two lines</title>
    <updated>2024-02-01T10:00:00Z</updated>
    <link href="https://arxiv.org/abs/2401.{number:05d}v2" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/2401.{number:05d}v2" rel="related" title="pdf"/>
    <summary>{escape(one["abstract"])}</summary>
    <category term="cs.IR" scheme="http://arxiv.org/schemas/atom"/>
    <category term="cs.DL" scheme="http://arxiv.org/schemas/atom"/>
    <published>{one["year"]}-01-03T18:59:59Z</published>
    <arxiv:comment>12 pages</arxiv:comment>
    <arxiv:primary_category term="cs.IR"/>
    <arxiv:journal_ref>J. Tests {number} (2024)</arxiv:journal_ref>
    <author><name>Ada Lovelace</name></author>
    <author><name>Melvil Dewey</name></author>
    <arxiv:doi>10.5555/{number}</arxiv:doi>
  </entry>"""

    def service(asked):
        start, most = int(asked.query["start"]), int(asked.query["max_results"])
        page = found[start : start + most]
        return as_xml(
            f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" \
xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/abc</id>
  <title>arXiv Query: search_query={escape(asked.query["search_query"])}</title>
  <updated>2025-11-11T18:34:08Z</updated>
  <opensearch:itemsPerPage>{most}</opensearch:itemsPerPage>
  <opensearch:totalResults>{len(found)}</opensearch:totalResults>
  <opensearch:startIndex>{start}</opensearch:startIndex>{"".join(map(entry, page))}
</feed>
"""
        )

    return service


ARXIV_ERROR = as_xml(
    """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>https://arxiv.org/api/x</id>
<entry><id>https://arxiv.org/api/errors#malformed_query</id><title>Error</title>
<summary>malformed query: unbalanced parentheses</summary></entry></feed>"""
)


def inverted(text):
    index = {}
    for place, word in enumerate(text.split()):
        index.setdefault(word, []).append(place)
    return index


def openalex(found, key="k-123"):
    """Answer as api.openalex.org/works."""

    def work(one):
        number = one["number"]
        return {
            "id": f"https://openalex.org/W{number}",
            "doi": f"https://doi.org/10.5555/{number}",
            "display_name": one["title"],
            "publication_year": one["year"],
            "language": "en",
            "type": "article",
            "authorships": [
                {"author_position": "first", "author": {"display_name": "Ada Lovelace"}},
                {"author_position": "last", "author": {"display_name": None}},
            ],
            "primary_location": {
                "landing_page_url": f"https://example.org/{number}",
                "license": "cc-by",
                "source": {"display_name": "Journal of Tests"} if number % 2 else None,
            },
            "keywords": [{"id": "https://openalex.org/keywords/x", "display_name": "Retrieval"}],
            "abstract_inverted_index": inverted(one["abstract"]) if number % 5 else None,
        }

    def service(asked):
        if asked.query.get("api_key") != key:
            return as_json({"error": "Unauthorized", "message": "API key is not valid"}, 401)
        most = int(asked.query["per_page"])
        cursor = asked.query["cursor"]
        start = 0 if cursor == "*" else int(cursor.removeprefix("at-"))
        page = found[start : start + most]
        following = f"at-{start + most}" if page else None
        meta = {"count": len(found), "per_page": most, "next_cursor": following, "page": None}
        return as_json({"meta": meta, "results": [work(one) for one in page], "group_by": []})

    return service


def crossref(found):
    """Answer as api.crossref.org/works; its cursor stays the same from page to page."""
    served = {"at": 0}

    def work(one):
        number = one["number"]
        made = {
            "DOI": f"10.5555/{number}",
            "title": [one["title"]],
            "container-title": ["Journal of Tests"],
            "author": [{"given": "Ada", "family": "Lovelace"}, {"name": "The Test Group"}],
            "issued": {"date-parts": [[one["year"], 3]]},
            "URL": f"https://doi.org/10.5555/{number}",
            "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/"}],
            "type": "journal-article",
            "publisher": "Tests & Sons",
        }
        if number % 2:
            text = one["abstract"].replace("&", "&amp;").replace("i>", "jats:italic>")
            made["abstract"] = f"<jats:title>Abstract</jats:title><jats:p>{text}</jats:p>"
        return made

    def service(asked):
        rows = int(asked.query["rows"])
        if "cursor" in asked.query:
            start = 0 if asked.query["cursor"] == "*" else served["at"]
            served["at"] = start + rows
        else:
            start = int(asked.query["offset"])
        message = {
            "total-results": len(found),
            "items-per-page": rows,
            "items": [work(one) for one in found[start : start + rows]],
        }
        if "cursor" in asked.query:
            message["next-cursor"] = "DnF1ZXJ5VGhlbkZldGNo=="
        return as_json({"status": "ok", "message-type": "work-list", "message": message})

    return service


def europe_pmc(found):
    """Answer as europepmc/webservices/rest/search."""

    def result(one):
        number = one["number"]
        return {
            "id": str(30_000_000 + number),
            "source": "MED",
            "pmid": str(30_000_000 + number),
            "doi": f"10.5555/{number}",
            "title": f"{one['title']}.",
            "authorString": "Lovelace A, Dewey M.",
            "authorList": {"author": [{"fullName": "Lovelace A"}, {"collectiveName": "Testers"}]},
            "journalInfo": {"journal": {"title": "Journal of tests"}, "yearOfPublication": 2001},
            "pubYear": str(one["year"]),
            "abstractText": f"<h4>Background</h4>{one['abstract']}",
            "language": "eng",
            "keywordList": {"keyword": ["Retrieval"]},
            "meshHeadingList": {"meshHeading": [{"descriptorName": "Libraries"}]},
        }

    def service(asked):
        most = int(asked.query["pageSize"])
        mark = asked.query["cursorMark"]
        start = 0 if mark == "*" else int(mark.removeprefix("AoI-"))
        page = found[start : start + most]
        return as_json(
            {
                "version": "6.9",
                "hitCount": len(found),
                "nextCursorMark": f"AoI-{start + len(page)}",
                "request": {"queryString": asked.query["query"], "resultType": "core"},
                "resultList": {"result": [result(one) for one in page]},
            }
        )

    return service


LONG = "This paragraph is long enough to be a passage of an article, as its words are many, and"


def wikipedia(found):
    """Answer as w/api.php with generator=search; every tenth page is a disambiguation."""

    def page(rank, one):
        text = (
            f"'''{one['title']}''' is a subject. {LONG} it is the lead of the article.\n\n"
            f"== History ==\n{LONG} it tells of the [[past|history]] of {one['title']}.\n\n"
            f"== Uses ==\n=== Today ===\n{LONG} it tells of uses of {one['title']}.\n"
        )
        made = {
            "pageid": 100 + one["number"],
            "ns": 0,
            "title": one["title"],
            "index": rank,
            "fullurl": f"https://en.wikipedia.org/wiki/Page_{one['number']}",
            "revisions": [
                {
                    "revid": 7_000 + one["number"],
                    "timestamp": "2026-05-01T00:00:00Z",
                    "slots": {"main": {"contentmodel": "wikitext", "content": text}},
                }
            ],
        }
        if one["number"] % 10 == 9:
            made["pageprops"] = {"disambiguation": ""}
        return made

    def service(asked):
        start, most = int(asked.query["gsroffset"]), int(asked.query["gsrlimit"])
        pages = [page(start + n, one) for n, one in enumerate(found[start : start + most], 1)]
        answer = {"batchcomplete": True}
        if start + most < len(found):
            answer["continue"] = {"gsroffset": start + most, "continue": "gsroffset||"}
        if pages:
            # MediaWiki orders pages by their id and tells the rank in "index".
            answer["query"] = {"pages": pages[::-1]}
        return as_json(answer)

    return service
