"""Answers of OAI-PMH repositories and SRU catalogues, over the records of `live_shapes`."""

from html import escape

from live_shapes import as_xml

OAI_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<responseDate>2026-02-08T12:00:01Z</responseDate>
<request verb="ListRecords" metadataPrefix="oai_dc">http://example.org/oai</request>"""


def dublin_core(one, prefix="oai_dc"):
    return f"""<{prefix}:dc xmlns:{prefix}="http://www.openarchives.org/OAI/2.0/oai_dc/" \
xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>{escape(one["title"])}</dc:title>
<dc:creator>Lovelace, Ada</dc:creator><dc:creator>Dewey, Melvil</dc:creator>
<dc:subject>Retrieval</dc:subject>
<dc:description>{escape(one["abstract"])}</dc:description>
<dc:date>{one["year"]}-05-01</dc:date><dc:language>en</dc:language>
<dc:identifier>https://example.org/{one["number"]}</dc:identifier>
</{prefix}:dc>"""


def marcxml(one):
    return f"""<record xmlns="http://www.loc.gov/MARC21/slim">
<leader>00000nam a2200000 a 4500</leader>
<controlfield tag="001">m{one["number"]}</controlfield>
<datafield tag="245" ind1="1" ind2="0"><subfield code="a">{escape(one["title"])}</subfield>\
</datafield>
<datafield tag="264" ind1=" " ind2="1"><subfield code="c">{one["year"]}</subfield></datafield>
<datafield tag="520" ind1=" " ind2=" "><subfield code="a">{escape(one["abstract"])}</subfield>\
</datafield>
</record>"""


def oai_error(code, said):
    return as_xml(f'{OAI_HEAD}<error code="{code}">{escape(said)}</error></OAI-PMH>')


def oai_record(one, prefix="oai_dc"):
    name = f"oai:example.org:{one['number']}"
    header = f"<identifier>{name}</identifier><datestamp>2025-01-01</datestamp>"
    if one["number"] % 20 == 19:
        return f'<record><header status="deleted">{header}</header></record>'
    core = dublin_core(one) if prefix == "oai_dc" else marcxml(one)
    return f"<record><header>{header}</header><metadata>{core}</metadata></record>"


def oai_pmh(found, page_size=10, expired=()):
    """Answer as a repository; `expired` holds resumption tokens that it has forgotten."""

    def service(asked):
        query = asked.query
        token = query.get("resumptionToken")
        if token is not None and len(query) > 2:
            return oai_error("badArgument", "resumptionToken is an exclusive argument")
        if token is not None:
            if token in expired or not token.startswith("page/"):
                return oai_error("badResumptionToken", f"The token {token} has expired")
            start = int(token.removeprefix("page/"))
        else:
            start = 0
            if query["metadataPrefix"] not in ("oai_dc", "marcxml"):
                return oai_error("cannotDisseminateFormat", "unknown format")
            if query.get("set") == "empty" or not found:
                return oai_error("noRecordsMatch", "The set is empty")
        page = found[start : start + page_size]
        following = f"page/{start + page_size}" if start + page_size < len(found) else ""
        prefix = query.get("metadataPrefix", "oai_dc")
        content = "".join(oai_record(one, prefix) for one in page)
        token = (
            f'<resumptionToken completeListSize="{len(found)}" cursor="{start}" '
            f'expirationDate="2026-02-09T00:00:00Z">{following}</resumptionToken>'
        )
        return as_xml(f"{OAI_HEAD}<ListRecords>{content}{token}</ListRecords></OAI-PMH>")

    return service


SRU = {
    "1.1": 'xmlns:srw="http://www.loc.gov/zing/srw/"',
    "2.0": 'xmlns:srw="http://docs.oasis-open.org/ns/search-ws/sruResponse"',
}


def sru(found, version="1.1", most=50, packing="xml"):
    """Answer as a catalogue that gives at most so many records a page."""

    def record(position, one, schema):
        data = marcxml(one) if "marc" in schema.lower() else dublin_core(one, "srw_dc")
        if packing == "string":
            data = escape(data)
        return f"""<srw:record><srw:recordSchema>{schema}</srw:recordSchema>
<srw:recordPacking>{packing}</srw:recordPacking><srw:recordData>{data}</srw:recordData>
<srw:recordPosition>{position}</srw:recordPosition></srw:record>"""

    def service(asked):
        start = int(asked.query["startRecord"])
        wanted = min(most, int(asked.query["maximumRecords"]))
        page = found[start - 1 : start - 1 + wanted]
        schema = asked.query["recordSchema"]
        content = "".join(record(start + n, one, schema) for n, one in enumerate(page))
        following = start + len(page)
        position = (
            f"<srw:nextRecordPosition>{following}</srw:nextRecordPosition>"
            if following <= len(found)
            else ""
        )
        return as_xml(
            f"""<?xml version="1.0" encoding="UTF-8"?>
<srw:searchRetrieveResponse {SRU[version]}><srw:version>{version}</srw:version>
<srw:numberOfRecords>{len(found)}</srw:numberOfRecords>
<srw:records>{content}</srw:records>{position}
<srw:echoedSearchRetrieveRequest><srw:query>{escape(asked.query["query"])}</srw:query>
</srw:echoedSearchRetrieveRequest></srw:searchRetrieveResponse>"""
        )

    return service


SRU_REFUSAL = as_xml(
    f"""<?xml version="1.0"?><srw:searchRetrieveResponse {SRU["1.1"]}>
<srw:version>1.1</srw:version><srw:numberOfRecords>0</srw:numberOfRecords>
<srw:diagnostics><diag:diagnostic xmlns:diag="http://www.loc.gov/zing/srw/diagnostic/">
<diag:uri>info:srw/diagnostic/1/66</diag:uri><diag:details>dc</diag:details>
<diag:message>Unknown schema for retrieval</diag:message></diag:diagnostic></srw:diagnostics>
</srw:searchRetrieveResponse>"""
)

SRU_ONE_LOST = f"""<?xml version="1.0"?><srw:searchRetrieveResponse {SRU["1.1"]}>
<srw:version>1.1</srw:version><srw:numberOfRecords>2</srw:numberOfRecords><srw:records>
<srw:record><srw:recordSchema>info:srw/schema/1/diagnostics-v1.1</srw:recordSchema>
<srw:recordPacking>xml</srw:recordPacking><srw:recordData>
<diagnostic xmlns="http://www.loc.gov/zing/srw/diagnostic/">
<uri>info:srw/diagnostic/1/64</uri><message>Record temporarily unavailable</message></diagnostic>
</srw:recordData></srw:record>
<srw:record><srw:recordSchema>dc</srw:recordSchema><srw:recordPacking>xml</srw:recordPacking>
<srw:recordData>%s</srw:recordData></srw:record></srw:records>
</srw:searchRetrieveResponse>"""
