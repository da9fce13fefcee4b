"""What went wrong, in the visitor's language and in words for a page."""

from subclust.core.exceptions import SubclustError
from subclust.ui.i18n.language import N_, said

ON_PAGES = {
    "The judgement cannot be read ({error}); judge the model again with 'python -m subclust "
    "judge'.": N_("The judgement cannot be read ({error}); train the model again."),
    "The demo library has not been built yet; run 'python -m subclust demo' once.": N_(
        "The demo library has not been built yet; add documents on the Library page."
    ),
    "There is no library {name!r}; choose one of {there}, or make it with 'python -m subclust "
    "import FILE --library {same}'.": N_(
        "There is no library {name!r}; choose one of {there}, or make it on the Library page."
    ),
    "There is no library {name!r}, nor any other, in {folder}; make it with 'python -m subclust "
    "import FILE --library {same}', or the demo with 'python -m subclust demo'.": N_(
        "There is no library {name!r}, nor any other, in {folder}; make one on the Library page."
    ),
    "The library {name!r} was made with the encoder {encoder} (revision {revision}), but the "
    "encoder in use is {other} (revision {used}); choose that encoder, or give the library the "
    "vectors of this one with 'python -m subclust library reembed {same}'.": N_(
        "The library {name!r} was made with the encoder {encoder} (revision {revision}), but the "
        "encoder in use is {other} (revision {used}); embed it anew on the Library page."
    ),
    "The libraries in {folder} lie in object storage, where they can be searched, browsed, "
    "exported and backed up, and added to with 'python -m subclust import FILE --library NAME "
    "--engine ray'; for anything else keep the library on a disk.": N_(
        "The libraries in {folder} lie in object storage, where they can be searched, browsed, "
        "exported and backed up; for anything else keep the library on a disk."
    ),
    "{file} is larger than {size} MB; split it, or import it on the machine itself with 'python "
    "-m subclust import'.": N_(
        "{file} is larger than {size} MB; split it, or ask whoever looks after this installation "
        "to import it."
    ),
    "Neither what {file} holds nor its ending tells its format; known endings are {endings}. "
    "Rename the file, or name its format with --format.": N_(
        "Neither what {file} holds nor its ending tells its format; known endings are {endings}. "
        "Rename the file."
    ),
    "There is no labelled set {name!r} (there: {there}); choose one of these, or add it with "
    "'python -m subclust sets add'.": N_(
        "There is no labelled set {name!r} (there: {there}); choose one of these, or upload it on "
        "the Train page."
    ),
    "{file} has {count}: {place}{problem}; {advice}; run 'python -m subclust check {path}' for all "
    "of them.": N_(
        "{file} has {count}: {place}{problem}; {advice}; the Train page lists all of them once it "
        "is uploaded there."
    ),
    "An OAI-PMH repository cannot be searched, it gives all of its records: harvest it with "
    "'python -m subclust harvest oai-pmh', then search the library.": N_(
        "An OAI-PMH repository cannot be searched, it gives all of its records: harvest it, then "
        "search the library."
    ),
    "There is no session {name!r}; it may have been deleted, or saved on another machine ('python "
    "-m subclust sessions list' tells which there are).": N_(
        "There is no session {name!r}; it may have been deleted, or saved on another machine."
    ),
    "There is no checkpoint {name!r} of the method {method} (there: {there}); choose one of "
    "these, or train one with 'python -m subclust train {same}'.": N_(
        "There is no model {name!r} for {method} (there: {there}); choose one of these, or train "
        "one on the Train page."
    ),
    "The method {method} has no trained checkpoint in {folder}; train one with 'python -m "
    "subclust train {same} --data FILE --name NAME', or choose another method.": N_(
        "The method {method} has no trained model in {folder}; train one on the Train page, or "
        "choose another method."
    ),
    "{file} is larger than {limit}, more than a model has as a rule; have whoever looks after "
    "this machine add it with 'python -m subclust models import'.": N_(
        "{file} is larger than {limit}, more than a model has as a rule; have whoever looks after "
        "this installation add it."
    ),
    "{reason} To use it all the same, give a reason of at least {count} characters (--reason on "
    "the command line).": N_(
        "{reason} To use it all the same, give a reason of at least {count} characters."
    ),
}
"""By the template of the sentence: what is said instead."""


def error_words(error: object) -> str:
    """Return an error, or its sentence, in the visitor's language."""
    sentence = error.sentence if isinstance(error, SubclustError) else error
    told = sentence if isinstance(sentence, str) else str(sentence)
    return said(told, ON_PAGES)


def way_out_words(error: str, way_out: str | None) -> str:
    """Return what to do about a failure; ``""`` where its reason ends with it."""
    if not way_out or error.endswith(way_out[1:]):
        return ""
    return error_words(way_out)
