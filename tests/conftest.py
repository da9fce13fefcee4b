import gc
import hashlib
import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

import subclust.core.settings as _settings
from subclust.checkpoints import Checkpoint, CheckpointStore
from subclust.checkpoints.saved import SHIPPED_FILE, _shipped_weights
from subclust.core.settings import Settings
from subclust.methods import METHODS, resolve
from subclust.text.encoders import backends
from subclust.text.encoders.base import HashingEncoder
from subclust.text.sources.base import Document, Refusal

# What somebody has set for the app must not change what the tests see, and nothing may be fetched.
BENCHMARK_DATA_DIR = os.environ.get("SUBCLUST_BENCHMARK_DATA_DIR", "")
for name in [name for name in os.environ if name.startswith("SUBCLUST_")]:
    del os.environ[name]
os.environ["HF_HUB_OFFLINE"] = "1"

# What ships is no test's business unless it asks for it: neither here nor in a process of its own.
os.environ["SUBCLUST_SHIPPED_MODELS_DIR"] = str(Path(__file__).parent / "nothing-shipped")
_settings.SHIPPED_MODELS = Path(os.environ["SUBCLUST_SHIPPED_MODELS_DIR"])

# A busy machine makes no property untrue. `make test-slow` tries many examples.
for profile, n_examples in (("few", 8), ("many", 300)):
    hypothesis_settings.register_profile(
        profile,
        max_examples=n_examples,
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.function_scoped_fixture,
        ],
    )
hypothesis_settings.load_profile("few")

# Importing and collecting tests makes 1.5 million objects that last. The garbage collector would
# look through them over and over, so that it is off until `pytest_collection_finish`.
gc.disable()

# The tiers of whole folders; elsewhere a file marks itself.
TIERS = {"benchmarks": "research", "browser": "browser", "pages": "app"}

# Files that go to one worker, since what they share takes seconds to make.
TOGETHER = {
    "tests/judging/test_demo_task.py": "demo_articles",
    "tests/text/encoders/test_shipped_vectors.py": "demo_articles",
    "tests/text/sources/test_wikidump.py": "demo_articles",
}

_NOTHING_MEASURED = Path(__file__).parent / "nothing-measured"

MakeCheckpoint = Callable[..., Checkpoint]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        room = item.path.relative_to(Path(__file__).parent).parts[0]
        if room in TIERS:
            item.add_marker(TIERS[room])
    # What takes longest comes first; the many short files of the pages fill up the rest.
    items.sort(key=lambda item: item.path.parent.name == "pages")


def pytest_collection_finish() -> None:
    """Collect garbage from now on, but not what collection made: it lasts as long as the process.

    All that has lasted is looked through a twentieth as often as usual, since much of it is in the
    caches of libraries: FastAPI's hold on to a hundred applications.
    """
    gc.freeze()
    gc.set_threshold(700, 10, 200)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Give a worker a file at a time, and one of them all that share a server and a browser."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::")[0]
            return "browser" if file.startswith("tests/browser/") else TOGETHER.get(file, file)

    return Scheduling(config, log)


@pytest.fixture(autouse=True)
def signal_given_back() -> Iterator[None]:
    """Let no test leave its own answer to SIGTERM to those after it."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    assert signal.getsignal(signal.SIGTERM) is before, "SIGTERM has another handler than before"


@pytest.fixture(scope="session", autouse=True)
def unflushed() -> Iterator[None]:
    """Wait for no disk: what `os.fsync` saves from a power cut, no test looks for after one.

    Tests of flushing put something of their own in its place.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: os.fstat(descriptor) and None)
        yield


@pytest.fixture(autouse=True)
def encoded_by_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have "auto" be PyTorch, whatever was measured: what else is installed changes no test."""
    monkeypatch.setattr(backends, "MEASURED", _NOTHING_MEASURED)


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look into uploads here; that a process of its own ends in time has tests of its own."""

    def call(
        function: Callable[..., object], *, seconds: float, most_bytes: int, **arguments: object
    ) -> object:
        return function(**arguments)

    monkeypatch.setattr("subclust.labelled.sets.preview.call_apart", call)
    monkeypatch.setattr("subclust.text.ingest.preview.call_apart", call)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Add up in one order: shared out among threads, sums differ in their last bit by chance."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def encoder() -> HashingEncoder:
    return HashingEncoder(32)


@pytest.fixture(scope="session")
def benchmark_data_dir() -> Path:
    """Give the folder of the real benchmark files, for the slow tests that read them."""
    if not Path(BENCHMARK_DATA_DIR or "missing").is_dir():
        pytest.skip("SUBCLUST_BENCHMARK_DATA_DIR names no folder")
    return Path(BENCHMARK_DATA_DIR)


