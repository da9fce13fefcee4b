"""The model card that goes with every checkpoint, written from its facts."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from subclust.core.messages import N_, Message, with_messages

VERDICTS = {"better": N_("better"), "worse": N_("worse"), "unclear": N_("no clear difference")}
"""Words for the verdicts of a judgement."""

PARTS = {
    "test": N_("test questions, which took no part in training"),
    "validation": N_("validation questions, which also decided when training stopped"),
    "folds": N_("held-out questions, each grouped by a model that was not trained on it"),
    "given": N_("labelled questions"),
}
"""Words for the queries that a judgement rests on."""

_ROLES = {
    "new": N_("this model"),
    "base": N_("what it is to replace"),
    "default": N_("what was in use"),
    "baseline": N_("learns nothing"),
}

MEASURES = {
    "ari": "ARI",
    "ami": "AMI",
    "auto_ari": N_("ARI, own number"),
    "auto_ami": N_("AMI, own number"),
}
"""Short names of what was measured: with the true number of groups, and with the method's own."""


def judgement_of(card: Mapping[str, Any]) -> dict[str, Any]:
    """Take the judgement that was made here from a card; empty where there is none."""
    found = card.get("judgement")
    return dict(with_messages(dict(found))) if isinstance(found, Mapping) else {}


def judgement_rows(judgement: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Write the verdict and what it rests on as rows of two; what is not told has no row.

    Parameters
    ----------
    judgement : mapping
        As it is kept in a card: ``verdict``, ``base``, ``part``, ``n_queries`` and ``comparisons``,
        of which the first gives the verdict: ``mean_difference``, ``low`` and ``high`` (of its
        interval at ``level``), ``p_value``, ``helps`` and ``hurts``.
    """
    rows = []
    verdict = judgement.get("verdict")
    if isinstance(verdict, str):
        rows.append((N_("Verdict"), VERDICTS.get(verdict, verdict)))
    if judgement.get("base"):
        rows.append((N_("Compared with"), str(judgement["base"])))
    if is_number(judgement.get("n_queries")):
        rows.append((N_("Measured on"), measured_on(judgement)))
    first = next(iter(_list(judgement.get("comparisons"))), {})
    if is_number(first.get("mean_difference")):
        told = Message("{difference:+.3f}", difference=first["mean_difference"])
        rows.append((N_("Mean difference in ARI"), told))
    if is_number(first.get("low")) and is_number(first.get("high")):
        level = first["level"] if is_number(first.get("level")) else 0.95
        ends = {"low": first["low"], "high": first["high"]}
        told = Message("{low:+.3f} to {high:+.3f}", **ends)
        rows.append((Message("{level}% interval", level=round(100 * level)), told))
    if is_number(first.get("p_value")):
        p = first["p_value"]
        told = Message("{p:.3f}" if p >= 0.001 else "below {least:.3f}", p=p, least=0.001)
        rows.append((N_("p-value"), told))
    if is_number(first.get("helps")) and is_number(first.get("hurts")):
        counts = {"helps": first["helps"], "hurts": first["hurts"]}
        rows.append((N_("Questions"), Message("helps {helps:,}, hurts {hurts:,}", **counts)))
    return rows


def measured_on(judgement: Mapping[str, Any]) -> Message:
    """Return how many queries, and of which part, a judgement rests on."""
    part = Message(PARTS.get(str(judgement.get("part")), PARTS["given"]))
    count = judgement.get("n_queries")
    return Message("{count:,} {part}", count=count, part=part) if is_number(count) else part


def judged_methods(judgement: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the methods that were measured, with their mean scores.

    Parameters
    ----------
    judgement : mapping
        ``methods`` is a list of ``{"role", "name", "means": {MEASURE: number or None}}``.

    Returns
    -------
    list of dict
        ``role`` in words, ``name``, and a number or None for each of `MEASURES`.
    """
    rows = []
    for method in _list(judgement.get("methods")):
        means = method.get("means")
        means = means if isinstance(means, Mapping) else {}
        rows.append(
            {
                "role": _ROLES.get(str(method.get("role")), ""),
                "name": str(method.get("name", "")),
                **{
                    measure: means.get(measure) if is_number(means.get(measure)) else None
                    for measure in MEASURES
                },
            }
        )
    return rows


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value from a card is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _list(value: object) -> list[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def model_card(method: str, name: str, config: Mapping[str, Any], card: Mapping[str, Any]) -> str:
    """Write a checkpoint's README.

    Parameters
    ----------
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
