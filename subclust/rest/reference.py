"""A page that describes the API, from its OpenAPI document: without scripts, and asking nobody."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code { font-size: .9em; }
summary { cursor: pointer; padding: .3rem 0; }
summary b { display: inline-block; min-width: 4.5rem; }
details { border-top: 1px solid #8884; }
table { border-collapse: collapse; margin: .5rem 0 1rem; display: block; overflow-x: auto; }
td { border-top: 1px solid #8884; padding: .2rem .8rem .2rem 0; vertical-align: top; }
"""


def reference_page(document: Mapping[str, Any]) -> str:
    """Return the page."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(document['info']['title'])} API</title><style>{_STYLE}</style>"
        + "".join(_body(document))
    )


def _body(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h1>{escape(document['info']['title'])} API</h1>"
    yield f"<p>{_text(document['info']['description'])}</p>"
    yield '<p>For programs: <a href="openapi.json">openapi.json</a></p>'
    by_tag: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            shown = "".join(_address(method, path, one, document))
            by_tag.setdefault(one["tags"][0], []).append(shown)
    for tag, addresses in by_tag.items():
        yield f"<h2>{escape(tag)}</h2>"
        yield from addresses


def _address(
    method: str, path: str, one: Mapping[str, Any], document: Mapping[str, Any]
) -> Iterator[str]:
    yield f"<details><summary><b>{method.upper()}</b> <code>{escape(path)}</code> "
    yield f"{_text(one.get('description', ''))}</summary>"
    rows = [
        _row(given["name"], given["schema"], given.get("description", ""), given.get("required"))
        for given in one.get("parameters", ())
    ]
    if rows:
        yield f"<table>{''.join(rows)}</table>"
    content = one.get("requestBody", {}).get("content", {})
    for media_type, body in content.items():
        yield f"<p>Body: <code>{escape(media_type)}</code></p>{_fields(body['schema'], document)}"
    for status, answer in one["responses"].items():
        if not status.startswith("2"):
            continue
        yield f"<p>Answer: {status}</p>"
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        yield _fields(schema, document)
    yield "</details>"


def _fields(schema: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    found = _resolved(schema, document)
    needed = found.get("required", ())
    rows = [
        _row(name, one, one.get("description", ""), name in needed)
        for name, one in found.get("properties", {}).items()
    ]
    return f"<table>{''.join(rows)}</table>" if rows else ""


def _resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Mapping[str, Any] = document["components"]["schemas"][name] if name else schema
    return found


def _row(name: str, schema: Mapping[str, Any], told: str, needed: bool | None) -> str:
    kind = _kind(schema)
    default = "" if schema.get("default") in (None, "", []) else f" = {schema['default']!r}"
    mark = " (required)" if needed else ""
    return (
        f"<tr><td><code>{escape(name)}</code>{mark}<td><code>{escape(kind + default)}</code>"
        f"<td>{_text(told)}"
    )


def _kind(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " | ".join(map(_kind, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return " | ".join(map(repr, schema.get("enum", [schema.get("const")])))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array" and "items" in schema:
        return f"list of {_kind(schema['items'])}"
    return str(schema.get("type", "object"))


def _text(told: str) -> str:
    parts = escape(told).split("`")
    marked = (f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
    return "".join(marked)
