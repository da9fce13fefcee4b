"""A Ray cluster on paper: what was asked of it, and what it shall tell."""

from subclust.core.exceptions import ClusterError
from subclust.jobs.ray_cluster import RayJob


class PaperCluster:
    address = "http://cluster:8265"

    def __init__(self, gpus=False):
        self.submitted = {}
        self.told = {}
        self.stopped = []
        self.asked = 0
        self.gpus = gpus
        self.answers = True

    def submit(self, id, entrypoint, *, cpus, gpus, variables):
        self.answer()
        self.submitted[id] = {
            "entrypoint": entrypoint,
            "cpus": cpus,
            "gpus": gpus,
            "variables": variables,
        }
        self.told.setdefault(id, RayJob("PENDING"))

    def job(self, id):
        self.answer()
        self.asked += 1
        return self.told.get(id)

    def stop(self, id):
        self.answer()
        self.stopped.append(id)
        self.told[id] = RayJob("STOPPED")

    def has_gpus(self):
        self.answer()
        return self.gpus

    def answer(self):
        if not self.answers:
            raise ClusterError("The Ray cluster at http://cluster:8265 does not answer.")


def machine_dies(message="The actor died because its node has died."):
    return RayJob("FAILED", "JOB_SUPERVISOR_ACTOR_DIED", message)
