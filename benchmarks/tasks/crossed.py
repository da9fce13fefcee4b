"""Hit sets with two divisions: articles by their sections, requests, papers and products."""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.tasks.crossed_questions import Nouns, Pairs
from benchmarks.tasks.crossings import (
    CrossedSet,
    CrossingShape,
    Table,
    asked,
    draw_crossed,
)
from subclust.core.records import ClusteringInstance, Passage, TaskCard

_SECTIONS: Mapping[str, Mapping[str, str]] = {
    "person": {
        "Early life": "early life|early years|childhood|youth|early life and family|"
        "early life and career|background and early life|biography|life",
        "Career": "career|professional career|playing career|political career|acting career|"
        "music career|musical career|military career|club career|academic career|film career|"
        "early career|later career|writing career|business career|legal career|work|"
        "military service",
        "Private life": "personal life|family|private life|marriage|marriage and family|"
        "family life|personal",
        "Death": "death|later life|later years|death and legacy|final years|later life and death|"
        "last years|retirement|retirement and death",
        "Legacy": "legacy|influence|tributes|memorials|significance|impact",
        "Education": "education|early life and education|background and education",
        "Awards": "awards|honours|awards and honors|recognition|honors|awards and recognition|"
        "honors and awards|awards and honours",
        "Good works": "philanthropy|activism|charity work|political positions|politics",
        "Style": "style|artistry|musical style|influences|writings|writing|poetry|philosophy",
    },
    "work": {
        "Plot": "plot|synopsis|plot summary|story|summary",
        "Production": "production|development|filming|recording|writing|background|conception",
        "Reception": "reception|critical reception|critical response|box office|criticism|reviews|"
        "commercial performance",
        "Release": "release|release and reception|distribution|marketing|promotion|home media|"
        "publication|publication history",
        "Music": "music|soundtrack|composition|music video|live performances",
        "Characters": "cast|casting|characters",
        "Gameplay": "gameplay",
        "Themes": "themes|analysis|setting|content|contents|style",
        "Adaptations": "film adaptation|sequel|adaptations|film|television",
    },
    "event": {
        "Background": "background|prelude|causes|origins|cause|history",
        "Course": "battle|the battle|attack|siege|the attack|campaign|action|events|event|"
        "the incident|course|preparations|preparation",
        "Aftermath": "aftermath|consequences|casualties|impact",
        "Inquiry": "investigation|trial|arrest|report",
        "Reactions": "reaction|reactions|response|reception|controversy|criticism|legacy",
    },
    "place": {
        "History": "history|early history|historical background|later history|recent history|"
        "founding|20th century|19th century",
        "Geography": "geography|location|climate|geology|geography and climate|ecology|wildlife|"
        "flora and fauna|fauna|flora",
        "Economy": "economy|industry|transport|transportation|tourism|infrastructure",
        "Buildings": "architecture|design|construction|building|landmarks|interior|"
        "design and construction|construction and design|facilities|restoration",
        "Culture": "culture|sport|sports|religion|recreation|events|music",
        "People": "demographics|population|demography|community",
        "Government": "politics|government|governance|administration",
        "Name": "etymology|name|names",
        "Schools": "education|schools|academics|curriculum|campus|athletics",
    },
    "organisation": {
        "History": "history|early history|founding|formation|origins|foundation|beginnings",
        "Organization": "organization|organisation|structure|governance|leadership|membership|"
        "management|staff|ownership",
        "Activities": "activities|services|programs|projects|operations|products|campaigns|events",
        "Purpose": "mission|purpose|objectives|mission statement|goals|philosophy|role",
        "Disputes": "criticism|controversy|controversies|reception|impact",
        "Premises": "facilities|location|campus|locations|collections|equipment|infrastructure",
        "Teaching": "academics|curriculum|education|research|training",
        "Money": "funding|economy|business|partnerships",
    },
    "thing": {
        "History": "history|origin|origins|development|discovery|etymology|invention|evolution",
        "Description": "description|characteristics|features|design|structure|properties|"
        "definition|overview|biology|composition",
        "Use": "applications|uses|use|usage|application|treatment|examples|operation",
        "Kinds": "types|classification|variants|variations|taxonomy|models",
        "Places": "distribution|distribution and habitat|habitat|ecology|epidemiology|prevalence",
        "Doubts": "criticism|limitations|controversy|safety|reception|impact",
        "Signs": "diagnosis|symptoms|signs and symptoms|cause|causes|prognosis|pathophysiology|"
        "prevention",
    },
}
"""Kinds of article, what their sections are about, and the headings that say so."""

