"""Why themes cannot be found, in the visitor's language; see `subclust.ui.retold`."""

from subclust.ui.language import N_
from subclust.ui.retold import Retold

_WHY_NOT = (
    N_(
        "Themes need at least {most} texts, but there are {count}; import more, take a wider "
        "filter, or ask a question instead."
    ),
    N_(
        "Themes are found in at most {most} texts, but there are {count}; take a filter, such as "
        "one collection or some years."
    ),
    N_("All {count} texts are the same, so there are no themes."),
    N_("{count} themes are too many for {size} texts; ask for at most {most}."),
    N_(
        "{method} learns from a few labels, but {count} of these texts have one; label at least "
        "{most}, or take a method that needs no labels."
    ),
    N_(
        "All labelled texts have the same label, {text}, so {method} cannot learn what divides "
        "them; label some of another theme, or take a method that needs no labels."
    ),
    N_(
        "No two of the labelled texts have the same label, so {method} cannot learn what belongs "
        "together; label two of a theme, or take a method that needs no labels."
    ),
    N_("No text of the library {library} meets {text}; take another filter, or none."),
    N_("No text of the library has a field {field}; filter by one of {fields}."),
    N_(
        "The filter {text} cannot be read; write field=value, such as collection=theses, "
        "title~rivers or year=1990-2005."
    ),
)

why_not_words = Retold(_WHY_NOT)
"""Says a sentence of `subclust.themes.offers.why_not`, or of a filter; others stay as they are."""
