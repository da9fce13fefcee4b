"""What a language model is asked, and its answer read as a grouping."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PROMPT = (
    "Cluster these {things}:\n"
    "{texts}\n"
    "For each cluster, the answer should contain a meaningful cluster title and the {things} in "
    "that cluster. Do not provide any explanation."
)
"""Source: CACTUS (Context-Aware Clustering using Large Language Models), appendix A, whose things
are products."""


_LEAST_SHARE = 0.5
"""An answer that places fewer of the entities than that is no answer. The paper says only that
what cannot be parsed is discarded."""

_FENCE = re.compile(r"^\s*```\w*\s*$")

_MARKER = re.compile(
    r"""^(?P<indent>\s*)
    (?P<mark>\#{1,6}(?=\s)|[-*+•–—](?=\s)|\(?\d{1,3}[.)](?=\s)|)
    \s*(?P<rest>.*?)\s*$""",
    re.VERBOSE,
)
_BULLETS = tuple("-*+•–—")
_WORD = re.compile(r"\w+")

_LEAST_START = 12
"""Characters of an entity that are enough to know it by, where the answer cut it short."""


def on_one_line(text: str) -> str:
    """Write a text as the prompt has it: an entity is a line."""
    return " ".join(text.split())


def prompt_for(texts: Sequence[str], things: str = "products") -> str:
    """Ask for the clusters of one subset.

    Parameters
    ----------
    texts : sequence of str
        One a line.
    things : str
        What they are, in the plural.
    """
    return PROMPT.format(things=things, texts="\n".join(map(on_one_line, texts)))


@dataclass(frozen=True)
class ParsedAnswer:
    """The clusters of an answer.

    Parameters
    ----------
    titles : tuple of str
        One a cluster; no two are alike.
    clusters : tuple of (int or None)
        Place in `titles`, for each entity that was asked about; None where the answer forgot it.
    """

    titles: tuple[str, ...]
    clusters: tuple[int | None, ...]

    @property
    def labels(self) -> tuple[str | None, ...]:
        """The title of each entity's cluster; None where the answer forgot it."""
        return tuple(None if at is None else self.titles[at] for at in self.clusters)

    @property
    def n_missing(self) -> int:
        """How many entities the answer forgot."""
        return sum(cluster is None for cluster in self.clusters)


def parse_answer(answer: str, texts: Sequence[str]) -> ParsedAnswer | None:
    """Read the clusters of an answer to `prompt_for`.

    A line that is an entity is a member; any other line before members is the title of their
    cluster, unless it looks just as the members do: then it is something that nobody asked about.
    Bullets, numbers, emphasis, quotation marks and letter case do not matter, an entity may have
    been cut short, and the whole answer may be JSON. An entity that comes twice counts where it
    comes first.

    Source: CACTUS, appendix A ("a parsing algorithm"), whose algorithm is not printed.

    Parameters
    ----------
    texts : sequence of str
        The entities, as they were asked about.

    Returns
    -------
    ParsedAnswer or None
        None where the answer is empty, or places fewer than `_LEAST_SHARE` of the entities.
    """
    members = _Members(texts)
    found = _of_json(answer, members) or _of_lines(answer, members)
    clusters: list[int | None] = [None] * len(texts)
    titles: list[str] = []
    for title, places in found:
        fresh = [place for place in places if clusters[place] is None]
        if fresh:
            for place in fresh:
                clusters[place] = len(titles)
            titles.append(_unlike(title or f"Cluster {len(titles) + 1}", titles))
    placed = sum(cluster is not None for cluster in clusters)
    if not placed or placed < _LEAST_SHARE * len(texts):
        return None
    return ParsedAnswer(tuple(titles), tuple(clusters))


class _Members:
    """Knows the entities again, each copy of a text once."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.places: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            self.places.setdefault(_normal(text), []).append(place)
        self.taken: dict[str, int] = {}

    def find(self, line: str) -> int | None:
        """Return the place of the entity that a line is; the next one of copies."""
        normal = _normal(line)
        key = normal if normal in self.places else self._begun(normal)
        if not key:
            return None
        places = self.places[key]
        at = min(self.taken.get(key, 0), len(places) - 1)
        self.taken[key] = at + 1
        return places[at]

    def inside(self, line: str) -> list[int]:
        """Return the places of all entities that occur in a line, longer texts first."""
        rest = f" {_normal(line)} "
        found: list[int] = []
        for key in sorted(self.places, key=len, reverse=True):
            if key and f" {key} " in rest:
                # Taken out, so that a shorter text within this one is not found as well.
                rest = rest.replace(f" {key} ", " \0 ")
                found += self.places[key]
        return sorted(found)

    def _begun(self, normal: str) -> str:
        """Find the only entity that the line begins, or that begins the line."""
        if len(normal) < _LEAST_START:
            return ""
        fitting = [
            key
            for key in self.places
            if key.startswith(normal) or (len(key) >= _LEAST_START and normal.startswith(f"{key} "))
        ]
        return fitting[0] if len(fitting) == 1 else ""


def _of_json(answer: str, members: _Members) -> list[tuple[str, list[int]]]:
    """Read an answer that is JSON: titles with lists, or objects with a title and a list."""
    bare = "\n".join(line for line in answer.splitlines() if not _FENCE.match(line))
    try:
        content = json.loads(bare)
    except (ValueError, RecursionError):
        return []
    found = []
    for title, items in _lists(content, ""):
        places = [place for item in items if (place := members.find(item)) is not None]
        if places:
            found.append((title, places))
    return found


def _lists(content: Any, title: str) -> Iterator[tuple[str, list[str]]]:
    if isinstance(content, Mapping):
        texts = [value for value in content.values() if isinstance(value, str)]
        for key, value in content.items():
            if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
                yield (texts[0] if texts else str(key)), value
            else:
                yield from _lists(value, str(key))
    elif isinstance(content, list):
        if content and all(isinstance(value, str) for value in content):
            yield title, content
        else:
            for value in content:
                yield from _lists(value, title)


def _of_lines(answer: str, members: _Members) -> list[tuple[str, list[int]]]:
    found: list[tuple[str, list[int]]] = []
    title: str | None = ""  # of the cluster that the next member begins; None while one goes on
    look: tuple[str, str] | None = None  # of the members, once there are some
    its_titles = ""  # mark of the line that the title was on
    after_gap = False
    for line in answer.splitlines():
        marked = _MARKER.match(line)
        if marked is None or not marked["rest"] or _FENCE.match(line):
            after_gap = True
            continue
        rest = marked["rest"]
        its_look = (marked["indent"], re.sub(r"\d+", "0", marked["mark"]))
        place = members.find(rest)
        head, colon, tail = rest.partition(":")
        inline = members.inside(tail) if place is None and colon else []
        if place is not None:
            if title is not None:
                found.append((title, []))
            found[-1][1].append(place)
            title, look = None, its_look
        elif inline:
            found.append((_bare(head), inline))
            title, look = "", None
        elif title:
            # A bullet below a title is a member that nobody asked about; any other line is a better
            # title.
            if its_look[1] not in _BULLETS or its_look[1] == its_titles:
                title, its_titles = _title(rest), its_look[1]
        elif title is not None or not _is_stranger(rest, its_look, look, after_gap):
            title, its_titles = _title(rest), its_look[1]
        after_gap = False
    return found


def _is_stranger(
    rest: str, its_look: tuple[str, str], look: tuple[str, str] | None, after_gap: bool
) -> bool:
    """Return whether a line that is no entity is a member that nobody asked about, and no title."""
    if its_look != look or rest.endswith(":") or re.fullmatch(r"(\*\*|__).+(\*\*|__):?", rest):
        return False
    return bool(its_look[1]) or not after_gap


def _title(rest: str) -> str:
    bare = _bare(rest)
    return re.sub(r"^cluster\s+\w{1,3}\s*[:.\-–]\s*", "", bare, flags=re.IGNORECASE) or bare


def _bare(text: str) -> str:
    """Take emphasis, quotation marks and colons from around a text."""
    return text.strip(" \t:*_`\"'“”‘’«»")


def _normal(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _unlike(title: str, others: Sequence[str]) -> str:
    number, wanted = 2, title
    while wanted in others:
        wanted = f"{title} ({number})"
        number += 1
    return wanted
