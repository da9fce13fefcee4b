"""A person's access tokens, in the panel behind their name."""

import streamlit as st

from subclust.core.access import Role, acting, may_change
from subclust.core.exceptions import SubclustError
from subclust.core.messages import N_
from subclust.core.tokens import MAX_DAYS, Token, TokenStore
from subclust.ui import state
from subclust.ui.components.words import error_words, moment, plain
from subclust.ui.i18n.language import _

ROLE_NAMES = {
    Role.READER: N_("reader"),
    Role.CURATOR: N_("curator"),
    Role.ADMINISTRATOR: N_("administrator"),
}
_DAYS = 90


@st.fragment
def draw_tokens(store: TokenStore) -> None:
    """Draw the tokens of who looks, and the way to create and revoke them."""
    if not may_change("token"):
        return
    with st.expander(_("Access tokens"), key="access-tokens"):
        st.caption(_("Programs use a token to act in your name. Do not share it."))
        if text := st.session_state.get(state.TOKEN_CREATED):
            st.success(_("Copy this token now; it is not shown again."))
            st.code(text, language=None, wrap_lines=True)
        if problem := st.session_state.pop(state.TOKEN_PROBLEM, None):
            st.error(plain(problem))
        try:
            found = store.all()
        except SubclustError as error:
            st.error(plain(error_words(error)))
            return
        for token in found:
            if token.owner == acting().name:
                _draw_token(store, token)
        _draw_form(store)


def _draw_token(store: TokenStore, token: Token) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"token-{token.id}"):
        when = _("ended {time}") if token.is_over else _("valid until {time}")
        role = _(ROLE_NAMES[Role[token.scope.upper()]])
        told = when.format(time=moment(token.until))
        st.markdown(f"**{plain(token.name)}**  \n{plain(f'{role}, {told}')}")
        st.button(_("Revoke"), key=f"revoke-{token.id}", on_click=_revoke, args=(store, token.id))


def _draw_form(store: TokenStore) -> None:
    with st.form("new-token", border=False):
        st.text_input(_("What it is for"), key=state.TOKEN_NAME, max_chars=80)
        st.number_input(_("Valid for days"), 1, MAX_DAYS, value=_DAYS, key=state.TOKEN_DAYS)
        roles = [role for role in ROLE_NAMES if role <= acting().role]
        st.selectbox(
            _("It may act as"),
            roles,
            format_func=lambda role: _(ROLE_NAMES[role]),
            key=state.TOKEN_SCOPE,
        )
        st.form_submit_button(_("Create token"), on_click=_create, args=(store,))


def _create(store: TokenStore) -> None:
    given = st.session_state
    given.pop(state.TOKEN_CREATED, None)
    try:
        _token, text = store.create(
            acting(),
            given[state.TOKEN_NAME],
            Role(given[state.TOKEN_SCOPE]),
            int(given[state.TOKEN_DAYS]),
        )
    except SubclustError as error:
        given[state.TOKEN_PROBLEM] = error_words(error)
        return
    given[state.TOKEN_CREATED] = text
    # Only a callback may set this: it runs before the field is drawn.
    given[state.TOKEN_NAME] = ""


def _revoke(store: TokenStore, id_: str) -> None:
    st.session_state.pop(state.TOKEN_CREATED, None)
    try:
        store.revoke(id_)
    except SubclustError as error:
        st.session_state[state.TOKEN_PROBLEM] = error_words(error)
