"""Labelled sets whose subtopics have words of their own."""

import json

import numpy as np

from subclust.core.records import ClusteringInstance, Passage, Query

KINDS = ["river water boat", "stone tower wall", "bread flour oven"]
SUBJECTS = {
    "War": "taxes colonies army battle king crown tea port",
    "Animals": "ant burrow night termite claw savanna tongue snout",
    "Books": "shelf map author catalogue reader page index binding",
}


def labelled(path, n_queries=6, n_passages=9, first=0):
    with path.open("w") as stream:
        for query in range(first, first + n_queries):
            passages = [
                {"text": f"{KINDS[i % 3]} topic{query} word{i}", "label": f"part {i % 3}"}
                for i in range(n_passages)
            ]
            stream.write(json.dumps({"query": f"topic{query}", "passages": passages}) + "\n")
    return path


def instances(numbers, n_each=3):
    """Make questions whose passages, so many each, are on `SUBJECTS`."""
    made = []
    for number in numbers:
        generator = np.random.default_rng(number)
        passages = []
        for label, words in SUBJECTS.items():
            for row in range(n_each):
                text = " ".join(["note", *generator.permutation(words.split())[:4]])
                passages.append(Passage(f"{number}-{label}-{row}", text, label=label, path=label))
        made.append(ClusteringInstance(Query(f"question {number}"), tuple(passages)))
    return made
