"""Why a live source could not be asked, or what it answered instead: the sentences raised."""

from subclust.ui.language import N_

OFF = (
    N_(
        "{source} is not switched on, and nothing was sent; to switch it on, put {name} into "
        "SUBCLUST_LIVE and start again."
    ),
    N_(
        "Subclust is set to work offline, so {source} is not asked; set SUBCLUST_OFFLINE to 0 and "
        "start again."
    ),
    N_(
        "{source} wants to know whom it may write to; set SUBCLUST_CONTACT to an e-mail address "
        "and start again."
    ),
    N_(
        "{source} needs a key, which is had at {page}; put it into SUBCLUST_KEY_{variable} and "
        "start again."
    ),
    N_("No {source} is named; put its address into SUBCLUST_URL_{variable} and start again."),
)
"""Of a source that is switched off."""

QUESTIONS = (
    N_("{source} must be asked something; type a query."),
    N_("The {name} date must be like 2024-05-31 or 2024-05-31T00:00:00Z, but is {date}."),
    N_("An address is like https://example.org/oai, but {url} is none."),
    N_("A live source is one of {sources}, but not {name}."),
    N_(
        "A Wikipedia is named by the code of its language, such as en, de or simple, but {name} is "
        "none."
    ),
    N_(
        "A search gives 1 to {most} hits, but {count} were asked for; harvest the source if you "
        "need more."
    ),
    N_("The place {place} means nothing to {source}; begin again."),
)
"""Of a question that cannot be asked."""

ANSWERS = (
    N_("arXiv did not understand the query ({why}); change it."),
    N_(
        "{source} refuses the key ({why}); put the right one into SUBCLUST_KEY_{variable}, it is "
        "had at {page}."
    ),
    N_(
        "{source} refuses ({why}); change the query, or choose another format with its own name "
        "for it, such as dc, oai_dc or marcxml."
    ),
    N_("{source} refuses ({why}); change the query."),
    N_("{source} refuses ({why}); make the query shorter."),
    N_("{source} refuses ({why}); it lets in only whom it knows."),
    N_(
        "{source} refuses ({why}); it lets in only whom it knows, or has shut this machine out for "
        "a while."
    ),
    N_("{source} refuses ({why}); see whether its address is right."),
    N_("{source} refuses ({why}); see whether its address and the query are right."),
    N_("{source} refuses ({why}); see whether set, dates and format are right."),
    N_("{source} refuses ({why}); leave out the set, it has none."),
    N_("{source} refuses ({why}); choose another format, oai_dc is one that every repository has."),
    N_(
        "{source} does not know any more where its next page begins ({why}); harvest it again from "
        "the beginning, what is there is not fetched into the library twice."
    ),
    N_(
        "{source} gives the same page of its records again and again; what came before is kept. "
        "Tell whoever looks after it, or harvest it set by set."
    ),
    N_(
        "{source} sent more than {size} MB for one answer, which was not read on; see whether its "
        "address is right, or ask for less."
    ),
    N_("{source} sends us round in circles; see whether its address is right."),
    N_(
        "{source} sends us on to another address, {url}, and only addresses that you have named "
        "are asked; name that one if it is right."
    ),
    N_("The address of {source} cannot be used ({why}); correct it."),
)
"""Of a source that answers otherwise than it should."""

SILENCE = (
    N_(
        "{source} did not answer in time ({why}), asked {count} times; see whether this machine "
        "may reach {host}, or try again later."
    ),
    N_(
        "{source} cannot be reached ({why}), asked {count} times; see whether this machine may "
        "reach {host}, or try again later."
    ),
    N_(
        "{source} broke off ({why}), asked {count} times; see whether this machine may reach "
        "{host}, or try again later."
    ),
    N_(
        "{source} is busy or has failed ({why}), asked {count} times; see whether this machine may "
        "reach {host}, or try again later."
    ),
    N_(
        "{source} is busy ({why}), asked {count} times; see whether this machine may reach {host}, "
        "or try again later."
    ),
    N_(
        "{source} answered what cannot be read ({why}), asked {count} times; see whether this "
        "machine may reach {host}, or try again later."
    ),
    N_(
        "Another process on this machine has been asking {source} for {count} seconds, and it "
        "wants one question at a time; try again later."
    ),
    N_("{source} wants to be left alone for 1 second; try again then."),
    N_("{source} wants to be left alone for {count} seconds; try again then."),
    N_("{source} wants to be left alone for {count} minutes; try again then."),
    N_("{source} wants to be left alone for {count} hours; try again then."),
)
"""Of a source that does not answer, or not now."""

REASONS = (
    N_("status {status}"),
    N_("no reason given"),
    N_("no connection in {count} seconds"),
    N_("silent for {count} seconds"),
    N_("not done in {count} seconds"),
    N_("JSON, but no object"),
    N_("JSON without results"),
    N_("JSON without items"),
    N_("JSON that is no answer of a wiki"),
    N_("OAI-PMH without records"),
    N_("SRU without a number of records"),
    N_("an empty page where there are more records"),
    N_("nothing at all"),
    N_("no JSON"),
    N_("a web page instead of {format}"),
    N_("{format} that was cut off or damaged"),
)
"""What stands in brackets, where it is words of ours."""
