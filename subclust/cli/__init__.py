"""The command line: every button of the app has a command.

Exit status 0; 1 with one plain sentence on standard error for what a user can mend; 2 for wrong
usage.
"""

import argparse
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple

from subclust import __version__
from subclust.cli import printing
from subclust.core import audit
from subclust.core.access import acting_as
from subclust.core.exceptions import SubclustError
from subclust.core.messages import Message
from subclust.core.quotas import Quota, working_under
from subclust.core.settings import Settings
from subclust.core.storage.faults import fault_of
from subclust.core.storage.version import FORM, check_version
from subclust.core.translation import LANGUAGES
from subclust.jobs import Job, JobStore, Worker, job_queue, register
from subclust.jobs.process import give_way


class Command(NamedTuple):
    """A command, by its module within the package of its program and what it does.

    The module of ``search-live`` has ``add_search_live``, which declares its arguments, and
    ``run_search_live``, which takes them and the settings.
    """

    module: str
    help: str


_MODULES: dict[str, dict[str, str]] = {
    "serve": {"serve": "start the app", "serve-api": "start the API for programs alone"},
    "work": {"work": "start background jobs, in place of the apps on the same data folder"},
    "assistants": {"mcp": "have an assistant search libraries, by the Model Context Protocol"},
    "documents.transfer": {
        "demo": "build the demo library, once",
        "import": "import documents into a library",
    },
    "documents.export": {
        "export": "write a library, or a collection of it, to a file that can be imported again",
    },
    "documents.library": {
        "library": "list, show, browse, back up, restore, embed anew, clean or remove libraries"
    },
    "backups": {
        "backup-all": "write all data and models to one zip file, while the app runs",
        "restore-all": "restore all data and models from a backup",
    },
    "documents.bin": {
        "bin": "what was deleted in the last 30 days: list, put back, or delete for good"
    },
    "documents.live": {
        "sources": "list the live sources, whether each is switched on, and what was harvested",
        "search-live": "ask a live source, such as arXiv, and perhaps keep the hits",
        "harvest": "fetch all that a live source has of something into a library, page by page",
    },
    "search.search": {"search": "group what answers a query into subtopics"},
    "search.explain": {"explain": "say why a passage is in its group"},
    "search.themes": {
        "themes": "find the themes of a whole library, or of a part of it, without a question"
    },
    "search.sessions": {
        "sessions": "keep answers: list, show, check, rename, export, import or delete saved "
        "searches"
    },
    "search.comparing": {
        "compare": "group the same hits in two to four ways and say where they differ",
        "cluster": "group the passages of given queries, without retrieval",
    },
    "training.sets": {
        "check": "find every mistake in a labelled set",
        "sets": "keep labelled sets: list, add, show, check, export, remove, or get a template",
    },
    "training.labelling": {"label": "have a language model label queries"},
    "training.corrections": {
        "corrections": "saved corrections: list, show, export to train on, list pairs, or delete"
    },
    "training.train": {
        "train": "train a method on a labelled set",
        "tune": "search for the values of a recipe with which a method does best",
    },
    "training.planning": {"estimate": "tell how long a training will take, and how much memory"},
    "training.judging": {
        "judge": "say whether a trained model is better on held-out queries",
        "bench": "measure methods on labelled queries",
        "tasks": "list the labelled tasks, such as the demo",
    },
    "models": {
        "encoders": "list what can compute the embeddings here, and why not the others",
        "models": "list, show, promote, roll back, export, import or remove checkpoints",
    },
    "methods": {"methods": "list the methods"},
    "persons": {"person": "all that is kept of somebody who signs in: export or delete it"},
    "tokens": {"token": "access tokens for programs: create, list or revoke"},
    "jobs": {"jobs": "list, show, follow, cancel, resume, clone or remove training runs"},
}

COMMANDS = {
    name: Command(module, summary)
    for module, commands in _MODULES.items()
    for name, summary in commands.items()
}
"""Every command, its module and what it does."""

_LANGUAGE = "--language"
_JOB = "--job"
_RESUMED = ("train", "harvest")
"""Commands that go on only when they are told to."""


