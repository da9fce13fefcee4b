"""How large the code of a checkout is, room by room, and how well it is kept."""

import argparse
import ast
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

from benchmarks.results import RESULTS_DIR, add_output, circumstances, output, read_result
from benchmarks.used_once import imported_once, used_once
from subclust.core.exceptions import BenchmarkError
from subclust.core.settings import PROJECT_ROOT, Settings

LONGEST_FUNCTION = 60
LONGEST_FILE = 400
EQUAL_LINES = 10
WORDS_OF_PROSE = 4

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DOCUMENTED = (ast.Module, ast.ClassDef, *_FUNCTIONS)
_IMPORTS = (ast.Import, ast.ImportFrom)
_PLACE = re.compile(r"\{[^{}]*\}")
_AROUND_WORDS = ".,:;()[]!?…\"'“”„"


def add_house(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``house``."""
    parser.add_argument("--checkout", type=Path, default=PROJECT_ROOT, metavar="FOLDER")
    parser.add_argument("--name", default="now", help="of the result, such as before")
    add_output(parser)


def run_house(arguments: argparse.Namespace, settings: Settings) -> None:
    """Measure a checkout, and set it beside the results that were saved under other names."""
    result = measure_house(arguments.checkout.resolve())
    folder = RESULTS_DIR / "house"
    told = circumstances(settings.resolve_device())
    if output(arguments, folder / f"{arguments.name}.json", result, told):
        return
    saved = {file.stem: read_result(file) or {} for file in sorted(folder.glob("*.json"))}
    print(as_table({**saved, arguments.name: result}))


@dataclass(frozen=True)
class Source:
    """A file of Python, parsed once."""

    path: Path
    text: str
    tree: ast.Module

    @classmethod
    def read(cls, root: Path, path: Path) -> "Source":
        """Read a file; its path is kept as seen from a folder."""
        text = path.read_text(encoding="utf-8")
        return cls(path.relative_to(root), text, ast.parse(text))

    @property
    def module(self) -> str:
        """Its name when it is imported."""
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")

    def lines(self) -> dict[str, int]:
        """Return how many lines there are, and of what kind."""
        lines = self.text.splitlines()
        documenting = {
            number
            for node in ast.walk(self.tree)
            if isinstance(node, _DOCUMENTED) and ast.get_docstring(node) is not None
            for number in _span(node.body[0])
        }
        importing = {
            n for node in self.tree.body if isinstance(node, _IMPORTS) for n in _span(node)
        }
        kinds = Counter(
            "docstrings"
            if number in documenting
            else "blank"
            if not line.strip()
            else "comments"
            if line.lstrip().startswith("#")
            else "imports"
            if number in importing
            else "code"
            for number, line in enumerate(lines, 1)
        )
        return {"files": 1, "lines": len(lines), **kinds}

    def long_functions(self) -> int:
        """Return how many functions are too long, their docstrings and comments aside."""
        lines = self.text.splitlines()
        return sum(
            len(_span(node)) - _documented(node) - _comments(lines, node) > LONGEST_FUNCTION
            for node in ast.walk(self.tree)
            if isinstance(node, _FUNCTIONS)
        )

    def imported(self, modules: frozenset[str]) -> set[str]:
        """Return which modules it imports when it runs."""
        found = set()
        for node in _run(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= (inner & modules) or {node.module}
        return (found & modules) - {self.module}

    def named(self, modules: frozenset[str]) -> set[str]:
        """Return which modules a registry in it names, which are imported by their names."""
        texts = (node.value for node in ast.walk(self.tree) if isinstance(node, ast.Constant))
        named = {text.split(":")[0] for text in texts if isinstance(text, str)}
        return (named & modules) - {self.module}

    def plain_lines(self) -> list[str]:
        """Return its lines without imports, blanks and indentation."""
        importing = {
            n for node in ast.walk(self.tree) if isinstance(node, _IMPORTS) for n in _span(node)
        }
        lines = enumerate(self.text.splitlines(), 1)
        return [line.strip() for n, line in lines if line.strip() and n not in importing]


def measure_house(checkout: Path) -> dict[str, Any]:
    """Count what a checkout has; nothing of it is run but the making of its wheel.

    Parameters
    ----------
    checkout : Path
        Folder of a clone.

    Returns
    -------
    dict
        ``commit``; ``rooms``, for each room of the product its files and lines, by kind;
        ``product``, ``laboratory`` and ``tests``, the same of all rooms together; of the product
        ``ui_files``, ``long_functions``, ``long_files``, ``circles``, ``imported_once``,
        ``used_once``, ``equal_lines`` and ``html_calls``; of the tests ``n_tests`` and
        ``tests_with_prose``, those that expect words of the interface or of a document
        (`expects_prose`); ``readme_words``, ``wheel_bytes`` and ``checkout_bytes``.
    """
    product = _sources(checkout, "subclust")
    laboratory = _sources(checkout, "benchmarks")
    tests = _sources(checkout, "tests")
    said = [text for source in (*product, *laboratory) for text in _strings(source.tree)]
    ours = phrases([*said, *_documents(checkout)])
    rooms: dict[str, Counter[str]] = defaultdict(Counter)
    for source in product:
        rooms[source.path.parts[1] if len(source.path.parts) > 2 else "."].update(source.lines())
    functions = [node for source in tests for node in _tests(source.tree)]
    modules = frozenset(source.module for source in product)
    graph = {source.module: source.imported(modules) for source in product}
    named = {source.module: graph[source.module] | source.named(modules) for source in product}
    both = [*product, *laboratory]
    trees = {source.module: source.tree for source in both}
    packages = frozenset(one.module for one in both if one.path.name == "__init__.py")
    return {
        "commit": _git(checkout, "rev-parse", "--short", "HEAD").strip(),
        "rooms": {name: dict(rooms[name]) for name in sorted(rooms)},
        "product": dict(sum(rooms.values(), Counter())),
        "laboratory": _lines(laboratory),
        "tests": _lines(tests),
        "ui_files": rooms["ui"]["files"],
        "long_functions": sum(source.long_functions() for source in product),
        "long_files": sum(source.lines()["lines"] > LONGEST_FILE for source in product),
        "circles": len(circles(graph)),
        "imported_once": imported_once(named),
        "used_once": sum(name.startswith("subclust.") for name in used_once(trees, packages)),
        "equal_lines": equal_lines([source.plain_lines() for source in product]),
        "html_calls": sum(map(_html_calls, product)),
        "n_tests": len(functions),
        "tests_with_prose": sum(expects_prose(test, ours) for test in functions),
        "readme_words": len((checkout / "README.md").read_text(encoding="utf-8").split()),
        "wheel_bytes": _wheel_bytes(checkout),
        "checkout_bytes": sum(
            (checkout / name).stat().st_size
            for name in _git(checkout, "ls-files", "-z").split("\0")
            if name and (checkout / name).is_file()
        ),
    }


def circles(graph: Mapping[str, set[str]]) -> list[frozenset[str]]:
    """Return the sets of sibling packages and modules that import each other in a circle.

    Parameters
    ----------
    graph : mapping of str to set of str
        The modules that each module imports.
    """
    siblings: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, imported in graph.items():
        for other in imported:
            ours, theirs = module.split("."), other.split(".")
            shared = next(
                (n for n, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]),
                0,
            )
            if shared:
                siblings[".".join(ours[:shared])][ours[shared]].add(theirs[shared])
    found = []
    for parent, edges in siblings.items():
        reached = {name: _reached(name, edges) for name in edges}
        rings = {
            frozenset(other for other in reached[name] if name in reached.get(other, ()))
            for name in edges
            if name in reached[name]
        }
        found += [frozenset(f"{parent}.{name}" for name in ring) for ring in rings if len(ring) > 1]
    return found


def equal_lines(files: Sequence[Sequence[str]]) -> int:
    """Return how many pairs of places have ten equal lines or more."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for file, lines in enumerate(files):
        for start in range(len(lines) - EQUAL_LINES + 1):
            places[tuple(lines[start : start + EQUAL_LINES])].append((file, start))
    pairs = {pair for found in places.values() for pair in combinations(found, 2)}
    # A pair that only goes on where the one a line above it began is the same pair.
    return sum(((a, i - 1), (b, j - 1)) not in pairs for (a, i), (b, j) in pairs)


def phrases(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """Return all that stands in texts as four words in a row, numbers and places aside."""
    found = set()
    for text in texts:
        named = (word.strip(_AROUND_WORDS).lower() for word in _PLACE.sub(" ", text).split())
        words = [word for word in named if word.replace("-", "").isalpha()]
        found |= {tuple(words[n : n + WORDS_OF_PROSE]) for n in range(len(words))}
    return {phrase for phrase in found if len(phrase) == WORDS_OF_PROSE}


def expects_prose(test: ast.FunctionDef, ours: set[tuple[str, ...]]) -> bool:
    """Return whether a test expects words that the interface or a document says.

    What a test expects stands in its assertions, in the words that an error is to match, and among
    the parameters of its cases. Passages, titles and questions that a test gives and expects back
    are no prose of ours, and are not counted.

    Parameters
    ----------
    test : ast.FunctionDef
        The test.
    ours : set of tuple of str
        The `phrases` of all that is said to people.
    """
    held = [node.test for node in ast.walk(test) if isinstance(node, ast.Assert)]
    held += [
        keyword.value
        for node in ast.walk(test)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "match"
    ]
    texts = (text for one in (*held, *test.decorator_list) for text in _strings(one))
    return not phrases(texts).isdisjoint(ours)


def as_table(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return results side by side, as a table of Markdown."""
    rows = {name: dict(_figures(result)) for name, result in results.items()}
    keys = list(dict.fromkeys(key for row in rows.values() for key in row))
    lines = [["", *rows], ["---"] * (len(rows) + 1)]
    lines += [[key, *(row.get(key, "–") for row in rows.values())] for key in keys]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _figures(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in result.items():
        match value:
            case {"files": files, "lines": lines}:
                yield f"{key}: files / lines", f"{files:,} / {lines:,}"
                kinds = (value.get(kind, 0) for kind in ("code", "docstrings"))
                yield f"{key}: code / docstrings", " / ".join(f"{count:,}" for count in kinds)
            case int():
                yield key, f"{value:,}"
            case str():
                yield key, value
    for name, room in result.get("rooms", {}).items():
        yield f"room {name}: files / lines", f"{room['files']:,} / {room['lines']:,}"


def _sources(checkout: Path, folder: str) -> list[Source]:
    return [Source.read(checkout, path) for path in sorted((checkout / folder).rglob("*.py"))]


def _lines(sources: Sequence[Source]) -> dict[str, int]:
    return dict(sum((Counter(source.lines()) for source in sources), Counter()))


def _span(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _documented(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return len(_span(node.body[0])) if ast.get_docstring(node) is not None else 0


def _comments(lines: Sequence[str], node: ast.stmt) -> int:
    return sum(lines[number - 1].lstrip().startswith("#") for number in _span(node))


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through what is run: not through what only the type checker reads."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)):
            yield child
            yield from _run(child)


def _reached(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    ahead = [start]
    while ahead:
        new = edges.get(ahead.pop(), set()) - reached
        reached |= new
        ahead += new
    return reached


def _html_calls(source: Source) -> int:
    return sum(
        isinstance(node, ast.Call) and ast.unparse(node.func) == "st.html"
        for node in ast.walk(source.tree)
    )


def _tests(tree: ast.Module) -> list[ast.FunctionDef]:
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return [node for node in functions if node.name.startswith("test_")]


def _strings(node: ast.AST) -> Iterator[str]:
    """Return the texts in a tree, docstrings aside; of one with values, what is around them."""
    if isinstance(node, ast.JoinedStr):
        yield " ".join(str(one.value) for one in node.values if isinstance(one, ast.Constant))
    elif isinstance(node, ast.Constant):
        yield from [node.value] if isinstance(node.value, str) else []
    elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        for child in ast.iter_child_nodes(node):
            yield from _strings(child)


def _documents(checkout: Path) -> Iterator[str]:
    """Return what documents say, and what the interface says in other languages."""
    rooms = [checkout / name for name in ("docs", "benchmarks", "subclust")]
    for path in (
        *checkout.glob("*.md"),
        *(found for room in rooms for found in room.rglob("*.md")),
    ):
        yield path.read_text(encoding="utf-8")
    for path in (checkout / "subclust").rglob("*.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                told = message.string
                yield from [told] if isinstance(told, str) else told or ()


def _git(checkout: Path, *words: str) -> str:
    return _said(["git", "-C", str(checkout), *words])


def _wheel_bytes(checkout: Path) -> int:
    with tempfile.TemporaryDirectory() as made:
        how = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", made]
        _said([sys.executable, "-m", "pip", "wheel", *how, str(checkout)])
        return sum(wheel.stat().st_size for wheel in Path(made).glob("*.whl"))


def _said(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise BenchmarkError(
            "{command} failed: {said}", command=" ".join(command), said=done.stderr
        )
    return done.stdout
