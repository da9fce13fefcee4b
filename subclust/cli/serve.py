"""``python -m subclust serve``."""

import argparse
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path

import subclust
from subclust.cli.options import port as port_number
from subclust.cli.printing import say, tell
from subclust.cli.work import start_jobs, told_to_end
from subclust.core.accounts import Accounts, read_accounts
from subclust.core.exceptions import SettingsError, SubclustError
from subclust.core.messages import Message
from subclust.core.settings import SHIPPED, Settings
from subclust.jobs import go_on_after_stop, job_queue, stop_with_server

DAY_SECONDS = 24 * 3600.0

POLL_SECONDS = 0.5

APP_SECONDS = 2.0
"""For the app to end after it is told to; the jobs have their time besides."""

API_SECONDS = 10
"""That the API's server gives the requests at hand when it is told to end."""

_ASKED_TO_END = (0, signal.SIGINT, signal.SIGTERM)

LAUNCH = """
import sys
sys.setswitchinterval(0.0005)
from streamlit.runtime.pages_manager import PagesManager
from streamlit.web.cli import main
PagesManager.uses_pages_directory = False
main(prog_name="streamlit")
"""
"""Streamlit, told from the start that the pages are those app.py lists.

It takes each file of ``pages/`` for a page of its own until somebody has opened the app: the first
visitor after a start, coming by a link to another page than the first, would get that page bare.

Visitors share one interpreter. At its usual switch interval of 5 ms, a search that encodes its
question waits that long after each step of the model while the page of another visitor is drawn.
"""

LAUNCH_API = """
from uvicorn import main
main(prog_name="uvicorn")
"""

FOLLOW = """
import os, threading
def follow():
    os.read(0, 1)
    os._exit(0)
threading.Thread(target=follow, daemon=True).start()
"""
"""A process that ends when its standard input does, which is when its parent is gone.

Else an app whose parent was killed would keep the port, and the next start would be refused.
"""


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``serve``."""
    _add_address(parser, port=8501)
    parser.add_argument(
        "--api",
        action="store_true",
        help="also answer programs, under /api/v1; as SUBCLUST_API=1 does",
    )


def add_serve_api(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``serve-api``."""
    _add_address(parser, port=8502)


def _add_address(parser: argparse.ArgumentParser, port: int) -> None:
    parser.add_argument("--port", type=port_number, default=port, help="port to listen on")
    parser.add_argument(
        "--host",
        type=lambda text: text.strip("[]"),  # as an address of IPv6 stands in a link
        default="localhost",
        help="address to listen on; only this machine can reach the default. Names by which others "
        "ask for it are listed in SUBCLUST_HOSTS",
    )
    parser.add_argument(
        "--open-to-all",
        action="store_true",
        help="let in whoever reaches an address that others can reach, without accounts",
    )
    parser.add_argument(
        "--read-only",
        action="store_true",
        help="let visitors search and look, and change nothing; as SUBCLUST_READ_ONLY=1 does",
    )


def run_serve(arguments: argparse.Namespace, settings: Settings) -> None:
    """Start the app and stay until it ends.

    Raises
    ------
    SettingsError
        If the accounts cannot be used, others could reach the app without signing in, or it ends
        with an error or is killed.
    """
    accounts = _checked(arguments, settings)
    app = Path(subclust.__file__).parent / "ui" / "asgi.py"
    options = {
        "--server.port": arguments.port,
        "--server.address": arguments.host,
        "--server.headless": "true",
        "--browser.gatherUsageStats": "false",
    }
    if accounts is not None:
        options["--secrets.files"] = str(accounts.file)
    words = [str(word) for option in options.items() for word in option]
    say(Message("Subclust is at {address}", address=_address(arguments)))
    _serve([FOLLOW + LAUNCH, "run", str(app), *words], arguments, settings, accounts)


def run_serve_api(arguments: argparse.Namespace, settings: Settings) -> None:
    """Start the API alone and stay until it ends.

    Raises
    ------
    SettingsError
        As `run_serve` does.
    """
    accounts = _checked(arguments, settings)
    address = _address(arguments)
    say(Message("The API is at {address}/api/v1, described at /api/v1/docs", address=address))
    words = [f"--host={arguments.host}", f"--port={arguments.port}", "--no-access-log"]
    words += ["--log-level=warning", f"--timeout-graceful-shutdown={API_SECONDS}"]
    _serve([FOLLOW + LAUNCH_API, "subclust.rest.alone:app", *words], arguments, settings, accounts)


def _address(arguments: argparse.Namespace) -> str:
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    return f"http://{host}:{arguments.port}"


