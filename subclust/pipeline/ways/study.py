"""What kind of study a record is, told by the words with which its abstract announces it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_MADE = (
    "method methods algorithm algorithms approach approaches model models framework indicator "
    "indicators index indices metric metrics measure methodology scheme technique techniques "
    "protocol paradigm ontology definition requirements"
)
_RULES: dict[str, tuple[tuple[float, tuple[str, ...]], ...]] = {
    "Analyses": (
        (2.0, ("analyze analyse analyzed analysed analyzes analyses investigate investigates "
               "investigated examine examines examined compare compares compared explore explores "
               "studies studied quantify measure", "we study paper article work research")),
        (1.5, ("result results findings", "show indicate reveal suggest confirm demonstrate")),
        (1.0, ("find found observe report show", "we")),
        (2.0, ("empirical quantitative bibliometric statistical longitudinal descriptive "
               "comparative large", "analysis study evidence examination")),
        (1.0, ("correlation correlations correlated correlates regression",)),
        (0.7, ("#",)),
        (1.0, ("% percent",)),
        (1.0, ("scopus dblp wos",)),
        (1.0, ("dataset sample",)),
        (0.5, ("period between",)),
        (0.5, ("significant significantly",)),
    ),
    "Methods and models": (
        (2.0, ("propose proposes introduce introduces present presents develop develops sketch "
               "outline outlines proposed introduced developed presented", _MADE)),
        (1.5, ("new novel", _MADE)),
        (1.5, ("algorithm algorithms",)),
        (1.0, ("framework ontology formal theory methodology methodological",)),
        (1.5, ("outperforms outperform",)),
        (1.0, ("propose",)),
    ),
    "Systems and tools": (
        (1.0, ("system systems tool tools platform software toolkit infrastructure service "
               "services workflow appliance application portal",)),
        (2.0, ("developed designed built implemented deployed", "we has have been")),
        (1.5, ("prototype architecture implementation deployment github",)),
        (1.0, ("project",)),
        (2.0, ("describe", "how")),
        (1.0, ("users user",)),
    ),
    "Surveys and interviews": (
        (5.0, ("questionnaire questionnaires interview interviews interviewed respondents "
               "ethnographic",)),
        (4.0, ("survey surveyed surveys", "researchers scientists users authors editors academics "
               "librarians attitudes participants online questions answers")),
        (4.0, ("focus", "groups")),
        (3.0, ("field", "conducted")),
        (2.0, ("attitudes perceptions participants",)),
    ),
    "Reviews": (
        (4.0, ("literature", "review reviews reviewed overview")),
        (3.0, ("overview surveyed",)),
        (2.0, ("review surveys survey", "this focuses present status current state")),
        (2.0, ("introduction",)),
        (2.0, ("historical history", "background brief")),
        (1.0, ("chapter",)),
    ),
    "Opinions and advice": (
        (5.0, ("essay commentary",)),
        (4.0, ("position", "paper")),
        (2.0, ("comment correspondence communication opinion",)),
        (3.0, ("argue argues argued", "i we paper article")),
        (2.0, ("recommendations", "set produced provide provides make making initial final our")),
        (2.0, ("best", "practice practices")),
        (1.0, ("should must",)),
        (1.0, ("suggest believe", "we i")),
        (2.0, ("i", "argue discuss examine believe hope propose posit")),
        (0.5, ("policy policies implications",)),
        (2.0, ("guide", "short practical")),
        (1.0, ("discuss discusses", "we i paper article")),
    ),
    "Simulations": (
        (4.0, ("simulation simulations simulate simulated simulating",)),
        (2.0, ("simulation simulations", "model framework experiments based using")),
        (3.0, ("agent", "based")),
    ),
}  # fmt: skip
"""Of each kind, what a sentence that speaks for it has: a word of each list; # is a large number.

They were made by reading abstracts on digital libraries; see docs/researchers/measuring.md.
"""

_IN_TITLES = {
    "Analyses": "analysis study evidence trends patterns large evaluating evaluation impact "
    "assessing comparison accuracy statistics",
    "Methods and models": "method methodology model modeling approach algorithm framework "
    "algorithms indicators",
    "Systems and tools": "tool system platform software toolkit",
    "Surveys and interviews": "survey perspective attitudes",
    "Reviews": "review survey overview introduction",
    "Opinions and advice": "comment commentary case towards toward why",
    "Simulations": "simulation",
}
_TITLE = 1.5
_QUESTION = 0.5

_MOST_SENTENCES = 2
"""That count for a rule."""

_LEAST, _AHEAD = 1.5, 0.5
"""Points that a kind must have, and have more than the next one."""

_LEAST_STUDIES = 0.5
"""Share of records that must speak as studies do, for the kinds to mean anything."""

_SPEAKS = frozenset("we our paper article study chapter thesis".split())

_WORD = re.compile(r"[a-z]+|\d[\d,.]{3,}|%")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_SUBJECT = re.compile(r"peer[- ]review\w*|(?:literature|user|open) survey")
"""Words that say what a study is about, and not what it is."""
_NAME = re.compile(r"[A-Z][a-z]*[A-Z]?\w*: ")
"""How the title of a system begins."""


class _Rule(NamedTuple):
    points: float
    words: tuple[frozenset[str], ...]


_READY = {
    kind: tuple(
        _Rule(points, tuple(frozenset(one.split()) for one in lists)) for points, lists in rules
    )
    for kind, rules in _RULES.items()
}
_TITLES = {kind: frozenset(words.split()) for kind, words in _IN_TITLES.items()}


def kinds_of_study(titles: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the kind of study of each record.

    Parameters
    ----------
    titles, texts : sequence of str
        Of n_records records; their abstracts.

    Returns
    -------
    list of str
        One of "Analyses", "Methods and models", "Systems and tools", "Surveys and interviews",
        "Reviews", "Opinions and advice" and "Simulations"; empty where the words do not tell, and
        for all records where most do not speak as studies do.
    """
    read = [_read(title, text) for title, text in zip(titles, texts, strict=True)]
    speaking = sum(speaks for speaks, _ in read)
    if speaking < _LEAST_STUDIES * len(read):
        return [""] * len(read)
    return [kind for _, kind in read]


@lru_cache(maxsize=4096)
def _read(title: str, text: str) -> tuple[bool, str]:
    """Return whether a record speaks as a study does, and of what kind it is."""
    heading = _words(title)
    sentences = [_words(one) for one in _SENTENCE.split(text)]
    speaks = any(not _SPEAKS.isdisjoint(sentence) for sentence in sentences)
    points = {kind: _points(kind, [*sentences, heading]) for kind in _READY}
    for kind, words in _TITLES.items():
        points[kind] += _TITLE * (not words.isdisjoint(heading))
    points["Systems and tools"] += _TITLE * bool(_NAME.match(title))
    points["Opinions and advice"] += _QUESTION * title.endswith("?")
    second, first = sorted(points.values())[-2:]
    told = first >= _LEAST and first - second >= _AHEAD
    return speaks, max(points, key=lambda kind: points[kind]) if told else ""


def _points(kind: str, sentences: Sequence[frozenset[str]]) -> float:
    return sum(
        rule.points
        * min(
            _MOST_SENTENCES,
            sum(
                all(not words.isdisjoint(sentence) for words in rule.words)
                for sentence in sentences
            ),
        )
        for rule in _READY[kind]
    )


def _words(text: str) -> frozenset[str]:
    """Return the words of a sentence; each large number is a #."""
    found = _WORD.findall(_SUBJECT.sub(" ", text.lower()))
    return frozenset("#" if one[0].isdigit() else one for one in found)
