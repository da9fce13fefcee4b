"""A passage library of some passages, as tests of all stages need it."""

from subclust.library import PassageLibrary


def make_library(folder, encoder, passages, name="demo"):
    library = PassageLibrary.create(
        folder,
        name,
        embedding_dim=encoder.embedding_dim,
        encoder_name=encoder.name,
        encoder_revision=encoder.revision,
    )
    if passages:
        library.add(passages, encoder.encode([passage.text for passage in passages]))
    return library
