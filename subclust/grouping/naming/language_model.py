"""Names by a language model, held to what the passages say."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from subclust.core.exceptions import EndpointError
from subclust.core.records import FloatArray, Passage
from subclust.grouping.naming.base import Asked, SubtopicNamer, as_heading
from subclust.grouping.naming.telling import telling_passages
from subclust.grouping.naming.words import evidence, name_words

PROMPT = """The passages below answer the query "{query}" and are divided into groups.
Give each group a short name of one to five words, as a heading in a book on the query.
Use words that stand in at least two passages of the group. Do not repeat the query. Names that
might do stand behind each number; take one of them, or a better one.
Answer with one line a group, its number and its name, like "1: Early years", and nothing else.

{groups}"""

_LINE = re.compile(r"^\W*(\d+)\W+(.*\w.*)$")
_TELLING = 4
_EXCERPT = 240
_LONGEST = 60
_MIGHT = 5


class LanguageModelNamer(SubtopicNamer):
    """Asks a language model for all names at once.

    A name is taken where it is not too long, not another group's, and not made up: some word of it
    stands in at least two passages of the group. Otherwise, and where the model does not answer,
    the group gets the name that another namer gives.

    Parameters
    ----------
    ask : callable
        Sends a prompt and gives the answer's text; may raise an `EndpointError`.
    otherwise : SubtopicNamer
    """

    def __init__(self, ask: Callable[[str], str], otherwise: SubtopicNamer) -> None:
        self.ask = ask
        self.otherwise = otherwise
        self.vocabulary = otherwise.vocabulary

    def knowing(self, passages: Sequence[Passage], embeddings: FloatArray) -> "LanguageModelNamer":
        """Return this namer with what it may know of passages; see `SubtopicNamer.knowing`."""
        return LanguageModelNamer(self.ask, self.otherwise.knowing(passages, embeddings))

    def propose(self, asked: Asked) -> dict[int, list[str]]:
        """List the model's name where it can be used, then those of the other namer."""
        proposals = self.otherwise.propose(asked)
        try:
            answer = self.ask(self._prompt(asked, proposals))
        except EndpointError:
            return proposals
        told = _read_names(answer)
        for number, group in enumerate(asked.wanted, start=1):
            name = told.get(number, "")
            texts = [asked.passages[int(row)] for row in np.flatnonzero(asked.labels == group)]
            if _is_borne_out(name, texts):
                has_term = self.vocabulary.id_of(proposals[group][0]) is not None
                proposals[group].insert(int(has_term), name)
        return proposals

    def _prompt(self, asked: Asked, proposals: Mapping[int, Sequence[str]]) -> str:
        passages, chosen = asked.passages, {}
        if asked.embeddings is not None:
            chosen = telling_passages(asked.embeddings, asked.labels, _TELLING)
        parts = []
        for number, group in enumerate(asked.wanted, start=1):
            members = np.flatnonzero(asked.labels == group).tolist()
            rows = chosen.get(group, sorted(members, key=lambda row: passages[row])[:_TELLING])
            lines = [f"- {' '.join(passages[row].split())[:_EXCERPT]}" for row in rows]
            might = "; ".join(map(as_heading, proposals[group][:_MIGHT]))
            parts.append("\n".join([f"Group {number} ({might}):", *lines]))
        return PROMPT.format(query=asked.query.subject, groups="\n\n".join(parts))


def _read_names(answer: str) -> dict[int, str]:
    """Read numbered names; lines of another form are left out, and the first of a number counts."""
    names: dict[int, str] = {}
    for line in answer.splitlines():
        if found := _LINE.match(line.strip()):
            name = found.group(2).strip(" *_\"'“”.;:`")
            if name:
                names.setdefault(int(found.group(1)), as_heading(name))
    return names


def _is_borne_out(name: str, texts: Sequence[str]) -> bool:
    """Return whether some word of a name stands in two of the texts, or in the only one."""
    if not name or len(name) > _LONGEST or not name_words(name):
        return False
    return any(
        sum(bool(evidence(word, text)) for text in texts) >= min(2, len(texts))
        for word in name_words(name)
    )
