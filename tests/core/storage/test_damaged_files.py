"""Whatever becomes of a file of the data folder: an answer, or a sentence."""

import json
import shutil
from contextlib import suppress
from itertools import product

import numpy as np
import pytest
import whole_data
from whole_data import CACHES, FILES, LISTS

from subclust.core.exceptions import SubclustError
from subclust.core.settings import Settings

pytestmark = pytest.mark.usefixtures("one_thread")


def replaced_by_a_folder(file):
    file.unlink()
    file.mkdir()


HARMS = {
    "cut": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "emptied": lambda file: file.write_bytes(b""),
    "zeroed": lambda file: file.write_bytes(bytes(file.stat().st_size)),
    "end zeroed": lambda file: file.write_bytes(
        file.read_bytes()[: file.stat().st_size // 2] + bytes(file.stat().st_size // 2)
    ),
    "nonsense": lambda file: file.write_bytes(b"\xff\xfe{nonsense" * 40),
    "other JSON": lambda file: file.write_text('[{"version": 99}]'),
    "deep JSON": lambda file: file.write_text("[" * 100_000),
    "unreadable": replaced_by_a_folder,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "data"
    whole_data.make(folder)
    return folder


@pytest.fixture
def settings(made, tmp_path):
    shutil.copytree(made, tmp_path / "data")
    return Settings(data_dir=tmp_path / "data")


def harmed(settings, pattern):
    files = [file for file in sorted(settings.data_dir.glob(pattern)) if file.is_file()]
    found = [file for file in files if file.suffix != ".lock"]
    assert found
    return found


def others_go_on(settings, pattern):
    """Hold a list to show the sound one, and the harmed one as it is or as damaged."""
    listed = LISTS.get(pattern.partition("/")[0])
    if listed is not None:
        found, damaged = listed(settings)
        assert "good" in found and len(found) + len(damaged) == 2
        assert all(one.problem.endswith(".") for one in damaged)


def test_every_file_of_the_folder_has_somebody_who_reads_it(settings):
    read = {file for pattern in FILES for file in settings.data_dir.glob(pattern)}
    there = {file for file in settings.data_dir.rglob("*") if file.is_file()}
    beside = {file for file in there if file.suffix == ".lock" or file.name == ".lock"}
    others = {file for file in there if "good" in str(file) or "f" * 16 in str(file)}
    assert there - read - beside - others == set()


def test_as_long_as_nothing_is_harmed_all_of_it_is_listed_and_read(settings):
    for listed in LISTS.values():
        found, damaged = listed(settings)
        assert sorted(found) == ["good", "harmed"] and not damaged
    for ask in FILES.values():
        ask(settings)


@pytest.mark.parametrize("pattern", FILES)
def test_a_damaged_file_gives_an_answer_or_a_sentence(settings, pattern):
    ask = FILES[pattern]
    expected = ask(settings) if ask in CACHES else None
    for file, harm in product(harmed(settings, pattern), HARMS):
        if "JSON" in harm and not file.suffix.startswith(".json"):
            continue
        content = file.read_bytes()
        HARMS[harm](file)
        others_go_on(settings, pattern)
        if ask in CACHES:
            np.testing.assert_array_equal(ask(settings), expected)
            np.testing.assert_array_equal(ask(settings), expected)
        else:
            with suppress(SubclustError):
                ask(settings)
        if file.is_dir():
            file.rmdir()
        file.write_bytes(content)


def mistyped(value):
    """Put something of another kind in each place of a JSON value, one at a time."""
    yield from (None, -1, "x", [], {"x": []}, 1.5, True)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {name: one for name, one in value.items() if name != key}
            yield from ({**value, key: other} for other in mistyped(inner))
    elif isinstance(value, list):
        for place, inner in enumerate(value[:2]):
            yield from ([*value[:place], o, *value[place + 1 :]] for o in mistyped(inner))


JSON = [
    "library/.harmed.versions.json",
    "library/.harmed.name.json",
    "library/.harmed.imports/*.json",
    "jobs/harmed/job.json",
    "jobs/harmed/import.json",
    "jobs/harmed/progress.jsonl",
    "jobs/harmed/split.json",
    "jobs/harmed/state/facts.json",
    "sets/harmed/1/set.json",
    "sets/harmed/1/left_out.jsonl",
    "corrections/harmed.json",
    "harvests/harmed.json",
    f"themes/{whole_data.KEY}/themes.json",
]


@pytest.mark.parametrize("pattern", JSON)
def test_mistyped_json_gives_an_answer_or_a_sentence(settings, pattern):
    (file,) = harmed(settings, pattern)
    ask = FILES.get(pattern) or next(
        FILES[one] for one in FILES if file in settings.data_dir.glob(one)
    )
    value = json.loads(file.read_bytes())
    n_tried = 0
    for other in mistyped(value):
        file.write_text(json.dumps(other) + "\n")
        with suppress(SubclustError):
            ask(settings)
        others_go_on(settings, pattern)
        n_tried += 1
    assert n_tried > 7
