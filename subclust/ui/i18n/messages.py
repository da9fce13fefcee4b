"""The sentences of the interface, collected into the catalogues: ``make messages``."""

import ast
import builtins
import re
import string
from collections.abc import Iterator, Sequence
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from subclust.core.plugins import plugged
from subclust.core.settings import PROJECT_ROOT
from subclust.judging.published import published_texts
from subclust.labelled.reading.kinds import KINDS
from subclust.methods import METHODS
from subclust.ui.i18n.language import CATALOGUES

_FORMS = {"_": 1, "N_": 1, "_n": 2, "Message": 1}
"""How many texts each function takes; an error takes one."""

_WORD = re.compile(r"[^\W\d_]{2}|“")
"""Texts without a match need no translation."""


def _collect_messages() -> Catalog:
    """Collect what `_`, `_n`, `N_`, `Message` and errors are called with, and data shown in pages.

    The data are the cards of the product's methods, the problems of labelled sets, and the papers'
    tables. Babel's own extractor misses calls within f-strings.
    """
    found = Catalog(project="Subclust")
    for path in sorted((PROJECT_ROOT / "subclust").rglob("*.py")):
        for message in _messages_of(path.read_text(encoding="utf-8")):
            found.add(message)
    for sentence in _data_texts():
        found.add(sentence)
    others = {name for cards in plugged("methods") for name in cards}
    for name, card in METHODS.items():
        if name not in others:
            for message in filter(None, (card.label, card.summary, card.fits)):
                found.add(message)
    return found


def _messages_of(source: str) -> Iterator[str | tuple[str, ...]]:
    """Yield the sentences of a Python source, those with two forms as both."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name = node.func.id
        # Our own exceptions take a template; texts of built-in ones are not meant for people.
        n_forms = _FORMS.get(
            name, int(name.endswith(("Error", "Stopped")) and not hasattr(builtins, name))
        )
        texts = [list(_texts(argument)) for argument in node.args[:n_forms]]
        if n_forms == 1:
            yield from (text for found in texts for text in found)
        elif texts and all(texts):
            yield tuple(found[0] for found in texts)


def _texts(argument: ast.expr) -> Iterator[str]:
    if isinstance(argument, ast.IfExp):
        yield from _texts(argument.body)
        yield from _texts(argument.orelse)
    elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        if _WORD.search("".join(text for text, *_ in string.Formatter().parse(argument.value))):
            yield argument.value


def _read_catalogue(path: Path, language: str) -> Catalog:
    """Read a catalogue, an empty one where there is no file yet."""
    if not path.exists():
        return Catalog(locale=language, project="Subclust")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _faults(catalogue: Catalog, collected: Catalog) -> list[str]:
    """Return the sentences that a catalogue lacks or has with other placeholders, one a line."""
    told = []
    for message in collected:
        if not message.id:
            continue
        known = catalogue.get(message.id)
        if known is None or known.fuzzy or not all(_forms(known.string)):
            told.append(f"{message.id!r} is not translated.")
            continue
        wanted = {name for form in _forms(message.id) for name in _placeholders(form)}
        told += [
            f"{form!r} has not the placeholders of {message.id!r}."
            for form in _forms(known.string)
            if not _fits(set(_placeholders(form)), wanted, counted=not isinstance(message.id, str))
        ]
    return told


def _placeholders(text: str) -> list[str]:
    """Return the names in braces, as `str.format` finds them."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


def main() -> None:
    """Update all catalogues, and print what is to be translated."""
    collected = _collect_messages()
    for folder in sorted(CATALOGUES.iterdir()):
        path = folder / "LC_MESSAGES" / "subclust.po"
        known = _read_catalogue(path, folder.name)
        known.update(collected, no_fuzzy_matching=True)
        known.obsolete.clear()
        # No locations and no header with dates: they would change with every edit of the code.
        with path.open("wb") as file:
            write_po(file, known, width=100, no_location=True, sort_output=True, omit_header=True)
        told = _faults(known, collected)
        print(f"{folder.name}: {len(known)} sentences, {len(told)} to translate")
        for sentence in told:
            print(f"  {sentence}")


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ("",))


def _fits(has: set[str], wanted: set[str], *, counted: bool) -> bool:
    """Return whether a form has its placeholders; a counted one may leave the number out."""
    return has == wanted or (counted and has == wanted - {"count"})


def _data_texts() -> Iterator[str]:
    for kind in KINDS.values():
        yield from filter(None, (kind.one, kind.advice, kind.many))
    yield from published_texts()


if __name__ == "__main__":
    main()
