"""Errors as RFC 9457 problems, with the sentences that pages and commands have."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from subclust.core import exceptions as errors
from subclust.core.messages import N_, Message
from subclust.core.storage.faults import fault_of
from subclust.core.translation import language_of, translated

MEDIA_TYPE = "application/problem+json"

_STATUS: dict[type[errors.SubclustError], HTTPStatus] = {
    errors.LibraryNotFoundError: HTTPStatus.NOT_FOUND,
    errors.CheckpointNotFoundError: HTTPStatus.NOT_FOUND,
    errors.LabelledSetNotFoundError: HTTPStatus.NOT_FOUND,
    errors.NotFoundError: HTTPStatus.NOT_FOUND,
    errors.SessionNotFoundError: HTTPStatus.NOT_FOUND,
    errors.NotAllowedError: HTTPStatus.FORBIDDEN,
    errors.ReadOnlyError: HTTPStatus.FORBIDDEN,
    errors.QuotaError: HTTPStatus.FORBIDDEN,
    errors.InUseError: HTTPStatus.CONFLICT,
    errors.StorageError: HTTPStatus.INSUFFICIENT_STORAGE,
    errors.OutOfMemoryError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.ClusterError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.EndpointError: HTTPStatus.BAD_GATEWAY,
    errors.LiveSourceError: HTTPStatus.BAD_GATEWAY,
    errors.SettingsError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.EncoderError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.SubclustError: HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""The status of an error: that of its own class, else of the nearest one above it."""


_OF_SERVER = {
    HTTPStatus.NOT_FOUND: N_("There is nothing at this address; see /api/v1/docs."),
    HTTPStatus.METHOD_NOT_ALLOWED: N_("This address takes another method; see /api/v1/docs."),
}


class Problem(BaseModel):
    """What went wrong, as RFC 9457 has it."""

    type: str = Field("about:blank", description="The status says it all.")
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="One sentence: what was wrong, where, and what to do.")
    errors: list[dict[str, Any]] = Field(
        default=[], description="Of a body or parameter: `field` and `message` of each mistake."
    )


def problem(
    status: HTTPStatus, detail: str, headers: dict[str, str] | None = None, **more: Any
) -> JSONResponse:
    """Return a problem as a response."""
    value = {"type": "about:blank", "title": status.phrase, "status": status.value}
    return JSONResponse(
        {**value, "detail": detail, **more}, status.value, headers, media_type=MEDIA_TYPE
    )


def status_of(error: errors.SubclustError) -> HTTPStatus:
    """Return the status of an error."""
    return next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)


def told_to(headers: Headers, sentence: str) -> str:
    """Return a sentence in the language that a request prefers."""
    return translated(sentence, language_of(headers.get("accept-language", "")))


def _field(mistake: Mapping[str, Any]) -> str:
    # The first part only says "body" or "query".
    return ".".join(map(str, mistake["loc"][1:]))


def _sentence(mistake: Mapping[str, Any]) -> Message:
    """Say what is wrong with a body or parameter."""
    field, reason = _field(mistake), mistake["msg"]
    if mistake["type"] == "json_invalid":
        return Message(
            "The body is not valid JSON ({reason}).", reason=mistake["ctx"]["error"].lower()
        )
    if not field:
        return Message("Send one JSON object, with the header 'Content-Type: application/json'.")
    if mistake["type"] == "missing":
        return Message("{field} is missing.", field=field)
    if mistake["type"] == "extra_forbidden":
        return Message("There is no field {field}; see /api/v1/docs.", field=field)
    return Message("{field}: {message}.", field=field, message=reason)


def add_handlers(app: FastAPI) -> None:
    """Have an application answer with problems."""

    @app.exception_handler(errors.SubclustError)
    def told(request: Request, error: errors.SubclustError) -> JSONResponse:
        return problem(status_of(error), told_to(request.headers, error.sentence))

    @app.exception_handler(OSError)
    @app.exception_handler(MemoryError)
    @app.exception_handler(RuntimeError)  # as which PyTorch and LanceDB raise both
    def failed(request: Request, error: Exception) -> JSONResponse:
        fault = fault_of(error)
        if fault is None:
            raise error
        return told(request, fault)

    @app.exception_handler(RequestValidationError)
    def mistaken(request: Request, error: RequestValidationError) -> JSONResponse:
        mistakes = error.errors()
        found = [{"field": _field(one), "message": one["msg"]} for one in mistakes]
        told = told_to(request.headers, _sentence(mistakes[0]))
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, told, errors=found)

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> JSONResponse:
        status = HTTPStatus(error.status_code)
        told = _OF_SERVER.get(status, N_("This request cannot be met."))
        return problem(status, told_to(request.headers, told), dict(error.headers or {}))
