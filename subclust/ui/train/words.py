"""The Train page's words: what a labelled set is, and each setting of a training in plain terms."""

from collections.abc import Mapping

from subclust.ui.i18n.language import N_

STEPS: tuple[str, ...] = (
    N_("Your set"),
    N_("Columns"),
    N_("Check"),
    N_("Method"),
    N_("Start"),
)
"""The walk to a new training, in order."""

NOTHING = ""
"""Stands for no checkpoint to start from."""

LEAD = N_(
    "Show Subclust how <em>you</em> would group passages, and it learns from that. A training runs "
    "in the background on this machine; you can close the page meanwhile. At the end you see on "
    "queries it has not learnt from whether it groups better than before, and decide."
)

WHAT_IS_A_SET = N_(
    "A labelled set is a table of passages in which somebody has written, for each passage, the "
    "query it answers and the subtopic of that query it belongs to. The more queries it has the "
    "better; each needs at least two subtopics with passages."
)

EXAMPLE_ROWS: tuple[tuple[str, str, str], ...] = (
    ("water in cities", "Lead pipes were banned in new houses in 1986.", "Pipes and taps"),
    ("water in cities", "Rain gardens soak up what falls on roofs and streets.", "Rain"),
    ("water in cities", "A leaking tap wastes thousands of litres a year.", "Pipes and taps"),
    ("history of tea", "Monks brought tea plants to Japan in the ninth century.", "Spread"),
)
"""Query, text and label of four rows of a labelled set."""

COLUMN_WORDS: Mapping[str, tuple[str, str]] = {
    "query": (
        N_("Query"),
        N_("What the passages answer: a question, a subject heading, a search."),
    ),
    "text": (
        N_("Passage"),
        N_("The paragraph or abstract itself."),
    ),
    "label": (
        N_("Subtopic"),
        N_("The group of its query that the passage belongs to."),
    ),
    "id": (
        N_("Number or id"),
        N_("Optional: whatever tells one passage from another."),
    ),
    "title": (
        N_("Title"),
        N_("Optional: title of the article or record."),
    ),
    "description": (
        N_("Longer query"),
        N_("Optional: the query in a sentence or two."),
    ),
    "path": (
        N_("Full path"),
        N_("Optional: finer subtopics, such as History / Early years."),
    ),
}
"""Of each of our columns: its label, and what it holds."""

SETTING_WORDS: Mapping[str, tuple[str, str]] = {
    "epochs": (
        N_("Passes"),
        N_(
            "How often the training goes through all its queries. More takes longer; "
            "too many learn the set by heart."
        ),
    ),
    "learning_rate": (
        N_("Learning rate"),
        N_("How large its steps are. Smaller is safer and slower; larger may lose what is known."),
    ),
    "weight_decay": (
        N_("Weight decay"),
        N_("Holds the learnt numbers small; 0 leaves them free."),
    ),
    "warmup": (
        N_("Warm-up"),
        N_("Share of the steps, 0 to 1, over which the learning rate rises."),
    ),
    "schedule": (
        N_("Schedule"),
        N_("How the learning rate falls after the warm-up."),
    ),
    "batch_passages": (
        N_("Passages a step"),
        N_("How many passages are looked at together. Fewer need less memory."),
    ),
    "max_passages": (
        N_("Passages of one query"),
        N_("More than these are drawn anew in each pass. Fewer need less memory."),
    ),
    "gradient_clip": (
        N_("Largest gradient"),
        N_("Bounds how far one step can go; 0 for no bound."),
    ),
    "accumulate": (
        N_("Batches a step"),
        N_("Batches added up before the model changes."),
    ),
    "precision": (
        N_("Precision"),
        N_("Of the arithmetic. bfloat16 is quicker where the machine computes it, float32 exact."),
    ),
    "evaluate_every": (
        N_("Steps between checks"),
        N_("How often held-out queries are scored meanwhile; 0 for once a pass."),
    ),
    "patience": (
        N_("Patience"),
        N_("Checks without a better one before the training stops by itself; 0 for never."),
    ),
    "save_every": (
        N_("Steps between saves"),
        N_("How much is done again, at most, after an interruption."),
    ),
    "queries_per_file": (
        N_("Queries used"),
        N_("The first so many queries of the set; 0 for all."),
    ),
    "validation_share": (
        N_("Share for choosing"),
        N_("Of the queries, between 0 and 1, kept from learning, to choose the best moment."),
    ),
    "test_share": (
        N_("Share for the test"),
        N_(
            "Of the queries, kept apart from everything until the end, to compare the "
            "new model with the one before."
        ),
    ),
    "seed": (
        N_("Seed"),
        N_("Any whole number; the same one divides and draws the same again."),
    ),
}
"""Of each training argument: its label, and what it does."""