def _checked(arguments: argparse.Namespace, settings: Settings) -> Accounts | None:
    """Return the accounts, if this server may start with them and can listen."""
    accounts = _accounts(settings)
    if not (accounts or arguments.open_to_all or _is_local(arguments.host)):
        raise SettingsError(
            "Whoever reaches {host} could read, change and delete everything here. Name a file of "
            "accounts in SUBCLUST_ACCOUNTS, or add --open-to-all.",
            host=arguments.host,
        )
    check_can_listen(arguments.host, arguments.port, settings.metrics_port)
    return accounts


def check_can_listen(host: str, port: int, metrics_port: int = 0) -> None:
    """Refuse ports on which no server can listen, before all of it is loaded.

    Raises
    ------
    SettingsError
    """
    if (reason := _why_not_listen(host, port)) is not None:
        raise SettingsError(
            "No server can listen on port {port} of {host} ({reason}); choose others with --port "
            "and --host.",
            port=port,
            host=host,
            reason=reason,
        )
    if metrics_port and (reason := _why_not_listen("127.0.0.1", metrics_port)) is not None:
        from subclust.serving.health import no_metrics

        raise no_metrics(metrics_port, reason)


def _why_not_listen(host: str, port: int) -> str | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as listener:
            # As the servers do; otherwise nothing could start in the minute after another one.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
    except OSError as error:
        return (error.strerror or str(error)).lower()
    return None


def _serve(
    words: Sequence[str],
    arguments: argparse.Namespace,
    settings: Settings,
    accounts: Accounts | None,
) -> None:
    """Run a server by Python's option -c, and start jobs, until it ends."""
    asked_as = replace(
        settings,
        hosts=(*settings.hosts, arguments.host),
        read_only=settings.read_only or arguments.read_only,
        api=settings.api or getattr(arguments, "api", False),
    )
    # Visitors who search at once each have a thread; where each thread's sums are shared out again,
    # all wait for each other: three times as long with 20 visitors on two cores.
    # Memory that is kept for each thread apart, by glibc and by Arrow, is never all given back.
    # oneDNN and PyTorch keep a compiled step for each of a thousand shapes of its input, and each
    # question brings shapes of its own: that is 120 MB more, and requests are no faster for it.
    environment = {
        "OMP_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "0",
        "LRU_CACHE_CAPACITY": "1",
        **asked_as.to_environment(),
    }
    if accounts is not None and accounts.header is not None:
        # What counts is who asks, not whom a header says that it asks for.
        environment["FORWARDED_ALLOW_IPS"] = ""
    command = [sys.executable, "-c", *words]
    over = threading.Event()
    if _is_first_process():
        go_on_after_stop(job_queue(settings))
    threading.Thread(target=start_jobs, args=(settings, over), daemon=True).start()
    if accounts is not None:
        daily = threading.Thread(target=_forget_old, args=(settings, accounts, over), daemon=True)
        daily.start()
    try:
        with (
            subprocess.Popen(
                command, cwd=SHIPPED, env=environment, stdin=subprocess.PIPE
            ) as process,
            told_to_end() as told,
        ):
            status = _wait(process, told, settings)
    finally:
        over.set()
    if status > 0:
        raise SettingsError("The app ended with an error; what is printed above says which.")
    if -status not in _ASKED_TO_END:
        raise SettingsError(
            "The app was killed (signal {signal}), perhaps because memory ran out; start it "
            "again. Trainings continue meanwhile.",
            signal=-status,
        )


def _accounts(settings: Settings) -> Accounts | None:
    if settings.accounts is None:
        return None
    accounts = read_accounts(settings.accounts.absolute())
    if accounts.header is None and find_spec("authlib") is None:
        raise SettingsError(
            "Signing in by OpenID Connect needs a package more: pip install 'subclust[accounts]'."
        )
    return accounts


def _is_local(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return host == "localhost"


def _is_first_process() -> bool:
    """Return whether all processes of this container end with this one."""
    return os.getpid() == 1


def _wait(app: subprocess.Popen[bytes], told: threading.Event, settings: Settings) -> int:
    """Wait for the app's end, and end it when this process is told to end; return its status."""
    while not told.is_set():
        try:
            return app.wait(POLL_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    app.terminate()
    if _is_first_process():
        stop_with_server(job_queue(settings))
    try:
        app.wait(APP_SECONDS)
    except subprocess.TimeoutExpired:  # it waits for a visitor's page
        app.kill()
        app.wait()
    return 0


def _forget_old(settings: Settings, accounts: Accounts, over: threading.Event) -> None:
    """Delete each day what the accounts have kept long enough."""
    from subclust.deleting.persons import forget_old

    while not over.is_set():
        try:
            forget_old(settings, accounts)
        except (SubclustError, OSError) as error:  # the next day it may be better
            tell(error.sentence if isinstance(error, SubclustError) else str(error))
        over.wait(DAY_SECONDS)
