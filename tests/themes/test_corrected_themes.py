import json

import pytest
import themed_library
from kept_corrections import keep
from raising import raises

from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.text.encoders import HashingEncoder
from subclust.themes import ThemesRequest, find, find_themes, plan_themes
from subclust.themes.corrected import corrections_as_pairs, enough_pairs
from subclust.themes.recipes import PAIRS, SOURCE

pytestmark = pytest.mark.usefixtures("one_thread")


def test_pairs_of_the_same_corrections_are_one_file(tmp_path):
    one = keep(tmp_path / "c", "one", [[0, 3], [1]])
    other = keep(tmp_path / "c", "other", [[2, 5], [4]])
    path = corrections_as_pairs([one, other], tmp_path)
    assert (
        corrections_as_pairs([one, other], tmp_path)
        == path
        != corrections_as_pairs([one], tmp_path)
    )
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert {(row["first_id"], row["second_id"], row["same"]) for row in rows} == {
        ("t0000", "t0003", True),
        ("t0000", "t0001", False),
        ("t0001", "t0003", False),
        ("t0002", "t0005", True),
        ("t0002", "t0004", False),
        ("t0004", "t0005", False),
    }
    (tmp_path / "file").write_text("no folder")
    with raises(InputError):
        corrections_as_pairs([one], tmp_path / "file")


@pytest.mark.parametrize(
    ("groups", "enough"),
    [
        ([[[0, 3], [1, 4]]], True),
        ([[[0, 3]]], False),  # nothing is said to differ
        ([[[0], [1]]], False),  # nothing is said to belong together
        ([[[900, 903], [901]]], False),  # of other texts
        ([[[0, 3], [1]], [[3, 1], [5]]], False),  # 0 with 3, 3 with 1, and 0 not with 1
    ],
)
def test_corrections_must_say_enough_of_these_texts(tmp_path, groups, enough):
    saved = [keep(tmp_path / "c", f"c{n}", one) for n, one in enumerate(groups)]
    path = corrections_as_pairs(saved, tmp_path)
    assert enough_pairs(path, themed_library.texts(12)) == enough


def test_themes_follow_the_corrections(tmp_path):
    themed_library.build(tmp_path)
    settings, encoder = Settings(data_dir=tmp_path), HashingEncoder()
    # Texts 0, 3, 6 and so on are of one theme; here those of the first two are one.
    both = [n for n in range(60) if n % 3 < 2]
    rest = [n for n in range(60) if n % 3 == 2]
    pairs = corrections_as_pairs([keep(tmp_path / "c", "two", [both, rest])], tmp_path)
    request = ThemesRequest("themed", "fcl", 2, pairs=str(pairs), projection="pca")
    themes = find_themes(
        plan_themes(request, settings, encoder), settings, encoder, tmp_path / "run"
    )
    place = {id: label for id, label in zip(themes.ids, themes.labels, strict=True)}
    found = [place[f"t{n:04}"] for n in range(240)]
    right = sum((found[n] == found[2]) == (n % 3 == 2) for n in range(240))
    assert right > 220 and len(set(found)) == 2


@pytest.mark.parametrize(("suits", "n_themes", "source"), [(5, 5, SOURCE), (3, 4, PAIRS)])
def test_where_corrections_teach_labels_do_not_say_how_many_themes_there_are(
    tmp_path, monkeypatch, suits, n_themes, source
):
    themed_library.build(tmp_path, labelled=range(24))  # with three labels
    monkeypatch.setattr(find, "suggested_number", lambda embeddings, seed: suits)
    settings, encoder = Settings(data_dir=tmp_path), HashingEncoder()
    groups = [[0, 3, 6], [1, 4, 7], [2, 5, 8], [9, 12, 15]]
    pairs = corrections_as_pairs([keep(tmp_path / "c", "four", groups)], tmp_path)
    request = ThemesRequest("themed", "fcl", "auto", pairs=str(pairs), projection="pca")
    plan = plan_themes(request, settings, encoder)
    themes = find_themes(plan, settings, encoder, tmp_path / "run")
    assert (themes.n_themes, themes.n_themes_source) == (n_themes, source)
