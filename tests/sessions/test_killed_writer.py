"""Whatever is killed while it writes, readers see whole sessions."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.app  # waits for processes

WRITER = Path(__file__).parent / "session_writer.py"


def test_a_killed_writer_leaves_whole_sessions(sessions, session):
    header = sessions.save(session, "Name")
    for round_ in range(3):
        writer = subprocess.Popen(
            [sys.executable, str(WRITER), str(sessions.folder), header.id], stdout=subprocess.PIPE
        )
        writer.stdout.readline()
        for _ in range(20):
            assert sessions.load(header.id)[1] == session  # while it writes
        time.sleep(0.003 * round_)
        writer.kill()
        writer.communicate()
        found, content = sessions.load(header.id)
        assert content == session
        assert found.name.startswith("Name ")
        assert [one.id for one in sessions.headers()] == [header.id]
