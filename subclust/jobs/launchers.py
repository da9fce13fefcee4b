"""Which launcher the settings name."""

from importlib.util import find_spec

from subclust.core.exceptions import SettingsError
from subclust.core.settings import Settings
from subclust.jobs.launch import Launcher, LocalLauncher


def launcher_of(settings: Settings) -> Launcher:
    """Return the launcher that the settings name.

    Raises
    ------
    SettingsError
        If it is Ray, and Ray is not there.
    """
    if settings.jobs_backend == "local":
        return LocalLauncher(settings)
    if find_spec("ray") is None:
        raise SettingsError(
            "SUBCLUST_JOBS names a Ray cluster ({jobs_backend}), but Ray is not installed here; "
            "install the extra [ray] (pip install '.[ray]' in the folder of Subclust), or set "
            "SUBCLUST_JOBS to local.",
            jobs_backend=settings.jobs_backend,
        )
    from subclust.jobs.ray_jobs import RayLauncher

    return RayLauncher(settings)
