"""An answer once more: with more or fewer groups, with parts, or under another query.

``collected`` puts arrays together as subtopics, ``cuts`` makes groups finer or coarser along the
tree they come from, ``parts`` divides them, ``suggestion`` says which number of groups is stable,
``effect`` tells what another query did to each passage, and ``placing`` where it lies on the map.
"""
