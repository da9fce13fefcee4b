"""Make the vectors that ship with Subclust: of the demo library and of its words for names."""

import argparse

from subclust.checkpoints import CheckpointStore
from subclust.cli.printing import progress_bar
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.grouping.naming.phrases import vocabulary
from subclust.methods import load_method
from subclust.text.encoders import SentenceEncoder, StackedEncoder
from subclust.text.encoders.shipped import FILE, write_shipped
from subclust.text.ingest.units import units_of
from subclust.text.sources.base import Document
from subclust.text.sources.wikidump import demo_dump


def add_vectors(parser: argparse.ArgumentParser) -> None:
    """Declare that ``vectors`` has no arguments."""


def run_vectors(arguments: argparse.Namespace, settings: Settings) -> None:
    """Encode in single precision all that ships, and write it into the package."""
    found = {}
    for encoder, texts in shipped_texts(settings):
        told = progress_bar(Message("Encoding for {encoder}", encoder=encoder.revision))
        found[encoder.revision] = (texts, encoder.encode(texts, progress=told))
    write_shipped(found)
    print(f"{FILE}: {FILE.stat().st_size / 1e6:.1f} MB")


def shipped_texts(settings: Settings) -> list[tuple[SentenceEncoder, list[str]]]:
    """List each encoder whose vectors ship, in single precision, and the texts that it encodes.

    Those are the embedded one, of passages and of words, and the tuning of it that the shipped
    default method has, of passages.
    """
    encoder = SentenceEncoder(precision="float32")
    documents = [one for one in demo_dump() if isinstance(one, Document)]
    passages = [passage.text for document in documents for passage in document.passages]
    imported = [
        unit.text_of(passage)
        for document in documents
        for unit in units_of(document)
        for passage in unit.passages
    ]
    shipped = settings.shipped_models_dir
    method = load_method("default", CheckpointStore(shipped), encoder)
    own = (
        method.encoder.encoders if isinstance(method.encoder, StackedEncoder) else [method.encoder]
    )
    texts = {encoder.revision: (encoder, [*imported, *vocabulary(passages)])}
    for one in own:
        if isinstance(one, SentenceEncoder):
            texts.setdefault(one.revision, (one, passages))
    return list(texts.values())
