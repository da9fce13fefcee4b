"""The command line: every button of the app has a command.

Exit status 0; 1 with one plain sentence on standard error for what a user can mend; 2 for wrong
usage.
"""

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from subclust import __version__
from subclust.cli.worker import without_job, work
from subclust.core.exceptions import SubclustError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.core.storage.disk import refusal
from subclust.core.translation import LANGUAGES, translated

COMMANDS: dict[str, str] = {
    "serve": "start the app",
    "demo": "build the demo library, once",
    "import": "import documents into a library",
    "export": "write a library, or a collection of it, to a file that can be imported again",
    "library": "list, show, browse, back up, restore, embed anew, clean or remove libraries",
    "sources": "list the live sources, whether each is switched on, and what was harvested",
    "search-live": "ask a live source, such as arXiv, and perhaps keep the hits",
    "harvest": "fetch all that a live source has of something into a library, page by page",
    "search": "group what answers a query into subtopics",
    "themes": "find the themes of a whole library, or of a part of it, without a question",
    "explain": "say why a passage is in its group",
    "sessions": "keep answers: list, show, check, rename, export, import or delete saved searches",
    "bin": "what was deleted in the last seven days: list, put back, or delete for good",
    "compare": "group the same hits in two to four ways and say where they differ",
    "cluster": "group the passages of given queries, without retrieval",
    "check": "find every mistake in a labelled set",
    "label": "have a language model label queries",
    "sets": "keep labelled sets: list, add, show, check, export, remove, or get a template",
    "corrections": "saved corrections: list, show, export to train on, list pairs, or delete",
    "train": "train a method on a labelled set",
    "tune": "search for the values of a recipe with which a method does best",
    "judge": "say whether a trained model is better on held-out queries",
    "estimate": "tell how long a training will take, and how much memory",
    "bench": "measure methods on labelled queries",
    "encoders": "list what can compute the embeddings here, and why not the others",
    "methods": "list the methods",
    "tasks": "list the labelled tasks, such as the demo",
    "models": "list, show, promote, roll back, export, import or remove checkpoints",
    "jobs": "list, show, follow, cancel, resume, clone or remove training runs",
}
"""Every command, and what it does; its module below ``subclust.cli`` has the same name."""


_LANGUAGE = "--language"


class Command(Protocol):
    """What the module of a command holds."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare its arguments."""
        ...

    def run(self, arguments: argparse.Namespace, settings: Settings) -> None:
        """Do it."""
        ...


@dataclass(frozen=True)
class Program:
    """A command line: a package of commands.

    Parameters
    ----------
    name : str
        As it is typed, such as ``"python -m subclust"``.
    description : str
    commands : mapping of str to str
        Every command, and what it does.
    package : str
        Whose module of the same name has the command.
    """

    name: str
    description: str
    commands: Mapping[str, str]
    package: str

    def module(self, command: str) -> Command:
        """Import the module of a command."""
        name = command.replace("-", "_").replace("import", "import_")
        return cast(Command, import_module(f"{self.package}.{name}"))


SUBCLUST = Program(
    "python -m subclust",
    "See what a query is really about: its passages grouped into subtopics.",
    COMMANDS,
    "subclust.cli",
)


def main(argv: Sequence[str] | None = None, program: Program = SUBCLUST) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        Without the program's name; by default the process's own.
    program : Program

    Returns
    -------
    int
        Exit status.
    """

    def run(words: list[str], job: str | None = None) -> None:
        _run(program, words, job)

    words, job = without_job(sys.argv[1:] if argv is None else argv)
    words, language = _without_language(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack a letter of the texts
            stream.reconfigure(errors="replace")
    try:
        if job is None:
            run(words)
        else:
            work(job, words, run)
    except SubclustError as error:
        print(translated(error.sentence, language), file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        if (told := refusal(error)) is None:
            raise
        place = f" ({error.filename})" if error.filename else ""
        sentence = Message(
            "Something could not be written: {reason}{place}; {advice}.",
            reason=told[0],
            place=place,
            advice=told[1],
        )
        print(translated(sentence, language), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        stopped = Message("Stopped. What had been saved is kept.")
        print(translated(stopped, language), file=sys.stderr)
        return 130
    return 0


def _run(program: Program, words: list[str], job: str | None) -> None:
    """Run a command, perhaps as the worker of a job."""
    parser = argparse.ArgumentParser(prog=program.name, description=program.description)
    parser.add_argument("--version", action="version", version=f"subclust {__version__}")
    parser.add_argument(
        _LANGUAGE,
        dest="_",
        choices=LANGUAGES,
        default="en",
        help="in which errors are told (default: en)",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, help_text in program.commands.items():
        described = f"{help_text[0].upper()}{help_text[1:]}."
        command = commands.add_parser(name, help=help_text, description=described)
        # Only the command that is called is imported: --help must not wait for torch.
        if name in words[:1]:
            program.module(name).add_arguments(command)
    arguments = parser.parse_args(words)
    arguments.words, arguments.job = words, job
    settings = Settings.from_environment()
    _find_library(arguments, settings)
    program.module(arguments.command).run(arguments, settings)


def _without_language(words: list[str]) -> tuple[list[str], str]:
    """Take the language off the words before the command; argparse refuses one there is not."""
    option, equals, value = words[0].partition("=") if words else ("", "", "")
    if option != _LANGUAGE:
        return words, "en"
    rest = words[1:] if equals else words[2:]
    language = value if equals else "".join(words[1:2])
    return (rest, language) if language in LANGUAGES else (words, "en")


def _find_library(arguments: argparse.Namespace, settings: Settings) -> None:
    """Put the id of a library in the place of its name; a name of none stays."""
    field = "name" if arguments.command == "library" else "library"
    given = getattr(arguments, field, None)
    if isinstance(given, str):
        from subclust.text.library.names import library_id

        setattr(arguments, field, library_id(settings.library_dir, given))
