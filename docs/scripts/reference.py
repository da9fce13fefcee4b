"""Make the reference pages from the code, whenever MkDocs builds the site.

``mkdocs.yml`` names this file as a hook. A page of `PAGES` exists only in the site.
"""

import argparse
import ast
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from tables import markdown_table  # noqa: E402

import subclust  # noqa: E402
from benchmarks.__main__ import COMMANDS as BENCHMARKS  # noqa: E402
from subclust.cli import COMMANDS, SUBCLUST  # noqa: E402
from subclust.core.live import LiveAccess  # noqa: E402
from subclust.core.settings import Settings  # noqa: E402
from subclust.exports import FORMATS  # noqa: E402
from subclust.exports.collection import WRITERS  # noqa: E402
from subclust.methods import METHODS  # noqa: E402
from subclust.text.sources import SOURCES  # noqa: E402
from subclust.text.sources.fields import FIELDS  # noqa: E402
from subclust.text.sources.fields import FORMATS as FORMATS_OF_FIELDS  # noqa: E402
from subclust.text.sources.live import LIVE  # noqa: E402

VARIABLES = {
    "jobs_backend": ["SUBCLUST_JOBS"],
    "live": [
        "SUBCLUST_LIVE",
        "SUBCLUST_CONTACT",
        "SUBCLUST_CONTACT_",
        "SUBCLUST_KEY_",
        "SUBCLUST_URL_",
    ],
    "n_workers": [],  # torchrun's own
    "local_worker": [],
}
"""Variables of the fields of `Settings` that are not called after their field."""

PUBLIC = sorted({*subclust.__all__} - {"Settings"}, key=lambda name: (name[0].isupper(), name))
"""What the page of the Python API documents, functions first; settings have their own page."""

LIVE_VARIABLES = {
    "SUBCLUST_LIVE": "Live sources to switch on, such as `arxiv openalex`.",
    "SUBCLUST_CONTACT": "E-mail or web address that live sources may write to.",
    "SUBCLUST_CONTACT_": "The same for one source, whose name follows: `SUBCLUST_CONTACT_ARXIV`.",
    "SUBCLUST_KEY_": "Key of one live source, whose name follows: `SUBCLUST_KEY_OPENALEX`.",
    "SUBCLUST_URL_": "Addresses of your repositories (`SUBCLUST_URL_OAI_PMH`) or catalogues "
    "(`SUBCLUST_URL_SRU`), separated by spaces. For any other source, the address to ask instead.",
}


def commands_page() -> str:
    """Return every command with its arguments, read from the parsers."""
    parts = [
        "# Command line",
        "Everything the app does has a command. In a checkout, the program is `.venv/bin/subclust` "
        "or, in an activated environment, `python -m subclust`. `subclust COMMAND --help` prints "
        "what this page says.",
        "**Exit status:** 0 for success; 1 with one sentence on standard error for a problem you "
        "can mend; 2 for wrong usage. **Language:** `subclust --language de COMMAND` prints in "
        "German. **JSON:** `--json` prints one object; fields may be added to it, but none is "
        "changed or removed ([the most used objects](json.md)).",
    ]
    for name, (_, summary) in COMMANDS.items():
        parts += command(name, summary)
    parts += [
        "## The laboratory",
        "A checkout also has `python -m benchmarks`, which produces every figure of this "
        "documentation. `python -m benchmarks COMMAND --help` lists the options.",
    ]
    rows = [[f"`{name}`", sentence(summary)] for name, (_, summary) in BENCHMARKS.items()]
    return "\n\n".join([*parts, markdown_table(["command", "what it does"], rows)])


def command(name: str, summary: str) -> Iterator[str]:
    """Yield the Markdown of one command."""
    parser = argparse.ArgumentParser(prog=f"subclust {name}")
    SUBCLUST.declare(name, parser)
    yield f"## {name}"
    yield sentence(summary)
    yield from arguments_of(parser)


