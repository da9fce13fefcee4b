"""Ways to divide hits by their records: year, language, journal, title, kind of study."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from subclust.core.messages import N_
from subclust.core.records import FloatArray, Passage, documents_by_text
from subclust.core.records.boilerplate import without_labels
from subclust.core.records.languages import language_name
from subclust.grouping.similarity.dividing import share_documents
from subclust.pipeline.ways.division import Division
from subclust.pipeline.ways.study import kinds_of_study

MOST_GROUPS = 12
"""Groups of a way at the most."""

_LEAST_HAVE = 0.7
"""Share of the hits that must be in a group."""

_MOST_ALIKE = 0.8
"""Share of the hits that may have one value."""

_SAME = 1.0
"""Score of two hits with one value, beside their cosine, which is smaller; see `_INSIDE`."""

_INSIDE = 0.4
"""Weight of the cosine, by which groups of one value are divided further."""

DOCUMENT, YEAR, COLLECTION, STUDY = "document", "year", "collection", "kind_of_study"

FIELDS: dict[str, str] = {
    STUDY: N_("by kind of study"),
    YEAR: N_("by period of publication"),
    "language": N_("by language"),
    "venue": N_("by journal"),
    "journal": N_("by journal"),
    "type": N_("by type of publication"),
    "keywords": N_("by subject heading"),
    "subjects": N_("by subject heading"),
    "categories": N_("by category"),
    "publisher": N_("by publisher"),
    "place": N_("by place of publication"),
    COLLECTION: N_("by collection"),
    DOCUMENT: N_("by document"),
}
"""What ways by field are called; one by a field that is not here, by the field's own name."""

_ASKED = {
    "kind of study": STUDY,
    "type of study": STUDY,
    "study type": STUDY,
    "kind of paper": STUDY,
    "type of paper": STUDY,
    "kind of work": STUDY,
    "research method": STUDY,
    "methodology": STUDY,
    "art der studie": STUDY,
    "forschungsmethode": STUDY,
    "period": YEAR,
    "decade": YEAR,
    "year of publication": YEAR,
    "period of publication": YEAR,
    "subject heading": "keywords",
    "keyword": "keywords",
    "category": "categories",
    "article": DOCUMENT,
    "book": DOCUMENT,
    "jahr": YEAR,
    "sprache": "language",
    "zeitschrift": "venue",
    "schlagwort": "keywords",
    "sammlung": COLLECTION,
    "dokument": DOCUMENT,
}
"""Other words for fields, in questions such as "by article"."""

_NOT_FIELDS = frozenset({"url", "doi", "isbn", "issn", "pages", "volume", "issue", "date"})
_NOT_FIELDS |= {"licence", "source", "description", "abstract", "authors", "author", "note"}

_YEAR = re.compile(r"(?<!\d)(1[0-9]|20)\d\d(?!\d)")
_SPANS = (1, 2, 5, 10, 20, 50, 100, 200)
_PERIODS = 8


def field_divisions(
    passages: Sequence[Passage], embeddings: FloatArray, only: str | None = None
) -> dict[str, Division]:
    """Return the ways in which fields of records divide hits.

    A field counts where 2 to `MOST_GROUPS` groups of two hits or more hold most hits, and none of
    them nearly all. Of several values of one hit, the first counts.

    Parameters
    ----------
    passages : sequence of Passage
        n_hits of them.
    embeddings : ndarray of shape (n_hits, embedding_dim)
        Of length 1; hits with one value are compared by them.
    only : str, optional
        The one field that is looked at.

    Returns
    -------
    dict of str to Division
        By the name of the field.
    """
    found = {}
    for name, values in _values(passages, only).items():
        labels, names = _labels(values)
        if labels is None:
            continue
        same = (labels[:, None] == labels) & (labels >= 0)
        scores = _SAME * same + _INSIDE * (embeddings @ embeddings.T)
        found[name] = Division(labels, np.asarray(scores, dtype=np.float32), names)
    return found


def field_of(question: str, passages: Sequence[Passage]) -> str | None:
    """Return the field that a question such as "by language" names; None where it names none.

    Parameters
    ----------
    question : str
    passages : sequence of Passage
        Of which at least one has the field.
    """
    match = re.fullmatch(r"\s*(?:by|nach)\s+(?:the\s+)?(.+?)\s*", question, re.IGNORECASE)
    if match is None:
        return None
    asked = match[1].casefold()
    name = _ASKED.get(asked, asked)
    plural = {"languages": "language", "journal": "venue", "journals": "venue"}
    name = plural.get(name, name)
    if name in (DOCUMENT, COLLECTION, STUDY):
        return name
    has = name == YEAR or any(passage.metadata.get(name) for passage in passages)
    return name if has and name not in _NOT_FIELDS else None


def _values(passages: Sequence[Passage], only: str | None) -> Mapping[str, list[str]]:
    """Return the value of each passage in each field; empty where it has none."""
    names = {name for passage in passages for name in passage.metadata} - _NOT_FIELDS
    found = {
        name: [one.metadata.get(name, "").split(";")[0].strip() for one in passages]
        for name in sorted(names - {YEAR})
        if only in (None, name)
    }
    if "language" in found:
        found["language"] = [language_name(code) for code in found["language"]]
    if only in (None, YEAR):
        found[YEAR] = _periods(passages)
    if only in (None, COLLECTION):
        found[COLLECTION] = [one.collection for one in passages]
    if only not in (None, DOCUMENT, STUDY):
        return found
    documents = documents_by_text(passages)
    if share_documents(documents):
        if only != STUDY:
            found[DOCUMENT] = [one.title for one in passages]
    elif only != DOCUMENT and len(set(documents.values())) > 1:
        texts = [without_labels(one.text) for one in passages]
        found[STUDY] = kinds_of_study([one.title for one in passages], texts)
    return found


def _periods(passages: Sequence[Passage]) -> list[str]:
    """Return the period of each passage, all of them equally long and few."""
    told = [one.metadata.get("year") or one.metadata.get("date") or "" for one in passages]
    matches = [_YEAR.search(one) for one in told]
    years = [int(match[0]) if match else None for match in matches]
    known = {year for year in years if year is not None}
    for span in _SPANS:
        if len({year // span for year in known}) <= _PERIODS:
            break
    else:
        return [""] * len(passages)
    first = [None if year is None else year // span * span for year in years]
    if span == 1:
        return ["" if year is None else str(year) for year in first]
    return ["" if year is None else f"{year}–{year + span - 1}" for year in first]


def _labels(values: Sequence[str]) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """Return a number for each value that enough hits have; None where they do not divide."""
    counts = Counter(filter(None, values))
    common = [value for value, count in counts.most_common(MOST_GROUPS) if count > 1]
    held = sum(counts[value] for value in common)
    divides = len(common) > 1 and held >= _LEAST_HAVE * len(values)
    if not divides or counts[common[0]] > _MOST_ALIKE * held:
        return None, ()
    number = {value: label for label, value in enumerate(common)}
    return np.array([number.get(one, -1) for one in values], dtype=np.int64), tuple(common)
