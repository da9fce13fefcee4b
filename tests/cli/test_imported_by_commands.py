import subprocess
import sys

import pytest

PROGRAM = """
import sys
from importlib import import_module
import_module(sys.argv[1])
print(*[name for name in sys.argv[2:] if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("documents.library", "torch sklearn pandas plotly lancedb scipy pydantic"),
        ("documents.transfer", "torch sklearn pandas plotly lancedb"),
        ("methods", "torch sklearn pandas plotly lancedb scipy"),
        ("search.search", "sklearn pandas plotly lancedb numba"),
    ],
)
def test_a_command_imports_only_what_it_is_to_wait_for(module, heavy):
    command = [sys.executable, "-c", PROGRAM, f"subclust.cli.{module}", *heavy.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
