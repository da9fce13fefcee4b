"""A map whose words try everything that a file format could take amiss."""

from subclust.core.records import MappedPassage, Passage, Query, Subtopic, SubtopicMap
from subclust.exports import Report
from subclust.sessions import Origin

ORIGIN = Origin(
    subclust="9.9",
    library="mine",
    library_revision="aaaaaaaaaaaa",
    n_passages=77,
    encoder="tiny",
    encoder_revision="tiny-1",
    method="qs3m",
    checkpoint="ours",
    model_revision="bbbbbbbbbbbb",
)

GROUPS = {
    0: "Tea, taxes; & 50% of {Boston}",
    1: '=HYPERLINK("http://evil")',
    2: "</script><b>Über \\ Straße_1 ~ ^ # $",
    -1: "Other passages",
}

TEXTS = [
    "Plain words about tea.",
    "=1+1",
    "+49 30 1234",
    "-2 degrees",
    "@SUM(A1)",
    "\t=cmd|' /C calc'!A0",
    "A line\nTY  - JOUR\nER  - \nand a second",
    "}, title = {stolen}, x = {",
    "<script>alert('x')</script><img src=http://evil/a.png onerror=alert(1)>",
    'He said "no", twice; 100 % & more_or_less #1 $5 a~b x^2 C:\\dir',
    "Zażółć gęślą jaźń, Straße, 東京, العربية 🙂",
    "control \x00\x08\x1b signs \ufffe end",
]


def passage(number):
    text = TEXTS[number]
    known = {
        "authors": ("Smith, Anna; de la Cruz, Bo", "World Health Organization", "")[number % 3],
        "year": ("2021-05-01", "1999", "")[number % 3],
        "venue": ("Journal of {Tea} & Trade", "", "")[number % 3],
        "doi": ("https://doi.org/10.1000/x_y%7Bz", "", "")[number % 3],
        "url": ("https://example.org/a_b?c=1&d=2", "javascript:alert(1)", "https://x.org")[
            number % 3
        ],
        "keywords": ("tea; trade, overseas", "tax,tea", "")[number % 3],
        "source": ("", "Wikipedia", "")[number % 3],
        "licence": "CC BY-SA 4.0",
        "description": "the whole article, not to be repeated",
        "id": "an id of the source's own",
        "=evil": "+1",
    }
    return Passage(
        id=f"mine:{number}#=<{number}>",
        text=text,
        title=("", "=Title", "Title & <b>")[number % 3],
        collection="mine",
        path="War / Tea" if number % 2 else None,
        metadata={key: value for key, value in known.items() if value},
    )


def hostile_map():
    numbers = list(GROUPS)
    members = {
        group: [number for number in range(len(TEXTS)) if number % len(GROUPS) == place]
        for place, group in enumerate(numbers)
    }
    return SubtopicMap(
        query=Query('tea <b> & "war"; =1+1', "more\nwords", "description"),
        library="mine",
        method="qs3m",
        checkpoint="ours",
        seed=3,
        n_clusters=3,
        n_clusters_source="user",
        subtopics=tuple(
            Subtopic(
                id=group,
                name=GROUPS[group],
                quality=0.1 + 0.2,
                passages=tuple(
                    MappedPassage(
                        passage(number),
                        number + 1,
                        (-1) ** number * number / 12,
                        number / 7,
                        -number / 3,
                    )
                    for number in members[group]
                ),
            )
            for group in numbers
        ),
        timings_ms={"total": 1.5},
    )


def hostile_report():
    return Report(
        hostile_map(),
        ORIGIN,
        "A & B: one <sentence>.",
        "http://localhost:8501/?q=a&b=c",
        "2026-02-03",
    )
