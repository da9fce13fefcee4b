"""The words of the Compare page, where they take more than a line of code to choose."""

import math

from subclust.comparison import LETTERS, Comparison
from subclust.comparison.over_queries import Difference
from subclust.figures import group_style
from subclust.ui.components.words import method_label
from subclust.ui.i18n.language import _, _n, number


def column_title(found: Comparison, place: int) -> str:
    """Say in a line how a column groups: its method, and what else differs between columns."""
    column, one = found.columns[place], found.maps[place]
    parts = [method_label(one.method)]
    if one.checkpoint and len({other.checkpoint for other in found.maps}) > 1:
        parts.append(_("model {name}").format(name=one.checkpoint))
    if len({other.n_clusters for other in found.columns}) > 1:
        asked = column.n_clusters
        groups = ("{count} group", "{count} groups")
        parts.append(_("number automatic") if asked == "auto" else _n(*groups, int(asked)))
    if one.query.text != found.ranking.query.text:
        parts.append(_("under “{query}”").format(query=one.query.text))
    if len({other.context for other in found.columns}) > 1:
        parts.append(
            {
                "title": _("follows the question"),
                "description": _("follows the longer question"),
                "passages": _("follows the passages"),
            }[column.context]
        )
    return ", ".join(parts)


def group_name(found: Comparison, place: int, group: int) -> str:
    """Write a group's symbol and its name in a column."""
    return f"{group_style(group).glyph} {found.names(place)[group]}"


def agreement_sentence(found: Comparison, first: int, second: int) -> str:
    """Say in a sentence how far two columns agree."""
    ari = found.pair(first, second).agreement.ari
    words = {"first": LETTERS[first], "second": LETTERS[second], "ari": number(ari, 3)}
    if ari >= 0.999:
        return _("{first} and {second} make the same groups.").format(**words)
    if ari >= 0.75:
        return _("{first} and {second} make nearly the same groups (ARI {ari}).").format(**words)
    if ari >= 0.4:
        return _("{first} and {second} agree in part (ARI {ari}).").format(**words)
    if ari >= 0.1:
        return _("{first} and {second} agree little (ARI {ari}).").format(**words)
    return _("{first} and {second} agree no more than by chance (ARI {ari}).").format(**words)


def difference_sentence(difference: Difference, n_queries: int) -> str:
    """Return whether a column is better than the first over the questions, and how sure that is."""
    interval, helps = difference.interval, difference.helps
    words = {
        "letter": LETTERS[difference.column],
        "first": LETTERS[0],
        "mean": _signed(difference.test.mean_difference),
        "low": _signed(interval.low),
        "high": _signed(interval.high),
        "wins": number(helps.wins),
        "ties": number(helps.ties),
        "losses": number(helps.losses),
        "count": number(n_queries),
    }
    counted = _("It is better on {wins} of {count} questions, equal on {ties}, worse on {losses}.")
    if math.isnan(interval.low):
        said = _("One question cannot tell whether {letter} is better than {first}.")
    elif interval.low > 0:
        said = _(
            "{letter} is better than {first}: {mean} in the adjusted Rand index on average, "
            "95% interval {low} to {high}."
        )
    elif interval.high < 0:
        said = _(
            "{letter} is worse than {first}: {mean} in the adjusted Rand index on average, "
            "95% interval {low} to {high}."
        )
    else:
        said = _(
            "Between {letter} and {first} nothing is clear: {mean} in the adjusted Rand index on "
            "average, 95% interval {low} to {high}."
        )
    return f"{said.format(**words)} {counted.format(**words)}"


def _signed(value: float) -> str:
    if math.isnan(value):
        return "–"
    return ("−" if value < 0 else "+") + number(abs(value), 3)
