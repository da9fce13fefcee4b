"""Arguments that several commands share."""

import argparse
from collections.abc import Mapping

from subclust.core.access import Owned
from subclust.core.messages import Message
from subclust.core.records import QUERY_CONTEXTS, NumberOfClusters
from subclust.core.variables import LAST_PORT


def add_method(parser: argparse.ArgumentParser) -> None:
    """Declare ``--method`` and ``--checkpoint``."""
    parser.add_argument(
        "--method", default="default", metavar="NAME", help="see 'python -m subclust methods'"
    )
    parser.add_argument("--checkpoint", metavar="NAME", help="by default the promoted one")


def add_grouping(parser: argparse.ArgumentParser) -> None:
    """Declare ``--n-clusters``, ``--max-other``, ``--context``, ``--seed`` and ``--json``."""
    parser.add_argument(
        "--n-clusters",
        type=number_of_clusters,
        default="auto",
        metavar="auto|K",
        help="number of groups",
    )
    parser.add_argument(
        "--max-other",
        type=float,
        default=0.1,
        metavar="SHARE",
        help="largest share of passages, 0 to 1, that may fit no group",
    )
    parser.add_argument(
        "--context",
        choices=QUERY_CONTEXTS,
        default="title",
        help="what a query-specific method sees of the query",
    )
    parser.add_argument("--description", help="the query in a sentence, for --context description")
    parser.add_argument("--seed", type=int, default=0, help="of everything that is random")
    parser.add_argument("--json", action="store_true", help="print one object")


def number_of_clusters(text: str) -> NumberOfClusters:
    """Read ``auto`` or a whole number of at least 1."""
    if text == "auto":
        return "auto"
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"must be 'auto' or a whole number of at least 1, but is {text!r}"
        )
    return int(text)


def at_least_one(text: str) -> int:
    """Read a whole number of at least 1."""
    return _whole_number(text, 1)


def from_zero(text: str) -> int:
    """Read a whole number of at least 0."""
    return _whole_number(text, 0)


def port(text: str) -> int:
    """Read the number of a port."""
    if not text.isdecimal() or not 1 <= int(text) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"must be from 1 to {LAST_PORT}, but is {text!r}")
    return int(text)


def _whole_number(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(
            f"must be a whole number of at least {least}, but is {text!r}"
        )
    return int(text)


def add_actions(
    parser: argparse.ArgumentParser, actions: Mapping[str, str]
) -> dict[str, argparse.ArgumentParser]:
    """Declare what a command can do, each with ``--json``, which the bare command takes too.

    Returns
    -------
    dict of str to ArgumentParser
        Of each action.
    """
    parsers = parser.add_subparsers(dest="action", metavar="ACTION")
    made = {name: parsers.add_parser(name, help=told) for name, told in actions.items()}
    for one in (parser, *made.values()):
        one.add_argument("--json", action="store_true", help="print one object")
    return made


def add_sharing(action: argparse.ArgumentParser) -> None:
    """Declare ``--with``."""
    action.add_argument(
        "--with",
        dest="shared_with",
        required=True,
        metavar="everybody|nobody|TEAM",
        help="who may open it, besides its owner",
    )


def sharing_of(arguments: argparse.Namespace) -> tuple[bool, str]:
    """Return whether everybody may open it, and the team that may."""
    given = str(arguments.shared_with)
    return given == "everybody", "" if given in ("everybody", "nobody") else given


def sharing_line(name: str, thing: Owned) -> Message:
    """Return in a sentence who may open something now."""
    if thing.shared:
        return Message("Everybody who signs in can open {name}.", name=name)
    if thing.team:
        return Message("The team {team} can open {name}.", team=thing.team, name=name)
    return Message("Only its owner can open {name}.", name=name)


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Declare ``--column``."""
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        type=_column,
        metavar="OURS=THEIRS",
        help="where a column has another name, such as text=Abstract; may be given several times",
    )


def columns_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the columns that were named, ours to theirs."""
    return dict(arguments.column)


def _column(text: str) -> tuple[str, str]:
    ours, equals, theirs = text.partition("=")
    if not (equals and ours.strip() and theirs.strip()):
        raise argparse.ArgumentTypeError(f"must be like text=Abstract, but is {text!r}")
    return ours.strip().lower(), theirs.strip()
