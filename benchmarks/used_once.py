"""Which modules and public functions of the product only one place uses."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def imported_once(graph: Mapping[str, set[str]]) -> int:
    """Return how many modules, packages aside, exactly one other imports."""
    packages = {module.rpartition(".")[0] for module in graph}
    counts = Counter(other for imported in graph.values() for other in imported)
    return sum(count == 1 for module, count in counts.items() if module not in packages)


def used_once(trees: Mapping[str, ast.Module], packages: frozenset[str]) -> list[str]:
    """Return the public functions that exactly one place uses.

    Counted are functions in the body of a module whose names begin with no underscore. A use is

    - each place that reads the name outside the function itself: in its own module, or by an
      import, under whatever name and through whatever package;
    - each package that imports the name, for those who use the package;
    - each text such as ``"module:function"``, by which a registry finds it.

    An import alone is no use, nor is a local variable of the same name. Methods of classes are not
    counted: which class's method a name is cannot be read from the text. Nor are the commands'
    functions, which the command line finds by names that it makes; nothing uses those by this
    count.

    Parameters
    ----------
    trees : mapping of str to ast.Module
        All that may use a function, by the modules' names: the product and the laboratory, which
        once were one package.
    packages : frozenset of str
        Which of the modules are packages.

    Returns
    -------
    list of str
        The functions' full names, sorted.
    """
    counts = Counter(_uses(trees, packages))
    return sorted(name for name, count in counts.items() if count == 1)


@dataclass(frozen=True)
class _Names:
    """What the names of all modules stand for."""

    functions: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef]
    imports: Mapping[str, Mapping[str, str]]

    def whole(self, name: str) -> str:
        """Return where a full name is defined, through whatever packages import it."""
        seen = set()
        while name not in self.functions and name not in self.imports and name not in seen:
            seen.add(name)
            module, _, last = name.rpartition(".")
            name = self.imports.get(module, {}).get(last, name)
        return name

    def full(self, module: str, node: ast.AST) -> str:
        """Return the full name that an expression of a module reads, empty for no name."""
        if isinstance(node, ast.Name):
            return self.whole(self.imports[module].get(node.id, f"{module}.{node.id}"))
        if isinstance(node, ast.Attribute) and (owner := self.full(module, node.value)):
            return self.whole(f"{owner}.{node.attr}")
        return ""


def _uses(trees: Mapping[str, ast.Module], packages: frozenset[str]) -> Iterator[str]:
    names = _Names(
        {
            f"{module}.{node.name}": node
            for module, tree in trees.items()
            for node in tree.body
            if isinstance(node, _FUNCTIONS) and not node.name.startswith("_")
        },
        {module: _imported(tree) for module, tree in trees.items()},
    )
    for module, tree in trees.items():
        for node in _read(tree):
            if isinstance(node, ast.Constant):
                yield from _by_text(node.value, names.functions)
            elif (name := names.full(module, node)) in names.functions:
                found = names.functions[name]
                inside = found.lineno <= node.lineno <= (found.end_lineno or found.lineno)
                if not (inside and name == f"{module}.{found.name}"):
                    yield name
    for package in packages:
        whole = map(names.whole, names.imports[package].values())
        yield from (name for name in whole if name in names.functions)


def _imported(tree: ast.Module) -> dict[str, str]:
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom):
            names |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return names


def _read(
    node: ast.AST, hidden: frozenset[str] = frozenset()
) -> Iterator[ast.Name | ast.Attribute | ast.Constant]:
    """Walk through what is read, without what a function around it calls otherwise."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) or (
            isinstance(child, ast.Name | ast.Attribute) and _root(child) not in {"", *hidden}
        ):
            yield child
        yield from _read(child, hidden | _bound(child) if isinstance(child, _FUNCTIONS) else hidden)


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""


def _bound(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    nodes = list(ast.walk(function))
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _by_text(text: object, functions: Mapping[str, object]) -> Iterator[str]:
    if (
        isinstance(text, str)
        and ":" in text
        and text.replace(":", ".").replace(".", "").isidentifier()
    ):
        ending = f".{text.replace(':', '.')}"
        yield from (name for name in functions if f".{name}".endswith(ending))
