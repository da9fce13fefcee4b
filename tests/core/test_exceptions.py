import re
from pathlib import Path

from subclust.core import exceptions
from subclust.core.exceptions import SubclustError

CLASSES = {
    name: kind
    for name, kind in vars(exceptions).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


def drawn_tree():
    """Read the tree of the docstring: name -> name of its parent."""
    tree, above = {}, []
    for line in exceptions.__doc__.splitlines():
        found = re.match(r"^    ((?:[│ ]   )*)(?:[├└]── )?(\w+)", line)
        if found and found[2] in CLASSES:
            depth = len(found[1]) // 4 + ("──" in line)
            del above[depth:]
            tree[found[2]] = above[-1] if above else None
            above.append(found[2])
    return tree


def test_the_tree_that_is_drawn_is_the_tree_there_is():
    assert drawn_tree() == {
        name: None if kind is SubclustError else kind.__bases__[0].__name__
        for name, kind in CLASSES.items()
    }


def test_there_is_one_root_and_everything_has_a_docstring():
    for kind in CLASSES.values():
        assert issubclass(kind, SubclustError)
        assert kind.__doc__ and kind.__doc__.rstrip().endswith(".")
        assert len(kind.__bases__) == 1


def test_an_error_is_its_sentence():
    for kind in CLASSES.values():
        assert str(kind("One plain sentence.")) == "One plain sentence."


def test_every_error_is_raised_with_a_template_so_that_it_can_be_translated():
    made = re.compile(rf"\b({'|'.join(CLASSES)})\(\s*f[\"']")
    assert [
        (path.name, found[0])
        for path in Path(exceptions.__file__).parents[1].rglob("*.py")
        for found in made.finditer(path.read_text(encoding="utf-8"))
    ] == []
