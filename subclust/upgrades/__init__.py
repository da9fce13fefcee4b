"""Bringing the data folder of an earlier version up to date, step by step, with a backup first."""

from collections.abc import Callable, Mapping
from pathlib import Path

from filelock import FileLock, Timeout

from subclust import __version__
from subclust.core.exceptions import SettingsError, StorageError, SubclustError
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.core.storage.disk import refusal, refusals_told
from subclust.core.storage.version import FORM, check_version, mark
from subclust.upgrades.searched_text import renew_searched_texts

Tell = Callable[[str], object]
Step = Callable[[Settings, Path, Tell], None]
"""From settings, a folder for backups of what it changes, and whom to tell what it changes.

It is done again where it was killed.
"""

STEPS: Mapping[int, Step] = {2: renew_searched_texts}
"""Of each form, what makes it of the one before."""

__all__ = ["STEPS", "bring_up_to_date"]


def bring_up_to_date(settings: Settings, tell: Tell) -> int:
    """Make the data folder one of `FORM`.

    Each step writes what it will change to ``before-form-N`` in the data folder first, and the form
    is marked when it has ended. Every form that is brought up to date can be read as it is, so a
    disk that takes nothing leaves the folder as it was.

    Parameters
    ----------
    tell : callable
        Called with a sentence for each thing that is about to be changed.

    Returns
    -------
    int
        The form that the folder has now.

    Raises
    ------
    SettingsError
        If another process is at it.
    """
    folder = settings.data_dir
    form = check_version(folder, __version__)
    try:
        with (
            refusals_told(Message("The data cannot be brought up to date"), folder),
            FileLock(folder / ".upgrade.lock", timeout=0),
        ):
            # Again under the lock: another process may have brought it up to date just before.
            form = check_version(folder, __version__)
            for step in range(form + 1, FORM + 1):
                STEPS[step](settings, folder / f"before-form-{step}", tell)
                mark(folder, step, __version__)
                form = step
    except Timeout as error:
        raise SettingsError(
            "Another process brings the data in {folder} up to date; wait until that is done.",
            folder=folder,
        ) from error
    except StorageError as error:
        tell(error.sentence)
    except SubclustError as error:
        if refusal(error.__cause__ or error) is None:
            raise
        tell(error.sentence)
    return form
