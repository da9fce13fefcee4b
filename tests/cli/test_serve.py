"""The server's waiting parent, which starts jobs."""

import os
import socket
import subprocess
import sys
import threading

import pytest
from waiting import wait_until

from subclust.cli import serve, work
from subclust.core.exceptions import SettingsError
from subclust.core.settings import PROJECT_ROOT
from subclust.jobs import JobQueue, JobStore

pytestmark = pytest.mark.app  # waits for processes


class Once:
    """Notes which jobs it would start; the first time it cannot."""

    backend = "local"
    one_per_device = True

    def __init__(self):
        self.tried = []

    def start(self, job, store):
        self.tried.append(job.id)
        if len(self.tried) == 1:
            raise SettingsError("No process can be started.")
        return job

    def is_alive(self, job):
        return False


@pytest.fixture
def launcher(monkeypatch):
    launcher = Once()
    monkeypatch.setattr("subclust.jobs.opening._launcher_of", lambda settings: launcher)
    monkeypatch.setattr(work, "ADVANCE_SECONDS", 0.02)
    return launcher


@pytest.fixture
def over(settings):
    over = threading.Event()
    thread = threading.Thread(target=work.start_jobs, args=(settings, over))
    thread.start()
    yield over
    over.set()
    thread.join()


def test_the_waiting_parent_starts_jobs_as_they_come(settings, launcher, over):
    queue = JobQueue(JobStore(settings.jobs_dir), launcher)
    for name in ("a", "b"):
        queue.submit(("train",), title=f"qs3m/{name}", device="cpu")
        wait_until(lambda: len(launcher.tried) == (1 if name == "a" else 2))  # noqa: B023
    wait_until(lambda: queue.store.load("qs3m-a").outcome == "failed")
    assert launcher.tried == ["qs3m-a", "qs3m-b"]


def test_what_is_wrong_for_a_while_is_told_once_and_ends_nothing(
    settings, monkeypatch, launcher, capsys
):
    rounds = iter(range(4))
    over = threading.Event()

    def advance(self):
        if next(rounds) == 3:
            over.set()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JobQueue, "advance", advance)
    work.start_jobs(settings, over)
    assert next(rounds, None) is None
    assert capsys.readouterr().err.count("No space left") == 1


@pytest.fixture
def listening(monkeypatch):
    """Let any address be listened on."""
    monkeypatch.setattr(serve, "check_can_listen", lambda *address: None)


class App:
    """Stands for the app's process, which ends at once."""

    status = 0

    def __init__(self, command, *, cwd, env, stdin):
        assert stdin == subprocess.PIPE and command[2].startswith(serve.FOLLOW)
        assert env["SUBCLUST_HOSTS"].split()[-1] == "localhost"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def wait(self, timeout=None):
        return self.status


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(0, None), (-2, None), (-15, None), (1, "with an error"), (-9, "was killed")],
)
def test_how_the_app_ended_is_told(
    run, settings, launcher, listening, monkeypatch, status, sentence
):
    monkeypatch.setattr(serve.subprocess, "Popen", App)
    monkeypatch.setattr(App, "status", status)
    exit_status, out, err = run("serve", "--port", "1")
    assert out.split()[-1] == "http://localhost:1"
    if sentence is None:
        assert (exit_status, err) == (0, "")
    else:
        assert exit_status == 1 and sentence in err and err.count("\n") == 1


@pytest.mark.parametrize("words", [(), ("--read-only",)])
def test_read_only_is_handed_to_the_app(run, settings, launcher, listening, monkeypatch, words):
    given = []

    class Seen(App):
        def __init__(self, command, **how):
            given.append(how["env"]["SUBCLUST_READ_ONLY"])
            super().__init__(command, **how)

    monkeypatch.setattr(serve.subprocess, "Popen", Seen)
    assert run("serve", "--port", "1", *words)[0] == 0
    assert given == ["1" if words else "0"]


@pytest.fixture
def handed(settings, launcher, listening, monkeypatch):
    """Note with which command and environment the app would be started."""
    given = []

    class Seen(App):
        def __init__(self, command, *, cwd, env, stdin):
            given.append((command, env))

    monkeypatch.setattr(serve.subprocess, "Popen", Seen)
    return given


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "search.example.org"])
def test_an_address_that_others_reach_takes_accounts_or_a_word(run, handed, host):
    status, out, err = run("serve", "--host", host)
    assert (status, out, handed) == (1, "", [])
    assert host in err and "--open-to-all" in err
    assert run("serve", "--host", host, "--open-to-all")[0] == 0 and len(handed) == 1


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.0.2", "::1", "[::1]"])
def test_this_machine_alone_takes_neither(run, handed, host):
    assert run("serve", "--host", host)[0] == 0 and len(handed) == 1


