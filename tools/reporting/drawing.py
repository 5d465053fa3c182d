#===-- tools/reporting/drawing.py - Draws a tree -------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Draws a tree with the predictions at its nodes, as SVG."""

from .elements import tag

MOST_NODES = 200
ROW, RADIUS = 78, 15
DOT = 4  # the radius of a node without a prediction
LETTER = 7.4  # the width of a letter of a label, about
MARGIN = 14
LEFT = 20  # room for the weight of the leftmost arc
FILLS = {"right": (193, 226, 204), "wrong": (243, 196, 185)}


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


def widths_of(tree, count):
    """How much room the texts of each node take."""
    widths = []
    for node in range(count):
        label, said = str(tree["labels"][node] or ""), row_of(tree, "predictions", node)
        width = max(2 * RADIUS + 6, LETTER * len(label),
                    LETTER * len(str(said)) if said is not None else 0)
        if kind_of(tree, node) == "wrong":
            width = max(width, 2 * (RADIUS + 4 + 6.5 * len(should_be(tree, node))))
        widths.append(width + MARGIN + (12 if tree.get("edges") else 0))
    return widths


def kind_of(tree, node):
    said, target = row_of(tree, "predictions", node), row_of(tree, "targets", node)
    if said is None or target is None:
        return "plain"
    return "right" if str(said) == str(target) else "wrong"


def should_be(tree, node):
    return f"({short(row_of(tree, 'targets', node))})"


def short(value):
    """A number with few digits; anything else as it is."""
    try:
        return f"{float(value):.4g}"
    except (TypeError, ValueError):
        return str(value)


def positions(children, nodes, parents, widths):
    """The middle of every node: leaves side by side, parents over the middle of their
    children, no node over another one of its row; and its depth."""
    x, row = {}, {}
    for node in nodes:
        row[node] = 0 if parents[node] < 0 else row[parents[node]] + 1
    ends = [0.0] * (max(row.values()) + 1)  # of each row, from the left
    for node in postorder(children, nodes):
        wanted = (sum(x[c] for c in children[node]) / len(children[node])
                  if children[node] else max(ends[row[node]:]) + widths[node] / 2)
        least = ends[row[node]] + widths[node] / 2
        if least > wanted and children[node]:
            shift(children, node, least - wanted, x, row, ends, widths)
            wanted = least
        x[node] = max(wanted, least)
        ends[row[node]] = x[node] + widths[node] / 2
    return x, row


def postorder(children, nodes):
    """Nodes with children before their parents, from the left."""
    found, stack = [], [nodes[0]]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += children[node]
    return reversed(found)


def shift(children, node, by, x, row, ends, widths):
    """Moves all that is below a node to the right."""
    stack = list(children[node])
    while stack:
        below = stack.pop()
        x[below] += by
        ends[row[below]] = max(ends[row[below]], x[below] + widths[below] / 2)
        stack += children[below]


def draw_tree(tree):
    """The SVG and its width in pixels; or a sentence why there is none, and 0."""
    parents = tree["parents"]
    if len(parents) > MOST_NODES:
        return tag("p", f"The tree has {len(parents)} nodes; up to {MOST_NODES} are "
                   "drawn."), 0
    children, nodes = order(parents)
    if len(nodes) != len(parents):
        return tag("p", "The parents form a cycle; there is nothing to draw."), 0
    widths = widths_of(tree, len(parents))
    x, row = positions(children, nodes, parents, widths)
    y = {node: 24 + ROW * row[node] for node in nodes}
    width = round(max(x[n] + widths[n] / 2 for n in nodes) + 2 * LEFT)
    height = 74 + ROW * max(row.values())
    parts = [draw_edge(tree, n, (x[up], y[up]), (x[n], y[n]))
             for n in nodes if (up := parents[n]) >= 0]
    parts += [draw_node(tree, node, x[node], y[node]) for node in nodes]
    return tag("svg", [["\n", part] for part in parts], class_="tree",
               viewBox=f"{-LEFT} 0 {width} {height}", width=width, height=height,
               role="img", aria_label="tree with predictions"), width


def edge_weights(tree, node):
    """The weights of the edge to a node: names and numbers."""
    return [(name, values[node]) for name, values in (tree.get("edges") or {}).items()
            if isinstance(values[node], (int, float))]


def draw_edge(tree, node, upper, lower):
    """A curve; with weights as thick as the first one says, which it bears."""
    (x0, y0), (x1, y1) = upper, lower
    middle = (y0 + y1) / 2
    path = f'M{x0:.1f} {y0} C{x0:.1f} {middle} {x1:.1f} {middle} {x1:.1f} {y1}'
    weights = edge_weights(tree, node)
    if not weights:
        return tag("path", d=path)
    largest = max(abs(v) for v in tree["edges"][weights[0][0]]
                  if isinstance(v, (int, float))) or 1
    share = abs(weights[0][1]) / largest
    return tag(
        "g", tag("title", ", ".join(f"{name} {value:.3g}" for name, value in weights)),
        tag("path", d=path,
            style=f"stroke-width:{1 + 6 * share:.1f};stroke-opacity:{.3 + .6 * share:.2f}"),
        tag("text", f"{weights[0][1]:.2f}", x=f"{x1 + (-15 if x1 < x0 - 1 else 15):.1f}",
            y=f"{y1 - RADIUS - 5:.1f}"), class_="weight")


def row_of(tree, name, node):
    values = tree.get(name)
    return values[node] if values else None


def tooltip(tree, node):
    """What a pointer over the node shows."""
    told = []
    for name in ("predictions", "targets", "probabilities"):
        value = row_of(tree, name, node)
        if value is not None:
            told.append(f"{name[:-1] if name != 'probabilities' else 'probability'} {value}")
    told += [f"{name} {values[node]}" for name, values in (tree.get("nodes") or {}).items()
             if values[node] is not None]
    return tag("title", ", ".join(told)) if told else ""


def blend(color, share):
    """White that turns into the color as the share goes from 0 to 1."""
    share = min(1, max(0, share))
    return "#" + "".join(f"{round(255 + share * (part - 255)):02x}" for part in color)


def draw_node(tree, node, x, y):
    """A circle with the prediction in it, the label below, and at its side what is
    right, if that is something else. How full it is says how sure the model was."""
    said, sure = row_of(tree, "predictions", node), row_of(tree, "probabilities", node)
    kind = kind_of(tree, node)
    fill = f"fill:{blend(FILLS[kind], sure)}" if isinstance(
        sure, (int, float)) and kind in FILLS else None
    radius = DOT if said is None else RADIUS
    parts = [tooltip(tree, node), tag("circle", cx=f"{x:.1f}", cy=y, r=radius, style=fill)]
    if said is not None:
        parts.append(tag("text", short(said), class_="said", x=f"{x:.1f}", y=y + 4))
    label = tree["labels"][node]
    if label:
        parts.append(tag("text", label, class_="word", x=f"{x:.1f}", y=y + radius + 14))
    if kind == "wrong":
        parts.append(tag("text", should_be(tree, node), class_="should",
                         x=f"{x + RADIUS + 4:.1f}", y=y + 4))
    return tag("g", *parts, class_=kind)
