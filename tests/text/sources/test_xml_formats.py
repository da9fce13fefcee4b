"""What records in XML say, whatever they are wrapped in."""

from collections.abc import Callable
from html import escape
from pathlib import Path

import pytest
from raising import raises

from subclust.core.exceptions import FileFormatError
from subclust.text.sources.base import Document, Refusal
from subclust.text.sources.opening import format_of, open_source

Read = Callable[..., dict[str, str]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def made(content: str, format_: str, ending: str = ".xml") -> dict[str, str]:
        path = tmp_path / f"export{ending}"
        path.write_text(content, "utf-8")
        assert format_of(path) == format_
        (item,) = open_source(path)
        assert isinstance(item, Document), item
        text = "\n".join(one.text for one in item.passages)
        return {"title": item.title, "text": text, "id": item.id, **item.metadata}

    return made


def agree(said: dict[str, str], wanted: dict[str, str | None]) -> None:
    assert {name: said.get(name) for name in wanted} == wanted


MARC = """<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader>
<controlfield tag="001">m7</controlfield><datafield tag="245" ind1="1" ind2="0">
<subfield code="a">Looms</subfield></datafield></record>"""
PICA = """<record xmlns="info:srw/schema/5/picaXML-v1.0">
<datafield tag="003@"><subfield code="0">7007</subfield></datafield>
<datafield tag="021A"><subfield code="a">@Looms</subfield></datafield></record>"""
MODS = """<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Looms</title></titleInfo></mods>"""
CORE = """<dc xmlns="http://purl.org/dc/elements/1.1/"><title>Looms</title></dc>"""
WRAPPERS = {
    "sru": '<searchRetrieveResponse xmlns="http://www.loc.gov/zing/srw/"><records><record>'
    "<recordData>{}</recordData></record></records></searchRetrieveResponse>",
    "oai": '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><header>'
    "<identifier>oai:tolm.example:7</identifier></header><metadata>{}</metadata></record>"
    "</ListRecords></OAI-PMH>",
}


@pytest.mark.parametrize("record", [MARC, PICA, MODS, CORE], ids=["marc", "pica", "mods", "dc"])
@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("packed", [False, True])
def test_records_are_found_in_their_wrappers(
    tmp_path: Path, record: str, wrapper: str, packed: bool
) -> None:
    path = tmp_path / "answer.xml"
    path.write_text(WRAPPERS[wrapper].format(escape(record) if packed else record), "utf-8")
    (item,) = open_source(path)
    assert isinstance(item, Document) and item.title == "Looms"
    if wrapper == "oai" and record is CORE:
        assert item.id == "control:oai:tolm.example:7"


def test_what_a_catalogue_could_not_give_is_told(tmp_path: Path) -> None:
    path = tmp_path / "answer.xml"
    path.write_text(
        WRAPPERS["sru"].format("<diagnostic><message>No such schema</message></diagnostic>"),
        "utf-8",
    )
    (item,) = open_source(path)
    assert isinstance(item, Refusal) and "No such schema" in item.reason


PLAIN_PICA = """\
003@ $07007
002@ $0Aau
004A $0978-3-16-148410-0
010@ $ager$aeng
011@ $a2018
021A $aDer @Webstuhl$deine Geschichte$hBerta Alm
028A $dBerta$aAlm
028C $dEd$aCole$BHrsg.$4edt
032@ $a2. Auflage
033A $pTolm$nWollverlag
034D $a311 S.
036E $aWebstudien$l3
037A $aKostet 5 $$
044K $aWolle
044K $dBerta$aAlm
047I $aWolle und Leinen.
"""
PICA_FIELDS = {
    "title": "Der Webstuhl : eine Geschichte", "text": "Wolle und Leinen.", "authors": "Alm, Berta",
    "editors": "Cole, Ed", "year": "2018", "language": "ger; eng", "edition": "2. Auflage",
    "place": "Tolm", "publisher": "Wollverlag", "pages": "311 S.", "series": "Webstudien",
    "keywords": "Wolle; Alm, Berta", "notes": "Kostet 5 $", "number": "7007", "type": "book",
    "isbn": "978-3-16-148410-0",
}  # fmt: skip


def test_pica_as_lines(read: Read) -> None:
    agree(read(PLAIN_PICA, "pica", ".txt"), PICA_FIELDS)


def test_pica_with_control_characters(tmp_path: Path) -> None:
    lines = PLAIN_PICA.replace("$$", "€").replace("$", "\x1f").splitlines()
    path = tmp_path / "dump.pp"
    path.write_text("\x1e".join(lines) + "\x1e\n" + "\x1e".join(lines[:1] + lines[5:]) + "\x1e\n")
    assert format_of(path) == "pica"
    titles = [one.title for one in open_source(path) if isinstance(one, Document)]
    assert titles == [PICA_FIELDS["title"]] * 2


def test_articles_and_volumes_in_pica(read: Read) -> None:
    article = """002@ $0Aou\n021A $aWolle\n028A $8Alm, Berta
031A $d9$e38$h245-260$j2018\n039B $tWebbriefe$I1234-5679\n"""
    agree(read(article, "pica", ".txt"), {
        "type": "article-journal", "venue": "Webbriefe", "volume": "9", "issue": "38",
        "pages": "245-260", "year": "2018", "issn": "1234-5679", "authors": "Alm, Berta",
    })  # fmt: skip
    volume = "002@ $0Afu\n021A $a@\n036C $a@Webstuhlbuch$lBand 2\n"
    assert read(volume, "pica", ".txt")["title"] == "Webstuhlbuch. Band 2"


def test_mods(read: Read) -> None:
    said = read(
        """<modsCollection xmlns="http://www.loc.gov/mods/v3"><mods>
        <titleInfo type="alternative"><title>Weaving</title></titleInfo>
        <titleInfo><nonSort>The</nonSort><title>loom</title><subTitle>a history</subTitle>
        </titleInfo>
        <name type="personal"><namePart type="family">Alm</namePart>
          <namePart type="given">Berta</namePart><role><roleTerm>author</roleTerm></role></name>
        <name type="corporate"><namePart>Weavers</namePart><namePart>Wool Office</namePart></name>
        <name><namePart>Cole, Ed</namePart><role><roleTerm type="code">edt</roleTerm></role></name>
        <originInfo><dateIssued encoding="w3cdtf">2018-05</dateIssued></originInfo>
        <abstract>Wool and linen.</abstract><note>Printed on linen.</note>
        <subject><topic>Wool</topic><geographic>Tolm</geographic></subject>
        <language><languageTerm type="code">eng</languageTerm>
          <languageTerm type="text">English</languageTerm></language>
        <identifier type="doi">10.1234/ab.c</identifier>
        <relatedItem type="host"><titleInfo><title>Weaving letters</title></titleInfo>
          <identifier type="issn">1234-5679</identifier>
          <part><detail type="volume"><number>9</number></detail>
            <detail type="issue"><number>38</number></detail>
            <extent unit="pages"><start>245</start><end>260</end></extent></part></relatedItem>
        </mods></modsCollection>""",
        "mods",
    )
    agree(said, {
        "title": "The loom : a history", "text": "Wool and linen.", "id": "doi:10.1234/ab.c",
        "authors": "Alm, Berta; Weavers. Wool Office", "editors": "Cole, Ed", "year": "2018",
        "date": "2018-05", "venue": "Weaving letters", "volume": "9", "issue": "38",
        "pages": "245-260", "issn": "1234-5679", "keywords": "Wool -- Tolm", "language": "eng",
        "notes": "Printed on linen.", "type": "article-journal",
    })  # fmt: skip


@pytest.mark.parametrize(
    ("elements", "fields"),
    [
        ("<dc:description>&lt;p&gt;Wool &amp;amp;amp; linen&lt;/p&gt;</dc:description>",
         {"text": "Wool & linen"}),
        ("<dc:creator>Cole, Ed</dc:creator><dc:creator>Alm, Berta</dc:creator>",
         {"authors": "Cole, Ed; Alm, Berta"}),
        ("<dc:identifier>https://tolm.example/7</dc:identifier>"
         "<dc:identifier>https://doi.org/10.1234/ab.c</dc:identifier>",
         {"doi": "10.1234/ab.c", "url": "https://tolm.example/7", "id": "doi:10.1234/ab.c"}),
        ("<dc:identifier>10.1234/ab.c</dc:identifier>", {"doi": "10.1234/ab.c"}),
        ("<dc:identifier>urn:ISBN:9783161484100</dc:identifier>"
         "<dc:identifier>ISSN 1234-5679</dc:identifier>",
         {"isbn": "9783161484100", "issn": "1234-5679"}),
        ("<dc:source>Weaving letters; Vol. 9 No. 38 (2018): Wool; 245-260</dc:source>"
         "<dc:source>1234-5679</dc:source>",
         {"venue": "Weaving letters", "volume": "9", "issue": "38", "issn": "1234-5679"}),
        ("<dc:source>Letters on wool and linen</dc:source>",
         {"venue": "Letters on wool and linen", "volume": None}),
        ("<dc:type>Text</dc:type><dc:type>info:eu-repo/semantics/doctoralThesis</dc:type>",
         {"type": "thesis"}),
        ("<dc:date>2023-01-01</dc:date><dc:date>2019-05-03</dc:date><dc:date>2019</dc:date>",
         {"year": "2019", "date": "2019-05-03"}),
        ("<dc:rights>info:eu-repo/semantics/openAccess</dc:rights>"
         "<dc:rights>https://licences.example/by</dc:rights>",
         {"licence": "https://licences.example/by"}),
    ],
)  # fmt: skip
def test_dublin_core(read: Read, elements: str, fields: dict[str, str | None]) -> None:
    said = read(
        '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>Looms</dc:title>{elements}"
        "</oai_dc:dc>",
        "dublin-core",
    )
    agree(said, fields)


def article(title: str, meta: str = "", article_type: str = "research-article") -> str:
    return (
        f'<article article-type="{article_type}"><front><journal-meta><journal-title>Weaving '
        'letters</journal-title><issn pub-type="ppub">1234-5679</issn><publisher><publisher-name>'
        "Wool Press</publisher-name></publisher></journal-meta><article-meta><title-group>"
        f"<article-title>{title}</article-title></title-group>{meta}</article-meta></front></article>"
    )


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ('Looms<xref ref-type="fn" rid="n1">*</xref> of wool', "Looms of wool"),
        ('Looms<fn id="n1"><p>Funded by none.</p></fn> of wool', "Looms of wool"),
        ('Looms<sup><xref ref-type="aff">1</xref>,<xref ref-type="aff">2</xref></sup> of wool',
         "Looms of wool"),
        ('Looms [<xref ref-type="bibr">12</xref>]: wool', "Looms: wool"),
        ('Looms after <xref ref-type="bibr">Alm (2018)</xref>', "Looms after Alm (2018)"),
        ("Looms<break/>of wool", "Looms of wool"),
        ("CO<sub>2</sub> of <italic>Ovis</italic>", "CO2 of Ovis"),
    ],
)  # fmt: skip
def test_marks_of_notes_are_no_part_of_a_title(read: Read, given: str, shown: str) -> None:
    said = read(article(given), "jats")
    assert said["title"] == shown


