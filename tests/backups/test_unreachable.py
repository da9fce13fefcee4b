"""Everything in a data folder, while the disk does not give it: nothing is called damaged."""

import pytest
from disk_faults import READS, failing
from old_data import unpack

from subclust.checkpoints import CheckpointStore
from subclust.core.exceptions import StorageError
from subclust.core.tokens import TokenStore
from subclust.jobs import JobStore
from subclust.labelled.corrections import CorrectionStore
from subclust.labelled.sets import LabelledSetStore
from subclust.sessions import SessionStore


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return unpack(tmp_path_factory.mktemp("unreachable") / "data")


def sessions(settings):
    store = SessionStore(settings.sessions_dir)
    ids = [path.stem for path in store.folder.glob("*.subclust")]
    return [lambda id_=id_: store.load(id_) for id_ in ids]


def corrections(settings):
    store = CorrectionStore(settings.corrections_dir)
    names = [path.stem for path in store.folder.glob("*.json")]
    return [lambda name=name: store.load(name) for name in names]


def sets(settings):
    return [lambda: LabelledSetStore(settings.sets_dir).load("ants")]


def jobs(settings):
    store = JobStore(settings.jobs_dir)
    return [lambda id=path.parent.name: store.load(id) for path in store.folder.glob("*/job.json")]


def models(settings):
    store = CheckpointStore.of(settings)
    found = [(path.parent.parent.name, path.parent.name)
             for path in settings.models_dir.glob("*/*/config.json")]  # fmt: skip
    return [lambda found=one: store.load(*found) for one in found]


def tokens(settings):
    store = TokenStore(settings.data_dir / "tokens")
    store.folder.mkdir(exist_ok=True)
    (store.folder / "tokens.json").write_text("[]")
    return [store.all]


@pytest.mark.parametrize("of", [sessions, corrections, sets, jobs, models, tokens])
@pytest.mark.parametrize("number", READS.values(), ids=READS)
def test_what_the_disk_does_not_give_is_not_called_damaged(settings, number, of):
    loads = of(settings)
    assert loads
    for load in loads:
        with failing(settings.data_dir, number, "read"), pytest.raises(StorageError):
            load()
        load()
