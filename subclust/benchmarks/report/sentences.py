"""The sentences in which a report is read, with places in braces.

Another language may order their parts otherwise; the interface's catalogues collect them from here.
"""

from subclust.benchmarks.report.metrics import METRICS

NOTHING_RUN = "Nothing was run on {data} yet."
NO_REFERENCE = "On {data}, {reference}, which all others are held against, was not run yet."
ROLES = {
    (True, True): "the app's default and the best of what was run here",
    (True, False): "the app's default",
    (False, True): "the best run here",
}
"""Of a method, by whether it is the default and whether it is the best."""

CHOSEN = (
    "On {n_queries} queries of {data} ({granularity}), {method}, {role}, is {apart}: {metric} "
    "{mean} against {other}; better on {wins} queries, equal on {ties}, worse on {losses}."
)
CHOSEN_OF_ONE = (
    "On {data}, one collection as a whole ({granularity}), {method}, {role}, is {apart}: {metric} "
    "{mean} against {other}."
)
GRANULARITIES = {"flat": "flat", "hierarchical": "hierarchical"}
ABOVE = "{share} above {reference}"
BELOW = "{share} below {reference}"
LEVEL = "level with {reference}"
AGAINST = "against {reference}"
PUBLISHED_BEST = "The paper's best there, {method}, is {apart} as published on {data}"
BEST_NOT_RUN = "{said}; it was not run here."
BEST_HERE = "{said}, and {apart} here."
IT = "it"
SAME_ORDER = (
    "Of the {n_methods} methods that both sides measured, {n_same} of {n_pairs} pairs stand in the "
    "paper's order (Kendall's tau {tau}, 1 is the same order)."
)
SPACES = (
    "On {won} of the {compared} queries of {data} shown, the groups of {first} are nearer to the "
    "gold subtopics than those of {second}."
)
MEMORY = "SIA takes {median} times the memory of NIA, and never more than {most} times."
TIME = (
    "SIA saves {median} of the time that FIA takes, from {least} to {most}; the paper has {paper}."
)
NEVER = (
    "{name} never gets as good as {other} at its best: ARI {best} against {reference} on the "
    "validation queries."
)
AT_ONCE = "{name} is as good as {other} ever gets before it is trained at all."
REACHED = (
    "{name} is as good as {other} ever gets (ARI {best} on the validation queries) after {took} of "
    "training, {other} itself after {reference}{times}."
)
EPOCH = "One epoch of {name} takes {took}, one of {other} {reference}{times}."
TIMES = {
    "sooner": ": {times} times sooner",
    "later": ": {times} times later",
    "faster": ": {times} times faster",
    "slower": ": {times} times slower",
}
RULE = (
    "Of the {n} queries of {task} with at least {least} passages, in the order of the {metric} of "
    "{first} less that of {second}, those at {chosen} evenly spaced ranks from the highest "
    "difference to the lowest."
)
"""How the rule for the queries of a figure of spaces is said; its results have it in English."""

BY_NAME = "The queries were named one by one."

SENTENCES: tuple[str, ...] = (
    *(text for one in METRICS.values() for text in one),
    "{percent}%",
    NOTHING_RUN,
    NO_REFERENCE,
    *ROLES.values(),
    CHOSEN,
    CHOSEN_OF_ONE,
    *GRANULARITIES.values(),
    ABOVE,
    BELOW,
    LEVEL,
    AGAINST,
    PUBLISHED_BEST,
    BEST_NOT_RUN,
    BEST_HERE,
    IT,
    SAME_ORDER,
    SPACES,
    MEMORY,
    TIME,
    NEVER,
    AT_ONCE,
    REACHED,
    EPOCH,
    *TIMES.values(),
    RULE,
    BY_NAME,
)
"""All sentences, for the catalogues of the interface."""
