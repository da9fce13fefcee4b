"""Made-up measurements: training curves, spaces and searches, in the form that is kept in git."""

import json
import math
import random

STORY = {"seed": 0, "commit": "abcdef1234567", "device": "cpu", "threads": 1}


def save(folder, kind, name, content):
    """Write a measurement file and give its path."""
    path = folder / kind / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def run(method, seconds_per_step, steps_per_epoch, scores, every=10, checkpoint="one"):
    """Shape one training run, validated every so many steps from step 0 on."""
    return {
        "method": method,
        "checkpoint": checkpoint,
        "recipe": {"learning_rate": 0.001},
        "seed": 0,
        "objective": {},
        "n_training_queries": 174,
        "n_training_passages": 8700,
        "steps_per_epoch": steps_per_epoch,
        "steps": every * (len(scores) - 1),
        "seconds_per_step": seconds_per_step,
        "seconds_per_epoch": seconds_per_step * steps_per_epoch,
        "stopped": "no better for 10 validations",
        "curve": [
            {
                "step": every * at,
                "epoch": every * at / steps_per_epoch,
                "training_seconds": every * at * seconds_per_step,
                "ari": score,
            }
            for at, score in enumerate(scores)
        ],
    }


def convergence(runs, reference="plain", name="made"):
    """Shape a measurement of training runs."""
    return {
        "name": name,
        "training": [{"name": "made_train", "sha256": "0"}],
        "validation": {"name": "made_validation", "sha256": "1"},
        "metric": "ari",
        "story": STORY,
        "runs": runs,
        "comparison": {
            "reference": reference,
            "reference_best_ari": None,
            "reference_seconds": None,
            "others": [],
        },
    }


def space(method, ari, gold, spread, seed=0):
    """Shape one method's space, in which the passages of a subtopic lie around a centre."""
    lot = random.Random(f"{method} {seed}")
    centres = {label: [lot.gauss(0, 1) for _ in range(3)] for label in sorted(set(gold))}
    return {
        "method": method,
        "label": method.partition("@")[0],
        "ari": ari,
        "groups": [sorted(set(gold)).index(label) for label in gold],
        "coordinates": [
            [round(part + lot.gauss(0, spread), 4) for part in centres[label]] for label in gold
        ],
        "explained": [0.4, 0.2, 0.1],
    }


def spaces(queries, task="made"):
    """Shape a measurement of spaces: (query, gold labels, spaces of the methods)."""
    return {
        "task": task,
        "story": STORY,
        "rule": "the first queries in alphabetical order",
        "queries": [
            {"query": query, "gold": gold, "n_clusters": len(set(gold)), "methods": methods}
            for query, gold, methods in queries
        ],
    }


def context(sia_memory=1.1, fia_time=3.0, largest=200):
    """Shape a measurement of set encoders whose memory and time grow by known powers."""
    rows = []
    for n_tokens in (16, 128):
        for n_entities in (10, 50, largest):
            size = n_entities * n_tokens
            for name, memory, time in (
                ("nia", 0.01 * size, 1e-5 * size),
                ("sia", 0.01 * size * sia_memory, 2e-5 * size),
                ("fia", 1e-5 * size**2, 2e-5 * size * fia_time),
            ):
                rows.append(
                    {
                        "context": name,
                        "n_entities": n_entities,
                        "n_tokens": n_tokens,
                        "seconds": time,
                        "cpu_seconds": time,
                        "peak_mb": memory,
                    }
                )
    one = {"entities": 1.0, "tokens": 1.0}
    two = {"entities": 2.0, "tokens": 2.0}
    return {
        "shape": "minilm",
        "precision": "float32",
        "threads": 1,
        "rows": rows,
        "growth": {
            "nia": {"seconds": one, "cpu_seconds": one, "peak_mb": one},
            "sia": {"seconds": one, "cpu_seconds": one, "peak_mb": one},
            "fia": {"seconds": None, "cpu_seconds": None, "peak_mb": two},
        },
        "compared": {
            "sia_to_nia_memory": {
                "allowed": 1.3, "least": 1.05, "median": sia_memory, "most": 1.2,
            },
            "saved_of_fia_time": {
                "published": 0.56, "least": 0.5, "median": 1 - 1 / fia_time, "most": 0.9,
            },
        },
        "story": STORY,
    }  # fmt: skip


def search(values, name, method="cob", ari=0.3, n_trials=4):
    """Shape a search."""
    best = {"values": values, "ari": ari, "trial": 2}
    return {"method": method, "name": name, "best": best, "trials": [best] * n_trials}


def fill_cob(folder):
    """Save a whole set of measurements for the COB paper's figures and table of settings."""
    for name, times in (("newsgroups20", (0.05, 0.04)), ("wikipedia", (0.6, 0.5))):
        runs = [
            run("cob", times[0], 44, _learning(0.21, 0.43, 8), checkpoint="a"),
            run("cob-query", 1.1 * times[0], 44, _learning(0.21, 0.4, 10), checkpoint="c"),
            run("sbert-triplet", times[1], 4700, _learning(0.21, 0.36, 40, 120), 50, "b"),
        ]
        save(folder, "convergence", name, convergence(runs, "sbert-triplet", name))
    queries = []
    for number, query in enumerate(
        ("Anti-slavery International", "Hybrid electric vehicle", "Coffee preparation", "Fudge")
    ):
        sections = [f"Section {at} of {query}" for at in range(4 + 2 * number)]
        gold = [section for at, section in enumerate(sections) for _ in range(2 + (7 * at) % 5)]
        queries.append(
            (
                query,
                gold,
                [
                    space("sbert-euclid", 0.12, gold, 1.2, number),
                    space("sbert-triplet@wikipedia-n30", 0.3 + 0.05 * number, gold, 0.8, number),
                    space("cob@wikipedia-n30", 0.6 - 0.12 * number, gold, 0.25, number),
                ],
            )
        )
    save(folder, "spaces", "trec_car_a", spaces(queries, "trec_car_a"))
    values = {"objective.interpolation": 61.5, "objective.regularisation": 2.25}
    save(folder, "search", "cob-newsgroups20", search(values, "cob-newsgroups20", ari=0.43))
    return folder


def _learning(start, end, slowness, n=40):
    return [
        round(start + (end - start) * (1 - math.exp(-at / slowness)) + 0.004 * math.sin(7 * at), 4)
        for at in range(n)
    ]
