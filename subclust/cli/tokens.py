"""``python -m subclust token``."""

import argparse
from dataclasses import asdict
from datetime import datetime
from typing import Any

from subclust.cli.options import add_actions, at_least_one
from subclust.cli.printing import show
from subclust.core.access import Person, Role
from subclust.core.accounts import read_accounts
from subclust.core.messages import Message
from subclust.core.settings import Settings
from subclust.core.tokens import MAX_DAYS, Token, TokenStore

_ACTIONS = {
    "create": "create a token for somebody; it is shown once",
    "list": "all tokens; the same as no action",
    "revoke": "have a token count no more",
}
_DAYS = 90


def add_token(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``token``."""
    actions = add_actions(parser, _ACTIONS)
    create = actions["create"]
    create.add_argument("person", help="for whom it stands, by the name that the sign-in tells")
    create.add_argument("--name", required=True, help="what it is for")
    create.add_argument(
        "--scope",
        choices=[role.name.lower() for role in Role if role > Role.NOBODY],
        default="reader",
        help="the most that it allows (default: reader)",
    )
    create.add_argument(
        "--days",
        type=at_least_one,
        default=_DAYS,
        help=f"until it ends, at most {MAX_DAYS} (default: {_DAYS})",
    )
    actions["revoke"].add_argument("id", help="as 'list' tells it")


def run_token(arguments: argparse.Namespace, settings: Settings) -> None:
    """Do what the action says, then say what came of it."""
    accounts = read_accounts(settings.accounts) if settings.accounts else None
    store = TokenStore(settings.tokens_dir, accounts)
    match arguments.action or "list":
        case "create":
            scope = Role[arguments.scope.upper()]
            owner = accounts.person(arguments.person) if accounts else None
            if owner is None or accounts and accounts.claim and owner.role < scope:
                owner = Person(arguments.person, scope)  # whoever is at the computer vouches
            token, text = store.create(owner, arguments.name, scope, arguments.days)
            told = Message("Copy this token now; it is not shown again.")
            show(arguments, {**_object(token), "token": text}, _line(token), told, text)
        case "revoke":
            token = store.revoke(arguments.id)
            show(
                arguments,
                {"revoked": _object(token)},
                Message("Revoked: {token}", token=_line(token)),
            )
        case _:
            found = store.all()
            lines = [*map(_line, found)] or [Message("There are no access tokens.")]
            show(arguments, {"tokens": [_object(one) for one in found]}, *lines)


def _object(token: Token) -> dict[str, Any]:
    told = asdict(token)
    del told["sha256"]
    return {**told, "is_over": token.is_over}


def _line(token: Token) -> Message:
    until = datetime.fromtimestamp(token.until).astimezone()
    return Message(
        "{id}  {owner}  {name} ({scope}), valid until {until}",
        id=token.id,
        owner=token.owner,
        name=token.name,
        scope=Message(token.scope),
        until=f"{until:%Y-%m-%d %H:%M}",
    )
