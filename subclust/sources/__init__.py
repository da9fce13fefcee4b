"""Where documents come from: one file a format or service.

Endings may be shared; what a file holds decides, and among equals the first card here.
"""

from subclust.messages import Message
from subclust.sources.base import Document, Refusal, Source, SourceCard

SOURCES: dict[str, SourceCard] = {
    card.name: card
    for card in (
        SourceCard(
            "jsonl",
            Message("JSON Lines, one document or one labelled query a line"),
            (".jsonl", ".ndjson"),
            "subclust.sources.jsonl:JsonLines",
        ),
        SourceCard(
            "csv",
            Message("CSV table with a header"),
            (".csv",),
            "subclust.sources.table:DelimitedTable",
        ),
        SourceCard(
            "tsv",
            Message("TSV table with a header"),
            (".tsv", ".tab"),
            "subclust.sources.table:DelimitedTable",
        ),
        SourceCard(
            "xlsx",
            Message("Excel workbook with a header"),
            (".xlsx", ".xlsm"),
            "subclust.sources.table:Workbook",
        ),
        SourceCard(
            "wikidump",
            Message("MediaWiki XML dump (pages-articles)"),
            (".xml", ".bz2"),
            "subclust.sources.wikidump:WikipediaDump",
        ),
        SourceCard(
            "text",
            Message("Plain text; paragraphs are passages"),
            (".txt", ".text", ".md"),
            "subclust.sources.plain_text:PlainText",
        ),
        SourceCard("pdf", Message("PDF with a text layer"), (".pdf",), "subclust.sources.pdf:Pdf"),
        SourceCard(
            "ris",
            Message("RIS, of Zotero, EndNote, Ovid, Embase, Scopus and most catalogues"),
            (".ris",),
            "subclust.sources.ris:Ris",
        ),
        SourceCard(
            "nbib",
            Message("PubMed's tagged format (MEDLINE)"),
            (".nbib", ".medline"),
            "subclust.sources.nbib:Nbib",
        ),
        SourceCard(
            "wos",
            Message("Web of Science, tagged plain text"),
            (".ciw", ".txt"),
            "subclust.sources.wos:WebOfScience",
        ),
        SourceCard(
            "ovid",
            Message("Ovid, tagged or with field names"),
            (".ovid", ".txt"),
            "subclust.sources.ovid:Ovid",
        ),
        SourceCard(
            "endnote",
            Message("EndNote and Refer, tagged with %"),
            (".enw",),
            "subclust.sources.refer:Refer",
        ),
        SourceCard(
            "endnote-xml", "EndNote XML", (".xml",), "subclust.sources.endnote_xml:EndNoteXml"
        ),
        SourceCard("bibtex", "BibTeX", (".bib", ".bibtex"), "subclust.sources.bibtex:BibTex"),
        SourceCard("marc", "MARC 21, binary", (".mrc", ".marc"), "subclust.sources.marc:Marc"),
        SourceCard("marcxml", "MARCXML", (".xml", ".marcxml"), "subclust.sources.marcxml:MarcXml"),
        SourceCard(
            "dublin-core",
            "OAI-PMH Dublin Core",
            (".xml",),
            "subclust.sources.dublin_core:DublinCore",
        ),
        SourceCard("pubmed", "PubMed XML", (".xml",), "subclust.sources.pubmed:PubMed"),
        SourceCard(
            "jats",
            Message("JATS XML, with or without the whole text"),
            (".xml", ".nxml"),
            "subclust.sources.jats:Jats",
        ),
        SourceCard(
            "csl-json",
            Message("CSL JSON, or any list of objects"),
            (".json",),
            "subclust.sources.csl_json:CslJson",
        ),
        SourceCard(
            "zotero",
            Message("Zotero's and Better BibTeX's JSON"),
            (".json",),
            "subclust.sources.zotero:Zotero",
        ),
    )
}

__all__ = ["SOURCES", "Document", "Refusal", "Source", "SourceCard"]
