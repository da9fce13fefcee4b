import subprocess
import sys

HEAVY = {
    "documents.library": "torch sklearn pandas plotly lancedb scipy pydantic",
    "methods": "torch sklearn pandas plotly lancedb scipy",
    "documents.transfer": "torch sklearn pandas plotly lancedb",
    "search.search": "sklearn pandas plotly lancedb numba",
}
"""What no command of a module waits for; one after the other, each may import more."""

PROGRAM = f"""
import sys
from importlib import import_module
for module, heavy in {HEAVY}.items():
    import_module(f"subclust.cli.{{module}}")
    print(*[f"{{module}}:{{name}}" for name in heavy.split() if name in sys.modules])
"""


def test_a_command_imports_only_what_it_is_to_wait_for():
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
