"""The writer and a reader of `test_readers_and_a_writer.py`, each a process of its own.

The writer adds batches and writes those that are there anew, each in one transaction, and then says
in a file what it has acknowledged. A reader takes that file first and then reads: it must see what
was acknowledged (nothing stale), and each batch wholly and of one generation (nothing torn).
"""

import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from subclust.core.records import Passage
from subclust.text.encoders.base import HashingEncoder
from subclust.text.library import PassageLibrary

ENCODER = HashingEncoder(16)
BATCH_SIZE = 25
MOST_BATCHES = 120


def batch_of(number, generation):
    return [
        Passage(
            f"b{number}-{n}",
            f"batch {number} words common {n} generation{generation}",
            f"Batch {number}",
            f"b{number}",
            metadata={"generation": str(generation)},
        )
        for n in range(BATCH_SIZE)
    ]


def write(folder, told, until):
    library = PassageLibrary.open(folder, "books")
    chance, generations, n_writes = random.Random(0), {}, 0
    while time.time() < until:
        new = len(generations) < MOST_BATCHES and (not generations or chance.random() < 0.4)
        number = len(generations) if new else chance.choice(list(generations))
        passages = batch_of(number, generations.get(number, -1) + 1)
        library.add(passages, ENCODER.encode([one.text for one in passages]))
        generations[number] = generations.get(number, -1) + 1
        beside = told.with_suffix(".part")
        beside.write_text(json.dumps(generations))
        beside.replace(told)
        n_writes += 1
        if n_writes % 15 == 0:
            library.optimize()
        if n_writes % 60 == 0:
            library.compact()
    print(json.dumps({"n_writes": n_writes, "n_batches": len(generations)}))


def acknowledged(told):
    return {int(key): value for key, value in json.loads(told.read_text()).items()}


def read(folder, told, until, seed):
    library = PassageLibrary.open(folder, "books")
    chance, n_reads, n_newest = random.Random(seed), Counter(), 0
    while time.time() < until:
        if not told.exists():
            time.sleep(0.01)
            continue
        known = acknowledged(told)
        number = chance.choice(list(known))
        kind = chance.choice(["batch", "text", "vector", "count", "get", "open"])
        if kind == "open":
            library = PassageLibrary.open(folder, "books")
        elif kind == "count":
            count = library.count()
            assert count % BATCH_SIZE == 0 and count >= BATCH_SIZE * len(known), (count, known)
        else:
            if kind == "batch":
                found = library.passages(collection=f"b{number}")
            elif kind == "get":
                found = library.get([f"b{number}-{n}" for n in range(BATCH_SIZE)])
            elif kind == "text":
                found = library.search_text("common", 500, collection=f"b{number}")
            else:
                vector = ENCODER.encode([f"batch {number} words common"])[0]
                found = library.search_vector(vector, 500, collection=f"b{number}")
            generations = Counter(one.metadata["generation"] for one in found.passages)
            assert len(found) == len({one.id for one in found.passages}) == BATCH_SIZE, (
                kind, number, len(found),
            )  # fmt: skip
            assert len(generations) == 1, f"torn: {kind} of batch {number} gave {generations}"
            generation = int(next(iter(generations)))
            assert generation >= known[number], f"stale: {kind} {generation} < {known[number]}"
            expected = {one.id: one.text for one in batch_of(number, generation)}
            assert {one.id: one.text for one in found.passages} == expected
            n_newest += generation > 0
        n_reads[kind] += 1
    print(json.dumps({"n_reads": n_reads, "n_rewritten": n_newest}))


if __name__ == "__main__":
    what, folder, told, seed = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    PassageLibrary.open(folder, "books")
    print("ready", flush=True)
    until = time.time() + float(sys.stdin.readline())
    if what == "write":
        write(folder, told, until)
    else:
        read(folder, told, until, seed)