def arguments_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the usage of a parser, its arguments, and those of its own commands."""
    usage = parser.format_usage().removeprefix("usage: ").replace("\n       ", "\n").strip()
    yield f"```\n{usage}\n```"
    rows = []
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        if isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help or "" for one in action._choices_actions}
            for name, inner in action.choices.items():
                yield f"### {parser.prog.partition(' ')[2]} {name}"
                yield sentence(helps.get(name, ""))
                yield from arguments_of(inner)
            continue
        if action.help:  # the usage says enough of the others
            rows.append([named(action), explained(action, parser)])
    if rows:
        yield markdown_table(["argument", "meaning"], rows)


def named(action: argparse.Action) -> str:
    """Return an argument as it is typed."""
    value = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    value = " ".join(value) if isinstance(value, tuple) else value
    if action.choices and not action.metavar:
        value = "|".join(map(str, action.choices))
    value = value.replace("|", "\\|")
    if not action.option_strings:
        return f"`{value}`"
    options = ", ".join(action.option_strings)
    return f"`{options}`" if action.nargs == 0 else f"`{options} {value}`"


def explained(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """Return the help of an argument, with its default."""
    text = sentence(re.sub(r"\s+", " ", parser._get_formatter()._expand_help(action)))
    default = action.default
    told = default not in (None, False, True, [], argparse.SUPPRESS)
    return f"{text} Default: `{default}`." if told and "default" not in text else text


def sentence(text: str) -> str:
    """Return a help text as a sentence."""
    text = text.strip()
    if not text:
        return ""
    if text.partition(" ")[0] not in METHODS:
        text = text[0].upper() + text[1:]
    text = re.sub(r"'([^' ][^']*)'", r"`\1`", text)
    text = re.sub(r"(`[^`]*`)|(--[a-z][\w-]*|[A-Z]+_[A-Z_]+)", lambda m: m[1] or f"`{m[2]}`", text)
    return text if text.endswith((".", "!", "?")) else f"{text}."


def variables_of(field: str) -> list[str]:
    """Return the environment variables that set a field of `Settings`."""
    return VARIABLES.get(field, [f"SUBCLUST_{field.upper()}"])


def settings_page() -> str:
    """Return every environment variable, its default and its meaning, read from `Settings`."""
    meanings = numpydoc_parameters(inspect.getdoc(Settings) or "")
    default = Settings()
    rows = []
    for field in fields(Settings):
        for variable in variables_of(field.name):
            meaning = LIVE_VARIABLES.get(variable) or meanings[field.name]
            value = "" if variable in LIVE_VARIABLES else shown(getattr(default, field.name))
            rows.append([f"`{variable}`", value, meaning])
    return "\n\n".join(
        [
            "# Settings",
            "Subclust reads its settings from environment variables when it starts. A value that "
            "cannot be used stops it with a sentence that names the variable. "
            "[Configure](../it/configure.md) shows the usual combinations.",
            markdown_table(["variable", "default", "meaning"], rows),
        ]
    )


def shown(value: object) -> str:
    """Return a default as one would type it; nothing where there is none."""
    if isinstance(value, Path):
        in_checkout = value.is_relative_to(ROOT)
        return f"`{value.relative_to(ROOT)}/`" if in_checkout else "in the data folder"
    if isinstance(value, bool):
        return f"`{int(value)}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`" if value else ""


def numpydoc_parameters(docstring: str) -> dict[str, str]:
    """Return what a docstring says of each parameter, in one line."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in docstring.partition("Parameters\n----------\n")[2].splitlines():
        if line and not line[0].isspace():
            names = [name.strip() for name in line.partition(" : ")[0].split(",")]
        for name in names:
            found.setdefault(name, [])
            if line[:1].isspace():
                found[name].append(line.strip())
    joined = {name: " ".join(lines) for name, lines in found.items()}
    return {name: re.sub(r"`{1,2}", "`", text) for name, text in joined.items()}


def formats_page() -> str:
    """Return every format that is read or written, read from the registries."""
    read = [
        [str(card.label), f"`{name}`", " ".join(f"`{one}`" for one in card.extensions)]
        for name, card in SOURCES.items()
    ]
    live = [
        [card.label, f"`{name}`", f"{sentence(str(card.summary))}", f"[rules]({card.rules})"]
        for name, card in LIVE.items()
    ]
    return "\n\n".join(
        [
            "# Formats",
            "## Documents that can be imported",
            "What a file contains decides its format, whatever its name; `--format` names one. "
            "Any of them may be compressed with gzip.",
            markdown_table(["format", "`--format`", "usual endings"], read),
            "## Live sources",
            "Each is off until an administrator [switches it on](../it/configure.md#live-sources).",
            markdown_table(["source", "name", "what it has", "terms"], live),
            "## Exports of an answer",
            "*Export* in the app and `subclust search --export FILE` write: "
            + " ".join(f"`{suffix}`" for suffix in FORMATS)
            + ".",
            "## Exports of a library",
            "`subclust export` writes: " + " ".join(f"`{suffix}`" for suffix in WRITERS) + ".",
            *fields_part(),
        ]
    )


