"""A Ray cluster as the launcher sees it; all that touches Ray's own client, over HTTP."""

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol
from urllib.parse import urlsplit

from subclust.core.exceptions import ClusterError, SettingsError

REACH_SECONDS = 3.0
"""For the cluster to accept a connection; Ray's own client would wait for minutes."""

KNOWN_SECONDS = 1.0
"""What was told of a job within them is not asked again."""

HERE = ("PENDING", "RUNNING")
"""What Ray says of a job that waits for a machine, and of one that has one."""


@dataclass(frozen=True)
class RayJob:
    """What Ray tells of a job.

    Parameters
    ----------
    status : str
        ``"PENDING"``, ``"RUNNING"``, ``"SUCCEEDED"``, ``"FAILED"`` or ``"STOPPED"``.
    error_type : str
        Ray's word for why it failed, such as ``"JOB_SUPERVISOR_ACTOR_DIED"``; else empty.
    message : str
        Ray's words.
    exit_code : int or None
        Of the command, once it has ended.
    """

    status: str
    error_type: str = ""
    message: str = ""
    exit_code: int | None = None


class Cluster(Protocol):
    """What is asked of a cluster; each may raise a `ClusterError` where it does not answer.

    Methods raise a `ClusterError` where the cluster does not answer, or refuses.
    """

    address: str

    def submit(
        self, id: str, entrypoint: str, *, cpus: int, gpus: int, variables: Mapping[str, str]
    ) -> None:
        """Have a shell command run on a machine that can spare so much; once for an id."""
        ...

    def job(self, id: str) -> RayJob | None:
        """Return a job as Ray knows it; None where the cluster knows none of that id."""
        ...

    def stop(self, id: str) -> None:
        """End a job, or take it from the cluster's queue."""
        ...

    def has_gpus(self) -> bool:
        """Return whether any machine of the cluster has a graphics card."""
        ...


class RayCluster:
    """A cluster behind the address of its dashboard.

    Parameters
    ----------
    address : str
        Such as ``"http://localhost:8265"``.
    """

    def __init__(self, address: str) -> None:
        self.address = address

    def submit(
        self, id: str, entrypoint: str, *, cpus: int, gpus: int, variables: Mapping[str, str]
    ) -> None:
        """Have a shell command run on a machine that can spare so much; once for an id."""
        with self._answering() as client:
            try:
                client.submit_job(
                    entrypoint=entrypoint,
                    submission_id=id,
                    entrypoint_num_cpus=cpus,
                    entrypoint_num_gpus=gpus,
                    runtime_env={"env_vars": dict(variables)},
                    metadata={"program": "subclust"},
                )
            except RuntimeError:
                # Whoever submitted it before was killed before it could say so.
                if self._ask(client, id) is None:
                    raise

    def job(self, id: str) -> RayJob | None:
        """Return a job as Ray knows it; None where the cluster knows none of that id."""
        now = time.monotonic()
        known = _told(self.address)
        for other in [other for other, (when, _) in known.items() if now - when >= KNOWN_SECONDS]:
            known.pop(other, None)
        if id in known:
            return known[id][1]
        with self._answering() as client:
            told = self._ask(client, id)
        known[id] = (time.monotonic(), told)
        return told

    def stop(self, id: str) -> None:
        """End a job: SIGTERM, and after three seconds SIGKILL; or take it from the queue."""
        with self._answering() as client:
            client.stop_job(id)
        _told(self.address).pop(id, None)

    def has_gpus(self) -> bool:
        """Return whether any machine of the cluster has a graphics card."""
        with self._answering():
            from ray.util.state import list_nodes

            # By default one machine that does not answer is an error; another may have a card.
            nodes = list_nodes(address=self.address, raise_on_missing_output=False)
        return any(node.state == "ALIVE" and node.resources_total.get("GPU", 0) for node in nodes)

    @staticmethod
    def _ask(client: Any, id: str) -> RayJob | None:
        try:
            info = client.get_job_info(id)
        except RuntimeError as error:
            # The client has no error of its own for a job that is not there.
            if "status code 404" in str(error):
                return None
            raise
        return RayJob(
            str(info.status),
            str(getattr(info.error_type, "value", info.error_type) or ""),
            info.message or "",
            info.driver_exit_code,
        )

    @contextmanager
    def _answering(self) -> Iterator[Any]:
        place = urlsplit(self.address)
        port = place.port or (443 if place.scheme == "https" else 80)
        try:
            socket.create_connection((place.hostname or "", port), REACH_SECONDS).close()
            yield _client(self.address)
        except OSError as error:  # as are requests' and Ray's errors of connection
            raise ClusterError(
                "The Ray cluster at {address} does not answer; check whether it runs, and "
                "whether SUBCLUST_JOBS has its address.",
                address=self.address,
            ) from error
        except RuntimeError as error:
            last = str(error).strip().splitlines()[-1:]
            raise ClusterError(
                "The Ray cluster at {address} refused the request ({names}); it is asked again.",
                address=self.address,
                names=" ".join(last),
            ) from error


@cache
def _client(address: str) -> Any:
    try:
        from ray.job_submission import JobSubmissionClient
    except ImportError as error:
        raise SettingsError(
            "SUBCLUST_JOBS names a Ray cluster ({address}), but Ray is not whole here; run "
            "pip install 'subclust[ray]', or set SUBCLUST_JOBS to local.",
            address=address,
        ) from error
    return JobSubmissionClient(address)


# Per process rather than per RayCluster, because every page and command makes its own.
@cache
def _told(address: str) -> dict[str, tuple[float, RayJob | None]]:
    return {}
