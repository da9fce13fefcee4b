"""The labelled queries of a task or a file."""

from pathlib import Path

from subclust.benchmarks.tasks import TASKS
from subclust.exceptions import BenchmarkError
from subclust.records import ClusteringInstance
from subclust.settings import Settings
from subclust.training.instances import file_digest, read_instances


def load_task(task: str, settings: Settings) -> tuple[str, list[ClusteringInstance]]:
    """Read the queries of a task by name, or of a file.

    Parameters
    ----------
    task : str
        A key of `TASKS`, whose file lies below ``settings.benchmark_data_dir``; or the path of a
        labelled set.
    settings : Settings

    Returns
    -------
    name : str
        Of the task, or of the file without its suffixes.
    instances : list of ClusteringInstance

    Raises
    ------
    BenchmarkError
        If the task's file cannot be had or is another one; the sentence says where to get it.
    FileFormatError
        If a file cannot be read.
    """
    if task not in TASKS:
        path = Path(task)
        if not path.exists() and not path.suffix:
            raise BenchmarkError(
                f"There is no task or file {task!r}; tasks are {', '.join(TASKS)}."
            )
        return path.name.split(".")[0], read_instances(path)
    card = TASKS[task]
    if settings.benchmark_data_dir is None:
        raise BenchmarkError(
            f"The task {task} reads {card.file} below the benchmark data folder, which is not "
            "set; name it with --data-dir or SUBCLUST_BENCHMARK_DATA_DIR."
        )
    path = settings.benchmark_data_dir / card.file
    if not path.is_file():
        raise BenchmarkError(
            f"The task {task} needs {path}, which is not there; its source is: {card.citation}"
        )
    if file_digest(path) != card.sha256:
        raise BenchmarkError(
            f"{path} is not the file that the task {task} was made with (its sha256 differs); "
            "give it as a file instead of by the task's name, or restore it."
        )
    return task, read_instances(path)