def test_only_the_authors_abstract_counts(read: Read) -> None:
    own = "<abstract><p>Wool.<break/>Linen.</p></abstract>"
    others = (
        '<abstract abstract-type="graphical"><p>Picture.</p></abstract>'
        '<trans-abstract xml:lang="de"><p>Wolle.</p></trans-abstract>'
    )
    assert read(article("Looms", others + own), "jats")["text"] == "Wool. Linen."
    assert read(article("Looms", others), "jats")["text"] == "Wolle."


def test_fields_of_an_article(read: Read) -> None:
    said = read(
        article(
            "Looms",
            """<article-id pub-id-type="pmc">PMC7000007</article-id>
            <article-id pub-id-type="doi">10.1234/ab.c</article-id><contrib-group>
            <contrib contrib-type="author"><name><surname>Alm</surname><given-names>Berta
            </given-names><suffix>Jr</suffix></name></contrib>
            <contrib contrib-type="author"><collab>Weavers<contrib-group><contrib><name><surname>
            Member</surname></name></contrib></contrib-group></collab></contrib>
            <contrib contrib-type="editor"><name><surname>Cole</surname></name></contrib>
            </contrib-group><pub-date><year>2018</year></pub-date><volume>9</volume><issue>38</issue>
            <fpage>245</fpage><lpage>260</lpage><kwd-group><kwd>wool</kwd></kwd-group>""",
        ),
        "jats",
    )
    agree(said, {
        "id": "doi:10.1234/ab.c", "pmcid": "PMC7000007", "authors": "Alm, Berta, Jr; Weavers",
        "editors": "Cole", "year": "2018", "volume": "9", "issue": "38", "pages": "245-260",
        "issn": "1234-5679", "publisher": "Wool Press", "type": "article-journal",
        "venue": "Weaving letters", "keywords": "wool",
    })  # fmt: skip


