"""What visitors have uploaded, all together."""

from types import SimpleNamespace

from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from subclust.ui.sign_in import held_uploads


def test_what_visitors_have_uploaded_is_counted_as_streamlit_counts_it(monkeypatch):
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    for session in "ab":
        manager.add_file(session, UploadedFileRec("f", "a.csv", "text/csv", b"x" * 300))
    monkeypatch.setattr(Runtime, "exists", lambda: True)
    monkeypatch.setattr(Runtime, "instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    assert held_uploads() == 600
    manager.remove_session_files("a")
    assert held_uploads() == 300
