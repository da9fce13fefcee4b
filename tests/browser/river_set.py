"""A labelled set of forty rivers, written from a few words, with faults where they are wanted."""

import csv
import io
import random

HEADER = ["query", "text", "label"]
N_QUERIES = 40
PASSAGES_OF_A_LABEL = 6

WORDS = {
    "Trade": "barge cargo wharf salt grain toll merchant market ferry harbour timber freight",
    "Floods": "storm dike levee rain breach rescue warning surge dam relief crest refuge",
    "Wildlife": "otter heron salmon reed spawning nest marsh kingfisher eel beaver dragonfly trout",
}
"""Of each subtopic, the words that tell it."""

COMMON = (
    "the town said that in this year many people came and went along its banks while others "
    "looked on from a hill with some interest because it was known far beyond the valley"
).split()
_FIRST = ("Al", "Bre", "Cor", "Dun", "El", "Far", "Gra", "Hol")
_SECOND = ("ba", "mere", "wick", "sund", "try")


def queries():
    """Name the forty rivers."""
    return [f"river {first}{second}" for first in _FIRST for second in _SECOND][:N_QUERIES]


def rows():
    """Write the whole set: eighteen passages of each river, on three subtopics in turn."""
    draw = random.Random(7)
    made = []
    for query in queries():
        for _ in range(PASSAGES_OF_A_LABEL):
            for label, words in WORDS.items():
                told = draw.sample(words.split(), 5)
                rest = draw.sample(COMMON, 8)
                text = [*told, *rest, *query.split()]
                draw.shuffle(text)
                made.append([query, " ".join(text).capitalize() + ".", label])
    return made


def csv_bytes(table):
    """Write rows below a header, as a spreadsheet does."""
    stream = io.StringIO()
    csv.writer(stream).writerows([HEADER, *table])
    return stream.getvalue().encode("utf-8-sig")
