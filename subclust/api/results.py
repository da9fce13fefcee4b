"""What a grouping or a search returns: groups that a notebook can show, and go on with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import (
    FloatArray,
    IntArray,
    MappedPassage,
    Query,
    QueryEffect,
    Ranking,
    Subtopic,
    SubtopicMap,
)
from subclust.core.settings import Settings
from subclust.explanation.record import Explanation
from subclust.exports import FileFormat, Report, format_of, replace_file, written
from subclust.figures.map_svg import map_svg
from subclust.grouping.clustering.base import NumberOfClusters, check_n_clusters
from subclust.methods import METHODS
from subclust.pipeline.assemble import MAX_OTHER
from subclust.pipeline.cuts import recut
from subclust.pipeline.effect import compare_queries, what_changed
from subclust.pipeline.explainer import Explainer
from subclust.pipeline.query import SubtopicPipeline
from subclust.pipeline.ways import Way
from subclust.sessions import Origin, SessionHeader, SessionStore, session_of

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 3
"""Groups that a `repr` names."""


@dataclass(frozen=True, repr=False)
class Grouping:
    """Texts in named groups.

    A notebook shows it as a map with its legend.

    Parameters
    ----------
    subtopics : SubtopicMap
        The full record: groups with their passages, what made them, and how long it took.
    origin : Origin, optional
        Versions of what made them, for files that are cited.
    searched : str
        The question by which the texts were found; empty where they were given.

    Examples
    --------
    >>> texts = ["Cats purr.", "Dogs bark.", "Kittens purr, too."]
    >>> grouping = subclust.group(texts, n_clusters=2, method="tfidf")
    >>> grouping.labels.tolist()
    [0, 1, 0]
    >>> sorted(grouping.names)
    [0, 1]
    >>> grouping.to_frame()[["group", "text"]]
       group                text
    0      0          Cats purr.
    1      1          Dogs bark.
    2      0  Kittens purr, too.
    """

    subtopics: SubtopicMap
    origin: Origin | None = None
    searched: str = ""

    @property
    def n_clusters(self) -> int:
        """Number of groups, those that fit nowhere not counted."""
        return self.subtopics.n_clusters

    @property
    def names(self) -> dict[int, str]:
        """Name of each group by its label, largest group first."""
        return {one.id: one.name for one in self.subtopics.subtopics}

    @property
    def labels(self) -> IntArray:
        """Label of each text, shape (n_texts,), in their order; -1 fits no group."""
        return np.array([group.id for _, group in self._members], dtype=np.int64)

    @property
    def scores(self) -> FloatArray:
        """How well each text fits its group, shape (n_texts,), -1 to 1; higher is better."""
        return np.array([member.strength for member, _ in self._members], dtype=np.float32)

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each text, in their order.

        Returns
        -------
        pandas.DataFrame
            ``group`` (the label), ``name`` (of the group), ``score``, ``title``, ``text``, ``id``,
            ``collection``, ``rank``, the map's ``x`` and ``y``, and each field of the records'
            metadata, as ``metadata.FIELD`` where it has the name of one of these.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for member, group in self._members:
            passage = member.passage
            own = {
                "group": group.id,
                "name": group.name,
                "score": member.strength,
                "title": passage.title,
                "text": passage.text,
                "id": passage.id,
                "collection": passage.collection,
                "rank": member.rank,
                "x": member.x,
                "y": member.y,
            }
            other = {f"metadata.{k}" if k in own else k: v for k, v in passage.metadata.items()}
            rows.append({**own, **other})
        return pd.DataFrame(rows)

    def export(self, path: str | Path) -> Path:
        """Write the groups to a file.

        Parameters
        ----------
        path : str or Path
            Its ending names the format: .csv, .xlsx, .ris, .bib, .csl.json, .json, .html, .svg or
            .png.

        Returns
        -------
        Path
            Of the file, which is written whole or not at all.

        Raises
        ------
        InputError
            If no format has this ending, or the file cannot be written.
        """
        path = Path(path)
        replace_file(path, self.written(format_of(path)))
        return path

    def written(self, kind: FileFormat) -> bytes:
        """Return the groups as the content of a file.

        Parameters
        ----------
        kind : FileFormat
            One of `subclust.exports.FORMATS`.
        """
        card = METHODS.get(self.subtopics.method)
        made_by = f"{card.label}: {card.summary}" if card else ""
        report = Report(
            self.subtopics,
            self.origin,
            made_by,
            day=date.today().isoformat(),
            searched=self._asked(),
        )
        return written(report, kind)

    def _asked(self) -> str:
        return self.searched

    @cached_property
    def _members(self) -> list[tuple[MappedPassage, Subtopic]]:
        found = [(member, group) for group in self.subtopics.subtopics for member in group.passages]
        return sorted(found, key=lambda one: one[0].rank)

    def __len__(self) -> int:
        """Count the texts."""
        return len(self._members)

    def __repr__(self) -> str:
        """Name the largest groups."""
        groups = self.subtopics.subtopics
        named = ", ".join(f"{one.name!r} ({one.size})" for one in groups[:_NAMED])
        more = ", …" if len(groups) > _NAMED else ""
        asked = f"{self.subtopics.query.text!r}: " if self.subtopics.query.text else ""
        texts = "1 text" if len(self) == 1 else f"{len(self):,} texts"
        counted = "1 group" if self.n_clusters == 1 else f"{self.n_clusters:,} groups"
        return f"<{type(self).__name__} {asked}{texts} in {counted}: {named}{more}>"

    def _repr_html_(self) -> str:
        """Draw the map; its legend lists the groups."""
        return f'<div style="max-width: 60em">{map_svg(self.subtopics)}</div>'


@dataclass(frozen=True, repr=False)
class Answer(Grouping):
    """The passages of a library that answer a question, in named groups.

    Parameters
    ----------
    subtopics, origin
        As for `Grouping`.
    ranking : Ranking
        The hits, best first; labels, scores and rows are in their order.
    pipeline : SubtopicPipeline
        That found and grouped them.
    settings : Settings
    max_other : float
        Largest share of the hits, 0 to 1, that may fit no group.
    effects : tuple of QueryEffect
        What another question did to each passage, where `regroup` asked one: its group before and
        after, and how far it moved on the map.
    what_changed : str
        The same in a sentence; empty where no other question was asked.

    Examples
    --------
    >>> answer = subclust.open_library("demo").search("fish", top_k=20)
    >>> other = answer.regroup("taxes on trade")
    >>> len(other) == len(answer)
    True
    >>> passage = answer.ranking.hits[0].passage
    >>> explanation = answer.explain(passage.id)
    >>> explanation.group.name in answer.names.values()
    True
    >>> path = answer.export("fish.ris")
    >>> kept = answer.save("Fishing in the colonies")
    """

    ranking: Ranking = field(kw_only=True)
    pipeline: SubtopicPipeline = field(kw_only=True)
    settings: Settings = field(kw_only=True)
    max_other: float = field(default=MAX_OTHER, kw_only=True)
    effects: tuple[QueryEffect, ...] = field(default=(), kw_only=True)
    what_changed: str = field(default="", kw_only=True)

    def ways(self) -> tuple[Way, ...]:
        """Find other ways in which the same passages divide, such as by country or by period.

        Returns
        -------
        tuple of Way
            At most four, each for `regroup`. Each is clear, and none groups much as another one
            does, or as the question.
        """
        return self.pipeline.ways(self.ranking)

    def regroup(
        self,
        question: str | Query | Way | None = None,
        n_clusters: NumberOfClusters = "auto",
        *,
        expected: Sequence[str] | None = None,
    ) -> "Answer":
        """Group the same passages under another question, or into another number of groups.

        Parameters
        ----------
        question : str, Query or Way, optional
            By default the answer's own; or one of `ways`.
        n_clusters : int or "auto"
        expected : sequence of str, optional
            Subtopics that are to have groups of their own; by default those of the answer.

        Returns
        -------
        Answer
            Under another question, groups have the labels of those before that they share most
            passages with, its map is turned onto the one before, `effects` says what moved, and
            `what_changed` sums it up.

        Raises
        ------
        InputError
            If the question is too long, or the number is no whole number of at least 1.
        """
        own = self.subtopics.query
        query = own if question is None else as_query(question)
        query = expecting(query, own.expected if expected is None else expected)
        if query == self.subtopics.query:
            namer = self.pipeline.namer_for(self.ranking, query)
            # Cutting the dendrogram is much faster than grouping, but not every method makes one.
            cut = recut(self.subtopics, check_n_clusters(n_clusters), namer)
            shown = cut or self._grouped(query, n_clusters)
            return replace(self, subtopics=shown, effects=(), what_changed="")
        compared = compare_queries(self.subtopics, self._grouped(query, n_clusters))
        told = what_changed(compared)
        return replace(self, subtopics=compared.after, effects=compared.effects, what_changed=told)

    def explain(self, passage_id: str) -> Explanation:
        """Explain why a passage is in its group.

        Parameters
        ----------
        passage_id : str
            As ``to_frame()["id"]`` has it.

        Returns
        -------
        Explanation
            Its nearest neighbours with and without the question, the next group and by how much,
            and the sentences and words without which it would fit less.

        Raises
        ------
        InputError
            If the passage is not among the hits.
        """
        return self._explainer.explain(passage_id)

    def save(self, name: str) -> SessionHeader:
        """Keep the answer under a name, as the *Explore* page does.

        Parameters
        ----------
        name : str
            Must not be in use.

        Returns
        -------
        SessionHeader
            With its id.

        Raises
        ------
        SubclustError
            If it cannot be kept under this name.
        """
        subtopics = self.subtopics
        # The parameters that Explore's address has, so that the page can open the session.
        address: dict[str, str | Sequence[str]] = {
            "q": subtopics.query.text,
            "hits": self._asked() if self._asked() != subtopics.query.text else "",
            "about": subtopics.query.description or "",
            "context": subtopics.query.context,
            "library": subtopics.library,
            "method": subtopics.method,
            "groups": str(subtopics.n_clusters) if subtopics.n_clusters_source == "user" else "",
            "map": subtopics.projection,
            "by": subtopics.query.way,
            "also": subtopics.query.expected,
        }
        origin = self.origin or self.pipeline.origin()
        kept = session_of(
            subtopics,
            self.ranking.hits,
            origin,
            address={key: value for key, value in address.items() if value},
        )
        return SessionStore(self.settings.sessions_dir).save(kept, name)

    def _asked(self) -> str:
        return self.ranking.query.text

    def _grouped(self, query: Query, n_clusters: NumberOfClusters) -> SubtopicMap:
        return self.pipeline.group(
            self.ranking,
            query,
            n_clusters=n_clusters,
            max_other=self.max_other,
            projection=self.subtopics.projection,
        )

    @cached_property
    def _explainer(self) -> Explainer:
        return Explainer(self.pipeline, self.ranking, self.subtopics)


def as_query(question: str | Query | Way) -> Query:
    """Return the query of a question, or of a way to divide."""
    if isinstance(question, Way):
        return Query(str(question.text), way=question.key)
    if not isinstance(question, str | Query):
        raise InputError("A question must be a text, but is {question!r}.", question=question)
    return question if isinstance(question, Query) else Query(question)


def expecting(query: Query, expected: Iterable[str]) -> Query:
    """Return a query with the subtopics that somebody expects.

    Raises
    ------
    InputError
        If they are no list of texts.
    """
    names = () if isinstance(expected, str) else tuple(expected)  # not the letters of a text
    if isinstance(expected, str) or not all(isinstance(name, str) for name in names):
        raise InputError(
            "The expected subtopics must be a list of texts, but are {expected!r}.",
            expected=expected,
        )
    return replace(query, expected=names)
