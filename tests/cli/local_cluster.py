"""A Ray cluster of two machines, both of them this one, each a tree of processes."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psutil

PATIENCE = 300.0
MEMORY = "100000000"


class Machine:
    """What ``ray start --block`` has started: raylet, agents, workers, and the jobs' commands."""

    def __init__(self, *words: str, log: Path, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *words]
        with log.open("wb") as stream:
            self.process = subprocess.Popen(
                [*command, "--num-cpus=1", f"--object-store-memory={MEMORY}"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )
        self.log = log

    def processes(self) -> list[psutil.Process]:
        """List all that run on the machine now."""
        try:
            root = psutil.Process(self.process.pid)
            return [root, *root.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def runs(self, pid: int | None) -> bool:
        return any(process.pid == pid for process in self.processes())

    def die(self) -> None:
        """Kill them all at once, as a power failure does."""
        there = self.processes()
        for process in there:  # so that none sees another one die and says so
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        for process in {*there, *self.processes()}:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait()
        psutil.wait_procs(there, timeout=10)


@contextmanager
def two_machines(log_folder: Path) -> Iterator[tuple[str, Machine, Machine]]:
    """Give the address of the cluster's dashboard, and its machines of one core each."""
    root = str(Path(__file__).parents[2])
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]),
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    machines: list[Machine] = []
    # A path below pytest's own is too long for Ray's sockets.
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        try:
            port, dashboard, client = free_ports(3)
            machines.append(
                Machine(
                    "--head",
                    f"--port={port}",
                    "--dashboard-host=127.0.0.1",
                    f"--dashboard-port={dashboard}",
                    f"--ray-client-server-port={client}",
                    f"--temp-dir={folder}",
                    log=log_folder / "head.log",
                    environment=environment,
                )
            )
            address = Path(folder) / "ray_current_cluster"
            until(lambda: "Ray runtime started" in machines[0].log.read_text(), machines)
            machines.append(
                Machine(
                    f"--address={address.read_text().strip()}",
                    log=log_folder / "other.log",
                    environment=environment,
                )
            )
            until(lambda: "Ray runtime started" in machines[1].log.read_text(), machines)
            yield f"http://127.0.0.1:{dashboard}", machines[0], machines[1]
        finally:
            for machine in reversed(machines):
                machine.die()


def until(holds, machines: list[Machine], seconds: float = PATIENCE) -> None:
    began = time.monotonic()
    while not holds():
        for machine in machines:
            assert machine.process.poll() is None, machine.log.read_text()
        assert time.monotonic() - began < seconds, "it took too long"
        time.sleep(0.2)


def free_ports(count: int) -> list[int]:
    servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = []
    for server in servers:
        with closing(server):
            ports.append(server.getsockname()[1])
    return ports