def test_pubmed(read: Read) -> None:
    said = read(
        """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article><Journal>
        <ISSN IssnType="Print">1234-5679</ISSN><JournalIssue><Volume>9</Volume><Issue>38</Issue>
        <PubDate><Year>2018</Year></PubDate></JournalIssue><Title>Weaving letters</Title></Journal>
        <ArticleTitle>Looms.</ArticleTitle><Pagination><StartPage>245</StartPage>
        <EndPage>260</EndPage></Pagination><AuthorList><Author><LastName>Alm</LastName><ForeName>Berta</ForeName>
        <Suffix>Jr</Suffix></Author><Author><CollectiveName>Weavers</CollectiveName></Author>
        </AuthorList><Language>eng</Language><Language>fre</Language><PublicationTypeList>
        <PublicationType>Journal Article</PublicationType></PublicationTypeList></Article>
        </MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pmc">PMC70</ArticleId>
        </ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>""",
        "pubmed",
    )
    agree(said, {
        "id": "pmid:7", "volume": "9", "issue": "38", "pages": "245-260", "issn": "1234-5679",
        "pmcid": "PMC70", "authors": "Alm, Berta, Jr; Weavers", "language": "eng; fre",
        "type": "article-journal",
    })  # fmt: skip


def test_chapters_in_pubmed(read: Read) -> None:
    said = read(
        """<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>7</PMID><Book><Publisher>
        <PublisherName>Wool Press</PublisherName><PublisherLocation>Tolm</PublisherLocation>
        </Publisher><BookTitle>Book of looms</BookTitle><PubDate><Year>2018</Year></PubDate>
        <AuthorList Type="editors"><Author><LastName>Cole</LastName><ForeName>Ed</ForeName></Author>
        </AuthorList><Isbn>9783161484100</Isbn>
        </Book><ArticleTitle>Wool</ArticleTitle><AuthorList Type="authors">
        <Author><LastName>Alm</LastName></Author></AuthorList></BookDocument></PubmedBookArticle>
        </PubmedArticleSet>""",
        "pubmed",
    )
    agree(said, {
        "title": "Wool", "venue": "Book of looms", "authors": "Alm", "editors": "Cole, Ed",
        "publisher": "Wool Press", "place": "Tolm", "isbn": "9783161484100", "type": "chapter",
    })  # fmt: skip


