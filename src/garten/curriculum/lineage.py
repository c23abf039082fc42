"""Levels and what they were written from as a graph in GraphML, for NetworkX, Gephi, yEd and others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

from garten.curriculum.node import Node

_SPACE = "http://graphml.graphdrawing.org/xmlns"

_KINDS = {
    **dict.fromkeys(("status", "origin", "objective", "description", "goal", "refused"), "string"),
    **dict.fromkeys(("born", "last_trained", "trainings"), "int"),
    **dict.fromkeys(("success", "learnability"), "double"),
}
"""What is told of each level, and its type."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""


def graphml(nodes: Iterable[Node]) -> str:
    """The graph: a node a level, an edge from each parent to each child."""
    levels = list(nodes)
    root = ElementTree.Element("graphml", xmlns=_SPACE)
    for name, kind in _KINDS.items():
        ElementTree.SubElement(root, "key", {"id": name, "for": "node", "attr.name": name, "attr.type": kind})
    graph = ElementTree.SubElement(root, "graph", edgedefault="directed")
    for node in levels:
        element = ElementTree.SubElement(graph, "node", id=node.digest)
        for name, value in _told(node).items():
            if value is not None:
                ElementTree.SubElement(element, "data", key=name).text = _FORBIDDEN.sub("?", str(value))
    for node in levels:
        if node.parent is not None:
            ElementTree.SubElement(graph, "edge", source=node.parent, target=node.digest)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written.decode() + "\n"


def _told(node: Node) -> dict[str, str | int | float | None]:
    last = node.last
    return {
        "status": node.status,
        "origin": node.origin,
        "objective": node.objective,
        "description": node.description,
        "goal": " ".join(node.goal),
        "refused": node.refused,
        "born": node.born,
        "last_trained": last.cycle if last else None,
        "trainings": len(node.trainings),
        "success": last.evidence.success if last else None,
        "learnability": last.evidence.learnability if last else None,
    }
