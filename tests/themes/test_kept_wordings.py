import pytest
import themed_library

from subclust.encoders import CachedEncoder, HashingEncoder
from subclust.settings import Settings
from subclust.themes import ThemesRequest, find_themes, plan_themes
from subclust.training.augmentation import masking

pytestmark = pytest.mark.usefixtures("one_thread")


def test_other_wordings_of_a_librarys_texts_are_made_once(tmp_path, monkeypatch):
    themed_library.build(tmp_path)
    settings = Settings(data_dir=tmp_path)
    encoder = CachedEncoder(HashingEncoder(), tmp_path / "embeddings")
    for n_themes in (3, 4):
        request = ThemesRequest("themed", "scl", n_themes, projection="pca")
        plan = plan_themes(request, settings, encoder)
        find_themes(plan, settings, encoder, tmp_path / f"run-{n_themes}")
        # What is there is taken: nobody masks a word again.
        monkeypatch.setattr(masking.RandomMasker, "augment", None)
    assert len(list((tmp_path / "embeddings" / "augmented").glob("masked-*.sqlite"))) == 2
