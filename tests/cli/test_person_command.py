"""``person``: what is kept of somebody is told, exported and, once it is confirmed, deleted."""

import json
import zipfile

from subclust.core.access import Person, Role
from subclust.core.tokens import TokenStore


def test_a_person_is_exported_and_deleted(run, settings, tmp_path):
    store = TokenStore(settings.tokens_dir)
    store.create(Person("ada", Role.READER), "notebook", Role.READER, 30)
    file = tmp_path / "ada.zip"

    def told(*words):
        status, out, err = run("person", *words, "--json")
        assert (status, err) == (0, "")
        return json.loads(out)

    assert told("export", "ada", "--to", str(file))["kept"]["tokens"] == 1
    assert "tokens.json" in zipfile.ZipFile(file).namelist()
    assert told("delete", "ada")["deleted"] is False and len(store.all()) == 1
    assert told("delete", "ada", "--yes")["deleted"] is True and store.all() == []
    assert run("person")[0] == 1
