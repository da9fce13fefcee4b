"""An import by Ray into object storage."""

from dataclasses import replace
from importlib.util import find_spec

import pytest
from shared_files import alone, make_files, told
from storage_server import place_in, storage_server

from subclust.text.encoders import load_encoder
from subclust.text.ingest.ray import Workers, ingest_on_ray
from subclust.text.library import PassageLibrary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra [ray]"),
    # boto3, Ray and what it brings say so of themselves.
    pytest.mark.filterwarnings("ignore"),
]


def test_workers_and_the_library_meet_in_object_storage(tmp_path, settings, monkeypatch):
    encoder, files = load_encoder(settings), make_files(tmp_path)
    expected = alone(files, encoder, settings.library_dir)
    with storage_server() as server:
        folder = place_in(server, monkeypatch)
        stored = replace(settings, libraries=folder)
        assert told(ingest_on_ray(files, stored, "mine", Workers(count=1), batch_size=7)) == told(
            expected
        )
        on_disk, mine = (
            PassageLibrary.open(settings.library_dir, "alone"),
            PassageLibrary.open(folder, "mine"),
        )
        assert mine.revision() == on_disk.revision()
        assert mine.passages().passages == on_disk.passages().passages
