"""The look of the pages, and small scripts in the browser: focus, motion, names of tables."""

from dataclasses import replace
from typing import Any

import streamlit as st

from subclust.figures.palette import DARK, LIGHT, FigureTheme
from subclust.ui import state
from subclust.ui.i18n.language import N_, _, catalogue, language

_TOOLS = {
    "Pan": N_("Move the map"),
    "Box Select": N_("Choose with a box"),
    "Lasso Select": N_("Choose with a lasso"),
    "Zoom in": N_("Zoom in"),
    "Zoom out": N_("Zoom out"),
    "Reset axes": N_("Show the whole map"),
}
"""What Plotly calls the buttons above a map, which has no axes, and what they are called here."""


def map_config() -> dict[str, Any]:
    """Return how a map is moved, marked and enlarged, with the names of its buttons."""
    words = {plotly: _(ours) for plotly, ours in _TOOLS.items()}
    return {
        "displayModeBar": True,
        "modeBarButtons": [
            ["pan2d", "select2d", "lasso2d"],
            ["zoomIn2d", "zoomOut2d", "resetScale2d"],
        ],
        "scrollZoom": False,
        "locale": language(),
        "locales": {language(): {"dictionary": words}},
    }


_FOLLOWER = """
let watching = null;
let told = null;

export default function ({ data, setTriggerValue }) {
  const app = document.querySelector('.stApp');
  const compare = () => {
    const shown = getComputedStyle(app).colorScheme;
    if (shown === data.drawn) told = null;
    else if (shown !== told) setTriggerValue('theme', told = shown);
  };
  watching?.disconnect();
  watching = new MutationObserver(compare);
  watching.observe(app, { attributes: true, attributeFilter: ['class'] });
  compare();
  return () => watching.disconnect();
}
"""
# Tells once of each theme, so that a page that cannot be drawn in it is not drawn again for ever.

_follower = st.components.v2.component("subclust_theme", js=_FOLLOWER)


_SEPARATORS = {"en": ".,", "de": ",."}


def draw_style(rules: str) -> None:
    """Add rules to the style sheet for this run of the page."""
    st.html(f"<style>{rules}</style>")


def draw_colour_scheme() -> None:
    """Draw what the colours of the style sheet follow; Streamlit sets it, but not for dialogs."""
    draw_style(f":root {{ color-scheme: {'dark' if _is_dark() else 'light'} }}")


def figure_theme() -> FigureTheme:
    """Return the theme and the language that the visitor's page is drawn in."""
    drawn = DARK if _is_dark() else LIGHT
    name = language()
    return replace(drawn, say=catalogue(name).gettext, separators=_SEPARATORS[name])


def _is_dark() -> bool:
    return st.context.theme.type == "dark"


def follow_theme() -> None:
    """Have the page drawn again as soon as the visitor's browser shows another theme.

    Streamlit itself changes its own colours only, and tells of the new theme at the next
    interaction; until then a figure would keep the colours of the old one.
    """
    # The style sheet hides containers named "script-…", which would take up a line of the page.
    with st.container(key="script-theme"):
        _follower(
            key="theme",
            data={"drawn": "dark" if _is_dark() else "light"},
            on_theme_change=lambda: None,
        )


