"""What is killed: work that acknowledges each thing it has done, and checks of what is there then.

Each kind of work prepares a folder, goes on for ever in a process that is killed, and says in
another process whether what was acknowledged is there and whatever is there opens.
"""

import io
import itertools
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from subclust.backups import back_up_everything, read_whole_manifest, restore_everything
from subclust.backups.manifest import copy_checked, opened
from subclust.checkpoints import CheckpointStore
from subclust.cli import main as command
from subclust.core.exceptions import SettingsError
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.core.storage.version import FORM, check_version
from subclust.sessions import SessionStore
from subclust.text.library import PassageLibrary
from subclust.upgrades import bring_up_to_date

OLD_DATA = PROJECT_ROOT / "tests" / "fixtures" / "data-0.1.0.zip"
"""A data folder of version 0.1.0 with one of each kind of thing."""

_N_RECORDS = 12
_WORDS = ("loom", "shelf", "atlas", "tax", "harbour", "ants", "winter", "treaty")
_KINDS = ("river water boat", "stone tower wall", "bread flour oven")

Acknowledge = Callable[[str], None]


class Work:
    """A kind of work.

    Parameters
    ----------
    folder : Path
        Empty, of this work alone.
    """

    patience = 0.8
    """Seconds within which a process at work is killed."""

    rounds = 25
    """Kills after which the folder is made anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def settings(self, name: str = "data") -> Settings:
        """Return settings that name a data folder."""
        data = self.folder / name
        return Settings(data_dir=data, models_dir=data / "models", encoder="hashing", device="cpu")

    def prepare(self) -> None:
        """Lay what the work begins with into the folder: the data of version 0.1.0."""
        unpack(self.settings().data_dir)
        bring_up_to_date(self.settings(), lambda told: None)

    def work(self, acknowledge: Acknowledge) -> None:
        """Go on for ever; acknowledge what each command or function has reported as done."""
        raise NotImplementedError

    def check(self, acknowledged: Sequence[str]) -> list[str]:
        """Return what is wrong: what was acknowledged and is missing, what does not open."""
        raise NotImplementedError


class Import(Work):
    """``import`` of one small file after another, all into one library."""

    patience = 2.5

    def work(self, acknowledge: Acknowledge) -> None:  # noqa: D102 - as in `Work`
        for number in itertools.count(len(list(self.folder.glob("file*.csv")))):
            file = self.folder / f"file{number}.csv"
            rows = [f"r{number}-{n},{_text(number, n)}" for n in range(_N_RECORDS)]
            file.write_text("\n".join(["id,text", *rows]) + "\n", encoding="utf-8")
            _run(self.settings(), "import", str(file), "--library", "mine")
            acknowledge(str(number))

    def check(self, acknowledged: Sequence[str]) -> list[str]:  # noqa: D102
        folder = self.settings().library_dir
        if "mine" not in PassageLibrary.names(folder):
            return ["the library is gone"] if acknowledged else []
        library = PassageLibrary.open(folder, "mine")
        texts = [passage.text for passage in library.passages().passages]
        wanted = [_text(int(number), n) for number in acknowledged for n in range(_N_RECORDS)]
        wrong = [f"not in the library: {text}" for text in sorted({*wanted} - {*texts})]
        if len(texts) != len({*texts}):
            wrong.append("passages are there twice")
        if wanted and not library.search_text(_WORDS[0], 5).passages:
            wrong.append("the library is not searched")
        return wrong


class Training(Work):
    """``train`` of one model after another."""

    patience = 0.6

    def prepare(self) -> None:  # noqa: D102
        lines = []
        for query in range(6):
            passages = [
                {"text": f"{_KINDS[n % 3]} topic{query} word{n * query}", "label": f"part {n % 3}"}
                for n in range(9)
            ]
            lines.append(json.dumps({"query": f"topic{query}", "passages": passages}))
        (self.folder / "set.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def work(self, acknowledge: Acknowledge) -> None:  # noqa: D102
        store = CheckpointStore.of(self.settings())
        for number in itertools.count(len(store.names("qs3m"))):
            self._train(f"m{number}")
            acknowledge(f"m{number}")

    def once(self) -> None:
        """Train once, undisturbed."""
        self.prepare()
        self._train("once")

    def _train(self, name: str) -> None:
        data = ("--data", str(self.folder / "set.jsonl"))
        shorter = ("--set", "epochs=4", "--set", "batch_passages=18", "--set", "save_every=2")
        resumed = ["--resume"] if (self.settings().jobs_dir / f"qs3m-{name}").is_dir() else []
        _run(self.settings(), "train", "qs3m", *data, "--name", name, *shorter, *resumed)

    def check(self, acknowledged: Sequence[str]) -> list[str]:  # noqa: D102
        store = CheckpointStore.of(self.settings())
        names = store.names("qs3m")
        for name in names:
            assert store.load("qs3m", name).tensors
        return [f"no model {name}" for name in acknowledged if name not in names]


class Promotion(Work):
    """Promotions of two models in turn."""

    def prepare(self) -> None:  # noqa: D102
        super().prepare()
        store = CheckpointStore.of(self.settings())
        shutil.copytree(store.place("qs3m", "ours"), store.folder / "qs3m" / "others")

    def work(self, acknowledge: Acknowledge) -> None:  # noqa: D102
        store = CheckpointStore.of(self.settings())
        for number in itertools.count(len(store.history("qs3m"))):
            store.promote("qs3m", ("ours", "others")[number % 2], why=f"reason {number}")
            acknowledge(f"reason {number}")

    def check(self, acknowledged: Sequence[str]) -> list[str]:  # noqa: D102
        store = CheckpointStore.of(self.settings())
        store.load("qs3m")
        kept = [one.why for one in store.history("qs3m")]
        return [f"not in the history: {why}" for why in acknowledged if why not in kept]


class Saving(Work):
    """Sessions that are saved, one after another, with a name each."""

    patience = 0.3
    rounds = 5  # no more than 1,000 may be saved

    def work(self, acknowledge: Acknowledge) -> None:  # noqa: D102
        store = SessionStore(self.settings().sessions_dir)
        first = store.headers()[0].id
        session = store.load(first)[1]
        for number in itertools.count(len(store.headers())):
            acknowledge(store.save(session, f"Answer {number}").id)

    def check(self, acknowledged: Sequence[str]) -> list[str]:  # noqa: D102
        store = SessionStore(self.settings().sessions_dir)
        ids = {header.id for header in store.headers()}
        contents = {store.load(id_)[1].question for id_ in ids}
        wrong = [] if len(contents) == 1 else ["a session has other content"]
        return wrong + [f"no session {id_}" for id_ in acknowledged if id_ not in ids]


class Backup(Work):
    """``backup-all`` over and over, to one file."""

    patience = 0.5

    def work(self, acknowledge: Acknowledge) -> None:  # noqa: D102
        for number in itertools.count():
            back_up_everything(self.settings(), self.folder / "all.zip")
            acknowledge(str(number))

    def check(self, acknowledged: Sequence[str]) -> list[str]:  # noqa: D102
        file = self.folder / "all.zip"
        if not file.exists():
            return ["the backup is gone"] if acknowledged else []
        manifest = read_whole_manifest(file)
        with opened(file) as archive:
            whole = all(copy_checked(archive, one, None) for one in manifest.members)
        libraries = [one.path for one in manifest.members if one.is_library]
        return [] if whole and libraries == ["maps"] else ["the backup is not whole"]


class Restoring(Work):
    """``restore-all --replace`` over and over, of one file."""

    patience = 0.5

    def prepare(self) -> None:  # noqa: D102
        super().prepare()
        back_up_everything(self.settings(), self.folder / "all.zip")

    def work(self, acknowledge: Acknowledge) -> None:  # noqa: D102
        for number in itertools.count():
            restore_everything(self.settings(), self.folder / "all.zip", replace=True)
            acknowledge(str(number))

    def check(self, acknowledged: Sequence[str]) -> list[str]:  # noqa: D102
        try:
            check_version(self.settings().data_dir, "")
        except SettingsError:  # it says that it is not whole
            restore_everything(self.settings(), self.folder / "all.zip", replace=True)
        return _old_things_missing(self.settings())


class Upgrade(Work):
    """Data folders of version 0.1.0 that are brought up to date, one after another."""

    patience = 0.4
    rounds = 1

    def prepare(self) -> None:  # noqa: D102
        for number in range(8):
            unpack(self.settings(f"old{number}").data_dir)

    def work(self, acknowledge: Acknowledge) -> None:  # noqa: D102
        for path in sorted(self.folder.glob("old*")):
            bring_up_to_date(self.settings(path.name), lambda told: None)
            acknowledge(path.name)

    def check(self, acknowledged: Sequence[str]) -> list[str]:  # noqa: D102
        wrong = []
        for path in sorted(self.folder.glob("old*")):
            settings = self.settings(path.name)
            if path.name in acknowledged and check_version(settings.data_dir, "") != FORM:
                wrong.append(f"{path.name} is not up to date")
            before = _old_things_missing(settings)
            bring_up_to_date(settings, lambda told: None)
            wrong += [*before, *_old_things_missing(settings)]
            library = PassageLibrary.open(settings.library_dir, "maps")
            if library.search_text("background methods", 5).passages:
                wrong.append(f"{path.name} has an old index")
        return wrong


WORKS: dict[str, type[Work]] = {
    "import": Import,
    "training": Training,
    "promotion": Promotion,
    "saving a session": Saving,
    "backup of everything": Backup,
    "restoring everything": Restoring,
    "upgrade from 0.1.0": Upgrade,
}
"""Every kind, by what tables call it."""


def unpack(folder: Path) -> None:
    """Lay a data folder of version 0.1.0 somewhere."""
    with zipfile.ZipFile(OLD_DATA) as archive:
        archive.extractall(folder)


def _old_things_missing(settings: Settings) -> list[str]:
    wrong = []
    if PassageLibrary.open(settings.library_dir, "maps").count() != 15:
        wrong.append("the library has lost passages")
    sessions = SessionStore(settings.sessions_dir)
    if [sessions.load(one.id)[0].name for one in sessions.headers()] != ["Tea"]:
        wrong.append("the session is gone")
    if CheckpointStore.of(settings).promoted("qs3m") != "ours":
        wrong.append("the promotion is gone")
    return wrong


def _text(number: int, n: int) -> str:
    return " ".join((*_words(number + n), f"file {number} record {n} of the {_WORDS[0]}"))


def _words(seed: int) -> Iterator[str]:
    return (_WORDS[(seed * k) % len(_WORDS)] for k in (1, 3, 5))


def _run(settings: Settings, *words: str) -> None:
    os.environ.update(settings.variables())
    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        status = command(list(words))
    if status != 0:
        raise RuntimeError(f"{' '.join(words)} failed: {told.getvalue()}")
