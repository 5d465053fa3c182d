#===-- tools/reporting/drawing.py - Draws a tree -------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Draws a tree with the predictions at its nodes, as SVG."""

import html

MOST_NODES = 200
COLUMN, ROW, RADIUS = 64, 74, 17


def order(parents):
    """Children of each node, and all nodes with parents before their children.
    Nodes that no way from the root leads to (a cycle) are missing there."""
    children = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    nodes, stack = [], [parents.index(-1)]
    while stack:
        node = stack.pop()
        nodes.append(node)
        stack += reversed(children[node])
    return children, nodes


def positions(children, nodes, parents):
    """Column (leaves side by side, parents over the middle of their children) and
    row (the depth) of every node."""
    column, row = {}, {}
    leaves = 0
    for node in nodes:
        row[node] = 0 if parents[node] < 0 else row[parents[node]] + 1
        if not children[node]:
            column[node] = leaves
            leaves += 1
    for node in reversed(nodes):
        if children[node]:
            column[node] = sum(column[c] for c in children[node]) / len(children[node])
    return column, row, leaves


def draw_tree(tree):
    """The SVG, or a sentence why there is none."""
    parents = tree["parents"]
    if len(parents) > MOST_NODES:
        return f"<p>The tree has {len(parents)} nodes; up to {MOST_NODES} are drawn.</p>"
    children, nodes = order(parents)
    if len(nodes) != len(parents):
        return "<p>The parents form a cycle; there is nothing to draw.</p>"
    column, row, leaves = positions(children, nodes, parents)
    x = {n: 40 + COLUMN * column[n] for n in nodes}
    y = {n: 26 + ROW * row[n] for n in nodes}
    width = 80 + COLUMN * max(0, leaves - 1)
    height = 60 + ROW * max(row.values())
    parts = [f'<svg class="tree" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" role="img" aria-label="tree with predictions">']
    for node in nodes:
        if parents[node] >= 0:
            up = parents[node]
            parts.append(f'<line x1="{x[up]:.1f}" y1="{y[up]}" x2="{x[node]:.1f}" '
                         f'y2="{y[node]}"/>')
    for node in nodes:
        parts.append(draw_node(tree, node, x[node], y[node]))
    return "\n".join(parts + ["</svg>"])


def draw_node(tree, node, x, y):
    prediction = (tree.get("predictions") or [None] * (node + 1))[node]
    target = (tree.get("targets") or [None] * (node + 1))[node]
    kind = "plain"
    if prediction is not None and target is not None:
        kind = "right" if str(prediction) == str(target) else "wrong"
    label = html.escape(str(tree["labels"][node]))
    text = (f'<g class="{kind}"><circle cx="{x:.1f}" cy="{y}" r="{RADIUS}"/>'
            f'<text x="{x:.1f}" y="{y + 4}">{label}</text>')
    if prediction is not None:
        said = html.escape(str(prediction))
        if kind == "wrong":
            said += f" ({html.escape(str(target))})"
        text += f'<text class="said" x="{x:.1f}" y="{y + RADIUS + 13}">{said}</text>'
    return text + "</g>"
