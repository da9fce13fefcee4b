"""Where documents come from: one file a format or service.

Endings may be shared; what a file holds decides, and among equals the first card here.
"""

from subclust.core.messages import Message
from subclust.text.sources.base import Document, Refusal, Source, SourceCard

_ROWS = (
    ("jsonl", Message("JSON Lines, one document or one labelled question a line"), ".jsonl .ndjson",
     "jsonl:JsonLines"),
    ("csv", Message("CSV table with a header"), ".csv", "delimited:DelimitedTable"),
    ("tsv", Message("TSV table with a header"), ".tsv .tab", "delimited:DelimitedTable"),
    ("xlsx", Message("Excel workbook with a header"), ".xlsx .xlsm", "workbook:Workbook"),
    ("xls", Message("Excel workbook from before 2007, binary workbook, or OpenDocument"),
     ".xls .xlsb .ods", "workbook:OtherWorkbook"),
    ("web-table", Message("Web page that calls itself a workbook"), ".xls",
     "workbook:WebPageTable"),
    ("zip", Message("ZIP archive of exports"), ".zip", "archive:Archive"),
    ("wikidump", Message("MediaWiki XML dump (pages-articles)"), ".xml .bz2",
     "wikidump:WikipediaDump"),
    ("text", Message("Plain text; paragraphs are passages"), ".txt .text .md",
     "plain_text:PlainText"),
    ("pdf", Message("PDF with a text layer"), ".pdf", "pdf:Pdf"),
    ("ris", Message("RIS, of Zotero, EndNote, Ovid, Embase, Scopus and most catalogues"), ".ris",
     "tagged_formats:Ris"),
    ("nbib", Message("PubMed's tagged format (MEDLINE)"), ".nbib .medline", "pubmed:Nbib"),
    ("wos", Message("Web of Science, tagged plain text"), ".ciw .txt",
     "tagged_formats:WebOfScience"),
    ("ovid", Message("Ovid, tagged or with field names"), ".ovid .txt", "ovid:Ovid"),
    ("refworks", Message("RefWorks, tagged"), ".refworks .txt", "tagged_formats:RefWorks"),
    ("pubmed-summary", Message("PubMed's summaries as text, without abstracts"), ".txt",
     "pubmed_summary:PubMedSummary"),
    ("endnote", Message("EndNote and Refer, tagged with %"), ".enw", "endnote:Refer"),
    ("endnote-xml", "EndNote XML", ".xml", "endnote:EndNoteXml"),
    ("bibtex", "BibTeX", ".bib .bibtex", "bibtex:BibTex"),
    ("marc", "MARC 21, binary", ".mrc .marc", "marc:Marc"),
    ("marcxml", "MARCXML", ".xml .marcxml", "catalogue_xml:MarcXml"),
    ("marc-json", "MARC-in-JSON", ".json", "marc_json:MarcJson"),
    ("zotero-rdf", "Zotero RDF", ".rdf", "zotero_rdf:ZoteroRdf"),
    ("mods", "MODS", ".xml .mods", "catalogue_xml:Mods"),
    ("pica-xml", "PICA+ XML", ".xml", "catalogue_xml:PicaXml"),
    ("pica", Message("PICA+, plain text"), ".pica .pp", "pica:PicaPlain"),
    ("dublin-core", "OAI-PMH Dublin Core", ".xml", "catalogue_xml:DublinCore"),
    ("pubmed", "PubMed XML", ".xml", "pubmed:PubMed"),
    ("jats", Message("JATS XML, with or without the whole text"), ".xml .nxml", "jats:Jats"),
    ("csl-json", Message("CSL JSON, or any list of objects"), ".json", "json_lists:CslJson"),
    ("zotero", Message("Zotero's and Better BibTeX's JSON"), ".json", "json_lists:Zotero"),
)  # fmt: skip

SOURCES: dict[str, SourceCard] = {
    name: SourceCard(name, label, tuple(endings.split()), f"{__name__}.{loader}")
    for name, label, endings, loader in _ROWS
}

KNOWN_BY_NAME = ("text", "pdf")
"""Formats of which a file is one document, known by the file's name."""

__all__ = ["KNOWN_BY_NAME", "SOURCES", "Document", "Refusal", "Source", "SourceCard"]