# A browser takes the focus off a disabled button and leaves it nowhere: the Tab key then begins at
# the top of the page, and the Escape key no longer closes a dialog. A menu that is opened by a key
# waits for transitions before it takes the focus, and for ever where one was cancelled. A dialog
# gives the focus back once, when it closes: the page is then drawn anew, and may have no button to
# give it to for a moment, or another one in its place.
_KEEPER = """
let last = null;
let lost = null;
let place = null;  // the class of what holds the button that had the focus last
let opener = null;  // the same of the button that opened a dialog, until somebody goes on
let watching = null;

const free = () => !document.activeElement || document.activeElement === document.body
  || document.activeElement.matches('[role=dialog]');

const dialog = () => document.querySelector('[role=dialog]');

const note = ({ target }) => {
  last = target;
  if (!free()) lost = null;
  if (target.closest('[role=dialog]')) opener = place;
  else {
    place = target.closest('[class*="-place"]')?.className.match(/st-key-\\S+-place/)?.[0] ?? null;
    if (place !== opener) opener = null;
  }
};
const leave = () => {
  lost = null;
  if (!dialog()) opener = null;
};

const giveBack = () => {
  if (opener && free() && !dialog()) document.querySelector(`.${opener} button`)?.focus();
};

const keep = () => {
  if (last?.disabled) lost = last;
  if (!lost?.isConnected || !free()) return;
  (lost.disabled ? lost.closest('[role=dialog]') : lost)?.focus();
};
const wait = () => setTimeout(() => { keep(); giveBack(); }, 0);

const enter = (left) => {
  const menu = document.querySelector('[role=menu]');
  if (menu?.contains(document.activeElement)) return;
  if (menu) (menu.querySelector('[data-focused]') ?? menu).focus();
  else if (left) setTimeout(enter, 50, left - 1);
};
const watch = (changes) => {
  giveBack();
  if (changes.some(({ attributeName }) => attributeName === 'disabled')) keep();
  if (changes.some(({ target, attributeName }) => attributeName
    && target.matches('[aria-haspopup=menu][aria-expanded=true]')))
    setTimeout(enter, 100, 40);
};

export default function () {
  watching?.disconnect();
  watching = new MutationObserver(watch);
  const attributeFilter = ['disabled', 'inert', 'aria-expanded'];
  watching.observe(document.body, { attributeFilter, childList: true, subtree: true });
  document.addEventListener('focusin', note);
  document.addEventListener('focusout', wait);
  // Before the same key closes a dialog.
  document.addEventListener('pointerdown', leave, true);
  document.addEventListener('keydown', leave, true);
  return () => {
    watching.disconnect();
    document.removeEventListener('focusin', note);
    document.removeEventListener('focusout', wait);
    document.removeEventListener('pointerdown', leave, true);
    document.removeEventListener('keydown', leave, true);
  };
}
"""

_keeper = st.components.v2.component("subclust_kept_focus", js=_KEEPER)


def keep_focus() -> None:
    """Return the focus to buttons that were disabled or opened a dialog, and move it into menus."""
    with st.container(key="script-focus"):
        _keeper(key="focus")


_ASKER = """
const wish = matchMedia('(prefers-reduced-motion: reduce)');

export default function ({ data, setTriggerValue }) {
  const tell = () => {
    if (wish.matches !== data.still) setTriggerValue('still', wish.matches ? 'yes' : 'no');
  };
  wish.addEventListener('change', tell);
  tell();
  return () => wish.removeEventListener('change', tell);
}
"""

_asker = st.components.v2.component("subclust_motion", js=_ASKER)


def wants_no_motion() -> bool:
    """Return whether things are to be in their place at once; asks the browser the first time."""
    still: bool = st.session_state.setdefault(state.REDUCED_MOTION, False)

    with st.container(key="script-motion"):
        said = _asker(key="motion", data={"still": still}, on_still_change=lambda: None)
    # Set only if a callback is given for it; without one, Streamlit leaves the attribute out.
    told = getattr(said, "still", None)
    if told in ("yes", "no"):
        st.session_state[state.REDUCED_MOTION] = still = told == "yes"
    return still


_NAMER = """
let watching = null;
let waiting = null;

const name = () => {
  waiting = null;
  for (const table of document.querySelectorAll('[data-testid=stDataFrameResizable][aria-label]')) {
    const told = table.getAttribute('aria-label');
    const cells = table.querySelector('canvas[tabindex]');
    if (cells && cells.getAttribute('aria-label') !== told) cells.setAttribute('aria-label', told);
    // Arrow keys scroll the cells themselves: no stop of its own for what they lie in.
    const around = table.querySelector('.dvn-scroller');
    if (around && !around.hasAttribute('tabindex')) around.tabIndex = -1;
  }
  // What is wider than the page is scrolled by arrow keys, too.
  for (const box of document.querySelectorAll('.stTable div:has(> table)')) {
    if (box.scrollWidth <= box.clientWidth || box.hasAttribute('tabindex')) continue;
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', box.firstChild.getAttribute('aria-label') ?? '');
  }
};

export default function () {
  watching?.disconnect();
  watching = new MutationObserver(() => { waiting ??= setTimeout(name, 100); });
  watching.observe(document.querySelector('.stApp'), { childList: true, subtree: true });
  name();
  return () => watching.disconnect();
}
"""

_namer = st.components.v2.component("subclust_table_names", js=_NAMER)


def name_tables() -> None:
    """Name the cells of each table of the page after the table, and let the Tab key to wide ones.

    Streamlit names the part of the page in which a table lies, with the table's ``alt``, and the
    Tab key comes to a canvas and to a scrolled area within it, which have no name.
    """
    with st.container(key="script-tables"):
        _namer(key="tables")
