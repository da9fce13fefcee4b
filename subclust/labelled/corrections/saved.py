"""Corrections as they are kept: the edits, what they were made on, and what came of them."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from subclust.core.records import OTHER_PASSAGES, SubtopicMap
from subclust.core.storage.damaged import typed
from subclust.labelled.corrections.edits import History, from_object, to_object
from subclust.labelled.corrections.replay import Corrected, Judgement

_FORMAT = 1
"""Of the files; another number is another form."""


@dataclass(frozen=True)
class Basis:
    """What corrections were made on.

    Parameters
    ----------
    library, encoder : str
        Where the passages come from, and the revision of the encoder that found them.
    data : str
        SHA-256 of ids and texts of the hits: the version of the data.
    model : str
        Which model that was, also where another one has its name now; empty where there is none.
    subclust : str
        Version of the program.
    address : mapping of str to str or list of str
        Parameters of the page's address that show the question and its grouping again.
    """

    query: str
    library: str
    encoder: str
    data: str
    method: str
    checkpoint: str | None
    model: str
    seed: int
    n_clusters: int
    subclust: str
    address: Mapping[str, str | list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class KeptPassage:
    """A passage as it was when the corrections were saved."""

    id: str
    title: str
    text: str
    judgement: Judgement | None = None


@dataclass(frozen=True)
class KeptGroup:
    """A group as it was when the corrections were saved; -1 are the other passages."""

    id: int
    name: str
    passages: tuple[KeptPassage, ...]


@dataclass(frozen=True)
class SavedCorrections:
    """What was saved under a name.

    Parameters
    ----------
    revision : int
        From 1, one more each time it is saved.
    saved : float
        Seconds since the epoch.
    groups : tuple of KeptGroup
        After all edits, with the texts, so that they can be exported without the library.
    owner : str
        Name of who saved them first; "" where nobody had signed in.
    shared : bool
        Whether everybody who signs in may load them.
    team : str
        Team whose members may load them, too; "" for none.
    """

    name: str
    revision: int
    saved: float
    basis: Basis
    history: History
    groups: tuple[KeptGroup, ...]
    owner: str = ""
    shared: bool = False
    team: str = ""

    @property
    def passages(self) -> Iterator[tuple[KeptPassage, KeptGroup]]:
        """All passages with their groups."""
        return ((passage, group) for group in self.groups for passage in group.passages)

    @property
    def n_groups(self) -> int:
        """Number of groups, other passages not counted."""
        return sum(group.id != OTHER_PASSAGES for group in self.groups)

    def facts(self) -> dict[str, Any]:
        """Return what a list of saved corrections shows of it."""
        judged = [passage.judgement for passage, _ in self.passages if passage.judgement]
        return {
            "name": self.name,
            "revision": self.revision,
            "saved": self.saved,
            "query": self.basis.query,
            "library": self.basis.library,
            "method": self.basis.method,
            "checkpoint": self.basis.checkpoint,
            "n_edits": len(self.history.done),
            "n_passages": sum(len(group.passages) for group in self.groups),
            "n_groups": self.n_groups,
            "n_judged": len(judged),
            "n_unsure": judged.count("unsure"),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON holds it."""
        return {
            "format": _FORMAT,
            "name": self.name,
            "revision": self.revision,
            "saved": self.saved,
            "basis": asdict(self.basis),
            "done": [to_object(edit) for edit in self.history.done],
            "undone": [to_object(edit) for edit in self.history.undone],
            "groups": [asdict(group) for group in self.groups],
            "owner": self.owner,
            "shared": self.shared,
            "team": self.team,
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> "SavedCorrections":
        """Read what `to_dict` gave.

        Raises
        ------
        KeyError, TypeError, ValueError
            If it is something else.
        """
        if value["format"] != _FORMAT:
            raise ValueError(f"form {value['format']} is not known here")
        return cls(
            name=value["name"],
            revision=int(value["revision"]),
            saved=float(value["saved"]),
            basis=typed(Basis, value["basis"]),
            history=History(
                tuple(from_object(edit) for edit in value["done"]),
                tuple(from_object(edit) for edit in value["undone"]),
            ),
            groups=tuple(typed(KeptGroup, group) for group in value["groups"]),
            owner=str(value.get("owner", "")),
            shared=value.get("shared") is True,
            team=str(value.get("team", "")),
        )


def kept_groups(corrected: Corrected) -> tuple[KeptGroup, ...]:
    """Return corrected groups as they are kept."""
    return tuple(
        KeptGroup(
            group.id,
            group.name,
            tuple(
                KeptPassage(
                    member.passage.id,
                    member.passage.title,
                    member.passage.text,
                    corrected.judgements.get(member.passage.id),
                )
                for member in group.passages
            ),
        )
        for group in corrected.subtopics.subtopics
    )


def data_version(subtopics: SubtopicMap) -> str:
    """Compute the SHA-256 of the ids and texts of all hits, whatever their order."""
    texts = sorted(
        (member.passage.id, member.passage.text)
        for group in subtopics.subtopics
        for member in group.passages
    )
    digest = sha256()
    for part in (part for pair in texts for part in pair):
        written = part.encode("utf-8", "surrogatepass")
        # With its length: else an id and a text could be cut elsewhere and give the same digest.
        digest.update(len(written).to_bytes(8, "big") + written)
    return digest.hexdigest()


def suggested_name(text: str) -> str:
    """Make a name of what somebody typed, or of a question: "Börse (neu)" gives "borse-neu"."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_]+", "-", letters).strip("-_")[:48].rstrip("-_") or "corrections"
