"""Where documents come from: one file a format or service.

Endings may be shared; what a file holds decides, and among equals the first card here.
"""

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal, Source, SourceCard

SOURCES: dict[str, SourceCard] = {
    card.name: card
    for card in (
        SourceCard(
            "jsonl",
            Message("JSON Lines, one document or one labelled query a line"),
            (".jsonl", ".ndjson"),
            "subclust.text.sources.jsonl:JsonLines",
        ),
        SourceCard(
            "csv",
            Message("CSV table with a header"),
            (".csv",),
            "subclust.text.sources.table:DelimitedTable",
        ),
        SourceCard(
            "tsv",
            Message("TSV table with a header"),
            (".tsv", ".tab"),
            "subclust.text.sources.table:DelimitedTable",
        ),
        SourceCard(
            "xlsx",
            Message("Excel workbook with a header"),
            (".xlsx", ".xlsm"),
            "subclust.text.sources.table:Workbook",
        ),
        SourceCard(
            "wikidump",
            Message("MediaWiki XML dump (pages-articles)"),
            (".xml", ".bz2"),
            "subclust.text.sources.wikidump:WikipediaDump",
        ),
        SourceCard(
            "text",
            Message("Plain text; paragraphs are passages"),
            (".txt", ".text", ".md"),
            "subclust.text.sources.plain_text:PlainText",
        ),
        SourceCard(
            "pdf", Message("PDF with a text layer"), (".pdf",), "subclust.text.sources.pdf:Pdf"
        ),
        SourceCard(
            "ris",
            Message("RIS, of Zotero, EndNote, Ovid, Embase, Scopus and most catalogues"),
            (".ris",),
            "subclust.text.sources.tagged_formats:Ris",
        ),
        SourceCard(
            "nbib",
            Message("PubMed's tagged format (MEDLINE)"),
            (".nbib", ".medline"),
            "subclust.text.sources.pubmed:Nbib",
        ),
        SourceCard(
            "wos",
            Message("Web of Science, tagged plain text"),
            (".ciw", ".txt"),
            "subclust.text.sources.tagged_formats:WebOfScience",
        ),
        SourceCard(
            "ovid",
            Message("Ovid, tagged or with field names"),
            (".ovid", ".txt"),
            "subclust.text.sources.tagged_formats:Ovid",
        ),
        SourceCard(
            "endnote",
            Message("EndNote and Refer, tagged with %"),
            (".enw",),
            "subclust.text.sources.endnote:Refer",
        ),
        SourceCard(
            "endnote-xml", "EndNote XML", (".xml",), "subclust.text.sources.endnote:EndNoteXml"
        ),
        SourceCard("bibtex", "BibTeX", (".bib", ".bibtex"), "subclust.text.sources.bibtex:BibTex"),
        SourceCard("marc", "MARC 21, binary", (".mrc", ".marc"), "subclust.text.sources.marc:Marc"),
        SourceCard(
            "marcxml", "MARCXML", (".xml", ".marcxml"), "subclust.text.sources.marcxml:MarcXml"
        ),
        SourceCard(
            "dublin-core",
            "OAI-PMH Dublin Core",
            (".xml",),
            "subclust.text.sources.dublin_core:DublinCore",
        ),
        SourceCard("pubmed", "PubMed XML", (".xml",), "subclust.text.sources.pubmed:PubMed"),
        SourceCard(
            "jats",
            Message("JATS XML, with or without the whole text"),
            (".xml", ".nxml"),
            "subclust.text.sources.jats:Jats",
        ),
        SourceCard(
            "csl-json",
            Message("CSL JSON, or any list of objects"),
            (".json",),
            "subclust.text.sources.json_lists:CslJson",
        ),
        SourceCard(
            "zotero",
            Message("Zotero's and Better BibTeX's JSON"),
            (".json",),
            "subclust.text.sources.json_lists:Zotero",
        ),
    )
}

__all__ = ["SOURCES", "Document", "Refusal", "Source", "SourceCard"]
