"""Where documents come from: one file a format or service."""

from subclust.sources.base import Document, Refusal, Source, SourceCard

SOURCES: dict[str, SourceCard] = {
    card.name: card
    for card in (
        SourceCard(
            "jsonl",
            "JSON Lines, one document or one labelled query a line",
            (".jsonl", ".ndjson"),
            "subclust.sources.jsonl:JsonLines",
        ),
        SourceCard(
            "csv",
            "CSV table with a header",
            (".csv",),
            "subclust.sources.table:DelimitedTable",
        ),
        SourceCard(
            "tsv",
            "TSV table with a header",
            (".tsv", ".tab"),
            "subclust.sources.table:DelimitedTable",
        ),
        SourceCard(
            "xlsx",
            "Excel workbook with a header",
            (".xlsx", ".xlsm"),
            "subclust.sources.table:Workbook",
        ),
        SourceCard(
            "wikidump",
            "MediaWiki XML dump (pages-articles)",
            (".xml", ".bz2"),
            "subclust.sources.wikidump:WikipediaDump",
        ),
    )
}

__all__ = ["SOURCES", "Document", "Refusal", "Source", "SourceCard"]
