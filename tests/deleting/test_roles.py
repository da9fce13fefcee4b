"""Who may do what: every change of every store, by every role and by whoever is at the computer."""

import shutil

import pytest
import test_read_only
from test_read_only import CHANGES, settings  # noqa: F401 - the fixture

from subclust.core.access import LOCAL, NEEDED, Person, Role, acting, acting_as, may_change
from subclust.core.exceptions import NotAllowedError, SubclustError
from subclust.core.limits import limit_library
from subclust.core.settings import Settings
from subclust.core.tokens import TokenStore
from subclust.deleting.persons import delete_person
from subclust.text.library.names import rename_library

LEAST = {
    **{store.__name__: role for store, role in test_read_only.LEAST.items()},
    "TokenStore": Role.READER,
    "others": Role.CURATOR,
    "persons": Role.ADMINISTRATOR,
}


def revoke_own(where):
    tokens = TokenStore(where.tokens_dir)
    person = acting()
    with acting_as(LOCAL):
        made, _text = tokens.create(Person(person.name, Role.READER), "x", Role.READER, 1)
    tokens.revoke(made.id)


ACTIONS = {
    (store.__name__, name): change
    for store, changes in CHANGES.items()
    for name, change in changes.items()
    if store.__name__ in LEAST
} | {
    ("others", "rename"): lambda s: rename_library(s.library_dir, "maps", "Old maps"),
    ("others", "limit"): lambda s: limit_library(s.library_dir, "maps", []),
    ("persons", "delete"): lambda s: delete_person(s, "nobody@example.org"),
    ("TokenStore", "revoke"): revoke_own,
    ("TokenStore", "create"): lambda s: TokenStore(s.tokens_dir).create(
        acting(), "notebook", Role.READER, 1
    ),
}
PEOPLE = [Person("somebody", role) for role in Role] + [LOCAL]


@pytest.fixture
def copied(settings, tmp_path):  # noqa: F811
    folder = tmp_path / "data"
    shutil.copytree(settings.data_dir, folder)
    return Settings(data_dir=folder, models_dir=folder / "models")


@pytest.fixture(autouse=True)
def read_only():
    """Let changes be made, other than in the tests that this table comes from."""


@pytest.mark.parametrize(("store", "action"), ACTIONS)
def test_a_role_may_do_what_the_table_says_and_no_more(copied, store, action):
    for person in PEOPLE:
        refused = None
        with acting_as(person):
            try:
                ACTIONS[store, action](copied)
            except NotAllowedError as error:
                refused = error
            except (SubclustError, AttributeError, TypeError, IndexError, OSError):
                pass  # what is asked makes little sense; it was allowed to be asked
        assert (refused is None) is (person.role >= LEAST[store]), person


def test_every_kind_of_thing_has_a_role():
    for person in PEOPLE:
        with acting_as(person):
            assert {thing for thing in NEEDED if may_change(thing)} == {
                thing for thing, least in NEEDED.items() if person.role >= least
            }
