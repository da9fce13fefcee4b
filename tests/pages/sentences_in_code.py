"""The sentences that a module says, read out of its code; a 7 is whatever is written in."""

import ast
import functools
from pathlib import Path


def raised(path, *names):
    """List the first argument of each call of these names: what an error says.

    A name that is given values in the same function stands for each of them.
    """
    found = []
    for function, known in _functions(path):
        for node in ast.walk(function):
            if _called(node) in names and node.args:
                found += texts(node.args[0], known) or [f"? {ast.unparse(node.args[0])}"]
    return list(dict.fromkeys(found))


def returned(path, *names):
    """List what functions of these names return."""
    return [
        text
        for function, known in _functions(path)
        if function.name in names
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
        for text in texts(node.value, known)
    ]


def given(path, name, position):
    """List an argument of each call of a name."""
    return [
        text
        for node in ast.walk(_tree(path))
        if _called(node) == name and len(node.args) > position
        for text in texts(node.args[position], {})
    ]


def texts(node, known):
    """Give what an expression may say; nothing where it is no text of the code."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            said = [""]
            for part in parts:
                there = texts(part, known) if isinstance(part, ast.Constant) else []
                if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name):
                    there = texts(part.value, known)
                said = [before + after for before in said for after in there or ["7"]]
            return said
        case ast.IfExp(body=body, orelse=other):
            return [one for each in (body, other) for one in texts(each, known)]
        case ast.Name(id=name):
            rest = {key: values for key, values in known.items() if key != name}
            return [one for value in known.get(name, ()) for one in texts(value, rest)]
    return []


@functools.cache
def _functions(path):
    tree = _tree(path)
    constants = _assigned(tree.body)
    return [
        (node, constants | _assigned(ast.walk(node)))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _assigned(nodes):
    known = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known.setdefault(node.targets[0].id, []).append(node.value)
    return known


def _called(node):
    """Return the name that is called here, if one is."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


@functools.cache
def _tree(path):
    return ast.parse(Path(path).read_text(encoding="utf-8"))
