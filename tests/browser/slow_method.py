"""Makes the grouping of some questions slow; the served app imports it before it starts."""

import time

from subclust.pipeline.query import SubtopicPipeline

WORD = "slowly"
"""A question with this word takes half a minute, and tells how far it is."""

_STEPS = 120
_group = SubtopicPipeline.group


def group(self, ranking, query=None, **options):
    """Group as ever, after a while."""
    progress = options.get("progress")
    if WORD in (query or ranking.query).text:
        for done in range(1, _STEPS + 1):
            time.sleep(0.25)
            if progress is not None:
                progress(done, _STEPS)
    return _group(self, ranking, query, **options)


SubtopicPipeline.group = group
