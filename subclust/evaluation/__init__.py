"""How good a grouping is against gold subtopics, and whether a difference is significant."""
