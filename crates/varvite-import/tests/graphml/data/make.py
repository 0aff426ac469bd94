"""Writes the GraphML files beside this script, using NetworkX 3.6: python3 make.py"""

from pathlib import Path

import networkx as nx

FOLDER = Path(__file__).parent


def people() -> nx.DiGraph:
    """Values of every type. One height is an integer and one is not, so NetworkX writes two keys of this name."""
    graph = nx.DiGraph(name="people")
    graph.add_node("ann", age=41, height=1.5, is_here=True, about='likes <tea> & "toast"\nat five', label="Person")
    graph.add_node("bob", age=-3, height=2, is_here=False, about=" ", label="Person")
    graph.add_node(7, label="Number")
    graph.add_edge("ann", "bob", label="KNOWS", since=1999, weight=0.25)
    graph.add_edge("bob", "ann", label="KNOWS", weight=1e300)
    graph.add_edge("ann", 7, label="COUNTS")
    return graph


def triangle() -> nx.MultiGraph:
    """An undirected graph. Two of its edges are between the same nodes."""
    graph = nx.MultiGraph()
    graph.add_edge("a", "b", weight=1)
    graph.add_edge("a", "b", weight=2)
    graph.add_edge("b", "c", weight=3)
    return graph


nx.write_graphml(people(), FOLDER / "people.graphml")
nx.write_graphml(triangle(), FOLDER / "triangle.graphml")
