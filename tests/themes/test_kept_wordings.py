import pytest
import themed_library

from subclust.core.exceptions import TrainingStopped
from subclust.core.settings import Settings
from subclust.jobs import STOP_FILE
from subclust.text.encoders import CachedEncoder, HashingEncoder
from subclust.themes import ThemesRequest, find_themes, plan_themes
from subclust.training.augmentation import word_changes as masking

pytestmark = pytest.mark.usefixtures("one_thread")


def test_other_wordings_of_a_librarys_texts_are_made_once_and_go_with_the_run(
    tmp_path, monkeypatch
):
    themed_library.build(tmp_path)
    settings = Settings(data_dir=tmp_path)
    encoder = CachedEncoder(HashingEncoder(), tmp_path / "embeddings")
    plan = plan_themes(ThemesRequest("themed", "scl", 3, projection="pca"), settings, encoder)
    run = tmp_path / "run"

    def stop(line):
        (run / STOP_FILE).touch()

    with pytest.raises(TrainingStopped):
        find_themes(plan, settings, encoder, run, progress=stop)
    assert len(list(run.glob("made/augmented/masked-*.sqlite"))) == 2
    # What is there is taken: nobody masks a word again.
    monkeypatch.setattr(masking.RandomMasker, "augment", None)
    (run / STOP_FILE).unlink(missing_ok=True)
    find_themes(plan, settings, encoder, run)
    # A library that is removed leaves no texts behind, reworded or not.
    assert not list(tmp_path.rglob("masked-*"))
