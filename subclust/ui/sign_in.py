"""Who looks at the pages, how they sign in, and what they have uploaded."""

import streamlit as st
from streamlit.navigation.page import Page
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.stats import CacheStat

from subclust.core import audit
from subclust.core.access import (
    LOCAL,
    STRANGER,
    Person,
    Role,
    acting,
    identify_by,
)
from subclust.core.accounts import Accounts
from subclust.core.settings import Settings
from subclust.core.tokens import TokenStore
from subclust.serving.visitor import known_visitor
from subclust.ui import state
from subclust.ui.i18n.language import _

_accounts: Accounts | None = None

# Bounded, because visitors who never return from the provider would otherwise pile up here.
_MOST_WANTED = 1000
_wanted: dict[str, tuple[Page, dict[str, str]]] = {}
"""The page and address that a browser asked for before it went to sign in."""


def require_sign_in(accounts: Accounts | None) -> None:
    """Have every page know who looks at it, where there are accounts."""
    global _accounts
    _accounts = accounts
    if accounts is not None:
        identify_by(_visitor)


def _visitor() -> Person:
    """Return who looks at the page that is being drawn; nobody outside of one."""
    if _accounts is None:
        return LOCAL
    # A background thread belongs to no page, so work moved to one cannot gain its starter's rights.
    if get_script_run_ctx() is None:
        return STRANGER
    if _accounts.header is not None:
        return _accounts.person(st.context.headers.get(_accounts.header.name) or "")
    if not st.user.is_logged_in:
        return STRANGER
    return _accounts.person_of(st.user.to_dict())


def is_known() -> bool:
    """Return whether who looks may see the pages."""
    return acting().role > Role.NOBODY


def draw_sign_in(page: Page) -> None:
    """Draw who has signed in; whoever has not sees the way to do so, and nothing else.

    Parameters
    ----------
    page : Page
        That was asked for. Signing in leads back to it.
    """
    if _accounts is None:
        return
    person = acting()
    if person.role is Role.NOBODY:
        _draw_way_in(_accounts, page)
        st.stop()
    # Whoever needs no account does not wait for it at the start.
    from subclust.ui.components.words import plain
    from subclust.ui.tokens import ROLE_NAMES, draw_tokens

    # Signing in loads the app again in a new session; only the visitor's cookie is still the same.
    if wanted := _wanted.pop(visitor(), None):
        st.switch_page(wanted[0], query_params=wanted[1])
    # Once per session: the script runs again at every click, which would flood the audit log.
    if st.session_state.get(state.SIGNED_IN) != person.name:
        st.session_state[state.SIGNED_IN] = person.name
        audit.note(person.name, "signed in")
    with st.container(key="account"), st.popover(plain(person.name), icon=":material/person:"):
        st.write(_("You are signed in as {role}.").format(role=_(ROLE_NAMES[person.role])))
        if _accounts.header is None:
            st.button(_("Sign out"), key="sign-out", on_click=st.logout)
        draw_tokens(TokenStore(Settings.from_environment().tokens_dir, _accounts))


def _draw_way_in(accounts: Accounts, page: Page) -> None:
    st.subheader(_("Sign in to Subclust"), anchor=False)
    if accounts.header is not None:
        st.write(_("The proxy did not say who you are. Ask whoever runs this server."))
        return
    st.write(_("You will come back to this page after you have signed in."))
    asked = page, st.query_params.to_dict()
    st.button(_("Sign in"), key="sign-in", type="primary", on_click=_sign_in, args=(asked,))


def _sign_in(wanted: tuple[Page, dict[str, str]]) -> None:
    while len(_wanted) >= _MOST_WANTED:
        _wanted.pop(next(iter(_wanted)), None)
    if visitor():
        _wanted[visitor()] = wanted
    st.login()


def visitor() -> str:
    """Return the number of this visitor's browser; empty where it takes no cookies."""
    return known_visitor(st.context.cookies)


def held_uploads() -> int:
    """Return how many bytes of uploads Streamlit holds for all visitors."""
    if not Runtime.exists():
        return 0
    stats = Runtime.instance().uploaded_file_mgr.get_stats()
    held = [one for family in stats.values() for one in family if isinstance(one, CacheStat)]
    return sum(one.byte_length for one in held)