@dataclass(frozen=True)
class Program:
    """A command line: a package of commands.

    Parameters
    ----------
    name : str
        As it is typed, such as ``"python -m subclust"``.
    description : str
    commands : mapping of str to Command
    package : str
        Which has the modules of the commands.
    """

    name: str
    description: str
    commands: Mapping[str, Command]
    package: str

    def declare(self, command: str, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments of a command."""
        self._function("add", command)(parser)

    def run(self, command: str, arguments: argparse.Namespace, settings: Settings) -> None:
        """Run a command."""
        self._function("run", command)(arguments, settings)

    def _function(self, what: str, command: str) -> Callable[..., None]:
        module = import_module(f"{self.package}.{self.commands[command].module}")
        function: Callable[..., None] = getattr(module, f"{what}_{command.replace('-', '_')}")
        return function


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
    words, job = _without_job(sys.argv[1:] if argv is None else argv)
    words, printing.language = _without_language(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack a letter of the texts
            stream.reconfigure(errors="replace")
    try:
        if job is None:
            _run(program, words)
        else:
            _work(program, words, job)
    except SubclustError as error:
        printing.tell(error.sentence)
        return 1
    # A reader such as `head` has seen enough. Closing stops Python from reporting the broken pipe
    # once more at exit.
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except (OSError, MemoryError) as error:
        if (fault := fault_of(error)) is None:
            raise
        printing.tell(fault.sentence)
        return 1
    except KeyboardInterrupt:
        printing.tell(Message("Stopped. What had been saved is kept."))
        return 130
    return 0


def _run(program: Program, words: list[str], job: str | None = None) -> None:
    """Run a command, perhaps as the worker of a job."""
    parser = argparse.ArgumentParser(prog=program.name, description=program.description)
    parser.add_argument("--version", action="version", version=f"subclust {__version__}")
    parser.add_argument(
        _LANGUAGE,
        # Declared for --help and for wrong languages only: `main` has removed it by now.
        dest="_",
        choices=LANGUAGES,
        default="en",
        help="of what is printed for people (default: en)",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (_, help_text) in program.commands.items():
        described = f"{help_text[0].upper()}{help_text[1:]}."
        command = commands.add_parser(name, help=help_text, description=described)
        # Only the command that is called is imported: --help must not wait for torch.
        if name in words[:1]:
            program.declare(name, command)
    arguments = parser.parse_args(words)
    arguments.words, arguments.job = words, job
    settings = Settings.from_environment()
    _open_data(arguments.command, settings)
    _find_library(arguments, settings)
    if settings.accounts is not None:
        audit.begin(settings.audit_dir / "audit.jsonl")
    program.run(arguments.command, arguments, settings)


def _open_data(command: str, settings: Settings) -> None:
    """Refuse a data folder of a newer version, and bring one of an earlier version up to date."""
    if command == "restore-all":  # whatever is there
        return
    # Of workers that train together only the first upgrades the folder; the others would race it.
    if check_version(settings.data_dir, __version__) < FORM and settings.local_worker == 0:
        from subclust.upgrades import bring_up_to_date

        bring_up_to_date(settings, printing.tell)


def _without_job(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Split the words of a command into those of its own and the job it does, if it does one."""
    # Split off by hand, so that no command has to declare an option that people never type.
    if len(words) > 2 and words[-2] == _JOB:
        return list(words[:-2]), words[-1]
    return list(words), None


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


@contextmanager
def _as_owner(job: Job) -> Iterator[None]:
    """Have a job's owner act within a block, and hold the process to their quota."""
    if not job.owner:
        yield
        return
    with acting_as(job.person), working_under(Quota(passages=job.most_passages)):
        yield


def _work(program: Program, words: list[str], id: str) -> None:
    """Do a job: register, give way to the app, run its command, and let the next one start."""
    settings = Settings.from_environment()
    if settings.local_worker > 0:  # the first of those that train together keeps the record
        _run(program, words, id)
        return
    store = JobStore(settings.jobs_dir)
    job, before = register(store, id)
    if job.backend == "local":
        give_way()
    resume = ["--resume"] if before and job.kind in _RESUMED and "--resume" not in words else []

    def next_ones() -> None:
        if job.backend != "local":  # a cluster has a queue of its own
            return
        with suppress(SubclustError):
            job_queue(settings).advance()

    try:
        # After a cancel the worker's thread may end the process, and `finally` is never reached.
        with Worker(store, job, on_exit=next_ones).working():
            with _as_owner(job):
                _run(program, [*words, *resume], id)
    finally:
        next_ones()
