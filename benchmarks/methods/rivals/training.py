"""The rivals of AECL, trained and loaded as it is: its room knows them by what is entered here."""

from benchmarks.methods.rivals.kept_arrays import forget_arrays
from benchmarks.methods.rivals.learners import RstcLearner, ScclLearner, SelfTrainLearner
from benchmarks.methods.rivals.models import RstcNetwork, ScclNetwork, SelfTrainNetwork
from benchmarks.methods.rivals.objectives import RstcObjective, ScclObjective, SelfTrainObjective
from subclust.checkpoints import Checkpoint
from subclust.grouping.clustering.base import SubtopicClusterer
from subclust.methods.aecl import clusterer, training
from subclust.methods.aecl.card import CITATIONS, SUMMARIES
from subclust.text.encoders import Encoder
from subclust.training.training_run import TrainingRun

clusterer.MODELS.update({"self-train": SelfTrainNetwork, "sccl": ScclNetwork, "rstc": RstcNetwork})
training.METHODS.update(
    {
        "self-train": (SelfTrainObjective, SelfTrainLearner, 0),
        "sccl": (ScclObjective, ScclLearner, 2),
        "rstc": (RstcObjective, RstcLearner, 2),
    }
)
SUMMARIES.update(
    {
        "self-train": "Self-training: the themes of one collection, by an autoencoder and "
        "its groups.",
        "sccl": "SCCL: the themes of one collection, by other wordings of its texts and its "
        "groups.",
        "rstc": "RSTC: the themes of one collection, by pseudo-labels of optimal transport.",
    }
)
CITATIONS.update(
    {
        "self-train": "Amir Hadifar, Lucas Sterckx, Thomas Demeester and Chris Develder. A "
        "Self-Training Approach for Short Text Clustering. RepL4NLP 2019. "
        "https://aclanthology.org/W19-4322",
        "sccl": "Dejiao Zhang et al. Supporting Clustering with Contrastive Learning. NAACL 2021. "
        "https://arxiv.org/abs/2103.12953",
        "rstc": "Xiaolin Zheng, Mengling Hu, Weiming Liu, Chaochao Chen and Xinting Liao. Robust "
        "Representation Learning with Reliable Pseudo-labels Generation via Self-Adaptive Optimal "
        "Transport for Short Text Clustering. ACL 2023. https://arxiv.org/abs/2305.16335",
    }
)


def load(name: str, checkpoint: Checkpoint | None, encoder: Encoder) -> SubtopicClusterer:
    """Make the clusterer of a trained rival, as `subclust.methods.aecl.clusterer.load` does."""
    return clusterer.load(name, checkpoint, encoder)


def train(run: TrainingRun) -> Checkpoint:
    """Train a rival, as `subclust.methods.aecl.training.train` does."""
    if not run.resume:
        forget_arrays(run.folder)
    return training.train(run)