def fields_part() -> Iterator[str]:
    """Yield what each format calls each field, read from the table of fields."""
    yield "## Fields"
    yield (
        "What a record can say, and what each format calls it. Of several tags the first is "
        "written and all are read. A format without one has no place for the field: an export says "
        "which fields it left out. CSV, Excel and JSON Lines keep every field, under the name in "
        "the first column, and read [many heads of columns](../librarians/your-library.md)."
    )
    rows = [
        [
            f"`{field.name}`",
            str(field.meaning),
            *(", ".join(map(coded, getattr(field, format_))) for format_ in FORMATS_OF_FIELDS),
        ]
        for field in FIELDS
    ]
    heads = ["RIS", "BibTeX", "CSL JSON", "MARC 21", "EndNote XML", "Refer", "Web of Science",
             "PubMed"]  # fmt: skip
    yield markdown_table(["field", "meaning", *heads], rows)
    yield (
        "Beyond the table, last pages are `EP` in RIS; an ISBN is `SN` there, as an ISSN is; "
        "volume, issue and pages in MARC 773 $g are written `volume:9`, `number:38`, `pages:1-9`; "
        "an ISSN is 773 $x, or 022 $a where the record is part of nothing; further authors are "
        "700, editors 700 with `$e editor`; the kind of document is the leader's, or field 655. A "
        "record keeps the number that its file gave it. Where it has none, its id is written in "
        "its place and is its id again at the next import; an id of your own list is written as "
        "`id:NAME`."
    )


def coded(tag: str) -> str:
    """Return a tag, or two of which the first counts before the second, as code."""
    return " or ".join(f"`{one}`" for one in tag.split("|"))


def methods_page() -> str:
    """Return every method, read from the registry."""
    rows = [
        [
            f"`{card.name}`",
            card.label,
            card.summary,
            "yes" if card.needs_checkpoint else "no",
            "yes" if card.query_specific else "no",
        ]
        for card in METHODS.values()
    ]
    return "\n\n".join(
        [
            "# Methods",
            "`default` stands for the method that was promoted last. A method that *follows the "
            "question* divides the same hits differently under another question. "
            "[Five papers](../researchers/papers.md) says where they come from.",
            markdown_table(["name", "method", "what it does", "trained", "follows question"], rows),
        ]
    )


PAGES: dict[str, Callable[[], str]] = {
    "reference/commands.md": commands_page,
    "reference/settings.md": settings_page,
    "reference/formats.md": formats_page,
    "reference/methods.md": methods_page,
}
"""The pages that are made from the code, and what makes each."""

REPORTS = ROOT / "benchmarks" / "reports"
"""The laboratory's tables of each paper, which are pages of the site as they are."""


def settings_variables() -> set[str]:
    """Return every variable that the modules of the settings name, for the tests."""
    modules = (inspect.getfile(Settings), inspect.getfile(LiveAccess))
    trees = [ast.parse(Path(module).read_text(encoding="utf-8")) for module in modules]
    nodes = (node for tree in trees for node in ast.walk(tree))
    texts = (node.value for node in nodes if isinstance(node, ast.Constant))
    return {name for text in texts for name in re.findall(r"SUBCLUST_[A-Z_]+", str(text))}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made from the code."""
    os.environ["COLUMNS"] = "88"  # of the usage of a command
    for path, page in PAGES.items():
        files.append(File.generated(config, path, content=page()))
    for report in sorted(REPORTS.iterdir()):
        path = f"researchers/reports/{report.name}"
        files.append(File.generated(config, path, abs_src_path=str(report)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Fill in the names that ``import subclust`` offers."""
    public = "\n\n".join(f"::: subclust.{subclust._MODULES[name]}.{name}" for name in PUBLIC)
    return markdown.replace("<!-- public names -->", public)
