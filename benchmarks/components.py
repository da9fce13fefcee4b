"""The first principal components, with the share of the variance that each explains."""

import numpy as np
from sklearn.decomposition import PCA

from subclust.core.records import FloatArray


def principal_components(
    vectors: FloatArray, n_components: int = 3
) -> tuple[FloatArray, FloatArray]:
    """Place vectors along the directions in which they differ most.

    For figures of how passages lie; the map of the app is `PcaProjector`'s, which is quicker. The
    sign of each direction is chosen so that its largest loading is positive.

    Parameters
    ----------
    vectors : ndarray of shape (n_passages, embedding_dim)
        At least one.
    n_components : int

    Returns
    -------
    coordinates : ndarray of shape (n_passages, n_components)
        float32, centred on 0; 0 along directions that do not exist or in which nothing differs.
    explained : ndarray of shape (n_components,)
        float32, 0 to 1, falling; 0 where all vectors are equal.
    """
    coordinates = np.zeros((len(vectors), n_components), dtype=np.float32)
    explained = np.zeros(n_components, dtype=np.float32)
    if np.ptp(vectors, axis=0).max() < 1e-9:
        return coordinates, explained
    found = min(n_components, *vectors.shape)
    pca = PCA(found, svd_solver="full")
    placed = pca.fit_transform(vectors.astype(np.float64))
    largest = np.abs(pca.components_).argmax(axis=1)
    signs = np.sign(pca.components_[np.arange(found), largest])
    coordinates[:, :found] = placed * signs
    explained[:found] = pca.explained_variance_ratio_
    return coordinates, explained