ENDNOTE = """<xml><records><record><source-app name="EndNote">EndNote</source-app><rec-number>7
</rec-number><ref-type name="{kind}">17</ref-type><contributors><authors><author><style>Alm, Berta
</style></author><author>Wool Office,</author></authors><secondary-authors><author>Cole, Ed</author>
</secondary-authors></contributors><titles><title><style>Looms of </style><style face="italic">Ovis
</style></title><secondary-title>Letters</secondary-title></titles><volume>9</volume><number>38
</number><pages>245-260</pages><edition>2nd</edition><dates><year>2018</year><pub-dates><date>May 3
</date></pub-dates></dates><pub-location>Tolm</pub-location><publisher>Wool Press</publisher>
<isbn>1234-5679&#xD;9783161484100</isbn><notes>On linen</notes><keywords><keyword>wool&#xD;linen
</keyword></keywords><custom2>PMC70</custom2><language>English</language></record></records></xml>"""


def test_endnote(read: Read) -> None:
    agree(read(ENDNOTE.format(kind="Journal Article"), "endnote-xml"), {
        "title": "Looms of Ovis", "authors": "Alm, Berta; Wool Office", "editors": "Cole, Ed",
        "venue": "Letters", "volume": "9", "issue": "38", "pages": "245-260", "edition": "2nd",
        "year": "2018", "place": "Tolm", "publisher": "Wool Press", "issn": "1234-5679",
        "isbn": "9783161484100", "notes": "On linen", "keywords": "wool; linen", "number": "7",
        "type": "article-journal", "language": "eng", "pmcid": "PMC70",
    })  # fmt: skip
    agree(read(ENDNOTE.format(kind="Book"), "endnote-xml"), {
        "type": "book", "series": "Letters", "venue": None,
    })  # fmt: skip