@pytest.mark.parametrize(
    ("command", "host", "told"),
    [
        ("serve", "::1", "http://[::1]:8600"),
        ("serve", "[::1]", "http://[::1]:8600"),
        ("serve-api", "[::1]", "http://[::1]:8600/api/v1"),
        ("serve", "127.0.0.1", "http://127.0.0.1:8600"),
    ],
)
def test_an_address_of_ipv6_is_passed_bare_and_told_in_brackets(run, handed, command, host, told):
    status, out, _ = run(command, "--host", host, "--port", "8600")
    assert status == 0 and told in out.replace(",", "").split()
    ((words, environment),) = handed
    assert any(word in (host.strip("[]"), f"--host={host.strip('[]')}") for word in words)
    assert environment["SUBCLUST_HOSTS"].split()[-1] == host.strip("[]")


@pytest.mark.parametrize("command", ["serve", "serve-api"])
def test_a_port_that_is_taken_starts_nothing(run, settings, launcher, monkeypatch, command):
    monkeypatch.setattr(serve.subprocess, "Popen", None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, out, err = run(command, "--port", port)
        assert (status, out) == (1, "") and port in err and err.count("\n") == 1
        with socket.create_server(("127.0.0.1", 0)) as other:
            free = str(other.getsockname()[1])
        monkeypatch.setenv("SUBCLUST_METRICS_PORT", port)
        status, out, err = run(command, "--port", free)
        assert (status, out) == (1, "") and port in err and err.count("\n") == 1


@pytest.mark.parametrize("port", ["0", "-5", "65536", "http", "1.5"])
def test_a_port_that_there_is_not_is_wrong_usage(run, port):
    status, _, err = run("serve", f"--port={port}")
    assert status == 2 and repr(port) in err


def test_accounts_are_handed_to_the_app(run, handed, tmp_path, monkeypatch):
    file = tmp_path / "accounts.toml"
    file.write_text('[header]\nname = "X-Remote-User"\nproxies = ["127.0.0.1"]', "utf-8")
    monkeypatch.setenv("SUBCLUST_ACCOUNTS", str(file))
    assert run("serve", "--host", "0.0.0.0")[0] == 0
    ((command, environment),) = handed
    assert command[command.index("--secrets.files") + 1] == str(file)
    assert environment["SUBCLUST_ACCOUNTS"] == str(file)
    assert environment["FORWARDED_ALLOW_IPS"] == ""


@pytest.mark.parametrize(
    ("name", "usual", "given"),
    [
        ("OMP_NUM_THREADS", "1", "3"),
        ("MALLOC_ARENA_MAX", "2", "3"),
        ("ARROW_DEFAULT_MEMORY_POOL", "system", "mimalloc"),
        ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "0", "1024"),
        ("LRU_CACHE_CAPACITY", "1", "1024"),
        ("MALLOC_ARENA_MAX", "2", None),
        ("ARROW_DEFAULT_MEMORY_POOL", "system", None),
        ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "0", None),
        ("LRU_CACHE_CAPACITY", "1", None),
        ("OMP_NUM_THREADS", "1", None),
    ],
)
def test_threads_share_cores_and_memory_unless_told_otherwise(
    run, handed, monkeypatch, name, usual, given
):
    monkeypatch.delenv(name, raising=False)
    if given is not None:
        monkeypatch.setenv(name, given)
    assert run("serve")[0] == 0
    ((_, environment),) = handed
    assert environment[name] == (given or usual)


def test_accounts_that_cannot_be_used_start_nothing(run, handed, tmp_path, monkeypatch):
    monkeypatch.setenv("SUBCLUST_ACCOUNTS", str(tmp_path / "none.toml"))
    status, out, err = run("serve")
    assert (status, handed) == (1, []) and "none.toml" in err


@pytest.mark.parametrize("read_only", [False, True])
def test_the_app_refuses_changes_and_uploads_before_anybody_is_there(settings, read_only):
    program = (
        "from subclust.ui import asgi; from subclust.core.access import may_change; "
        "door = next(one for one in asgi.app._user_middleware if one.cls.__name__ == 'Door'); "
        "print(may_change('library'), door.kwargs['most_uploaded'] > 0)"
    )
    environment = {**os.environ, "SUBCLUST_READ_ONLY": str(int(read_only))}
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT_ROOT, env=environment, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert said.stdout.split() == [str(not read_only)] * 2


def test_the_app_ends_when_its_parent_is_gone():
    program = serve.FOLLOW + "import time; print('there', flush=True); time.sleep(300)"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as app:
        assert app.stdout.readline() == b"there\n" and app.poll() is None
        app.stdin.close()  # as the system does when the process at its other end dies
        assert app.wait(timeout=60) == 0


def test_visitors_of_the_app_wait_shortly_for_each_other(tmp_path):
    # What comes before Streamlit is started.
    program = serve.LAUNCH.partition("from streamlit")[0] + "print(sys.getswitchinterval())"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert float(said.stdout) <= 0.001
