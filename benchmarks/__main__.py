"""Run the benchmarks: ``python -m benchmarks COMMAND``."""

import sys
from collections.abc import Sequence

from subclust.cli import Command, Program
from subclust.cli import main as run_program

_COMMANDS = {
    "run": "measure methods on labelled queries or on a retrieval task",
    "report": "set the saved results beside what the papers published",
    "asked": "print the names of the groups of some questions, as they come",
    "app": "time the app's pages in a browser, with one visitor or with many",
    "blend": "save a checkpoint whose encoder lies between those of two others",
    "context": "measure time and memory of the set encoders of CACTUS",
    "convergence": "train methods in turn and time how soon each gets where",
    "counts": "measure groups where another number than the true one is asked for",
    "divide": "measure whether the question decides how its hits divide, or train what decides",
    "duplicates": "measure how surely records of one work are told from records of two",
    "encoders": "measure what computes the embeddings: speed, vectors, groups",
    "estimate": "train on articles of the demo, beside what was estimated before",
    "explanations": "measure whether the words marked carry a passage's membership",
    "formats": "import the same records in several formats and compare the libraries",
    "fuzz": "ask the API all that its description allows, and more, and look for failures",
    "given": "measure which of given passages are told to be about a question, or train what tells",
    "headings": "learn the headings that names are chosen by, anew",
    "house": "count files, lines and what is said twice, of this checkout or an earlier one",
    "index": "measure how much of the exact answer the index of vectors finds, and how soon",
    "languages": "measure how passages of other languages group, and those of two",
    "load": "use pages and API at once for minutes, and see whether memory grows",
    "kills": "kill whatever writes to the data folder at random, and look whether anything is lost",
    "names": "measure how often a name is nearest to its own section's heading",
    "orders": "compare ways to order the hits of words and meaning",
    "quality": "measure of what kind the groups are that are called tight or stable",
    "readers": "time the readers of an earlier checkout and of this one",
    "records": "read a made file of a million records, faulty ones among them",
    "relevance": "measure which hits are told to be about a question, or train what tells it",
    "scale": "time searches of libraries of up to a million passages, and measure the memory",
    "small-libraries": "ask small libraries of abstracts for what they have and have not",
    "spaces": "place the passages of some queries where each method compares them",
    "speed": "time warm queries and regrouping",
    "stability": "set the most stable number of groups beside the automatic one",
    "start": "time the first minute in a fresh clone: demo library, first page, commands",
    "train-encoder": "train encoders on a graphics card or without, and distil them into one",
    "themes": "time the themes of a whole collection, and measure the memory",
    "themes-beside": "time import and first named themes beside BERTopic",
    "vectors": "make the vectors that ship with the demo library, anew",
    "workers": "import the same documents by one process and by workers of Ray",
}

_MODULES = {
    "counts": "other_counts",
    "divide": "dividing.run",
    "encoders": "encoder_backends",
    "estimate": "estimates",
    "formats": "imports",
    "headings": "headings.learn",
    "index": "index_recall",
    "quality": "group_quality",
    "readers": "reader_speed",
    "records": "many_records",
    "small-libraries": "small_libraries",
    "stability": "stable_counts",
    "themes": "themes_cost",
    "themes-beside": "themes_beside",
    "vectors": "demo_vectors",
    "train-encoder": "commands.train_encoder",
} | {name: f"commands.{name}" for name in ("app", "blend", "convergence", "report", "run", "speed")}
"""Where the name of a module is not that of its command."""

COMMANDS = {name: Command(_MODULES.get(name, name), summary) for name, summary in _COMMANDS.items()}
"""Every command, its module and what it does."""

BENCHMARKS = Program(
    "python -m benchmarks",
    "Measure Subclust: its methods on labelled queries, its speed, memory and pages.",
    COMMANDS,
    "benchmarks",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; ``argv`` is without the program's name."""
    return run_program(argv, BENCHMARKS)


if __name__ == "__main__":
    sys.exit(main())
