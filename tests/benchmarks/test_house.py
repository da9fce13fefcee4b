"""What is counted of a checkout."""

import ast
import subprocess

import pytest

from benchmarks import house
from benchmarks.house import (
    Source,
    as_table,
    circles,
    equal_lines,
    expects_prose,
    measure_house,
    phrases,
)
from benchmarks.used_once import imported_once, used_once

MODULE = '"""A module.\n\nOf two lines.\n"""\n\nimport os\n\n# Why.\nSEP = os.sep\n'


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    files = {
        "README.md": "Three short words",
        "subclust/__init__.py": "",
        "subclust/ui/__init__.py": "",
        "subclust/ui/page.py": "import streamlit as st\n\nst.html('<b>')\n"
        "SAID = 'It said {n} whole words.'\n",
        "subclust/core/module.py": MODULE,
        "tests/test_a.py": "def test_a():\n    assert f() == 'it said 4 whole words: a'\n",
        "benchmarks/a.py": "A = 1\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "a"]):
        subprocess.run([*git, *words], check=True)
    monkeypatch.setattr(house, "_wheel_bytes", lambda checkout: 7)
    return tmp_path


def test_lines_are_told_apart_and_counted_by_room(checkout):
    result = measure_house(checkout)
    lines = {"files": 1, "lines": 9, "docstrings": 4, "blank": 2, "comments": 1, "imports": 1}
    assert result["rooms"]["core"] == {**lines, "code": 1}
    assert (result["product"]["files"], result["product"]["lines"]) == (4, 13)
    assert result["laboratory"]["code"] == 1
    assert (result["ui_files"], result["html_calls"]) == (2, 1)
    assert (result["n_tests"], result["tests_with_prose"]) == (1, 1)
    assert (result["readme_words"], result["wheel_bytes"]) == (3, 7)
    assert result["checkout_bytes"] == sum(
        path.stat().st_size for path in checkout.rglob("*.*") if ".git" not in path.parts
    )
    table = as_table({"before": result, "now": {**result, "long_files": 12345}})
    assert "| long_files | 0 | 12,345 |" in table.splitlines()


@pytest.mark.parametrize(
    ("test", "expects"),
    [
        ("def test_a():\n    assert f() == f'It said {n} whole words.'\n", True),
        ("def test_a():\n    with raises(E, match='said whole words, all'):\n        f()\n", True),
        ("@each('told', ['it said whole words'])\ndef test_a(told):\n    f(told)\n", True),
        (
            "def test_a():\n    assert f('It said other things') == 'said: whole words'\n",
            False,
        ),
        ("def test_a():\n    told = f('It said whole words.')\n    assert told is None\n", False),
    ],
)
def test_words_of_ours_are_told_from_data_and_from_what_is_given(test, expects):
    ours = phrases(["It said {n:,} whole words, all of them."])
    assert expects_prose(ast.parse(test).body[0], ours) is expects


def test_what_only_the_type_checker_imports_does_not_count(tmp_path):
    path = tmp_path / "pkg" / "a.py"
    path.parent.mkdir()
    path.write_text(
        "from typing import TYPE_CHECKING\n\nfrom pkg import b\nfrom pkg.c import name\n\n"
        "if TYPE_CHECKING:\n    import pkg.d\n\nBY_NAME = 'pkg.e:name'\n"
    )
    source = Source.read(tmp_path, path)
    modules = frozenset({"pkg", "pkg.a", "pkg.b", "pkg.c", "pkg.d", "pkg.e"})
    assert source.imported(modules) == {"pkg.b", "pkg.c"}
    assert source.named(modules) == {"pkg.e"}


def test_a_circle_is_found_among_siblings_however_long():
    graph = {"p.a.x": {"p.b.y"}, "p.b.y": {"p.c"}, "p.c": {"p.a.z"}, "p.d": {"p.a.x"}}
    assert circles(graph) == [{"p.a", "p.b", "p.c"}]
    assert circles({"p.a.x": {"p.a.y"}, "p.a.y": {"p.b"}, "p.b": set()}) == []


def test_modules_that_one_other_imports_are_counted_packages_aside():
    assert imported_once({"p": {"p.a"}, "p.a": {"p.b", "p"}, "p.c": {"p.b"}, "p.b": set()}) == 1


USES = {
    "p": "from p.a import shown\n",
    "p.a": "def shown(): ...\ndef own(): ...\ndef _own(): own()\ndef again(): again()\n"
    "def unused(): ...\ndef by_text(): ...\ndef hidden(): ...\n"
    "def f():\n    hidden = 1\n    return hidden\n",
    "p.b": "import p.a\nfrom p import a\nfrom p.a import own as mine, unused\n"
    "BY_TEXT = 'a:by_text'\nOTHER = 'x:unused'\np.a.again()\na.hidden()\n",
}


@pytest.mark.parametrize(
    ("more", "once"),
    [
        ("", ["again", "by_text", "hidden", "own", "shown"]),
        # A second use by a dotted name, by a package's, and of what nothing used.
        ("import p.a\nx = p.a.again\n", ["by_text", "hidden", "own", "shown"]),
        ("import p\nfrom p.a import own\np.shown(own)\n", ["again", "by_text", "hidden"]),
        ("def f(own): return own.again\n", ["again", "by_text", "hidden", "own", "shown"]),
        (
            "from p.a import unused as f\nf(1)\n",
            ["again", "by_text", "hidden", "own", "shown", "unused"],
        ),
    ],
)
def test_functions_that_one_place_uses_are_counted_however_it_names_them(more, once):
    trees = {module: ast.parse(text) for module, text in {**USES, "p.c": more}.items()}
    assert used_once(trees, frozenset({"p"})) == [f"p.a.{name}" for name in once]


def test_places_with_ten_equal_lines_are_counted_once_however_long_they_are():
    same = [str(number) for number in range(13)]
    assert equal_lines([["a", *same], [*same, "b"]]) == 1
    assert equal_lines([same, same, same]) == 3
    assert equal_lines([same[:9], same[:9]]) == 0


def test_a_function_is_long_by_what_is_no_docstring(tmp_path):
    def source(n_documented, n_lines):
        path = tmp_path / "a.py"
        text = "\n".join(f"    a{number} = 1" for number in range(n_lines))
        between = "\n" * (n_documented - 1)
        path.write_text(f'def f():\n    """Do it.{between}    """\n{text}\n')
        return Source.read(tmp_path, path)

    assert source(50, 59).long_functions() == 0
    assert source(50, 60).long_functions() == 1
