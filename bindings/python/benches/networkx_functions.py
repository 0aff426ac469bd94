"""Compares functions of NetworkX on a view of a file with NetworkX's own and with igraph.

    python benches/networkx_functions.py GRAPH.varvite CALL+CONTAINS AST

NetworkX and igraph get the same nodes and distinct edges, in the same order. A time is the median of the runs that fit
into some seconds, at least one; with `--cpu`, of the processor time of all threads, for machines that do other work too.
`kernel` is the part of Varvite's time without Python's result objects. igraph's time
without its conversion counts the arrays and lists of its own interface as the result.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import igraph
import networkx as nx
import numpy

import varvite

SECONDS = 1.0

#: The clock of all measurements.
CLOCK: list[Callable[[], float]] = [time.perf_counter]


def median_ms(call: Callable[[], Any]) -> float:
    """The median time of a call in milliseconds, without the collector of garbage, as `timeit` measures."""
    gc.collect()
    gc.disable()
    times: list[float] = []
    while not times or (sum(times) < SECONDS and len(times) < 50):
        start = CLOCK[0]()
        call()
        times.append(CLOCK[0]() - start)
    gc.enable()
    return statistics.median(times) * 1000


def consumed(iterator: Any) -> list[Any]:
    return list(iterator)


def rows(view: Any, source: int, target: int) -> list[tuple[str, Callable[[Any], Any], Any, Any]]:
    """For each function: its name, the call, the part of Varvite without result objects, and igraph's call."""
    network = view._network
    number, end = network.node(source), network.node(target)
    index = {node: place for place, node in enumerate(view)}
    start, goal = index[source], index[target]
    return [
        ("bfs_edges", lambda g: consumed(nx.bfs_edges(g, source)), lambda: network.search([number], None, False),
         lambda g: g.bfs(start)),
        ("descendants", lambda g: nx.descendants(g, source), lambda: network.search([number], None, False),
         lambda g: g.subcomponent(start, mode="out")),
        ("ancestors", lambda g: nx.ancestors(g, target), lambda: network.search([end], None, True),
         lambda g: g.subcomponent(goal, mode="in")),
        ("shortest_path", lambda g: nx.shortest_path(g, source, target), lambda: network.shortest_path(number, end),
         lambda g: g.get_shortest_path(start, goal)),
        ("single_source_shortest_path_length", lambda g: nx.single_source_shortest_path_length(g, source),
         lambda: network.search([number], None, False), lambda g: g.distances(start)),
        ("weakly_connected_components", lambda g: consumed(nx.weakly_connected_components(g)),
         lambda: network.components(), lambda g: list(g.connected_components(mode="weak"))),
        ("strongly_connected_components", lambda g: consumed(nx.strongly_connected_components(g)),
         lambda: network.strong_components(), lambda g: list(g.connected_components(mode="strong"))),
        ("topological_sort", lambda g: sorted_or_cycle(g), lambda: network.generations(), None),
        ("pagerank", lambda g: nx.pagerank(g), None, lambda g: g.pagerank()),
        ("immediate_dominators", lambda g: nx.immediate_dominators(g, source), None, lambda g: g.dominator(start)),
        ("core_number", lambda g: core_or_loops(g), None, lambda g: g.coreness()),
    ]  # fmt: skip


def sorted_or_cycle(graph: Any) -> Any:
    try:
        return consumed(nx.topological_sort(graph))
    except nx.NetworkXUnfeasible:
        return None


def core_or_loops(graph: Any) -> Any:
    try:
        return nx.core_number(graph)
    except nx.NetworkXNotImplemented:
        return None


