"""Why a library, or work on it, came to nothing: the sentences that are raised."""

from subclust.ui.language import N_

IMPORTS = (
    N_("The library {name} has no version before the one in use, so there is none to go back to."),
    N_(
        "Passages came into {name} since it was embedded anew, and the version before needs the "
        "encoder {encoder} (revision {wanted}) for them, but that is now at revision {revision}; "
        "embed the library anew with an encoder that is there."
    ),
    N_("The library {name} was removed while it was being embedded anew."),
    N_(
        "The new version of {name} does not hold the same passages as the one in use, which "
        "therefore stays; start this again."
    ),
    N_(
        "Another process has been building the demo library for half an hour; stop it and try "
        "again."
    ),
    N_(
        "The library {name} was deleted while documents came into it; put it back and let this go "
        "on, or import them again from the beginning."
    ),
    N_("This is being harvested into {name} already; wait until that has ended."),
    N_(
        "{source} gives the same page of records again and again; what came before is kept. Try "
        "again later, or harvest in smaller parts."
    ),
    N_(
        "What is known of the harvest {name} is damaged; harvest the same again, which then begins "
        "anew: nothing comes into the library twice."
    ),
)
"""Of an import, a harvest or a library that is embedded anew."""


LIBRARIES = (
    N_(
        "Nothing can be changed here, since this server only shows what there is; ask whoever "
        "runs it."
    ),
    N_(
        "A library's name must be 1 to 64 letters, digits, '-' or '_' and begin with a letter or "
        "digit, but is {name}."
    ),
    N_("There is a library {name} already; choose another name, or add to it."),
    N_("The name is empty; type one."),
    N_("The name has {count} characters; shorten it to at most {most}."),
    N_("The name holds a line break or another control character; leave it out."),
    N_("Another library is called {name}; choose another name."),
    N_("A library in object storage cannot be renamed."),
    N_(
        "The name {name} cannot be kept in {folder} ({error}); make room there, or see whether you "
        "may write there."
    ),
    N_("The library {name} has no collection {collection}."),
    N_(
        "There is a library {name} already; restore it under another name (--name), or remove that "
        "one first."
    ),
    N_(
        "The library {name} has been in use by another import for {count} seconds; wait for that "
        "import to end, or stop it, and try again."
    ),
    N_(
        "The library {name} was given the embeddings of another encoder meanwhile; start this "
        "again: what is in the library is not imported twice."
    ),
    N_("The library {name} was removed meanwhile; what was to be written to it is not kept."),
    N_("The library {name} is being embedded anew already; wait until that has ended."),
    N_(
        "{name} cannot be deleted ({error}); make room in {folder}, or see whether you may write "
        "there."
    ),
    N_(
        "{name} cannot be put back ({error}); make room in {folder}, or see whether you may write "
        "there."
    ),
    N_(
        "{name} cannot be put back, since there is something of that name again; delete that one "
        "first, which then lies in the bin too."
    ),
    N_(
        "There is nothing {name} in the bin; it may have been put back, or its seven days are over."
    ),
    N_(
        "The library {library} has the vectors of another encoder than these passages; import "
        "their documents again."
    ),
    N_(
        "A command in a terminal is at work on the library {name}; wait until it has ended, or "
        "stop it first."
    ),
    N_(
        "The library {name} is needed by jobs that wait or run ({jobs}); wait until they have "
        "ended, or cancel them first."
    ),
    N_(
        "The model {name} is needed by jobs that wait or run ({jobs}); wait until they have ended, "
        "or cancel them first."
    ),
    N_("The library {name} has no import {id}; it may have been taken back already."),
    N_("An import into the library {name} is at work; wait for its end, or stop it first."),
    N_(
        "The library {name} was not made by this version of Subclust (layout {layout}, expected "
        "{expected}); remove it and import its documents again."
    ),
    N_("The library {name} has no passage with the id {id}."),
    N_(
        "The library {name} in {folder} is damaged and cannot be opened; restore it from a backup, "
        "or remove it and import its documents again."
    ),
    N_(
        "The library {name} in {folder} is damaged and cannot be read to its end; restore it from "
        "a backup, or remove it and import its documents again."
    ),
    N_(
        "The library {name} in {folder} is damaged and cannot be read to its end ({error}); no "
        "backup was written."
    ),
    N_(
        "The file {file}, which says what version of the library {name} is in use, is damaged; "
        "restore the library from a backup, or remove it and import its documents again."
    ),
    N_(
        "Version {number} of the library {name} in {folder} is damaged and cannot be opened; "
        "restore the library from a backup."
    ),
    N_(
        "Version {number} of {name} is the one in use; remove the whole library, or go back to the "
        "version before first."
    ),
    N_("{name} has no version {number}; there are: {there}."),
    N_("The library {name} is being written to by another program; try again in a moment."),
    N_(
        "The object storage {url} does not answer or refuses; see whether it is there, and whether "
        "AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION are right."
    ),
    N_(
        "Nothing says which passages are to be removed; name some of them, or remove the whole "
        "library {name}."
    ),
    N_("The years must go from the earlier to the later, not {first}-{last}."),
    N_("Ask for some years, or for passages without one, not for both."),
)
"""Of a library."""

BACKUPS = (
    N_("A backup is a .zip file, but its name is {name}."),
    N_("The backup {file} cannot be written ({error}); choose another place, or make room there."),
    N_(
        "{file} is not a whole backup of a library ({why}), so nothing was restored; get or make "
        "it again."
    ),
    N_(
        "{file} was written by another version of Subclust (layout {layout}, expected {expected}); "
        "restore it with that one."
    ),
    N_(
        "The library cannot be restored in {folder} ({error}); make room there, or see whether you "
        "may write there."
    ),
    N_(
        "The library needs about {needed} GB, but there are {free} GB free in {folder}; make room "
        "there."
    ),
    N_("Another library is just being restored; wait until that has ended."),
    N_("There is no file {file}; check its name."),
    N_("{file} cannot be read ({error})."),
)
"""Of a backup and its restore."""
