"""What figures say besides names and numbers, with places in braces.

A `FigureTheme` says it in the language of the page; the interface's catalogues collect it here.
"""

BETTER_ON = "{method} better on {count}"
DIFFERENCE = "difference {value}"
SCORE_AFTER = "{score} after {time} of training"
LEVEL_AFTER = "is as good as {reference} ever gets<br>after {time} of training"
TRAINING_TIME = "time in training steps"
TRAINING_TIME_LOG = "time in training steps, logarithmic"
HELD_OUT = "{metric} on held-out queries"
EPOCH_TAKES = "one epoch takes {time}"
ENTITIES_AT = "{size} entities: {value}"
ENTITIES = "entities in a subset, logarithmic"
SPACES_ROW = "{passages} passages, {subtopics} subtopics"
PUTS_INTO = "{method} puts it into group {group}"
IN_PLACE = "{right} of {all} in place"
PLACED = "{method} puts it into group {group}, in place"
MISPLACED = "{method} puts it into group {group}, out of place"
AT_STEP = "{name} {value} at step {step}"
BEST_AT_STEP = "Best {name}: {value} at step {step}"
STEP = "step"
NOTHING_YET = "nothing measured yet"

SENTENCES: tuple[str, ...] = (
    BETTER_ON,
    DIFFERENCE,
    SCORE_AFTER,
    LEVEL_AFTER,
    TRAINING_TIME,
    TRAINING_TIME_LOG,
    HELD_OUT,
    EPOCH_TAKES,
    ENTITIES_AT,
    ENTITIES,
    SPACES_ROW,
    PUTS_INTO,
    IN_PLACE,
    PLACED,
    MISPLACED,
    AT_STEP,
    BEST_AT_STEP,
    STEP,
    NOTHING_YET,
)
"""All of it."""
