"""Crossed hit sets beside those of Wikipedia: requests, abstracts and products."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.tasks.crossed import records
from benchmarks.tasks.crossed_questions import Nouns
from benchmarks.tasks.crossings import (
    CrossedSet,
    CrossingShape,
    Table,
    asked,
    crossed_table,
    draw_crossed,
)
from benchmarks.tasks.documents import shuffled
from subclust.core.records import ClusteringInstance, Passage, TaskCard

_REQUESTS: Mapping[str, tuple[str, str]] = {
    # CLINC150
    "reminder": ("reminders", "look up"),
    "reminder_update": ("reminders", "add or change"),
    "todo_list": ("to-do lists", "look up"),
    "todo_list_update": ("to-do lists", "add or change"),
    "shopping_list": ("shopping lists", "look up"),
    "shopping_list_update": ("shopping lists", "add or change"),
    "calendar": ("calendars", "look up"),
    "calendar_update": ("calendars", "add or change"),
    "insurance": ("insurance", "look up"),
    "insurance_change": ("insurance", "add or change"),
    "credit_limit": ("credit limits", "look up"),
    "credit_limit_change": ("credit limits", "add or change"),
    "what_song": ("music", "look up"),
    "update_playlist": ("music", "add or change"),
    "pto_request_status": ("days off", "look up"),
    "pto_request": ("days off", "add or change"),
    "order_status": ("orders", "look up"),
    "order": ("orders", "add or change"),
    "flight_status": ("flights", "look up"),
    "book_flight": ("flights", "add or change"),
    "meeting_schedule": ("meetings", "look up"),
    "schedule_meeting": ("meetings", "add or change"),
    "bill_due": ("bills", "look up"),
    "pay_bill": ("bills", "add or change"),
    "last_maintenance": ("cars", "look up"),
    "schedule_maintenance": ("cars", "add or change"),
    "confirm_reservation": ("restaurants", "look up"),
    "restaurant_reservation": ("restaurants", "add or change"),
    "cancel_reservation": ("restaurants", "cancel"),
    "user_name": ("names", "look up"),
    "change_user_name": ("names", "add or change"),
    # HWU64
    "alarm_query": ("alarms", "ask"),
    "alarm_set": ("alarms", "make"),
    "alarm_remove": ("alarms", "remove"),
    "calendar_query": ("appointments", "ask"),
    "calendar_set": ("appointments", "make"),
    "calendar_remove": ("appointments", "remove"),
    "lists_query": ("lists", "ask"),
    "lists_createoradd": ("lists", "make"),
    "lists_remove": ("lists", "remove"),
    "email_query": ("e-mail", "ask"),
    "email_sendemail": ("e-mail", "make"),
    "social_query": ("social media", "ask"),
    "social_post": ("social media", "make"),
    "takeaway_query": ("takeaway food", "ask"),
    "takeaway_order": ("takeaway food", "make"),
    "transport_query": ("trains", "ask"),
    "transport_ticket": ("trains", "make"),
}
"""Intents: what the request is about, and what is to be done."""

_METHODS: Mapping[str, str] = {
    "Monte Carlo simulation": r"monte[ -]carlo",
    "neural networks": r"neural net|deep learning",
    "Bayesian inference": r"bayesian",
    "game theory": r"game[- ]theor|nash equilib",
    "random walks": r"random walk|brownian motion",
    "entropy": r"entropy|entropies",
    "Fourier and wavelet transforms": r"fourier|wavelet",
    "variational methods": r"variational",
}
_FIELDS: Mapping[str, str] = {
    "astro-ph": "astrophysics",
    "cond-mat": "condensed matter",
    "cs": "computer science",
    "math": "mathematics",
    "physics": "general physics",
    "q-bio": "biology",
    "q-fin": "finance",
    "stat": "statistics",
    "quant-ph": "quantum physics",
    "hep-ph": "particle physics",
}
_DECADES = {"19": "the 1990s", "200": "the 2000s", "201": "the 2010s"}

_GOODS: Mapping[str, str] = {
    "pens": r"\bpens?\b|ballpoint",
    "pencils": r"\bpencils?\b",
    "markers": r"\bmarkers?\b|highlighter",
    "ink and toner": r"toner|ink cartridge|ink tank",
    "printers": r"printer|all-in-one",
    "paper": r"photo paper|copy paper|\bpaper\b",
    "labels": r"\blabels?\b",
    "binders and folders": r"\bbinders?\b|\bfolders?\b",
    "notebooks": r"notebook|\bplanner\b|calendar",
    "tape and glue": r"\btape\b|\bglue\b|adhesive",
    "staplers": r"stapler?s?\b",
}
_TOOLS: Mapping[str, str] = {
    "tape": r"\btape\b",
    "filament": r"filament",
    "screws and bolts": r"\bscrews?\b|\bbolts?\b",
    "pipe fittings": r"fitting|\belbow\b|\btee\b|bushing|nipple|coupling",
    "tubing and hoses": r"tubing|\bhoses?\b",
    "wire and cable": r"\bwires?\b|\bcables?\b",
    "glue and sealant": r"\bglue\b|sealant|epoxy|caulk|\bcement\b",
    "bottles and flasks": r"bottle|beaker|flask|graduated cylinder|test tube",
    "drills and cutters": r"drill|\bmill\b|\bsaw\b|\bblades?\b|cutter",
    "terminals and connectors": r"terminal|connector",
    "abrasives": r"sand|\bgrit\b|polish|abrasive|sharpening",
    "measuring tools": r"caliper|thermometer|\bmeter\b|micrometer|hygrometer|\bruler\b|tester",
    "washers and nuts": r"\bwashers?\b|\bnuts?\b",
    "motors and pumps": r"\bmotors?\b|\bfans?\b|\bpumps?\b",
    "switches and relays": r"\bswitch|\brelay",
    "gloves and masks": r"glove|\bmasks?\b|respirator|\bglasses\b",
    "bags and boxes": r"\bbags?\b|\bbox(es)?\b|\bcase\b",
    "hooks and clamps": r"\bhooks?\b|\bclamps?\b|\bclips?\b",
    "nozzles and extruders": r"nozzle|extruder|hotend",
}
"""Kinds of industrial product."""

_REQUEST_NOUNS = Nouns(
    (("subject", "subjects"), ("area of life", "areas of life")),
    (("action", "actions"), ("kind of request", "kinds of request")),
)
_METHOD_NOUNS = Nouns(
    (("field of science", "fields of science"), ("discipline", "disciplines")),
    (("method", "methods"), ("technique", "techniques")),
    lower=False,
)
_DECADE_NOUNS = Nouns(
    (("field of science", "fields of science"), ("discipline", "disciplines")),
    (("decade", "decades"), ("period", "periods")),
    lower=False,
)
_PRODUCT_NOUNS = Nouns(
    (("brand", "brands"), ("manufacturer", "manufacturers")),
    (("kind of product", "kinds of product"), ("category", "categories")),
)

_SHAPES: Mapping[str, CrossingShape] = {
    "train": CrossingShape(n_sets=100, per_cell=4, uses=100),
    "validation": CrossingShape(n_sets=30, per_cell=4, uses=100),
    "test": CrossingShape(n_sets=30, per_cell=4, uses=100),
}

Record = Mapping[str, Any]


def request_sets(card: TaskCard, files: Sequence[Path]) -> list[CrossedSet]:
    """Draw requests about several subjects, each with the same actions."""
    places = {one["id"]: _REQUESTS.get(one["label"]) for one in _all(files)}
    return _drawn(card, files, places, _REQUEST_NOUNS)


def method_sets(card: TaskCard, files: Sequence[Path]) -> list[CrossedSet]:
    """Draw abstracts of several fields, each with the same methods."""
    return _drawn(card, files, {one["id"]: _method(one) for one in _all(files)}, _METHOD_NOUNS)


def decade_sets(card: TaskCard, files: Sequence[Path]) -> list[CrossedSet]:
    """Draw abstracts of several fields, each from the same decades."""
    return _drawn(card, files, {one["id"]: _decade(one) for one in _all(files)}, _DECADE_NOUNS)


def product_sets(card: TaskCard, files: Sequence[Path]) -> list[CrossedSet]:
    """Draw products of several brands, each of the same kinds."""
    kinds = _GOODS if card.split == "test" else _TOOLS
    places = {one["id"]: _goods(one, kinds) for one in _all(files)}
    return _drawn(card, files, places, _PRODUCT_NOUNS)


def requests(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Ask for subjects, and for actions."""
    return asked(request_sets(card, files), card.split, card.seed or 0)


