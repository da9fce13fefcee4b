"""How a passage and its embedding lie in a table, and how they come back."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from subclust.core.exceptions import InputError, LibraryError
from subclust.core.records import FloatArray, Passage
from subclust.core.records.boilerplate import without_labels

SCHEMA_VERSION = "1"

STORED = ["id", "text", "title", "collection", "label", "path", "metadata", "embedding"]
"""The columns a passage is made from."""


@dataclass(frozen=True)
class FoundPassages:
    """Passages that came out of a library, best first where they were searched for.

    Parameters
    ----------
    passages : tuple of Passage
    embeddings : ndarray of shape (n_passages, embedding_dim)
        As they were added: float32, L2-normalised; the same order.
    scores : ndarray of shape (n_passages,)
        Higher is better: BM25 (above 0) of a text search, cosine (-1 to 1) of a vector search,
        0 where nothing was searched for.
    """

    passages: tuple[Passage, ...]
    embeddings: FloatArray = field(compare=False, repr=False)
    scores: npt.NDArray[np.float64] = field(compare=False, repr=False)

    def __len__(self) -> int:
        """Count the passages."""
        return len(self.passages)


def passage_schema(embedding_dim: int, encoder_name: str, encoder_revision: str) -> pa.Schema:
    """Describe the table of a library.

    Parameters
    ----------
    embedding_dim : int
        At least 1.
    encoder_name, encoder_revision : str
        Of the encoder whose vectors it will hold; they are kept in the schema's metadata, so that
        a table and its encoder can never come apart.

    Raises
    ------
    InputError
        If `embedding_dim` is below 1.
    """
    if embedding_dim < 1:
        raise InputError(
            "The embedding dimension must be at least 1, but is {embedding_dim}.",
            embedding_dim=embedding_dim,
        )
    text = ["id", "text", "title", "collection", "label", "path", "metadata"]
    return pa.schema(
        [
            *(pa.field(name, pa.string(), nullable=name in ("label", "path")) for name in text),
            # What the full-text index reads: a record is found by the words of its title too.
            pa.field("searched_text", pa.string(), nullable=False),
            pa.field("fingerprint", pa.string(), nullable=False),
            pa.field("embedding", pa.list_(pa.float32(), embedding_dim), nullable=False),
        ],
        metadata={
            "subclust_schema": SCHEMA_VERSION,
            "encoder_name": encoder_name,
            "encoder_revision": encoder_revision,
        },
    )


def read_encoder(schema: pa.Schema, library: str) -> tuple[str, str]:
    """Read the name and revision of the encoder from a table's schema.

    Raises
    ------
    LibraryError
        If the table is not one of ours, or one of a later version of Subclust.
    """
    metadata = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    version = metadata.get("subclust_schema")
    if version != SCHEMA_VERSION:
        raise LibraryError(
            "The library {name!r} was not made by this version of Subclust (layout {layout}, "
            "expected {expected}); remove it and import its documents again.",
            name=library,
            layout=version or "unknown",
            expected=SCHEMA_VERSION,
        )
    return metadata["encoder_name"], metadata["encoder_revision"]


def fingerprint(passage: Passage) -> str:
    """Return a passage's SHA-256 over all of its fields: two that are alike are the same record."""
    record = [
        passage.id,
        passage.text,
        passage.title,
        passage.collection,
        passage.label,
        passage.path,
        sorted(passage.metadata.items()),
    ]
    return hashlib.sha256(json.dumps(record).encode()).hexdigest()


def fingerprint_keys(fingerprints: Iterable[str]) -> npt.NDArray[np.uint64]:
    """Return the first 64 bits of each fingerprint, to compare many in little memory."""
    return np.array([int(one[:16], 16) for one in fingerprints], np.uint64)


def to_table(passages: Sequence[Passage], embeddings: FloatArray, schema: pa.Schema) -> pa.Table:
    """Lay passages and embeddings out as rows.

    Parameters
    ----------
    passages : sequence of Passage
        Where an id comes twice the last one counts.
    embeddings : ndarray of shape (n_passages, embedding_dim)
        Finite; each row of length 1 (or 0).
    schema : pyarrow.Schema
        Of `passage_schema`.

    Raises
    ------
    InputError
        If the shapes do not fit, a vector is not finite or not normalised, or an id is empty.
    """
    embedding_dim = schema.field("embedding").type.list_size
    vectors = np.ascontiguousarray(embeddings, dtype=np.float32)
    if vectors.shape != (len(passages), embedding_dim):
        raise InputError(
            "{count} passages need embeddings of shape ({count}, {embedding_dim}), but these have "
            "shape {shape}.",
            count=len(passages),
            embedding_dim=embedding_dim,
            shape=vectors.shape,
        )
    if not np.isfinite(vectors).all():
        raise InputError("The embeddings must be finite numbers, but some are not.")
    lengths = np.linalg.norm(vectors, axis=1)
    if ((np.abs(lengths - 1) > 1e-2) & (lengths > 0)).any():
        raise InputError("The embeddings must have length 1, but some have not.")
    if not all(passage.id for passage in passages):
        raise InputError("Every passage must have an id, but one has none.")

    last = {passage.id: row for row, passage in enumerate(passages)}
    rows = sorted(last.values())
    kept = [passages[row] for row in rows]
    columns = {
        "id": [storable(p.id) for p in kept],
        "text": [storable(p.text) for p in kept],
        "title": [storable(p.title) for p in kept],
        "collection": [storable(p.collection) for p in kept],
        "label": [None if p.label is None else storable(p.label) for p in kept],
        "path": [None if p.path is None else storable(p.path) for p in kept],
        "metadata": [json.dumps(dict(p.metadata)) for p in kept],
        "searched_text": [storable(f"{p.title}\n{without_labels(p.text)}") for p in kept],
        "fingerprint": [fingerprint(p) for p in kept],
    }
    arrays = [pa.array(values, pa.string()) for values in columns.values()]
    arrays.append(
        pa.FixedSizeListArray.from_arrays(pa.array(vectors[rows].reshape(-1)), embedding_dim)
    )
    return pa.table(arrays, schema=schema)


def from_table(table: pa.Table, scores: npt.NDArray[np.float64]) -> FoundPassages:
    """Read passages and embeddings from rows that have the columns of `STORED`."""
    embedding_dim = table.schema.field("embedding").type.list_size
    passages = passages_of(table)
    vectors = table.column("embedding").combine_chunks()
    flat = np.zeros(0, np.float32) if not len(table) else vectors.flatten().to_numpy()
    return FoundPassages(passages, flat.reshape(len(table), embedding_dim), scores)


def passages_of(rows: pa.Table | pa.RecordBatch) -> tuple[Passage, ...]:
    """Read passages from rows that have the columns of `STORED`; text and embedding may lack."""
    there = rows.schema.names
    columns = {
        name: rows.column(name).to_pylist() if name in there else [""] * rows.num_rows
        for name in STORED[:-1]
    }
    return tuple(
        Passage(
            id=id_,
            text=text,
            title=title,
            collection=collection,
            label=label,
            path=path,
            metadata=json.loads(metadata),
        )
        for id_, text, title, collection, label, path, metadata in zip(
            *columns.values(), strict=True
        )
    )


def storable(text: str) -> str:
    """Replace what UTF-8 cannot hold (lone surrogates) by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
