"""A paper with two tables, and a folder of small results beside it."""

import json
import math
import statistics

QUERIES = ["war", "peace", "fish"]

PAPER = """
name = "small"
label = "Small"
title = "A small paper"
citation = "Somebody. A small paper."
url = "https://example.org/small"
difference = "Other data."

[[datasets]]
name = "Theirs"
task = "made"
label = "Made"
difference = "Made up."

[[datasets]]
name = "Their second"
task = "second"
label = "Second"
difference = "Made up, too."

[[statements]]
where = "Abstract"
text = "Ours is better."

[[statistics]]
label = "Table 0"
caption = "Sizes."
columns = ["Data", "Queries"]
rows = [["Theirs", "5"]]

[[tables]]
name = "table-1"
label = "Table 1"
caption = "Groups."
reference = "Plain"
alpha = 0.05
main = "ari"

[[tables.columns]]
name = "ari"
label = "ARI"
dataset = "Theirs"
metric = "ari"
granularity = "flat"

[[tables.columns]]
name = "auc"
label = "AUC"
dataset = "Theirs"
metric = "auc_balanced"
granularity = "flat"

[[tables.rows]]
label = "Best"
method = "best@one"
cells = ["0.300▲", "0.7"]

[[tables.rows]]
label = "Second"
method = "second"
cells = ["0.25", ""]

[[tables.rows]]
label = "Nobody"
note = "Not here."
cells = ["≈0▼", "0.5"]

[[tables.rows]]
label = "Plain"
method = "plain"
cells = ["0.2★", "0.6★"]

[[figures]]
name = "figure-1"
label = "Figure 1"
caption = "Query by query."
kind = "helps-hurts"
datasets = ["Theirs"]
metric = "ari"
granularity = "flat"
says = ["Better on most."]

[[figures.series]]
label = "Second"
method = "second"

[[figures.series]]
label = "Plain"
method = "plain"

[[figures]]
name = "figure-2"
label = "Figure 2"
caption = "Over both."
kind = "per-query"
datasets = ["Theirs", "Their second"]
metric = "ari"
granularity = "flat"
says = []

[[figures.series]]
label = "Best"
methods = ["best@one", "best@two"]

[[figures.series]]
label = "Plain"
method = "plain"

[[ablations]]
name = "query"
label = "What the query adds"
caption = "Without."
datasets = ["Theirs"]
metric = "ari"
granularity = "flat"
variants = ["no-query", "wrong-query"]
"""


def metric(values):
    """Shape the values of a metric as `bench --save` does."""
    defined = [value for value in values if value is not None]
    error = statistics.stdev(defined) / math.sqrt(len(defined)) if len(defined) > 1 else 0.0
    return {
        "mean": round(statistics.fmean(defined), 6),
        "stderr": round(error, 6),
        "per_instance": values,
    }


def save(folder, method, task, checkpoint=None, ablation=None, queries=QUERIES, **metrics):
    """Save the flat result of a method on a task."""
    flat = {
        "story": {"seed": 0, "commit": "abc", "device": "cpu", "versions": {"python": "3.11"}},
        "true_k": {name: metric(values) for name, values in metrics.items()}
        | {"seconds": 0.5, "checkpoint": checkpoint},
    }
    if ablation:
        flat["ablation"] = {name: {"ari": metric(values)} for name, values in ablation.items()}
    path = folder / method / f"{task}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps(
            {"task": task, "method": method, "queries": queries, "granularities": {"flat": flat}}
        )
    )
    return path


def fill(folder):
    """Save results of three methods of the paper's and one of our own on the task "made"."""
    save(folder, "plain", "made", ari=[0.2, 0.4, 0.6], auc_balanced=[0.5, None, 0.7])
    save(folder, "best", "made", "one", ari=[0.5, 0.5, 0.8])
    save(folder, "second", "made", ari=[0.5, 0.7, 0.9], auc_balanced=[0.8, None, 0.8])
    save(folder, "ours@mine", "made", "mine", ari=[0.1, 0.4, 0.7])
    save(folder, "plain", "second", ari=[0.4, 0.2, 0.6])
    return folder
