"""``python -m benchmarks asked``: the names of the groups of some questions, as they come."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.results import RESULTS_DIR, story, write
from benchmarks.speed import NEW
from subclust.cli.options import add_method
from subclust.core.exceptions import InputError
from subclust.core.records import OTHER_PASSAGES, Passage, Query
from subclust.core.settings import Settings
from subclust.grouping.naming import headings_above
from subclust.grouping.naming.phrases import PhraseTable, asked_roots, says_only, words_of
from subclust.grouping.naming.words import name_words, stem
from subclust.pipeline.load import load_pipeline
from subclust.pipeline.query import SubtopicPipeline

FAULTS = ("lone and general", "of the question", "fragment", "halves apart", "not borne out")
"""What a name may be; one may be several."""

_GENERAL = 0.1
"""Share of the passages of other questions that say a general word."""

_PIECE = 0.6
"""Share of its places in which a fragment is a piece of a longer phrase."""

_BORNE_OUT = 0.5
"""Share of its passages that must have a word of a name."""


@dataclass(frozen=True)
class NamedGroup:
    """A group with its name.

    Parameters
    ----------
    texts : sequence of str
        Of its passages, with their titles and the headings above them.
    """

    question: str
    name: str
    texts: Sequence[str]


def faults_of(groups: Sequence[NamedGroup]) -> list[list[str]]:
    """Return the faults of each name, in the order of `FAULTS`.

    Lone and general is a name of one word that a tenth of the passages of the other questions say;
    of the question, one of its words alone; a fragment, what mostly goes on within its passages, or
    follows an initial. Halves are apart where no passage has both. Not borne out is
    a name none of whose words stands in half of its passages.

    Parameters
    ----------
    groups : sequence of NamedGroup
        Of several questions to one library.
    """
    stems = [[frozenset(map(stem, words_of(text))) for text in group.texts] for group in groups]
    return [
        [
            fault
            for fault, is_so in zip(
                FAULTS,
                (
                    _is_general(group, groups, stems),
                    _is_asked(group),
                    _is_fragment(group),
                    _is_apart(group.name, held),
                    _is_not_borne_out(group.name, held),
                ),
                strict=True,
            )
            if is_so
        ]
        for group, held in zip(groups, stems, strict=True)
    ]


def _is_general(
    group: NamedGroup, groups: Sequence[NamedGroup], stems: Sequence[Sequence[frozenset[str]]]
) -> bool:
    words = name_words(group.name)
    others = [
        words <= one
        for other, held in zip(groups, stems, strict=True)
        if other.question != group.question
        for one in held
    ]
    return len(words) == 1 and bool(others) and float(np.mean(others)) >= _GENERAL


def _is_asked(group: NamedGroup) -> bool:
    return says_only(group.name, asked_roots(group.question))


def _is_fragment(group: NamedGroup) -> bool:
    table = PhraseTable(group.texts)
    phrase = table.find([stem(word) for word in words_of(group.name)])
    if phrase is None:
        return False
    return max(table.going_on(phrase)[1], table.after_initial(phrase)) > _PIECE


def _is_apart(name: str, held: Sequence[frozenset[str]]) -> bool:
    halves = [name_words(half) for half in name.replace(" und ", " and ").split(" and ")]
    return len(halves) > 1 and not any(all(half <= one for half in halves) for one in held)


def _is_not_borne_out(name: str, held: Sequence[frozenset[str]]) -> bool:
    words = name_words(name)
    return sum(bool(words & one) for one in held) < _BORNE_OUT * len(held)


DIGITAL_LIBRARIES: tuple[str, ...] = (
    "digital preservation",
    "citation analysis",
    "open access to publications",
    "peer review",
    "authorship and collaboration",
    "metadata harvesting",
    "recommendation of papers",
    "author name disambiguation",
    "web archives",
    "research data sharing",
)
"""Questions to abstracts of arXiv's digital libraries (cs.DL)."""

MEDICAL: tuple[str, ...] = (
    "tumour growth and its treatment",
    "spread of infectious diseases",
    "magnetic resonance imaging",
    "dose in radiation therapy",
    "brain networks in Alzheimer's disease",
    "resistance to antibiotics",
    "arrhythmia of the heart",
    "HIV infection and therapy",
    "diabetes and glucose control",
    "sleep and epilepsy in EEG",
)
"""Questions to arXiv's abstracts of medical physics and the biology of tissues and populations."""

DEMO: tuple[str, ...] = ("causes of the American Revolutionary War", *NEW, "abacus")

QUESTIONS = {"demo": DEMO, "digital-libraries": DIGITAL_LIBRARIES, "medical": MEDICAL}
"""By the name of the library."""


def add_asked(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``asked``."""
    parser.add_argument("--library", default="demo", metavar="NAME")
    parser.add_argument(
        "--question", action="append", default=[], help="by default those known for the library"
    )
    add_method(parser)
    parser.add_argument("--top-k", type=int, default=100, metavar="N")
    parser.add_argument("--save", action="store_true", help="keep the result with the others")


def run_asked(arguments: argparse.Namespace, settings: Settings) -> None:
    """Ask the questions and print the names with the number of passages of each."""
    pipeline = load_pipeline(
        settings,
        library=arguments.library,
        method=arguments.method,
        checkpoint=arguments.checkpoint,
    )
    questions = arguments.question or QUESTIONS.get(arguments.library, DIGITAL_LIBRARIES)
    asked: dict[str, dict[str, Any]] = {}
    groups: list[NamedGroup] = []
    for question in questions:
        asked[question], named = names_of(pipeline, question, arguments.top_k)
        groups += named
    faults = faults_of(groups)
    counts = {fault: sum(fault in some for some in faults) for fault in FAULTS}
    of_group = iter(faults)
    for question, found in asked.items():
        for one in found["groups"]:
            one["faults"] = next(of_group)
        told = "; ".join(map(_in_words, found["groups"]))
        print(f"{question} [{found['set_aside']} set aside]\n    {told}")
    if arguments.save:
        result = {
            "library": arguments.library,
            "top_k": arguments.top_k,
            "n_names": len(groups),
            "faults": counts,
            "asked": asked,
            "story": story(pipeline.retriever.encoder, settings.resolve_device()),
        }
        write(RESULTS_DIR / "asked" / f"{arguments.library}.json", result)
    print(json.dumps({"questions": len(asked), "names": len(groups), "faults": counts}))


def _in_words(group: Mapping[str, Any]) -> str:
    faults = "".join(f", {fault}" for fault in group["faults"])
    return f"{group['name']} ({group['size']}{faults})"


def names_of(
    pipeline: SubtopicPipeline, question: str, top_k: int
) -> tuple[dict[str, Any], list[NamedGroup]]:
    """Return the groups of a question in their order, and how many hits were set aside."""
    try:
        subtopics = pipeline.run(Query(question), top_k=top_k)
    except InputError:
        return {"groups": [], "other": 0, "set_aside": 0}, []
    groups = [group for group in subtopics.subtopics if group.id != OTHER_PASSAGES]
    found = {
        "groups": [{"name": group.name, "size": group.size} for group in groups],
        "other": sum(one.size for one in subtopics.subtopics if one.id == OTHER_PASSAGES),
        "set_aside": len(subtopics.set_aside),
    }
    return found, [
        NamedGroup(question, group.name, [_text(one.passage) for one in group.passages])
        for group in groups
    ]


def _text(passage: Passage) -> str:
    return ". ".join((*headings_above(passage), passage.text))