@pytest.fixture(scope="session")
def demo_articles() -> list[Document | Refusal]:
    """Give what the file of the demo library holds; no test may change it, since they share it."""
    from subclust.text.sources.wikidump import demo_dump

    return list(demo_dump())


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a BERT with random weights, for what needs a transformer's inside."""
    from tiny_bert import make_tiny_bert

    return make_tiny_bert(tmp_path_factory.mktemp("tiny-bert"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        data_dir=tmp_path / "data", models_dir=tmp_path / "models", encoder="hashing", device="cpu"
    )


@pytest.fixture(scope="session")
def random_checkpoint(encoder: HashingEncoder) -> MakeCheckpoint:
    """Make a checkpoint of a method with random weights, none of them 0, over the encoder."""

    def make(method: str, name: str = "tiny", *, seed: int = 0, **config: object) -> Checkpoint:
        import torch

        from subclust.checkpoints.checkpoint import HEAD_PREFIX
        from subclust.methods.aecl.clusterer import MODELS as AECL
        from subclust.methods.aecl.clusterer import build as build_aecl
        from subclust.methods.cactus.networks import build_vectors as build_cactus
        from subclust.methods.cactus.variants import VARIANTS as CACTUS
        from subclust.methods.cob.clusterer import MODELS as COB
        from subclust.methods.cob.clusterer import build as build_cob
        from subclust.methods.qs3m.clusterer import build as build_qs3m
        from subclust.methods.scl.clusterer import MODELS as SCL
        from subclust.methods.scl.clusterer import build as build_scl

        # Those of the benchmarks make themselves known to the rooms whose networks they share.
        resolve(METHODS[method].loader)
        if method == "lda":
            return random_topic_model(name, seed, config)
        config = {
            "model": {"embedding_dim": encoder.embedding_dim}
            | ({"n_clusters": 4} if method in (*AECL, *SCL) else {}),
            "encoder_revision": encoder.revision,
            **config,
        }
        builds = (COB, build_cob), (CACTUS, build_cactus), (AECL, build_aecl), (SCL, build_scl)
        build = next((build for room, build in builds if method in room), build_qs3m)
        model = build(method, config)
        generator = torch.Generator().manual_seed(seed)
        tensors = {
            f"{HEAD_PREFIX}{key}": torch.empty_like(value).normal_(0, 0.2, generator=generator)
            for key, value in model.state_dict().items()
        }
        return Checkpoint(method, name, config, {k: v.numpy() for k, v in tensors.items()})

    return make


def random_topic_model(name: str, seed: int, config: dict[str, object]) -> Checkpoint:
    """Make a topic model of random topics over words that the tests' passages use."""
    import numpy as np

    from subclust.methods.baselines.topic_model import TopicModelShape, to_config, to_tensors

    text = "ants burrow catalogue colonies eat maps night paper subject taxes tea termites war"
    words = text.split()
    table = np.random.default_rng(seed).gamma(0.5, 2.0, size=(5, len(words))) + 0.1
    config = {**to_config(TopicModelShape(5, len(words), 0.2)), **config}
    return Checkpoint("lda", name, config, to_tensors(table, words))


@pytest.fixture(scope="session")
def read_only_store(
    tmp_path_factory: pytest.TempPathFactory, random_checkpoint: MakeCheckpoint
) -> CheckpointStore:
    """A store with a random checkpoint of each method that needs one, for tests that only read."""
    store = CheckpointStore(tmp_path_factory.mktemp("models"))
    for card in METHODS.values():
        if card.needs_checkpoint:
            store.save(random_checkpoint(card.name))
    return store


@pytest.fixture
def store(settings: Settings, read_only_store: CheckpointStore) -> CheckpointStore:
    """The same store, for one test alone."""
    shutil.copytree(read_only_store.folder, settings.models_dir)
    return CheckpointStore(settings.models_dir)


@pytest.fixture
def ship() -> Callable[[Path, Checkpoint], None]:
    """Give a function that lays a checkpoint among the shipped ones of a folder, and lists it."""

    def lay(folder: Path, checkpoint: Checkpoint) -> None:
        place = CheckpointStore(folder).save(checkpoint, replace=True, made_now=False)
        digest = hashlib.sha256((place / "weights.safetensors").read_bytes()).hexdigest()
        listed = {name: list(known) for name, known in _shipped_weights(folder).items()}
        listed.setdefault(f"{checkpoint.method}/{checkpoint.name}", []).append(digest)
        (folder / SHIPPED_FILE).write_text(json.dumps(listed))

    return lay
