"""``python -m subclust themes``."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from subclust.api.runs import recorded
from subclust.cli.options import number_of_clusters
from subclust.core.exceptions import InputError
from subclust.core.settings import Settings
from subclust.grouping.projection import PROJECTORS
from subclust.jobs import JobQueue, JobStore, launcher_of
from subclust.text.encoders import load_encoder
from subclust.text.library import with_own_encoder
from subclust.themes import KeptThemes, ThemesRequest, ThemeStore, find_themes, plan_themes
from subclust.themes.offers import OFFERS
from subclust.themes.request import KIND


def add_arguments(parser: argparse.ArgumentParser) -> None:
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
        help="only texts such as collection=theses, title~rivers or year=1990-2005; may be given "
        "several times",
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
    parser.add_argument("--list", action="store_true", help="list what was found before")
    parser.add_argument("--remove", metavar="KEY", help="forget some that were found before")
    parser.add_argument("--resume", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print one object")


def run(arguments: argparse.Namespace, settings: Settings) -> None:
    """Find themes, or have it done in the background.

    Raises
    ------
    SubclustError
        If the texts or the request do not fit.
    """
    if arguments.list:
        _list(ThemeStore(settings.themes_dir), as_json=arguments.json)
        return
    if arguments.remove is not None:
        ThemeStore(settings.themes_dir).remove(arguments.remove)
        removed = {"removed": arguments.remove}
        print(json.dumps(removed) if arguments.json else f"Removed {arguments.remove}.")
        return
    if arguments.pairs:
        arguments.pairs = str(Path(arguments.pairs).absolute())
    request = ThemesRequest(
        arguments.library,
        arguments.method,
        arguments.n_themes,
        tuple(arguments.filter),
        arguments.pairs,
        arguments.projection,
        arguments.seed,
    )
    encoder = load_encoder(with_own_encoder(settings, arguments.library))
    plan = plan_themes(request, settings, encoder)
    known = ThemeStore(settings.themes_dir).find(plan.key, named_by=settings.names)
    jobs = JobStore(settings.jobs_dir)
    if arguments.queue:
        if known is not None:
            raise InputError(
                "These themes were found before; 'python -m subclust themes' without --queue "
                "shows them ({key}).",
                key=plan.key,
            )
        queue = JobQueue(jobs, launcher_of(settings))
        job = queue.submit(
            request.words(),
            kind=KIND,
            title=f"{request.library}/{plan.key}",
            device=settings.resolve_device(),
        )
        queue.advance()
        print(json.dumps({"job": job.id, "key": plan.key}) if arguments.json else job.id)
        return
    themes = known
    if themes is None:
        id = arguments.job or f"{KIND}-{plan.key}"
        words = tuple(arguments.words)
        with recorded(jobs, id, words, settings.resolve_device()) as worker:
            themes = find_themes(
                plan,
                settings,
                encoder,
                worker.folder,
                stage=worker.stage,  # type: ignore[arg-type]
                progress=_told,
            )
    shown = themes_dict(themes, found_before=known is not None)
    if arguments.json:
        titles = {passage.id: passage.title for passage in plan.found.passages}
        print(json.dumps({**shown, "themes": _with_titles(shown, titles)}, ensure_ascii=False))
    else:
        print(in_words(themes))


def themes_dict(themes: KeptThemes, *, found_before: bool) -> dict[str, Any]:
    """Return the object that ``--json`` prints, without the titles."""
    rows = {id_: row for row, id_ in enumerate(themes.ids)}
    sizes = themes.sizes()
    return {
        "key": themes.key,
        "library": themes.request.library,
        "method": themes.request.method,
        "filters": list(themes.request.filters),
        "n_texts": len(themes.ids),
        "n_themes": themes.n_themes,
        "n_themes_source": themes.n_themes_source,
        "projection": themes.projection,
        "seed": themes.request.seed,
        "seconds": themes.seconds,
        "found_before": found_before,
        "themes": [
            {
                "id": number,
                "name": themes.names[number],
                "size": size,
                "quality": round(float(themes.strengths[themes.labels == number].mean()), 6),
                "texts": [
                    {
                        "id": id_,
                        "strength": round(float(themes.strengths[rows[id_]]), 6),
                        "x": round(float(themes.coordinates[rows[id_], 0]), 6),
                        "y": round(float(themes.coordinates[rows[id_], 1]), 6),
                    }
                    for id_ in themes.ids_of(number)
                ],
            }
            for number, size in sorted(sizes.items())
        ],
    }


def in_words(themes: KeptThemes) -> str:
    """Write the themes for a terminal."""
    lines = [
        f"{themes.n_themes} themes of {len(themes.ids):,} texts of {themes.request.library} "
        f"({OFFERS[themes.request.method].label}, {themes.seconds:.0f} s, {themes.key})"
    ]
    lines += [f"{size:7,}  {themes.names[n]}" for n, size in sorted(themes.sizes().items())]
    return "\n".join(lines)


def _with_titles(shown: dict[str, Any], titles: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {**theme, "texts": [{**text, "title": titles[text["id"]]} for text in theme["texts"]]}
        for theme in shown["themes"]
    ]


def _list(store: ThemeStore, *, as_json: bool) -> None:
    found, damaged = store.all(), store.damaged()
    if as_json:
        rows = [
            {
                "key": one.key,
                **one.request.to_dict(),
                "n_texts": len(one.ids),
                "found": one.n_themes,
            }
            for one in found
        ]
        value = {"themes": rows, "damaged": [one.to_dict() for one in damaged]}
        print(json.dumps(value, ensure_ascii=False))
        return
    for one in found:
        print(
            f"{one.key}  {one.request.library}  {one.request.method}  {one.n_themes} themes of "
            f"{len(one.ids):,} texts  {' '.join(one.request.filters)}"
        )
    print(*damaged, sep="\n", end="\n" if damaged else "")


def _told(line: Any) -> None:
    if line["step"] == line["total"] or line["step"] % 20 == 0:
        print(
            f"step {line['step']}/{line['total']}  {line['seconds']:.0f} s, {line['eta']:.0f} s to "
            "go",
            file=sys.stderr,
            flush=True,
        )
