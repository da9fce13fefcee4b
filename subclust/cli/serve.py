"""``python -m subclust serve``."""

import argparse
import subprocess
import sys

from subclust.exceptions import SettingsError
from subclust.settings import PROJECT_ROOT, Settings

LAUNCH = """
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main
PagesManager.uses_pages_directory = False
main(prog_name="streamlit")
"""
"""Streamlit, told from the start that the pages are those app.py lists.

It takes each file of ``pages/`` for a page of its own until somebody has opened the app: the first
visitor after a start, coming by a link to another page than the first, would get that page bare.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``serve``."""
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument(
        "--host",
        default="localhost",
        help="address to listen on; only this machine can reach the default",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Start the app and stay until it ends.

    Raises
    ------
    SettingsError
        If the app's pages are not beside the package, or the app ends with an error.
    """
    app = PROJECT_ROOT / "app.py"
    if not app.is_file():
        raise SettingsError(f"The app was not found at {app}; start it from the project's folder.")
    print(f"Subclust is at http://{arguments.host}:{arguments.port}", flush=True)
    command = [sys.executable, "-c", LAUNCH, "run", str(app)]
    options = {
        "--server.port": arguments.port,
        "--server.address": arguments.host,
        "--server.headless": "true",
        "--browser.gatherUsageStats": "false",
    }
    for name, value in options.items():
        command += [name, str(value)]
    status = subprocess.run(command, cwd=PROJECT_ROOT, check=False).returncode
    if status > 0:
        raise SettingsError(
            f"The app ended with an error; if the port {arguments.port} is taken, "
            "choose another with --port."
        )
