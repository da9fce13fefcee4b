"""Frozen records that flow from stage to stage. They hold; they do not compute."""

from subclust.core.records.arrays import BoolArray, Float64Array, FloatArray, IntArray
from subclust.core.records.cards import MethodCard, TaskCard
from subclust.core.records.documents import by_document, document_of, documents_by_text
from subclust.core.records.query import (
    MAX_QUESTION,
    QUERY_CONTEXTS,
    ClusteringInstance,
    Hit,
    Passage,
    Query,
    QueryContext,
    Ranking,
)
from subclust.core.records.subtopics import (
    OTHER_PASSAGES,
    OTHER_PASSAGES_NAME,
    Grounds,
    MappedPassage,
    NumberOfClusters,
    QueryEffect,
    Regrouping,
    StabilityCurve,
    Subtopic,
    SubtopicMap,
    SubtopicPart,
)

__all__ = [
    "BoolArray",
    "ClusteringInstance",
    "Float64Array",
    "FloatArray",
    "Grounds",
    "Hit",
    "IntArray",
    "MAX_QUESTION",
    "MappedPassage",
    "MethodCard",
    "NumberOfClusters",
    "OTHER_PASSAGES",
    "OTHER_PASSAGES_NAME",
    "Passage",
    "QUERY_CONTEXTS",
    "Query",
    "QueryContext",
    "QueryEffect",
    "Ranking",
    "Regrouping",
    "StabilityCurve",
    "Subtopic",
    "SubtopicMap",
    "SubtopicPart",
    "TaskCard",
    "by_document",
    "document_of",
    "documents_by_text",
]
