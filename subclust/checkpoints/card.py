"""The model card that goes with every checkpoint, written from its facts."""

from collections.abc import Mapping
from typing import Any

from subclust.checkpoints.judged import MEASURES, judged_methods, judgement_of, judgement_rows


def model_card(method: str, name: str, config: Mapping[str, Any], card: Mapping[str, Any]) -> str:
    """Write a checkpoint's README.

    Parameters
    ----------
    method, name : str
    config : mapping
        Its constructor arguments and learned settings.
    card : mapping
        ``summary``, ``intended_use``, ``limits``, ``citation`` and ``licence`` (sentences),
        ``created`` and ``imported`` (times), ``parent`` (``METHOD/NAME``),
        ``training_data`` (list of ``{"name", "n_queries", "n_passages", "sha256", "licence"}``,
        and ``version`` where a set has versions), ``training`` and ``scores`` (mappings),
        ``stages`` (the ``training`` of the checkpoints it started from, first to last), and
        ``judgement`` (as `judgement_rows` takes it); each may be missing.

    Returns
    -------
    str
        Markdown in which nothing that a card says is a picture or a tag.
    """
    parts = [f"# {method} / {name}"]
    if card.get("summary"):
        parts.append(_text(card["summary"]))
    made = [
        (title, card[key])
        for key, title in (
            ("created", "Made"),
            ("imported", "Imported"),
            ("parent", "Started from"),
            ("encoder", "Encoder"),
        )
        if card.get(key)
    ]
    if made:
        parts.append("\n".join(f"- {title}: {_text(value)}" for title, value in made))
    if card.get("intended_use"):
        parts.append(f"## Intended use\n\n{_text(card['intended_use'])}")
    if card.get("training_data"):
        head = "| data | queries | passages | licence | sha256 |\n| --- | --- | --- | --- | --- |"
        rows = [_data_row(data) for data in card["training_data"]]
        parts.append("## Trained on\n\n" + "\n".join([head, *rows]))
    for number, stage in enumerate(card.get("stages", []), start=1):
        parts.append(f"## Training, stage {number}\n\n{_table(stage)}")
    if card.get("training"):
        parts.append(f"## Training\n\n{_table(card['training'])}")
    if card.get("scores"):
        parts.append(f"## Scores\n\n{_table(card['scores'])}")
    if judgement := judgement_of(card):
        parts.append(_evaluation("Evaluation", judgement))
    if isinstance(elsewhere := card.get("judgement_elsewhere"), Mapping):
        parts.append(_evaluation("Evaluation where it comes from", elsewhere))
    if card.get("limits"):
        parts.append(f"## Limits\n\n{_text(card['limits'])}")
    parts.append(f"## Configuration\n\n{_table(config)}")
    for key, title in (("citation", "How to cite"), ("licence", "Licence")):
        if card.get(key):
            parts.append(f"## {title}\n\n{_text(card[key])}")
    return "\n\n".join(parts) + "\n"


def _data_row(data: Mapping[str, Any]) -> str:
    name = _cell(data.get("name", ""))
    if data.get("version"):
        name += f", version {_cell(data['version'])}"
    cells = [_cell(data.get(key, "")) for key in ("n_queries", "n_passages", "licence")]
    return f"| {name} | {' | '.join(cells)} | `{_cell(data.get('sha256', ''))[:12]}` |"


def _evaluation(title: str, judgement: Mapping[str, Any]) -> str:
    parts = [f"## {title}"]
    if judgement.get("sentence"):
        parts.append(_text(judgement["sentence"]))
    if rows := judgement_rows(judgement):
        parts.append(_table(dict(rows)))
    if methods := judged_methods(judgement):
        head = f"| | | {' | '.join(MEASURES.values())} |\n| --- | --- |{' --- |' * len(MEASURES)}"
        lines = [
            f"| {_cell(row['name'])} | {row['role']} | "
            f"{' | '.join(_score(row[measure]) for measure in MEASURES)} |"
            for row in methods
        ]
        parts.append("\n".join([head, *lines]))
    if isinstance(notes := judgement.get("notes"), list | tuple) and notes:
        parts.append("\n".join(f"- {_text(note)}" for note in notes))
    return "\n\n".join(parts)


def _score(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _table(values: Mapping[str, Any]) -> str:
    rows = [f"| {_cell(key)} | {_cell(value)} |" for key, value in values.items()]
    return "\n".join(["| | |", "| --- | --- |", *rows])


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_cell(item)}" for key, item in value.items())
    return _text(value).replace("|", "\\|").replace("\n", " ")


def _text(value: object) -> str:
    """Keep what a card says from being a tag or a picture, which a viewer would fetch."""
    return str(value).replace("<", "&lt;").replace("![", "!\\[")
