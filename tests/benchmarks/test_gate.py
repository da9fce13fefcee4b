"""How the gate and an estimate of relevance judge mixed hits together."""

import numpy as np

from benchmarks import gate
from benchmarks.results import OTHER_FOLDERS
from subclust.checkpoints import CheckpointStore
from subclust.core.records import ClusteringInstance, Passage, Query
from subclust.core.settings import PROJECT_ROOT, Settings
from subclust.grouping.similarity import relevance_gate
from subclust.methods import load_method
from subclust.text.encoders import load_encoder
from subclust.training.mixing import ABOUT_SOMETHING_ELSE

OWN = {
    "Causes": "Soot and ozone from engines cause smog over the city, number {}.",
    "Health": "Dirty air harms the lungs of children and old people, case {}.",
}
STRANGERS = "The violin concerto in D was first played in Vienna, evening {}."


def sets(whole):
    passages = [
        Passage(f"{label}{n}", text.format(n), label=label)
        for label, text in OWN.items()
        for n in range(4)
    ]
    if not whole:
        passages += [
            Passage(f"s{n}", STRANGERS.format(n), label=ABOUT_SOMETHING_ELSE) for n in range(4)
        ]
    return [ClusteringInstance(Query("air pollution"), tuple(passages))]


def test_weights_and_bounds_are_measured_on_whole_and_mixed_hits(monkeypatch, tmp_path):
    monkeypatch.setattr(gate, "load_task", lambda task, _: (task, sets("mixed" not in task)))
    shipped = relevance_gate.ALL_ABOUT
    settings = Settings(data_dir=tmp_path, device="cpu")
    store = CheckpointStore(PROJECT_ROOT / "models")
    method = load_method("centred-qs3m", store, load_encoder(settings))
    found = gate.measure_gate(method, settings)
    assert len(found["weights"]) == 3
    assert set(found["per_query"]["mixed"]) == {"all", "gate", *map(str, gate.BOUNDS)}
    # Both together see the strangers, and nothing is lost where there are none.
    assert found["ari"]["mixed"][str(shipped)] == 1.0
    assert found["ari"]["whole"][str(shipped)] == found["ari"]["whole"]["all"]
    assert found["chosen"] in gate.BOUNDS
    assert relevance_gate.ALL_ABOUT == shipped
    assert np.isfinite(found["bias"])


def test_its_results_are_no_method():
    assert "gate" in OTHER_FOLDERS
