"""The Train page's words: what a labelled set is, and each setting of a training in plain terms."""

from collections.abc import Mapping

from subclust.ui.language import N_

STEPS: tuple[str, ...] = ("Your set", "Columns", "Check", "Method", "Start")
"""The walk to a new training, in order."""

NOTHING = ""
"""Stands for no checkpoint to start from."""

LEAD = N_(
    "Show Subclust how <em>you</em> would group passages, and it learns from that. A training runs "
    "in the background on this machine; you can close the page meanwhile. At the end you see on "
    "queries it has not learnt from whether it groups better than before, and decide."
)

WHAT_IS_A_SET = (
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
    "query": ("Query", "What the passages answer: a question, a subject heading, a search."),
    "text": ("Passage", "The paragraph or abstract itself."),
    "label": ("Subtopic", "The group of its query that the passage belongs to."),
    "id": ("Number or id", "Optional: whatever tells one passage from another."),
    "title": ("Title", "Optional: title of the article or record."),
    "description": ("Longer query", "Optional: the query in a sentence or two."),
    "path": ("Full path", "Optional: finer subtopics, such as History / Early years."),
}
"""Of each of our columns: its label, and what it holds."""

SETTING_WORDS: Mapping[str, tuple[str, str]] = {
    "epochs": (
        "Passes",
        "How often the training goes through all its queries. More takes longer; too many learn "
        "the set by heart.",
    ),
    "learning_rate": (
        "Learning rate",
        "How large its steps are. Smaller is safer and slower; larger may lose what is known.",
    ),
    "weight_decay": ("Weight decay", "Holds the learnt numbers small; 0 leaves them free."),
    "warmup": ("Warm-up", "Share of the steps, 0 to 1, over which the learning rate rises."),
    "schedule": ("Schedule", "How the learning rate falls after the warm-up."),
    "batch_passages": (
        "Passages a step",
        "How many passages are looked at together. Fewer need less memory.",
    ),
    "max_passages": (
        "Passages of one query",
        "More than these are drawn anew in each pass. Fewer need less memory.",
    ),
    "gradient_clip": ("Largest gradient", "Bounds how far one step can go; 0 for no bound."),
    "accumulate": ("Batches a step", "Batches added up before the model changes."),
    "precision": (
        "Precision",
        "Of the arithmetic. bfloat16 is quicker where the machine computes it, float32 exact.",
    ),
    "evaluate_every": (
        "Steps between checks",
        "How often held-out queries are scored meanwhile; 0 for once a pass.",
    ),
    "patience": (
        "Patience",
        "Checks without a better one before the training stops by itself; 0 for never.",
    ),
    "save_every": (
        "Steps between saves",
        "How much is done again, at most, after an interruption.",
    ),
    "queries_per_file": ("Queries used", "The first so many queries of the set; 0 for all."),
    "validation_share": (
        "Share for choosing",
        "Of the queries, between 0 and 1, kept from learning, to choose the best moment.",
    ),
    "test_share": (
        "Share for the test",
        "Of the queries, kept apart from everything until the end, to compare the new model with "
        "the one before.",
    ),
    "seed": ("Seed", "Any whole number; the same one divides and draws the same again."),
}
"""Of each training argument: its label, and what it does."""
