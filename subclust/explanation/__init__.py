"""Why a passage is where it is, and how far a group can be relied upon.

Pure functions over pair scores, labels and texts: ``placement`` (how well a passage fits its group,
which group comes next, which passages are near), ``units`` and ``occlusion`` (the sentences and
words that carry its membership, and whether they do) and ``stability`` (whether a group comes back
when hits are left out).
"""
