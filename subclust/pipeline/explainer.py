"""Explains an answer: why a passage is where it is, how far a group can be relied upon."""

import copy
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property

import numpy as np

from subclust.core.exceptions import InputError
from subclust.core.records import (
    OTHER_PASSAGES,
    FloatArray,
    IntArray,
    MappedPassage,
    Ranking,
    Subtopic,
    SubtopicMap,
)
from subclust.explanation.occlusion import Marked, Membership, mark
from subclust.explanation.placement import Groups, Placement, nearest
from subclust.explanation.record import (
    Explanation,
    NamedGroup,
    NamedNeighbour,
    Reason,
    TextPart,
)
from subclust.explanation.stability import clusterwise_stability
from subclust.grouping.clustering.agglomerative import PrecomputedScores
from subclust.grouping.clustering.base import ScoresPairs
from subclust.grouping.similarity.cosine import CosineSimilarity
from subclust.pipeline.query import SubtopicPipeline
from subclust.pipeline.ways import DividedSubtopics, Division, is_read
from subclust.text.encoders import Encoder, uncached

_MOST_NEIGHBOURS = 5
"""Of each kind."""

_AT_ONCE = 0.1
"""Changed texts scored together with the hits, as a share of these: few enough to move neither the
mean of the hits nor the rarity of their words."""