def methods(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Ask for fields, and for methods."""
    return asked(method_sets(card, files), card.split, card.seed or 0)


def decades(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Ask for fields, and for decades."""
    return asked(decade_sets(card, files), card.split, card.seed or 0)


def products(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Ask for brands, and for kinds of product."""
    return asked(product_sets(card, files), card.split, card.seed or 0)


def _method(record: Record) -> tuple[str, str] | None:
    field = _FIELDS.get(record["archive"])
    text = f"{record['title']} {record['text']}".lower()
    found = [name for name, pattern in _METHODS.items() if re.search(pattern, text)]
    return (field, found[0]) if field and len(found) == 1 else None


def _decade(record: Record) -> tuple[str, str] | None:
    field = _FIELDS.get(record["archive"])
    found = [name for start, name in _DECADES.items() if record["date"].startswith(start)]
    return (field, found[0]) if field and found else None


def _goods(record: Record, kinds: Mapping[str, str]) -> tuple[str, str] | None:
    title = record["title"].lower()
    found = [name for name, pattern in kinds.items() if re.search(pattern, title)]
    return (record["brand"], found[0]) if record["brand"] and len(found) == 1 else None


def _drawn(
    card: TaskCard,
    files: Sequence[Path],
    places: Mapping[str, tuple[str, str] | None],
    nouns: Nouns,
    share: int = 2,
) -> list[CrossedSet]:
    """Draw from a table; where `share` is 2, training and validation halve a file by lot."""
    passages = [
        Passage(one["id"], one["title"] if "brand" in one else one["text"])
        for one in _all(files)
        if places[one["id"]]
    ]
    passages = list({passage.text: passage for passage in passages}.values())
    if card.split != "test" and share == 2:
        order = shuffled(passages, 0, lambda passage: passage.id)
        half = len(order) // 2
        passages = order[:half] if card.split == "train" else order[half:]

    def row(passage: Passage) -> str | None:
        place = places[passage.id]
        return place[0] if place else None

    def column(passage: Passage) -> str | None:
        place = places[passage.id]
        return place[1] if place else None

    table: Table = crossed_table(passages, row, column, nouns)
    return draw_crossed(table, _SHAPES[card.split], card.seed or 0, "all")


def _all(files: Sequence[Path]) -> list[dict[str, Any]]:
    return [one for file in files for one in records(file)]
