"""Places on the map.

`PROJECTORS` lists what there is, by the name that permalinks and files carry.
"""

from subclust.grouping.projection.alignment import align, placed_as
from subclust.grouping.projection.base import Projector
from subclust.grouping.projection.pca import PcaProjector, place_by_scores
from subclust.grouping.projection.umap_projector import UmapProjector, warm_up

PROJECTORS: dict[str, type[Projector]] = {"pca": PcaProjector, "umap": UmapProjector}

__all__ = [
    "PROJECTORS",
    "PcaProjector",
    "Projector",
    "UmapProjector",
    "align",
    "place_by_scores",
    "placed_as",
    "warm_up",
]
