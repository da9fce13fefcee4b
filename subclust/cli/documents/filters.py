"""Which passages of a library a command means."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a list of libraries is not to wait for it
    from subclust.text.library.browse import PassageFilter


def add_filter(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that say which passages of a library are meant."""
    parser.add_argument(
        "--words", dest="having", default="", help="each must stand in title or text"
    )
    parser.add_argument("--collection", help="part of the library")
    parser.add_argument("--language", help="as 'show' counts it; 'unknown' for none")
    parser.add_argument("--source", help="as 'show' counts it; 'unknown' for none")
    parser.add_argument("--from-year", type=int, metavar="YEAR", help="of that year or later")
    parser.add_argument("--to-year", type=int, metavar="YEAR", help="of that year or earlier")
    parser.add_argument("--without-year", action="store_true", help="of no known year")
    parser.add_argument("--id", action="append", default=[], help="of a passage; several times")
    parser.add_argument(
        "--document", action="append", default=[], metavar="ID", help="all passages of a document"
    )


def filter_of(arguments: argparse.Namespace) -> "PassageFilter":
    """Return the filter that such arguments say."""
    from subclust.text.library.browse import PassageFilter

    return PassageFilter(
        words=arguments.having,
        collection=arguments.collection,
        language=arguments.language,
        source=arguments.source,
        year_from=arguments.from_year,
        year_to=arguments.to_year,
        without_year=arguments.without_year,
        ids=tuple(arguments.id),
        documents=tuple(arguments.document),
    )
