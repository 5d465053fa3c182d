#===-- tools/reporting/elements.py - Pieces of HTML -----------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Pieces of HTML, and the one way in which text comes into them: `tag` escapes every
text that is not itself made by `tag`."""

import html
import math

from .text import printable

STYLE = """
:root { --ink: #23211c; --soft: #6d675b; --line: #e4ddcf; --paper: #fbf9f4;
        --card: #fff; --accent: #2f7d4f; --bad: #b3402e; --wood: #8d6e3f; }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, "Segoe UI", Roboto, sans-serif; color: var(--ink);
       background: var(--paper); max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.15; margin: 0; letter-spacing: -.015em; }
h2 { font-size: 1.25rem; margin: 3rem 0 .9rem; letter-spacing: -.01em; }
h3 { font-size: 1rem; margin: 0 0 .3rem; }
header { border-bottom: 1px solid var(--line); padding-bottom: 1.4rem; }
header p { margin: .4rem 0 0; color: var(--soft); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
       gap: .8rem; margin-top: 1.4rem; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: .7rem;
       box-shadow: 0 1px 2px rgba(60, 50, 20, .04); }
.tile { padding: .8rem 1rem; }
.tile b { display: block; font-size: 1.7rem; line-height: 1.2; font-weight: 650;
       font-variant-numeric: tabular-nums; letter-spacing: -.02em; }
.tile b small { font-size: .95rem; font-weight: 500; color: var(--soft); }
.tile span { color: var(--soft); font-size: .8rem; overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr));
       gap: 1rem; }
.card { padding: 1rem 1.1rem; overflow-x: auto; margin: 0; min-width: 0; }
.cards > .wide { grid-column: 1 / -1; }
.tree-note { margin-top: .8rem; } table + table { margin-top: 1rem; }
figure.card svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption, .note { color: var(--soft); font-size: .85rem; margin: .5rem 0 0; }
table { border-collapse: collapse; font-size: .93rem; }
td, th { text-align: left; vertical-align: top; padding: .38rem 1.1rem .38rem 0;
       border-bottom: 1px solid var(--line); }
tr:last-child > * { border-bottom: 0; } th { font-weight: 550; color: var(--soft); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums;
       white-space: nowrap; padding-right: .9rem; }
tr > th:first-child { white-space: nowrap; }
td.best { font-weight: 650; color: var(--accent); }
tr.total > * { border-top: 2px solid var(--line); font-weight: 600; }
table.confusion td, table.matrix td { text-align: center; min-width: 3.1rem; padding: .45rem .5rem;
       border: 2px solid var(--card); border-radius: 5px; font-variant-numeric: tabular-nums; }
table.confusion th, table.matrix th { border: 0; padding: .3rem .6rem; text-align: center;
       vertical-align: middle; }
