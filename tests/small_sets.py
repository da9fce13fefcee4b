"""Labelled sets whose subtopics have words of their own."""

import json

KINDS = ["river water boat", "stone tower wall", "bread flour oven"]


def labelled(path, n_queries=6, n_passages=9, first=0):
    with path.open("w") as stream:
        for query in range(first, first + n_queries):
            passages = [
                {"text": f"{KINDS[i % 3]} topic{query} word{i}", "label": f"part {i % 3}"}
                for i in range(n_passages)
            ]
            stream.write(json.dumps({"query": f"topic{query}", "passages": passages}) + "\n")
    return path
