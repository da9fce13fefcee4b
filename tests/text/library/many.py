"""Records of many kinds, for the tests of catalogue, browsing and backups."""

from subclust.core.records import Passage
from subclust.text.encoders.base import HashingEncoder

ENCODER = HashingEncoder(16)

RECORDS = [
    Passage("a:1", "Maps of harbours.", "Maps", "a", metadata={"language": "eng", "year": "1998"}),
    Passage("a:2", "Karten der Häfen.", "Karten", "a",
            metadata={"language": "ger", "year": "c2001", "source": 'O"Brien \\ Söhne'}),
    Passage("a:3#1", "First part of a long text.", "Long", "a",
            metadata={"year": "2001-05-03", "source": "JATS", "position": "1"}),
    Passage("a:3#2", "Second part of a long text.", "Long", "a",
            metadata={"year": "2001-05-03", "source": "JATS", "position": "2"}),
    Passage("enwiki:7#0", "A paragraph on fishing.", "Fish", "w", label="Trade",
            metadata={"language": "en", "description": 'It says "language": "fre" here.'}),
    Passage("enwiki:7#1", "A paragraph on boats.", "Fish", "w", label="Boats", metadata={}),
    Passage("w:C#7", "An issue whose number has a mark.", "C#7", "w", metadata={"year": "n. d."}),
    Passage("w:C#8", "Another issue of it, 100% sure.", "C#8", "w", metadata={"year": "–1987"}),
]  # fmt: skip


def add_records(library, records=RECORDS):
    texts = [f"{one.title}. {one.text}" for one in records]
    library.add(records, ENCODER.encode(texts))
    return library