ZOTERO = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:z="http://www.zotero.org/namespaces/export#" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:dcterms="http://purl.org/dc/terms/" xmlns:bib="http://purl.org/net/biblio#"
 xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:prism="http://prismstandard.org/namespaces/1.2/basic/">
<bib:Article rdf:about="#item_7"><z:itemType>journalArticle</z:itemType>{within}
 <bib:authors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Cole</foaf:surname>
 <foaf:givenName>Ed</foaf:givenName></foaf:Person></rdf:li><rdf:li><foaf:Person>
 <foaf:surname>Alm</foaf:surname></foaf:Person></rdf:li></rdf:Seq></bib:authors>
 <dcterms:isReferencedBy rdf:resource="#item_8"/><dc:subject>wool</dc:subject>
 <dc:subject><z:AutomaticTag><rdf:value>linen</rdf:value></z:AutomaticTag></dc:subject>
 <dc:title>Looms</dc:title><dcterms:abstract>Of wool.</dcterms:abstract><dc:date>2018-05</dc:date>
 <dc:identifier><dcterms:URI><rdf:value>https://tolm.example/7</rdf:value></dcterms:URI>
 </dc:identifier><bib:pages>245-260</bib:pages></bib:Article>{beside}
<bib:Memo rdf:about="#item_8"><rdf:value>On linen</rdf:value></bib:Memo>
<z:Attachment rdf:about="#item_9"><z:itemType>attachment</z:itemType></z:Attachment></rdf:RDF>"""
JOURNAL = """<bib:Journal{}><prism:volume>9</prism:volume><prism:number>38</prism:number>
<dc:title>Weaving letters</dc:title><dc:identifier>DOI 10.1234/ab.c</dc:identifier>
<dc:identifier>ISSN 1234-5679</dc:identifier></bib:Journal>"""


@pytest.mark.parametrize(
    ("within", "beside"),
    [
        (f"<dcterms:isPartOf>{JOURNAL.format('')}</dcterms:isPartOf>", ""),
        ('<dcterms:isPartOf rdf:resource="urn:issn:1234-5679"/>',
         JOURNAL.format(' rdf:about="urn:issn:1234-5679"')),
    ],
)  # fmt: skip
def test_zotero_rdf(read: Read, within: str, beside: str) -> None:
    agree(read(ZOTERO.format(within=within, beside=beside), "zotero-rdf", ".rdf"), {
        "title": "Looms", "text": "Of wool.", "authors": "Cole, Ed; Alm", "year": "2018",
        "venue": "Weaving letters", "volume": "9", "issue": "38", "issn": "1234-5679",
        "doi": "10.1234/ab.c", "pages": "245-260", "keywords": "wool; linen", "notes": "On linen",
        "url": "https://tolm.example/7", "type": "article-journal",
    })  # fmt: skip


@pytest.mark.parametrize(
    ("declared", "encoding", "given", "words"),
    [
        ("iso-8859-1", "utf-8", None, "Métiers à tisser l’été"),
        ("UTF-8", "cp1252", None, "Métiers à tisser l’été"),
        ("UTF-16", "utf-16-le", None, "Métiers à tisser l’été"),
        ("UTF-8", "cp1257", "cp1257", "Ąžuolas ir šeši"),
    ],
)
def test_what_items_of_zotero_stand_in_is_read_in_the_files_encoding(
    tmp_path: Path, declared: str, encoding: str, given: str | None, words: str
) -> None:
    within = '<dcterms:isPartOf rdf:resource="urn:issn:1234-5679"/>'
    text = ZOTERO.format(within=within, beside=JOURNAL.format(' rdf:about="urn:issn:1234-5679"'))
    for one in ("Looms", "Weaving letters", "On linen"):
        text = text.replace(one, words)
    path = tmp_path / "export.rdf"
    path.write_bytes(f'<?xml version="1.0" encoding="{declared}"?>{text}'.encode(encoding))
    source = open_source(path, "zotero-rdf", encoding=given)
    (item,) = source
    assert isinstance(item, Document), item
    assert (item.title, item.metadata["venue"], item.metadata["notes"]) == (words,) * 3
    assert source.decoding is not None and source.decoding.is_assumed == (encoding == "cp1252")


def test_other_rdf_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "graph.rdf"
    path.write_text(
        '<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description/></rdf:RDF>'
    )
    with raises(FileFormatError, file="graph.rdf"):
        open_source(path)
    assert format_of(path) is None
