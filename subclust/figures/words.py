"""What figures say besides names and numbers; a `FigureTheme` says it in the page's language."""

from subclust.core.messages import N_

BETTER_ON = N_("{method} better on {count}")
DIFFERENCE = N_("difference {value}")
IN_PLACE = N_("{right} of {all} in place")
PLACED = N_("{method} puts it into group {group}, in place")
MISPLACED = N_("{method} puts it into group {group}, out of place")
AT_STEP = N_("{name} {value} at step {step}")
BEST_AT_STEP = N_("Best {name}: {value} at step {step}")
STEP = N_("step")
NOTHING_YET = N_("nothing measured yet")