def farthest(view: Any) -> tuple[int, int]:
    """The one of some nodes without in-edges that reaches most others, and a node that is far from it."""
    roots = [node for node in next(nx.topological_generations(view)) if view.out_degree(node)]
    tried = roots[:: max(1, len(roots) // 300)]
    source = max(tried, key=lambda node: len(nx.descendants(view, node)))
    return source, list(nx.single_source_shortest_path_length(view, source))[-1]


def measure(graph: varvite.Graph, label: str, nodes: list[str]) -> None:
    view = graph.networkx(*label.split("+"), labels=nodes)
    start = CLOCK[0]()
    nx.descendants(view, next(iter(view)))
    first = CLOCK[0]() - start
    start = CLOCK[0]()
    copy: Any = nx.DiGraph()
    copy.add_nodes_from(view)
    edges = numpy.array(list(view.edges), numpy.int64)
    ids = numpy.array(list(view), numpy.int64)
    begun = CLOCK[0]()
    copy.add_edges_from(edges.tolist())
    copied = CLOCK[0]() - begun
    begun = CLOCK[0]()
    places: Any = numpy.ascontiguousarray(numpy.searchsorted(ids, edges))
    other = igraph.Graph(n=len(view), edges=memoryview(places), directed=True)
    converted = (CLOCK[0]() - begun) * 1000
    source, target = farthest(view)
    print(f"\n{graph.path} {label}: {len(view):,} nodes, {len(edges):,} edges; from {source} to {target}")
    print(f"first use {first * 1000:.0f} ms, NetworkX's copy {copied * 1000:.0f} ms, igraph's {converted:.0f} ms")
    print("| function | NetworkX ms | Varvite ms | of it kernel | times faster | igraph ms | Varvite / igraph |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, call, kernel, of_igraph in rows(view, source, target):
        own, ours = median_ms(lambda: call(copy)), median_ms(lambda: call(view))
        alone = "" if kernel is None else f"{median_ms(kernel):.2f}"
        theirs = None if of_igraph is None else median_ms(lambda: of_igraph(other))
        compared = "| |" if theirs is None else f"| {theirs:.2f} | {ours / theirs:.2f} |"
        print(f"| {name} | {own:.2f} | {ours:.2f} | {alone} | {own / ours:.1f} {compared}")


def measures(files: Any) -> list[Any]:
    """The same rows for `make bench-python`: the graphs of `files`, with the kernel as a side of its own."""
    from record import Measure  # type: ignore[import-not-found, unused-ignore]

    graph, found = varvite.open(files.direct), []
    for label in ["AST", "CALL+CONTAINS"]:
        view = graph.networkx(*label.split("+"))
        copy, other = copies(view)
        for name, call, kernel, of_igraph in rows(view, *farthest(view)):
            sides = {"Varvite": bound(call, view), "NetworkX": bound(call, copy)}
            sides |= {} if kernel is None else {"Varvite without result": kernel}
            sides |= {} if of_igraph is None else {"igraph": bound(of_igraph, other)}
            found.append(Measure(f"networkx_{label}_{name}", f"`{name}`, {label} edges", sides))
    return found


def bound(call: Callable[[Any], Any], graph: Any) -> Callable[[], Any]:
    return lambda: call(graph)


def copies(view: Any) -> tuple[Any, Any]:
    """The graphs of NetworkX and igraph with the nodes and edges of a view."""
    copy: Any = nx.DiGraph()
    copy.add_nodes_from(view)
    copy.add_edges_from(view.edges)
    place = {node: number for number, node in enumerate(view)}
    edges = [(place[source], place[target]) for source, target in view.edges]
    return copy, igraph.Graph(n=len(view), edges=edges, directed=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph")
    parser.add_argument("labels", nargs="+")
    parser.add_argument("--nodes", nargs="*", default=[], help="the labels of the nodes; by default all")
    parser.add_argument("--cpu", action="store_true", help="measure the processor time of all threads")
    arguments = parser.parse_args()
    if arguments.cpu:
        CLOCK[0] = time.process_time
    with varvite.open(arguments.graph) as graph:
        for label in arguments.labels:
            measure(graph, label, arguments.nodes)


if __name__ == "__main__":
    main()
