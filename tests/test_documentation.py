"""The documentation is there, whole and up to date; what it says in words is nobody's test."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from pydoc import locate

import pytest

from benchmarks.__main__ import COMMANDS as BENCHMARKS
from subclust.checkpoints import CheckpointStore
from subclust.cli import COMMANDS
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.exports import FORMATS
from subclust.methods import METHODS
from subclust.text.encoders import HashingEncoder
from subclust.text.sources import SOURCES
from subclust.text.sources.live import LIVE

DOCS = PROJECT_ROOT / "docs"
sys.path.insert(0, str(DOCS / "scripts"))


import reference  # noqa: E402
import small_library  # noqa: E402
import tables  # noqa: E402

ROOT_DOCUMENTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "data/README.md"]
ROOMS = sorted((PROJECT_ROOT / "subclust" / "methods").glob("*/README.md"))
DOCUMENTS = [
    *ROOT_DOCUMENTS,
    *(str(path.relative_to(PROJECT_ROOT)) for path in ROOMS),
    *sorted(str(path.relative_to(PROJECT_ROOT)) for path in DOCS.rglob("*.md")),
]
# Made by the app while it runs, and by `make docs`.
FOLDERS = (getattr(Settings(), name) for name in dir(Settings) if name.endswith("_dir"))
RUN_TIME = {folder.name for folder in FOLDERS if folder} | {"encoders", "site"}


def read(document):
    return (PROJECT_ROOT / document).read_text(encoding="utf-8")


def prose(text):
    """Leave out fenced code."""
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)


def links(document):
    """List what a document links to or shows."""
    return re.findall(r"\]\(\s*([^)\s]+)\s*\)", prose(read(document)))


def headings(path):
    """List the anchors of a document."""
    found = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_the_readme_is_short():
    assert len(read("README.md").split()) <= 900
    assert len(read("CONTRIBUTING.md").replace("|", " ").split()) <= 700
    for path in ROOMS:
        assert len(path.read_text(encoding="utf-8").replace("|", " ").split()) <= 300, path


def test_links_lead_somewhere():
    for document in DOCUMENTS:
        here = PROJECT_ROOT / document
        for target in links(document):
            if target.startswith(("https://", "http://")):
                continue
            file, _, anchor = target.partition("#")
            path = (here.parent / file).resolve() if file else here
            made = path.is_relative_to(DOCS) and str(path.relative_to(DOCS)) in reference.PAGES
            assert made or path.exists(), target
            if anchor and not made:
                assert anchor in headings(path), target


def test_files_that_are_named_exist():
    for document in DOCUMENTS:
        for word in re.findall(r"`((?:\w+/)+[\w./-]*)`", prose(read(document))):
            made = word.removeprefix("data/").split("/")[0] in RUN_TIME
            pattern = re.search(r"[A-Z]{3,}/|/[A-Z]{3,}\.\w|/[A-Z]{3,}$", word)
            if not made and not pattern:
                beside = PROJECT_ROOT / Path(document).parent / word
                assert (PROJECT_ROOT / word).exists() or beside.exists(), word


def test_names_in_the_code_are_there():
    for document in DOCUMENTS:
        for name in re.findall(r"`(subclust(?:\.\w+)+)`", prose(read(document))):
            assert locate(name) is not None, name


def test_the_python_example_runs(monkeypatch, tmp_path, random_checkpoint):
    small_library.build(tmp_path, "demo")
    store, encoder = CheckpointStore(tmp_path / "models"), HashingEncoder()
    config = {
        "model": {"embedding_dim": encoder.embedding_dim},
        "encoder_revision": encoder.revision,
    }
    store.save(random_checkpoint("centred-qs3m", "mine", **config))
    store.promote("centred-qs3m", "mine", as_default=True)
    monkeypatch.setenv("SUBCLUST_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("SUBCLUST_ENCODER", "hashing")
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"^```python\n(.*?)^```", read("README.md"), re.DOTALL | re.MULTILINE)
    assert len([line for line in code.splitlines() if line]) <= 10
    found = {}
    exec(code, found)
    assert len(found["again"]) == len(found["answer"]) and (tmp_path / "groups.xlsx").exists()


def test_tables_of_results_are_up_to_date():
    for document in DOCUMENTS:
        assert tables.filled(read(document)) == read(document), "run docs/scripts/tables.py"
    markers = re.findall(r"<!-- table: (.+?) -->", "".join(map(read, DOCUMENTS)))
    assert set(markers) == set(tables.TABLES)


def test_every_command_is_in_the_reference():
    page = reference.commands_page()
    assert {name for name in COMMANDS if f"\n## {name}\n" not in page} == set()


def test_every_setting_is_in_the_reference():
    page = reference.settings_page()
    rows = dict(re.findall(r"^\| `(\w+)` \| .*? \| (.*) \|$", page, flags=re.MULTILINE))
    assert reference.settings_variables() <= set(rows)
    assert all(len(meaning.split()) > 2 for meaning in rows.values())


def test_variables_that_are_named_exist():
    for document in [*DOCUMENTS, "Dockerfile", "Makefile"]:
        known = reference.settings_variables()
        for name in re.findall(r"SUBCLUST_[A-Z_]+", read(document)):
            # One that ends in an underscore is followed by the name of a live source.
            begun = (one for one in known if one.endswith("_") and name.startswith(one))
            assert name in known or any(begun), name


def test_every_format_and_method_is_in_the_reference():
    formats, methods = reference.formats_page(), reference.methods_page()
    endings = {ending for card in SOURCES.values() for ending in card.extensions}
    for name in {*SOURCES, *endings, *LIVE, *FORMATS}:
        assert f"`{name}`" in formats, name
    for name in METHODS:
        assert f"| `{name}` |" in methods, name


def test_commands_that_are_named_exist():
    for document in DOCUMENTS:
        text = read(document)
        named = set(
            re.findall(r"(?:-m |^|`|bin/)subclust ([a-z][a-z-]*)", text, flags=re.MULTILINE)
        )
        assert named <= set(COMMANDS), document
        assert set(re.findall(r"-m benchmarks ([a-z-]+)", text)) <= set(BENCHMARKS)
        targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), flags=re.MULTILINE))
        assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text, flags=re.MULTILINE)) <= targets


def test_options_that_are_shown_exist():
    sections = re.split(r"^## (\S+)$", reference.commands_page(), flags=re.MULTILINE)[1:]
    told = dict(zip(sections[::2], sections[1::2], strict=True))
    shown = r"(?:^|`)subclust ([a-z-]+)((?: [^\n`#]*)?)"
    found = [
        (name, option)
        for document in DOCUMENTS
        for name, rest in re.findall(shown, read(document), flags=re.MULTILINE)
        for option in re.findall(r"(?<= )--[a-z][a-z-]*", rest)
    ]
    assert len(found) > 20
    assert [one for one in found if one[1] not in told[one[0]]] == []


def test_pictures_are_small_and_all_are_shown():
    pictures = [path for path in (DOCS / "images").iterdir() if path.suffix != ".svg"]
    for path in pictures:
        assert path.stat().st_size < (3_000_000 if path.suffix == ".gif" else 150_000), path.name
    assert sum(path.stat().st_size for path in pictures) < 3_000_000
    shown = {Path(target).name for document in DOCUMENTS for target in links(document)}
    assert {path.name for path in pictures} <= shown


@pytest.mark.app
def test_the_site_is_built_without_a_warning_and_asks_nobody(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path],
        cwd=PROJECT_ROOT,
        check=True,
    )
    assert (tmp_path / "reference" / "commands.html").exists()
    api = (tmp_path / "researchers" / "python.html").read_text(encoding="utf-8")
    assert all(f'.{name}"' in api for name in reference.PUBLIC)
    loads = r"""(?:src=|<link[^>]+?href=|url\()["']?(?:https?:)?//"""
    for path in [*tmp_path.rglob("*.html"), *tmp_path.rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        assert re.findall(loads, re.sub(r'<link rel="canonical"[^>]+>', "", text)) == [], path


def test_every_promise_of_safety_names_a_test_that_exists():
    promises = re.findall(
        r"^\| (?!promise|from whom|---)(.*) \| (.*) \|$", read("SECURITY.md"), re.MULTILINE
    )
    assert len(promises) > 25
    for promise, held_by in promises:
        named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", held_by)
        assert len(named) == held_by.count("`") / 2 >= 1, promise
        for file, test in named:
            tree = ast.parse((PROJECT_ROOT / file).read_text(encoding="utf-8"))
            there = {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
            assert test in there, f"{file}::{test}"


def test_the_dockerfile_copies_what_is_there():
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", read("Dockerfile"), flags=re.MULTILINE):
        for source in line.split():
            assert (PROJECT_ROOT / source).exists(), source
    assert re.search(r"^USER (?!root)", read("Dockerfile"), flags=re.MULTILINE)


def test_no_volume_of_the_container_hides_what_ships():
    text = read("Dockerfile")
    (volumes,) = re.findall(r"^VOLUME (.*)$", text, flags=re.MULTILINE)
    folders = dict(re.findall(r"(SUBCLUST_\w+_DIR)=(\S+)", text))
    assert folders["SUBCLUST_MODELS_DIR"] in json.loads(volumes)
    shipped = Path(folders["SUBCLUST_SHIPPED_MODELS_DIR"])
    assert not any(shipped.is_relative_to(volume) for volume in json.loads(volumes))


def test_licence_and_version_are_the_same_everywhere():
    project = tomllib.loads(read("pyproject.toml"))["project"]
    citation = read("CITATION.cff")
    assert project["license"] == "Apache-2.0" and "license: Apache-2.0" in citation
    assert f"version: {project['version']}\n" in citation
    headings = re.findall(r"^## (.*)$", read("CHANGELOG.md"), flags=re.MULTILINE)
    assert headings[0] == "[Unreleased]" and len(set(headings)) == len(headings)
    assert headings[1].startswith(f"[{project['version']}] - ")
    assert "END OF TERMS AND CONDITIONS" in read("LICENSE")


def test_ci_does_what_a_laptop_does():
    script = PROJECT_ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    lines = script.read_text(encoding="utf-8").splitlines()
    assert "set -euo pipefail" in lines
    assert lines[-1] == "exec make check"