class Explainer:
    """Explains one answer. Nothing is computed before it is asked for.

    What takes the id of a passage raises `InputError` if that is not among the hits.

    Parameters
    ----------
    pipeline : SubtopicPipeline
        That made the answer.
    ranking : Ranking
        Its hits.
    subtopics : SubtopicMap
        Its groups, perhaps corrected by hand.
    machine : SubtopicMap, optional
        The groups before they were corrected.
    """

    def __init__(
        self,
        pipeline: SubtopicPipeline,
        ranking: Ranking,
        subtopics: SubtopicMap,
        machine: SubtopicMap | None = None,
    ) -> None:
        self.pipeline = pipeline
        self.ranking = ranking
        self.subtopics = subtopics
        self.clusterer = pipeline.method.clusterer
        self._members: dict[str, tuple[MappedPassage, Subtopic]] = {
            member.passage.id: (member, subtopic)
            for subtopic in subtopics.subtopics
            for member in subtopic.passages
        }
        self._names = {subtopic.id: subtopic.name for subtopic in subtopics.subtopics}
        self._machine_strength = {
            member.passage.id: member.strength
            for subtopic in (machine or subtopics).subtopics
            for member in subtopic.passages
            if subtopic.id == OTHER_PASSAGES
        }
        passages = ranking.passages
        self._row = {passage.id: row for row, passage in enumerate(passages)}
        self._texts = [passage.text for passage in passages]
        self.labels: IntArray = np.array(
            [self._members[passage.id][1].id for passage in passages], dtype=np.int64
        )
        self._embeddings, self._query = pipeline.encode(ranking, subtopics.query)
        self._division: Division | None = None
        with suppress(InputError):  # kept from when the hits divided so
            if division := pipeline.division(ranking, subtopics.query):
                self._division = division
                self.clusterer = DividedSubtopics(division)
                self._embeddings = PrecomputedScores.positions(np.arange(len(passages)))

    def explain(self, passage_id: str, *, with_marks: bool = True) -> Explanation:
        """Return why a passage is where it is.

        Parameters
        ----------
        with_marks : bool
            Whether sentences and words are looked for, which takes longer than all else.
        """
        row = self._row_of(passage_id)
        member, subtopic = self._members[passage_id]
        placement = self.place(passage_id)
        marked = self.mark(passage_id) if with_marks else Marked(0.0, (), ())
        likeness = self._all_scores[row]
        alone = self.ranking.embeddings[row] @ self.ranking.embeddings.T
        return Explanation(
            id=passage_id,
            title=member.passage.title,
            text=member.passage.text,
            reason=self.reason(passage_id),
            group=NamedGroup(subtopic.id, subtopic.name, placement.likeness),
            nearest=self._named(placement.nearest, placement.likeness)
            if placement.nearest != placement.group
            else None,
            runner_up=self._named(placement.runner_up, placement.runner_up_likeness),
            strength=placement.strength,
            margin=placement.margin,
            query_specific=self.pipeline.method.card.query_specific,
            with_query=self._neighbours(likeness, row),
            without_query=self._neighbours(alone, row),
            sentences=tuple(
                TextPart(one.span.start, one.span.end, one.effect) for one in marked.sentences
            ),
            words=tuple(TextPart(one.span.start, one.span.end, one.effect) for one in marked.words),
            value=self._value(row),
        )

    @property
    def ids(self) -> frozenset[str]:
        """Of all hits."""
        return frozenset(self._row)

    def found(self, passage_id: str) -> tuple[MappedPassage, Subtopic]:
        """Return a passage with its group."""
        self._row_of(passage_id)
        return self._members[passage_id]

    def place(self, passage_id: str) -> Placement:
        """Return how a passage fits its group, and which group comes next."""
        row = self._row_of(passage_id)
        rows, groups = self._groups(row)
        return groups.place(rows.index(row))

    def _value(self, row: int) -> str:
        """Return what the field says by which hits are divided; empty where none divides them."""
        division = self._division
        by_field = division is not None and division.near is None
        if division is None or not by_field or not division.inside[row]:
            return ""
        return division.names[int(division.labels[row])]

    def mark(self, passage_id: str) -> Marked:
        """Find the sentences and words that carry a passage's membership.

        None do where the hits are divided by a field of their records.
        """
        row = self._row_of(passage_id)
        by_field = self._division is not None and self._division.near is None
        if by_field or not (self.labels != OTHER_PASSAGES).any():
            return Marked(0.0, (), ())
        return mark(self._texts[row], self.membership(passage_id))

    def membership(self, passage_id: str, *, exact: bool = False) -> Membership:
        """Return the function that says what strength other wordings of a passage would have.

        The group is the passage's own; for "other passages", the one it is most like.

        Parameters
        ----------
        passage_id : str
        exact : bool
            Score each wording in the passage's own place, one by one. Otherwise some stand beside
            the hits together, and what that does to the unchanged text is taken off all: several
            times as fast.
        """
        row = self._row_of(passage_id)
        rows, groups = self._groups(row)
        place = rows.index(row)
        placement = groups.place(place)
        home = placement.group if placement.group != OTHER_PASSAGES else placement.nearest
        kept_texts = [self._texts[one] for one in rows]
        kept_vectors = self._embeddings[rows]
        whole = self._texts[row]
        step = max(1, int(_AT_ONCE * len(rows)))

        def along(texts: Sequence[str]) -> FloatArray:
            scores = self._near(row, [whole, *texts])[:, rows]
            values = groups.strengths(scores, home, without=place)
            return np.asarray(np.clip(placement.strength + values[1:] - values[0], -1, 1))

        if self._division is not None and self._division.near is not None:
            return along

        def in_place(texts: Sequence[str]) -> FloatArray:
            vectors = self._encode(row, texts)
            found = []
            for text, vector in zip(texts, vectors, strict=True):
                changed, moved = list(kept_texts), kept_vectors.copy()
                changed[place], moved[place] = text, vector
                scores = self._score(changed, moved)
                found.append(groups.strengths(scores[place][None, :], home, without=place)[0])
            return np.asarray(found, dtype=np.float32)

        def beside(texts: Sequence[str]) -> FloatArray:
            vectors = self._encode(row, texts)
            found: list[float] = []
            for start in range(0, len(texts), step):
                some = [whole, *texts[start : start + step]]
                both = np.concatenate([kept_vectors, kept_vectors[[place]], vectors[start:][:step]])
                scores = self._score([*kept_texts, *some], both)[len(rows) :, : len(rows)]
                values = groups.strengths(scores, home, without=place)
                found += [placement.strength + float(one - values[0]) for one in values[1:]]
            return np.asarray(np.clip(found, -1.0, 1.0), dtype=np.float32)

        return in_place if exact else beside

    def reason(self, passage_id: str) -> Reason:
        """Return the kind of reason for which a passage is where it is."""
        row = self._row_of(passage_id)
        member, subtopic = self._members[passage_id]
        if subtopic.id != OTHER_PASSAGES:
            return Reason("in a group", self.place(passage_id).strength)
        if passage_id not in self._machine_strength:
            return Reason("by hand", member.strength)
        if row in self._beside:
            return Reason("about something else", float(self._relevance[row]))
        if self._division is not None:
            return Reason("without a value", 0.0)
        if member.strength == 0.0:
            return Reason("alone", 0.0)
        return Reason("between groups", member.strength)

    def stability(self) -> Mapping[int, float]:
        """Return how surely each group comes back when a fifth of the hits are left out.

        Twenty draws, the same ones whatever the order of the hits.

        Returns
        -------
        mapping of int to float
            As `clusterwise_stability`; a group of one passage is not in it.
        """
        rows = np.array([self._row[one] for one in sorted(self._row)], dtype=np.int64)
        labels = self.labels[rows]
        clusterer = copy.copy(self.clusterer)
        clusterer.n_clusters = len(set(labels.tolist()) - {OTHER_PASSAGES})
        clusterer.max_other = 0.0
        similarity = getattr(clusterer, "similarity", None)
        points = self._embeddings
        # Over the scores that are there: scored anew, they would also vary with the mean and the
        # words of each subset.
        if similarity is not None:
            compared, groups = self._compared
            scores = np.zeros((len(self.labels), len(self.labels)), dtype=np.float32)
            scores[np.ix_(compared, compared)] = groups.scores
            clusterer.similarity = PrecomputedScores(scores)  # type: ignore[attr-defined]
            points = PrecomputedScores.positions(np.arange(len(self.labels)))

        def recluster(subset: IntArray) -> IntArray:
            some = rows[subset]
            texts = [self._texts[int(row)] for row in some]
            return clusterer.fit(texts, query=self._query, embeddings=points[some]).labels_

        return clusterwise_stability(labels, recluster, n_subsets=20)

    @cached_property
    def _all_scores(self) -> FloatArray:
        return self._score_rows(range(len(self._texts)))

    @cached_property
    def _relevance(self) -> FloatArray:
        similarity = getattr(self.clusterer, "similarity", None)
        judge = getattr(similarity, "relevance", None)
        if judge is None or self._query.embedding is None:
            return np.ones(len(self._texts), dtype=np.float32)
        return np.asarray(judge(self._query, self._texts, self._embeddings), dtype=np.float32)

    @cached_property
    def _beside(self) -> set[int]:
        """Find the passages that the relevance gate set aside."""
        # It gives them the strength 2 * relevance - 1, and compares them with no other passage.
        return {
            self._row[one]
            for one, strength in self._machine_strength.items()
            if self._relevance[self._row[one]] < 0.5
            and abs(strength - 2 * self._relevance[self._row[one]] + 1) < 1e-3
        }

    @cached_property
    def _compared(self) -> tuple[list[int], Groups]:
        rows = [row for row in range(len(self._texts)) if row not in self._beside]
        return rows, Groups(self._score_rows(rows), self.labels[rows])

    def _groups(self, row: int) -> tuple[list[int], Groups]:
        """Return the passages that a passage is compared with, itself among them, and their groups.

        They are those that the method compared.
        """
        if row not in self._beside:
            return self._compared
        rows = sorted([*self._compared[0], row])
        return rows, Groups(self._score_rows(rows), self.labels[rows])

    def _score_rows(self, rows: Sequence[int]) -> FloatArray:
        return self._score([self._texts[row] for row in rows], self._embeddings[list(rows)])

    def _score(self, texts: Sequence[str], embeddings: FloatArray) -> FloatArray:
        return self._similarity.score_matrix(self._query, texts, embeddings)

    @cached_property
    def _similarity(self) -> ScoresPairs:
        # k-means has no similarity; on vectors of length 1 its distances rank as the cosine does.
        found = copy.copy(getattr(self.clusterer, "similarity", None) or CosineSimilarity())
        if hasattr(found, "kept"):  # nobody will ask for the changed texts again
            found.kept = None
        similarity: ScoresPairs = found
        return similarity

    def _near(self, row: int, texts: Sequence[str]) -> FloatArray:
        """Score other wordings of a passage with all hits, along the directions of a way."""
        assert self._division is not None and self._division.near is not None
        key, hits = self._query.way, self.pipeline.divisible(self.ranking)
        encoder, known = self.pipeline.retriever.encoder, self.ranking.embeddings
        if is_read(key):
            encoder, known = self.pipeline.method.encoder, hits.embeddings
        placed = hits.placed(key, self._encoded(row, texts, encoder, known[row]))
        return self._division.near(row, placed)

    def _encode(self, row: int, texts: Sequence[str]) -> FloatArray:
        return self._encoded(row, texts, self.pipeline.method.encoder, self._embeddings[row])

    def _encoded(
        self, row: int, texts: Sequence[str], encoder: Encoder, known: FloatArray
    ) -> FloatArray:
        """Encode other wordings of a passage as it was encoded, with its title or without."""
        title = self.ranking.hits[row].passage.title
        encoder = uncached(encoder)
        # Libraries encode a record that is one passage with its title, all others without;
        # the known vector tells which this is.
        plain, titled = encoder.encode([self._texts[row], f"{title}. {self._texts[row]}"])
        if title and float(titled @ known) > float(plain @ known):
            texts = [f"{title}. {text}" for text in texts]
        return encoder.encode(texts)

    def _row_of(self, passage_id: str) -> int:
        if passage_id not in self._row:
            raise InputError(
                "There is no passage {passage_id!r} among the hits of {text!r}; take an id that "
                "'python -m subclust search --json' prints for this query.",
                passage_id=passage_id,
                text=self._query.text,
            )
        return self._row[passage_id]

    def _named(self, group: int | None, likeness: float) -> NamedGroup | None:
        return (
            None
            if group is None or group not in self._names
            else NamedGroup(group, self._names[group], likeness)
        )

    def _neighbours(self, scores: FloatArray, row: int) -> tuple[NamedNeighbour, ...]:
        named = []
        for one in nearest(scores, row, _MOST_NEIGHBOURS):
            passage = self.ranking.hits[one].passage
            group = self._members[passage.id][1].name
            named.append(NamedNeighbour(passage.id, passage.title, group, float(scores[one])))
        return tuple(named)
