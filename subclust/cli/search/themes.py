"""``python -m subclust themes``."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from subclust.api.runs import recorded
from subclust.cli.jobs import submit
from subclust.cli.options import number_of_clusters
from subclust.cli.printing import said, say, show, tell
from subclust.core.exceptions import InputError
from subclust.core.messages import Message
from subclust.core.records import Passage
from subclust.core.settings import Settings
from subclust.exports import OF_THEMES, format_of, replace_file, written
from subclust.exports.references import left_out_of
from subclust.grouping.projection import PROJECTORS
from subclust.jobs import JobStore
from subclust.text.encoders import load_encoder
from subclust.text.library import with_own_encoder
from subclust.themes import (
    KeptThemes,
    ThemesRequest,
    ThemeStore,
    find_themes,
    plan_themes,
    themes_report,
)
from subclust.themes.offers import OFFERS
from subclust.themes.request import KIND


def add_themes(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``themes``."""
    parser.add_argument("--library", default="demo", metavar="NAME", help="which to search")
    parser.add_argument(
        "--method",
        default=next(iter(OFFERS)),
        metavar="NAME",
        help="; ".join(f"{offer.name} ({offer.fits})" for offer in OFFERS.values()),
    )
    parser.add_argument(
        "--n-themes",
        type=number_of_clusters,
        default="auto",
        metavar="K",
        help="'auto' or a number of at least 2",
    )
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="only passages such as collection=theses, title~rivers or year=1990-2005; may be "
        "given several times",
    )
    parser.add_argument(
        "--pairs", default="", metavar="FILE", help="for fcl: see 'corrections pairs'"
    )
    parser.add_argument(
        "--projection", choices=list(PROJECTORS), default="umap", help="how to draw the map"
    )
    parser.add_argument("--seed", type=int, default=0, help="of everything that is random")
    parser.add_argument(
        "--queue", action="store_true", help="in the background; prints the job's id at once"
    )
    parser.add_argument(
        "--export",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help=f"write the themes to a file too; its ending names the format: {', '.join(OF_THEMES)}",
    )
    parser.add_argument("--list", action="store_true", help="list what was found before")
    parser.add_argument("--remove", metavar="KEY", help="forget some that were found before")
    parser.add_argument("--resume", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print one object")


def run_themes(arguments: argparse.Namespace, settings: Settings) -> None:
    """Find themes, or have it done in the background.

    Raises
    ------
    SubclustError
        If the texts or the request do not fit.
    """
    store = ThemeStore(settings.themes_dir)
    if arguments.list:
        _list(arguments, store)
        return
    if arguments.remove is not None:
        store.remove(arguments.remove)
        told = Message("Removed {key}.", key=arguments.remove)
        show(arguments, {"removed": arguments.remove}, told)
        return
    request = _request(arguments)
    encoder = load_encoder(with_own_encoder(settings, arguments.library))
    plan = plan_themes(request, settings, encoder)
    known = store.find(plan.key, named_by=settings.names)
    if arguments.queue:
        if known is not None:
            raise InputError(
                "These themes were found before; 'python -m subclust themes' without --queue "
                "shows them ({key}).",
                key=plan.key,
            )
        title = f"{request.library}/{plan.key}"
        value, id = submit(arguments, settings, argv=request.words(), kind=KIND, title=title)
        show(arguments, {**value, "key": plan.key}, id)
        return
    themes, has_said = known, False

    def say_named(named: KeptThemes) -> None:
        nonlocal has_said
        if not arguments.json:
            say(*_in_words(named))
            has_said = True

    if themes is None:
        id = arguments.job or f"{KIND}-{plan.key}"
        words = tuple(arguments.words)
        jobs = JobStore(settings.jobs_dir)
        with recorded(jobs, id, words, settings.resolve_device()) as worker:
            themes = find_themes(
                plan,
                settings,
                encoder,
                worker.folder,
                stage=worker.stage,  # type: ignore[arg-type]
                progress=_tell_step,
                named=say_named,
            )
    _export(arguments.export, themes, plan.found.passages)
    titles = {passage.id: passage.title for passage in plan.found.passages}
    value = themes.to_dict(titles) | {"found_before": known is not None}
    show(arguments, value, *([] if has_said else _in_words(themes)))


def _request(arguments: argparse.Namespace) -> ThemesRequest:
    """Return what is asked for; what cannot be exported is told before the work."""
    for path in arguments.export:
        format_of(path, OF_THEMES)
    if arguments.export and arguments.queue:
        raise InputError(
            "With --queue, the themes are found later; export them then, by the same command with "
            "--export in place of --queue."
        )
    if arguments.pairs:
        # A job runs elsewhere if this folder is gone by then.
        arguments.pairs = str(Path(arguments.pairs).absolute())
    return ThemesRequest(
        arguments.library,
        arguments.method,
        arguments.n_themes,
        tuple(arguments.filter),
        arguments.pairs,
        arguments.projection,
        arguments.seed,
    )


def _export(paths: Sequence[Path], themes: KeptThemes, passages: Sequence[Passage]) -> None:
    """Write files of themes, and say what these leave out."""
    if not paths:
        return
    groups = themes.as_map(passages)
    report = themes_report(themes, groups)
    for path in paths:
        replace_file(path, written(report, format_of(path, OF_THEMES)))
        for sentence in left_out_of(groups, path.name):
            tell(sentence)


def _in_words(themes: KeptThemes) -> list[str]:
    head = Message(
        "{count} themes of {texts:,} passages of {library} ({method}, {seconds:.0f} s, {key})",
        count=themes.n_themes,
        texts=len(themes.ids),
        library=themes.request.library,
        method=OFFERS[themes.request.method].label,
        seconds=themes.seconds,
        key=themes.key,
    )
    sizes = sorted(themes.sizes().items())
    return [head, *(f"{size:7,}  {said(themes.names[number])}" for number, size in sizes)]


def _list(arguments: argparse.Namespace, store: ThemeStore) -> None:
    found, damaged = store.all(), store.damaged()
    rows = [one.summary() for one in found]
    lines = [
        Message(
            "{key}  {library}  {method}  {found} themes of {n_texts:,} passages  {filters}",
            **row | {"filters": " ".join(row["filters"])},
        )
        for row in rows
    ]
    value = {"themes": rows, "damaged": [one.to_dict() for one in damaged]}
    show(arguments, value, *lines, *map(str, damaged))


def _tell_step(line: Any) -> None:
    if line["step"] == line["total"] or line["step"] % 20 == 0:
        tell(Message("step {step}/{total}  {seconds:.0f} s, {eta:.0f} s left", **line))
