"""Questions that a division gate learns from, beside those of the crossed training tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.tasks.lots import Lots
from subclust.core.records import ClusteringInstance
from subclust.grouping.similarity.division import Way

_SUBJECTS = (
    "person people|country countries|city cities|town towns|place places|film films|book books|"
    "song songs|album albums|species species|animal animals|plant plants|company companies|"
    "organisation organisations|school schools|university universities|battle battles|war wars|"
    "event events|ship ships|river rivers|artist artists|author authors|singer singers|"
    "player players|politician politicians|team teams|club clubs|village villages|game games|"
    "building buildings|church churches|disease diseases|region regions|individual individuals|"
    "name names|article articles|document documents|source sources|case cases|king kings|"
    "writer writers|soldier soldiers|scientist scientists|state states|island islands|"
    "novel novels|movie movies|band bands|nation nations|biography biographies|entry entries|"
    "institution institutions|thing things"
)
_ASPECTS = (
    "aspect aspects|topic topics|section sections|heading headings|facet facets|"
    "question questions|issue issues|side sides|chapter chapters|subtopic subtopics|"
    "point points|part parts|phase phases|kind of content kinds of content|"
    "kind of section kinds of section|sort of statement sorts of statement|"
    "type of passage types of passage|subject matter subject matters|angle angles|"
    "perspective perspectives|kind of fact kinds of fact|field of life fields of life|"
    "stage of life stages of life|matter matters|content contents|area areas"
)
_FORMS = (
    "by {0}",
    "per {0}",
    "one group for each {0}",
    "which {0} is it about",
    "the {1}",
    "group by {0}",
    "sort the passages by {0}",
    "the different {1}",
    "keep each {0} together",
    "arrange by {0}",
    "for each {0}",
    "which {1}",
    "all {1}",
    "{1}",
    "a group per {0}",
    "sorted by {0}",
    "organise by {0}",
    "for every {0} a group of its own",
    "what {1} do they deal with",
    "classify by {0}",
    "cluster by {0}",
    "compare the {1}",
    "{0} by {0}",
    "order by {0}",
    "different {1}, different groups",
    "one {0} after another",
    "show me the {1}",
    "I care about the {0}",
)
_PLAIN: dict[Way, Sequence[str]] = {
    "subjects": (
        "who is it about",
        "whose story is it",
        "by who or what it is about",
        "what or whom is each passage about",
        "each article on its own",
        "one group per article",
        "the same subject stays together",
        "names",
    ),
    "aspects": (
        "what is said, not about whom",
        "the same questions asked of each",
        "what kind of information is given",
        "what the passages say, whatever they are about",
        "across all of them",
        "compare them point by point",
        "what they have in common",
        "similar sections together",
        "how do they compare",
    ),
}
_LISTS: dict[Way, Sequence[str]] = {
    "subjects": ("{}", "compare {}", "{} and the others", "contrast {}", "{} separately"),
    "aspects": ("{}", "compare {}", "{} in each", "how do {} differ", "{} of all of them"),
}
_ORDINARY = (
    "{heading} of {title}",
    "{title} {heading}",
    "what is known about {title}",
    "the {heading} of {title}",
    "{heading} in {title}",
)
_N_LISTS = 500
_N_LEADS = 300
_LEAD = 300
"""Letters of a lead that are asked."""


@dataclass(frozen=True)
class Wording:
    """A question, what it wants, and over what hits.

    Parameters
    ----------
    way : {"subjects", "aspects", "usual"}
    shared_documents : bool
        Whether several of its hits come from one document.
    """

    text: str
    way: Way
    shared_documents: bool


def written(articles: Sequence[ClusteringInstance], seed: int) -> list[Wording]:
    """Return wordings by hand, lists out of articles, and questions that ask for no division.

    Parameters
    ----------
    articles : sequence of ClusteringInstance
        Titles as questions, headings as labels; of the training only.

    Returns
    -------
    list of Wording
        Each once.
    """
    lots = Lots(seed, "wordings")
    nouns, lists = list(_of_nouns()), list(_lists(articles, lots))
    made = [*nouns, *lists]
    # Where each hit is a document of its own, "by topic" asks for nothing unusual.
    made += [
        replace(one, shared_documents=False)
        for one in (*(one for one in nouns if one.way == "subjects"), *lists)
    ]
    for article in articles:
        made += _over_any(article.query.text)
    for article in lots.some(articles, 2 * _N_LISTS):
        heading = (article.passages[0].label or "").lower()
        form = _ORDINARY[lots.below(len(_ORDINARY))]
        made += _over_any(form.format(heading=heading, title=article.query.text))
    for article in lots.some(articles, _N_LEADS):
        made += _over_any((article.query.description or article.query.text)[:_LEAD])
    return list(dict.fromkeys(made))


def _of_nouns() -> Iterator[Wording]:
    banks: tuple[tuple[Way, str], ...] = (("subjects", _SUBJECTS), ("aspects", _ASPECTS))
    for way, bank in banks:
        for pair in bank.split("|"):
            words = pair.split()
            half = len(words) // 2
            for form in _FORMS:
                text = form.format(" ".join(words[:half]), " ".join(words[half:]))
                yield Wording(text, way, True)
        for text in _PLAIN[way]:
            yield Wording(text, way, True)


def _lists(articles: Sequence[ClusteringInstance], lots: Lots) -> Iterator[Wording]:
    for _ in range(_N_LISTS):
        some = lots.some(articles, lots.between(2, 3))
        yield Wording(_listed([one.query.text for one in some], "subjects", lots), "subjects", True)
        headings = sorted({(one.label or "").lower() for one in some[0].passages})
        if len(headings) > 1:
            chosen = lots.some(headings, lots.between(2, 3))
            yield Wording(_listed(chosen, "aspects", lots), "aspects", True)


def _listed(names: Sequence[str], way: Way, lots: Lots) -> str:
    form = _LISTS[way][lots.below(len(_LISTS[way]))]
    return form.format(", ".join(names[:-1]) + " and " + names[-1])


def _over_any(text: str) -> tuple[Wording, Wording]:
    return Wording(text, "usual", False), Wording(text, "usual", True)
