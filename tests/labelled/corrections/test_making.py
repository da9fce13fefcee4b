import pytest
from corrected_maps import make_map

from subclust.core.exceptions import InputError
from subclust.labelled import corrections as curation
from subclust.labelled.corrections.making import _reference

NOW = make_map({0: "abc", 1: "de", -1: "f"})


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: curation.move(NOW, [], 1), "Nothing is chosen"),
        (lambda: curation.move(NOW, ["nobody"], 1), "Nothing is chosen"),
        (lambda: curation.move(NOW, ["d"], 1), "already in “French fleet”"),
        (lambda: curation.move(NOW, ["f"], -1), "already in “Other passages”"),
        (lambda: curation.move(NOW, ["a"], 7), "any more"),
        (lambda: curation.separate(NOW, ["d", "e"], "New"), "the whole group “French fleet”"),
        (lambda: curation.separate(NOW, ["a"], " -- "), "needs a name"),
        (
            lambda: curation.separate(NOW, ["a"], "french  FLEET"),
            "is called “french FLEET” already",
        ),
        (lambda: curation.separate(NOW, ["a"], "other passages"), "already"),
        (lambda: curation.merge(NOW, [1], 1), "another one only"),
        (lambda: curation.merge(NOW, [-1], 1), "cannot be merged"),
        (lambda: curation.merge(NOW, [0], -1), "cannot be merged"),
        (lambda: curation.split(NOW, 0, [("One", ["a", "b", "c"])]), "does not fall"),
        (lambda: curation.split(NOW, 0, [("One", ["a"]), ("Two", ["b"])]), "does not fall"),
        (lambda: curation.split(NOW, -1, [("One", ["f"]), ("Two", [])]), "does not fall"),
        (lambda: curation.rename(NOW, -1, "New"), "keeps its name"),
        (lambda: curation.rename(NOW, 0, ""), "needs a name"),
        (lambda: curation.rename(NOW, 0, "x" * 81), "81 characters"),
        (lambda: curation.rename(NOW, 0, "Stamp Act"), "already"),
        (lambda: curation.rename(NOW, 0, "French fleet"), "Another group"),
        (lambda: curation.judge(NOW, [], "unsure"), "Nothing is chosen"),
    ],
)
def test_what_cannot_be_done_is_one_plain_sentence(make, sentence):
    with pytest.raises(InputError) as refused:
        make()
    assert sentence in str(refused.value)
    assert str(refused.value).endswith(".")


def test_an_edit_holds_ids_only_once_and_in_order():
    edit = curation.move(NOW, ["c", "a", "a", "d", "nobody"], 1)
    assert edit.passages == ("a", "c")
    assert edit.to == _reference(NOW, 1)
    assert edit.to.members == ("d", "e")


def test_the_same_name_in_capitals_can_be_given_to_the_group_that_has_it():
    assert curation.rename(NOW, 0, "stamp act").name == "stamp act"


def test_parts_of_a_split_get_names_that_are_free():
    parts = [("French fleet", ["a"]), ("French fleet", ["b", "c"])]
    edit = curation.split(NOW, 0, parts)
    assert edit.name == "French fleet (3)"
    assert [part.name for part in edit.parts] == ["French fleet (2)"]
