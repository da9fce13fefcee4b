"""No text, however hostile, keeps a regular expression busy (ReDoS): all of them, run on long ones.

They are found in the source. Each is used as the source uses it: what is only matched at the
beginning of a text is not searched for within it.
"""

import ast
import importlib
import re
import signal
import time
from contextlib import suppress
from re import _constants, _parser

import pytest

from subclust.core.settings import PROJECT_ROOT

pytestmark = pytest.mark.app

METHODS = {"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
LENGTHS = (30, 300, 1500, 6000)
SECONDS = 1.5
"""Of the processor, for a text of the last of `LENGTHS` characters."""

BOUNDED = {
    "subclust.text.sources.citations": 500,
    "subclust.text.sources.cleaning": 700,
    "subclust.text.retrieval.pieces": 2000,
    "subclust.text.retrieval.operators": 2000,
    "subclust.text.sources.contents": 4096,
    "subclust.text.sources.opening": 4096,
    "subclust.text.sources.unread": 4096,
}
"""Modules that look at so many characters at most: of questions, citations, beginnings of files."""

USED = {"_FORMS": {"match"}, "_PATTERNS": {"fullmatch"}}
"""How those of a tuple are used."""

VALUES = {"separator": ",", "mark": ",", "name": "a", "passage": None}
"""What stands for a local variable within a pattern."""

PUMPS = [
    *"a0 \t\n\"'{([\\<&-,.Aé_=#/|;:",
    "a ", "a,", "a. ", " a", "0 ", "a-", "\n ", "A. ", "<a", '""', "a=", "{{", "[[", "10.", "1, ",
]  # fmt: skip


class Slow(Exception):
    pass


def stop(*_):
    raise Slow


def expressions():
    """Yield each call of `re` with its module, the name it is bound to, and its pattern."""
    for path in sorted((PROJECT_ROOT / "subclust").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "re." not in text:
            continue
        module = ".".join(path.relative_to(PROJECT_ROOT).with_suffix("").parts)
        tree = ast.parse(text)
        bound = {
            id(call): ast.unparse(target)
            for one in ast.walk(tree)
            if isinstance(one, ast.Assign | ast.AnnAssign) and one.value
            for target in (one.targets[:1] if isinstance(one, ast.Assign) else [one.target])
            for call in ast.walk(one.value)
        }
        for call in ast.walk(tree):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and ast.unparse(call.func.value) == "re"
                and call.func.attr in METHODS | {"compile"}
                and call.args
            ):
                yield module.removesuffix(".__init__"), call, bound.get(id(call), ""), text


def used(call, name, text, everything):
    """Return the methods by which an expression is used; all where that cannot be told."""
    if call.func.attr != "compile":
        return {call.func.attr}
    if name in USED:
        return USED[name]
    where = text if name.startswith("_") else everything
    found = set(re.findall(rf"\b{re.escape(name)}\.(\w+)\(", where)) & METHODS if name else set()
    return found or {"sub", "match", "fullmatch"}


def compiled():
    """Return every expression that can be told, with its place, uses and bound; and the others."""
    found, unknown = {}, []
    everything = "\n".join(
        path.read_text(encoding="utf-8") for path in (PROJECT_ROOT / "subclust").rglob("*.py")
    )
    for module, call, name, text in expressions():
        place = f"{module}:{call.lineno}"
        space = {**VALUES, **vars(importlib.import_module(module)), "re": re}
        flags = [word.value for word in call.keywords if word.arg == "flags"]
        flags += call.args[1:2] if call.func.attr == "compile" else []
        try:
            pattern = eval(ast.unparse(call.args[0]), space)
            given = [eval(ast.unparse(one), space) for one in flags]
        except (NameError, AttributeError, TypeError):
            unknown.append(place)
            continue
        if not isinstance(pattern, re.Pattern):
            one = re.compile(pattern, *given)
            found[place] = one, used(call, name, text, everything), BOUNDED.get(module)
    return found, unknown


def literals(pattern):
    """Return the runs of characters that stand in a pattern as they are."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin1")
    found = []

    def walk(parts):
        run = ""
        for kind, value in parts:
            if kind is _constants.LITERAL:
                run += chr(value)
                continue
            found.append(run)
            run = ""
            for one in value if isinstance(value, list | tuple) else [value]:
                for inner in one if isinstance(one, list | tuple) else [one]:
                    if isinstance(inner, _parser.SubPattern):
                        walk(inner)
        found.append(run)

    walk(_parser.parse(text, pattern.flags & ~re.UNICODE))
    return [one for one in dict.fromkeys(found) if one][:6]


def spent(function, text):
    signal.setitimer(signal.ITIMER_VIRTUAL, 2 * SECONDS)
    began = time.process_time()
    try:
        function(text)
    except Slow:
        return 2 * SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


def worst(pattern, methods, bound):
    """Return the most seconds that a text takes, and how it is made."""
    is_bytes = isinstance(pattern.pattern, bytes)
    empty = b"" if is_bytes else ""
    functions = [getattr(pattern, one) for one in methods & {"match", "fullmatch"}]
    if methods - {"match", "fullmatch"}:
        functions.append(lambda text: pattern.sub(empty, text))
    own = literals(pattern)
    most = (0.0, "")
    for head in ("", *own[:2]):
        for pump in dict.fromkeys([*PUMPS, *own, *(one + " " for one in own[:3])]):
            for length in LENGTHS:
                text = (head + pump * (length // len(pump)))[: bound or length] + "\x00!"
                taken = max(spent(one, text.encode() if is_bytes else text) for one in functions)
                most = max(most, (taken, f"{head!r} + {pump!r} * {length}"))
                # Were it to grow with the square, the longest would still take no time.
                if taken > SECONDS or (length >= 1500 and taken < SECONDS / 100):
                    break
            if most[0] > SECONDS:
                return most
    return most


def test_no_text_keeps_an_expression_busy():
    found, unknown = compiled()
    assert len(found) > 350 and len(unknown) < 12, unknown
    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        slow = {place: worst(*one) for place, one in found.items()}
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert {place: one for place, one in slow.items() if one[0] > SECONDS} == {}


def test_one_that_is_slow_is_found():
    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        with suppress(Slow):
            assert worst(re.compile(r"(?:a|aa)+$"), {"search"}, None)[0] > SECONDS
            assert worst(re.compile(r"\s*,?\s+and"), {"split"}, None)[0] > SECONDS
            assert worst(re.compile(r"\s*,?\s+and"), {"split"}, 100)[0] < SECONDS
    finally:
        signal.signal(signal.SIGVTALRM, before)
