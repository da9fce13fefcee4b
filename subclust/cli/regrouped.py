"""What ``search`` can do with an answer: keep other hits, dig, divide, say what is stable."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from subclust.core.exceptions import InputError
from subclust.core.records import Ranking, Regrouping, SubtopicMap, SubtopicPart
from subclust.grouping.naming import SubtopicNamer
from subclust.pipeline.parts import has_tree, parts_of, stability_curve


@dataclass(frozen=True)
class Extras:
    """What was asked for beside the groups.

    Parameters
    ----------
    printed : dict
        Added to the object of ``--json``.
    told : list of str
        Lines for a terminal.
    """

    printed: dict[str, Any]
    told: list[str]


def add_regrouping(parser: argparse.ArgumentParser) -> None:
    """Declare ``--hits-of``, ``--dig``, ``--levels`` and ``--stability``."""
    parser.add_argument(
        "--hits-of",
        metavar="QUERY",
        help="group the hits of that query under QUERY, and tell what moved",
    )
    parser.add_argument(
        "--dig",
        action="append",
        default=[],
        type=int,
        metavar="ID",
        help="group only the passages of this automatic group; again to dig deeper",
    )
    parser.add_argument(
        "--levels",
        type=int,
        choices=[1, 2, 3],
        default=1,
        help="2 or 3 for groups with parts",
    )
    parser.add_argument(
        "--stability",
        action="store_true",
        help="tell which numbers of groups come back when passages are left out",
    )


def within(ranking: Ranking, subtopics: SubtopicMap, group: int) -> Ranking:
    """Leave only the hits of one group, with the ranks that they have.

    Raises
    ------
    InputError
        If there is no such group.
    """
    for one in subtopics.subtopics:
        if one.id == group:
            ids = {member.passage.id for member in one.passages}
            rows = [row for row, hit in enumerate(ranking.hits) if hit.passage.id in ids]
            return replace(
                ranking,
                hits=tuple(ranking.hits[row] for row in rows),
                embeddings=ranking.embeddings[rows],
            )
    known = ", ".join(str(one.id) for one in subtopics.subtopics)
    raise InputError(
        "There is no group {group} to dig into; choose one of {known}.", group=group, known=known
    )


def extras(
    arguments: argparse.Namespace,
    result: SubtopicMap,
    regrouping: Regrouping | None,
    namer: SubtopicNamer,
) -> Extras:
    """Collect what was asked for beside the groups."""
    printed: dict[str, Any] = {}
    told: list[str] = []
    if arguments.levels > 1:
        parts = parts_of(result, arguments.levels, namer)
        printed["levels"] = arguments.levels
        printed["levels_from_tree"] = has_tree(result)
        printed["parts"] = {
            str(group): [part.to_dict() for part in found] for group, found in parts.items()
        }
        for group in result.subtopics:
            if group.id in parts:
                told += [f"\nParts of {group.name}:", *_lines(parts[group.id])]
    if arguments.stability:
        curve = stability_curve(result.grounds)
        printed["stability"] = curve.to_dict()
        told.append(
            f"\nMost groups about as stable as any (no advice): {curve.suggested or 'none'}"
        )
        told += [
            f"    {count:3d} groups {value:5.2f}"
            for count, value in zip(curve.n_clusters, curve.stability, strict=True)
        ]
    if regrouping:
        printed |= regrouping.to_dict()
        changed = sum(effect.before != effect.after for effect in regrouping.effects)
        told.append(
            f"\nHits of {regrouping.before.query.text!r}: {changed} of "
            f"{len(regrouping.effects)} passages changed group; moved farthest:"
        )
        farthest = sorted(regrouping.effects, key=lambda effect: (-effect.moved, effect.rank))
        told += [
            f"    {effect.moved:5.2f} {effect.passage.title or effect.passage.id}"
            for effect in farthest[:10]
        ]
    return Extras(printed, told)


def _lines(parts: Sequence[SubtopicPart]) -> Iterator[str]:
    for part in parts:
        indent = "    " * part.number.count(".")
        yield f"{indent}{part.number} {part.name} ({len(part.passages)})"
        yield from _lines(part.parts)