table.confusion td.edge { color: var(--soft); font-size: .85rem; }
figure.card svg.tree, svg.tree { max-width: none; margin: 0 0 0 -12px; }
.side { display: flex; flex-wrap: wrap; gap: 0 2rem; }
.tree path { fill: none; stroke: #cfc5b1; stroke-width: 1.6; }
.tree .weight path { stroke: var(--wood); }
.tree .weight text { font-size: 11px; fill: var(--wood); text-anchor: middle;
       paint-order: stroke; stroke: #fff; stroke-width: 4px; }
.tree circle { fill: #fff; stroke: var(--wood); stroke-width: 1.6; }
.tree .right circle { stroke: var(--accent); fill: #e7f2ea; }
.tree .wrong circle { stroke: var(--bad); fill: #f9e7e3; }
.tree text { font-size: 13px; text-anchor: middle; fill: var(--ink); }
.tree .word { font-weight: 550; paint-order: stroke; stroke: #fff; stroke-width: 4px; }
.tree .said { font-size: 12px; font-weight: 600; }
.tree .right .said { fill: #226540; } .tree .wrong .said { fill: #96301f; }
.tree .should { font-size: 11px; fill: #96301f; text-anchor: start; paint-order: stroke;
       stroke: #fff; stroke-width: 4px; }
.verdict { display: flex; gap: .5rem; flex-wrap: wrap; align-items: baseline; font-size: .85rem;
       color: var(--soft); margin: 0 0 .6rem; }
.verdict b { color: #fff; border-radius: .5rem; padding: .05rem .55rem; background: var(--accent); }
.verdict.wrong b { background: var(--bad); }
.sentence { margin: 0 0 .5rem; font-size: 1.02rem; overflow-wrap: anywhere; }
.card > p:first-child { margin-top: 0; }
.heat { line-height: 2.9; margin: .2rem 0; }
.heat span { display: inline-block; line-height: 1.3; text-align: center; border-radius: .3rem;
       padding: .12rem .38rem; margin-right: .18rem; vertical-align: top; }
.heat small { display: block; font-size: .7rem; font-variant-numeric: tabular-nums; }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem;
       margin-right: .45rem; vertical-align: -.05rem; }
code { background: #f1ece0; padding: .1em .35em; border-radius: .3em; font-size: .88em;
       overflow-wrap: anywhere; }
ul.next li { margin: .35rem 0; }
@media print { body { max-width: none; } .card { break-inside: avoid; } }
"""


# Nothing is fetched and nothing runs, whatever the names in a run folder say.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
VOID = ("br", "meta")  # elements without an end


class Html(str):
    """A text that is HTML. Only this module and matplotlib's SVG make it."""


def escape(value):
    """HTML of a text, of HTML, or of a list of both."""
    if isinstance(value, Html):
        return value
    if isinstance(value, (list, tuple)):
        return Html("".join(map(escape, value)))
    return Html(html.escape(printable(value, keep="\n\t")))


def tag(kind, /, *content, **attributes):
    """An element. Attributes are named as in HTML, but with "_" for "-", and with "_"
    at the end where the name is a word of Python (`class_`); None leaves one out."""
    told = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items() if value is not None)
    end = "" if kind in VOID else f"{escape(content)}</{kind}>"
    return Html(f"<{kind}{told}>{end}")


def number(value):
    """A number as a user reads it; anything else as a text."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def plus_minus(mean, deviation):
    """A mean and, where there is one, its deviation, to two digits of the latter."""
    if mean is None:
        return "–"
    if deviation is None:
        return number(float(mean))
    if not deviation:
        return f"{number(float(mean))} ± 0"
    places = max(0, 1 - math.floor(math.log10(deviation)))
    return f"{mean:.{places}f} ± {deviation:.{places}f}"


def code_in(text):
    """A text in which what stands in backticks is a command."""
    return [tag("code", part) if i % 2 else part
            for i, part in enumerate(text.split("`"))]


def row(*cells, class_=None):
    return tag("tr", *cells, class_=class_)


def number_cell(*content, class_=""):
    return tag("td", *content, class_=f"number {class_}".strip())


def table(rows):
    """A name and a value per row."""
    return tag("table", [row(tag("th", name), tag("td", value)) for name, value in rows])


def heading(text):
    return tag("h2", text)


def figure(content, caption="", title="", wide=False):
    return tag("figure", tag("h3", title) if title else "", content,
               tag("figcaption", caption) if caption else "",
               class_="card wide" if wide else "card")


def card(*content):
    return tag("div", *content, class_="card")


def cards(items):
    return [tag("div", *items, class_="cards")] if items else []


def tile(value, what):
    """A number in large type over what it is."""
    return tag("div", tag("b", value), tag("span", what), class_="tile")


def document(title, parts):
    """The whole page."""
    head = tag("head", tag("meta", charset="utf-8"),
               tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
               tag("meta", name="viewport", content="width=device-width"),
               tag("title", title), tag("style", Html(STYLE)))
    body = tag("body", [[part, "\n"] for part in parts])
    return Html("<!DOCTYPE html>\n") + tag("html", head, "\n", body, lang="en") + "\n"
