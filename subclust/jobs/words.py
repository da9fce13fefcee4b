"""The words of a command line, changed for a job that is like another one."""

from collections.abc import Mapping, Sequence

from subclust.core.exceptions import InputError

WITH_SETTINGS = ("train", "tune")
"""Commands with ``--name`` and ``--set key=value``."""


def with_settings(argv: Sequence[str], settings: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Return a command with another name and other settings.

    Parameters
    ----------
    argv : sequence of str
        Words after ``python -m subclust``.
    settings : mapping of str to str
        They replace those of the same key.
    name : str

    Raises
    ------
    InputError
        If the command has no name and settings.
    """
    if not argv or argv[0] not in WITH_SETTINGS or option(argv, "--name") is None:
        raise InputError(
            "Only {names} can be cloned, but this job is {command}.",
            names=" and ".join(WITH_SETTINGS),
            command=" ".join(argv[:1]) or "empty",
        )
    words, rest = [], list(argv)
    while rest:
        word = rest.pop(0)
        key, equals, value = word.partition("=")
        if word in ("--resume", "--replace"):
            continue
        if key not in ("--name", "--set"):
            words.append(word)
            continue
        if not equals:
            value = rest.pop(0) if rest else ""
        if key == "--set" and _same_key(value) not in map(_same_key, settings):
            words += [key, value]
    words += ["--name", name]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    return tuple(words)


def option(argv: Sequence[str], name: str) -> str | None:
    """Return the value of an option, the last where there are several; None where there is none."""
    found = None
    for number, word in enumerate(argv):
        if word == name and number + 1 < len(argv):
            found = argv[number + 1]
        elif word.startswith(f"{name}="):
            found = word.partition("=")[2]
    return found


def title_of(argv: Sequence[str]) -> str | None:
    """Return ``METHOD/NAME`` of a training or a search; None where it is neither."""
    name = option(argv, "--name")
    return f"{argv[1]}/{name}" if name is not None and argv[0] in WITH_SETTINGS else None


def count_of(argv: Sequence[str], name: str) -> int | None:
    """Return the value of an option that counts; None where there is none.

    Raises
    ------
    InputError
        If it is no whole number from 0.
    """
    value = option(argv, name)
    if value is None:
        return None
    if not value.isdecimal():
        raise InputError(
            "{name} must be a whole number from 0, but is {value!r}.", name=name, value=value
        )
    return int(value)


def _same_key(setting: str) -> str:
    """Return the key of a setting; one without a table belongs to ``[training]``."""
    return setting.partition("=")[0].strip().removeprefix("training.")
