"""What each metric of the papers' tables is called, and what it means."""

from subclust.core.messages import N_

METRICS: dict[str, tuple[str, str]] = {
    "ari": (
        N_("adjusted Rand index (ARI)"),
        N_(
            "1 if the groups are exactly those that people made, about 0 if they are no better "
            "than chance"
        ),
    ),
    "ami": (
        N_("adjusted mutual information (AMI)"),
        N_("1 for the same groups, about 0 for random ones"),
    ),
    "nmi": (
        N_("normalised mutual information (NMI)"),
        N_("1 for the same groups, 0 for unrelated ones"),
    ),
    "nmi_geometric": (
        N_("normalised mutual information (NMI), geometric"),
        N_("1 for the same groups, 0 for unrelated ones"),
    ),
    "ri": (N_("Rand index (RI)"), N_("the share of pairs of passages that are treated correctly")),
    "acc": (
        N_("accuracy (ACC)"),
        N_("the share of passages in the right group, once groups are matched as well as possible"),
    ),
    "f1": (
        N_("F1 of purity and inverse purity (F1)"),
        N_(
            "1 if the groups are exactly those that people made; also high if each group is "
            "mostly one subtopic and each subtopic is mostly in one group"
        ),
    ),
    "bcubed_f1": (
        N_("B-cubed F1"),
        N_("1 if every passage is grouped with exactly those that belong with it"),
    ),
    "auc": (
        N_("area under the ROC curve (AUC), all pairs"),
        N_(
            "the chance that two passages of one subtopic score higher than two of different ones; "
            "0.5 is a guess"
        ),
    ),
    "auc_balanced": (
        N_("area under the ROC curve (AUC), balanced pairs"),
        N_("the same, with as many pairs of one subtopic as of different ones"),
    ),
}
"""What each metric is called, and what it means in a sentence."""


def metric_name(metric: str) -> str:
    """Return the name of a metric for people; an unknown one keeps its key."""
    return METRICS.get(metric, (metric, ""))[0]


def short_name(metric: str) -> str:
    """Return the abbreviation of a metric, where its name tells one."""
    name = metric_name(metric)
    return name[name.index("(") + 1 : name.index(")")] if "(" in name else name
