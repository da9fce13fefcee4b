"""The style sheet of the report."""

from subclust.figures import DARK, LIGHT, FigureTheme

REPORT_STYLE = """
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem;
  background: var(--page); color: var(--text); line-height: 1.5;
  font-family: 'Source Sans 3', 'Source Sans Pro', system-ui, 'Helvetica Neue', Arial, sans-serif }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .25rem; text-wrap: balance }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .25rem }
h3 { font-size: 1rem; margin: 1.25rem 0 .15rem }
p { margin: .35rem 0 }
a { color: var(--link); text-underline-offset: .15em }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.lead, .facts, .source, footer { color: var(--muted) }
.source { font-size: .9rem }
figure { margin: 1.5rem 0 }
figure svg { width: 100%; height: auto; display: block; border: 1px solid var(--rule);
  border-radius: .5rem }
figcaption { color: var(--muted); font-size: .9rem; margin-top: .4rem }
nav ol { list-style: none; padding: 0; columns: 2 20rem; margin: .5rem 0 }
nav li { margin: .2rem 0; break-inside: avoid }
.sc-mark { vertical-align: -.2rem; margin-right: .35rem }
ol.passages { list-style: none; padding: 0; margin: 0 }
ol.passages > li { border-top: 1px solid var(--rule); padding: .25rem 0 .75rem;
  break-inside: avoid; scroll-margin-top: 1rem; overflow-wrap: anywhere }
ol.passages > li:target { outline: 2px solid var(--link); outline-offset: .4rem }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .2rem 1.25rem;
  margin: .5rem 0 }
dt { color: var(--muted) }
dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt }
  h2 { break-after: avoid }
  figure { break-inside: avoid }
  a { color: inherit }
}
@page { margin: 18mm }
"""


def colours(theme: FigureTheme, link: str, rule: str) -> str:
    """Write a theme's colours as CSS properties."""
    return (
        f"--page: {theme.page}; --text: {theme.text}; --muted: {theme.muted}; "
        f"--link: {link}; --rule: {rule}"
    )


def style_sheet(dark_map: str) -> str:
    """Put the style sheet together, with the rules that the map has in the dark."""
    return (
        f":root {{ color-scheme: light dark; {colours(LIGHT, '#0B63A5', '#C9D1DB')} }} "
        "@media screen and (prefers-color-scheme: dark) { "
        f":root {{ {colours(DARK, '#86BDF0', '#3A4553')} }} {dark_map} }} "
        f"{REPORT_STYLE}"
    )
