"""Places on the map.

`PROJECTORS` lists what there is, by the name that permalinks and files carry.
"""

from subclust.projection.alignment import align
from subclust.projection.base import Projector
from subclust.projection.from_scores import place_by_scores
from subclust.projection.pca import PcaProjector
from subclust.projection.placing import placed_as
from subclust.projection.umap_projector import UmapProjector, warm_up

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
