"""Groups in a space that reads the passages itself."""

from collections.abc import Sequence

from subclust.core.records import FloatArray, IntArray, Query
from subclust.core.records.arrays import Float64Array
from subclust.grouping.clustering.learnt_space import LearntSpaceSubtopics
from subclust.methods.scl.lstm import LstmSpace


class ReadingSubtopics(LearntSpaceSubtopics):
    """As `LearntSpaceSubtopics`, by the passages' words; given embeddings are not looked at.

    Parameters
    ----------
    learnt : LstmSpace
    n_clusters, count, division, max_other, random_state
        As for `LearntSpaceSubtopics`.
    """

    learnt: LstmSpace

    embedding_dim = None

    def points(self, passages: Sequence[str], embeddings: FloatArray | None) -> Float64Array:
        """Place passages by their words, shape (n_passages, n_dimensions)."""
        return super().points(passages, self.learnt.read_all(passages))

    def _fit(
        self, passages: Sequence[str], query: Query, embeddings: FloatArray | None
    ) -> tuple[IntArray, FloatArray, FloatArray | None]:
        return super()._fit(passages, query, self.learnt.read_all(passages))