UNSEEN_SECTIONS = frozenset({"Awards", "Themes", "Adaptations", "Government", "Name", "Signs"})
"""That no training or validation set has."""

_ROW_NOUNS: Mapping[str, Pairs] = {
    "person": (("person", "people"), ("biography", "biographies")),
    "work": (("work", "works"), ("title", "titles")),
    "event": (("event", "events"),),
    "place": (("place", "places"),),
    "organisation": (("organisation", "organisations"), ("institution", "institutions")),
    "thing": (("thing", "things"), ("entry", "entries")),
}
_COLUMN_NOUNS: Mapping[str, Pairs] = {
    "train": (("topic", "topics"), ("aspect", "aspects"), ("section", "sections")),
    "validation": (("theme", "themes"), ("topic", "topics")),
    "test": (("kind of information", "kinds of information"), ("topic", "topics")),
}

_SHAPES: Mapping[str, tuple[CrossingShape, ...]] = {
    "train": (
        CrossingShape(n_sets=60, columns=(3, 4), uses=3),
        CrossingShape(n_sets=30, columns=(2, 2), uses=1),
    ),
    "validation": (
        CrossingShape(n_sets=20, rows=(3, 5), columns=(3, 4), uses=3),
        CrossingShape(n_sets=15, rows=(3, 5), columns=(2, 2), uses=1),
    ),
    "test": (
        CrossingShape(n_sets=30, rows=(3, 5), columns=(3, 4), uses=3),
        CrossingShape(n_sets=20, rows=(3, 5), columns=(2, 2), uses=2),
    ),
}
"""For each kind of article: first many kinds of section, then two."""


def wikipedia_sets(card: TaskCard, files: Sequence[Path]) -> list[CrossedSet]:
    """Draw articles of one kind that have the same kinds of section."""
    articles = [article for file in files for article in records(file)]
    drawn = []
    for kind, sections in _SECTIONS.items():
        table = _articles(articles, kind, sections, card.split)
        for number, shape in enumerate(_SHAPES[card.split]):
            drawn += draw_crossed(table, shape, card.seed or 0, f"{kind} {number}")
    return drawn


def _articles(
    articles: Sequence[Mapping[str, Any]], kind: str, sections: Mapping[str, str], split: str
) -> Table:
    section_of = {
        heading: name
        for name, headings in sections.items()
        if split == "test" or name not in UNSEEN_SECTIONS
        for heading in headings.split("|")
    }
    cells: dict[str, dict[str, list[Passage]]] = {}
    for article in articles:
        own: dict[str, list[Passage]] = {}
        for one in article["passages"]:
            section = section_of.get(one["label"].lower())
            if section:
                passage = Passage(one["id"], one["text"], title=article["query"])
                own.setdefault(section, []).append(passage)
        if len(own) >= 2:
            cells[article["query"]] = own
    return Table(dict(sorted(cells.items())), Nouns(_ROW_NOUNS[kind], _COLUMN_NOUNS[split]))


def wikipedia(card: TaskCard, files: Sequence[Path]) -> list[ClusteringInstance]:
    """Ask for articles, and for kinds of section."""
    return asked(wikipedia_sets(card, files), card.split, card.seed or 0)


def records(path: Path) -> list[dict[str, Any]]:
    """Read the records of a file of JSON Lines, compressed with gzip."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
