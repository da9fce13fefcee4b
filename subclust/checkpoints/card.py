"""The model card that goes with every checkpoint, written from its facts."""

from collections.abc import Mapping
from typing import Any


def model_card(method: str, name: str, config: Mapping[str, Any], card: Mapping[str, Any]) -> str:
    """Write a checkpoint's README.

    Parameters
    ----------
    method, name : str
    config : mapping
        Its constructor arguments and learned settings.
    card : mapping
        ``summary``, ``intended_use``, ``limits``, ``citation`` and ``licence`` (sentences),
        ``training_data`` (list of ``{"name", "n_queries", "n_passages", "sha256", "licence"}``),
        ``training`` and ``scores`` (mappings), and ``stages`` (the ``training`` of the checkpoints
        it started from, first to last); each may be missing.

    Returns
    -------
    str
        Markdown.
    """
    parts = [f"# {method} / {name}"]
    for key, title in (
        ("summary", ""),
        ("intended_use", "Intended use"),
        ("limits", "Limits"),
    ):
        if card.get(key):
            parts.append(f"## {title}\n\n{card[key]}" if title else str(card[key]))
    if card.get("training_data"):
        rows = [
            f"| {d['name']} | {d['n_queries']} | {d['n_passages']} | {d['licence']} "
            f"| `{d['sha256'][:12]}` |"
            for d in card["training_data"]
        ]
        head = "| data | queries | passages | licence | sha256 |\n| --- | --- | --- | --- | --- |"
        parts.append("## Trained on\n\n" + "\n".join([head, *rows]))
    for number, stage in enumerate(card.get("stages", []), start=1):
        parts.append(f"## Training, stage {number}\n\n{_table(stage)}")
    for key, title in (("training", "Training"), ("scores", "Scores")):
        if card.get(key):
            parts.append(f"## {title}\n\n{_table(card[key])}")
    parts.append(f"## Configuration\n\n{_table(config)}")
    for key, title in (("citation", "How to cite"), ("licence", "Licence")):
        if card.get(key):
            parts.append(f"## {title}\n\n{card[key]}")
    return "\n\n".join(parts) + "\n"


def _table(values: Mapping[str, Any]) -> str:
    rows = [f"| {key} | {_cell(value)} |" for key, value in values.items()]
    return "\n".join(["| | |", "| --- | --- |", *rows])


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(item)}" for key, item in value.items())
    return str(value).replace("|", "\\|").replace("\n", " ")
