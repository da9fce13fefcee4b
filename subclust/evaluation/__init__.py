"""How good a grouping is, and whether one method is better than another.

``metrics`` compares one grouping with the gold subtopics, ``clustering_evaluator`` runs a method
over labelled queries, ``significance`` compares two methods over the same queries, ``agreement``
compares two groupings of the same passages, ``matching`` tells which of their groups go together.
"""
