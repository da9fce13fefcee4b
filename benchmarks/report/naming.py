"""What a method is called in a figure."""

from collections.abc import Sequence

from benchmarks.published import Series
from benchmarks.report.tables import method_label


def plays(method: str, series: Series, at: int) -> bool:
    """Return whether a result of ours is the one that stands beside a series on a data set.

    Parameters
    ----------
    method : str
        A name, or ``name@checkpoint``.
    at : int
        Which data set of the figure.

    Returns
    -------
    bool
        A name without a checkpoint on either side agrees with any checkpoint of that method.
    """
    wanted = series.methods[at]
    if wanted is None:
        return False
    (name, _, checkpoint), (other, _, trained) = method.partition("@"), wanted.partition("@")
    return name == other and (not checkpoint or not trained or checkpoint == trained)


def names_in(
    methods: Sequence[tuple[str, str | None]], series: Sequence[Series], at: int
) -> list[str]:
    """Name each method as the paper does, or as we do; equal names tell their checkpoints.

    Parameters
    ----------
    methods : sequence of (str, str or None)
        Method and checkpoint of each.
    at : int
        Which data set of the figure.
    """
    names = [
        next((one.label for one in series if plays(method, one, at)), method_label(method))
        for method, _ in methods
    ]
    return [
        f"{name} ({checkpoint})" if checkpoint and names.count(name) > 1 else name
        for name, (_, checkpoint) in zip(names, methods, strict=True)
    ]
