"""A library of forty-eight passages on four subjects, made without weights."""

from pathlib import Path

from subclust.core.records import Passage
from subclust.text.encoders import HashingEncoder
from subclust.text.library import PassageLibrary

SUBJECTS = {
    "Stamp Act": "The Stamp Act put a tax on paper and the merchants of Boston refused the tax",
    "French fleet": "Admiral de Grasse led the French fleet and its frigates from the harbour",
    "Winter quarters": "At Valley Forge the hungry soldiers drilled in snow under von Steuben",
    "Peace treaty": "Franklin and Jay negotiated the peace treaty with ministers in Paris",
}
_DETAILS = (
    "early that spring", "in the cold morning", "with great trouble", "after long talks",
    "for the third time", "as letters report", "against all advice", "near the old bridge",
    "under heavy rain", "without any delay", "before the harvest", "along the coast",
)  # fmt: skip


def passages() -> list[Passage]:
    """Write twelve passages on each subject."""
    return [
        Passage(
            id=f"{subject.lower().replace(' ', '-')}:{number}#{number}",
            text=f"{sentence} {detail}, number words of the American war. {sentence}, {detail}.",
            title=f"{subject} {detail}",
            collection="test",
            label=subject,
            path=f"War / {subject}",
            metadata={"licence": "CC BY-SA 4.0", "source": "Handmade"},
        )
        for subject, sentence in SUBJECTS.items()
        for number, detail in enumerate(_DETAILS, start=1)
    ]


def build(folder: Path, name: str, n_passages: int | None = None) -> None:
    """Make a library of the first passages in a data folder."""
    encoder = HashingEncoder()
    chosen = passages()[:n_passages]
    embeddings = encoder.encode([passage.text for passage in passages()])[: len(chosen)]
    library = PassageLibrary.create(
        folder / "library",
        name,
        embedding_dim=embeddings.shape[1],
        encoder_name=encoder.name,
        encoder_revision=encoder.revision,
    )
    library.add(chosen, embeddings)
