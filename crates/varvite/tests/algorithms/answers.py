"""Prints answers.json, which has small random graphs and the answers of igraph and NetworkX about them.

    python3 -m venv venv && venv/bin/pip install igraph==1.0.0 networkx==3.6.1
    venv/bin/python answers.py > answers.json

If both libraries can answer a question, their answers must agree. Nodes are numbered from 0. A component is identified
by its smallest node. The answer for an unreached node is null.
"""

import json
import math
import random

import igraph
import networkx
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python

DAMPING = 0.85


def random_edges(nodes, count, seed, is_simple):
    """Random edges. Weights are multiples of 0.25 from 0 to 10, and the last tenth of the nodes has no edges."""
    draw = random.Random(seed)
    edges = []
    while len(edges) < count:
        source, target = draw.randrange(nodes * 9 // 10), draw.randrange(nodes * 9 // 10)
        if is_simple and (source == target or any(edge[:2] in ([source, target], [target, source]) for edge in edges)):
            continue
        edges.append([source, target, draw.randrange(41) / 4])
    return edges


def blocks(nodes, seed):
    """Random edges like a program's control flow: most lead to the next node, some farther forward, and a few back."""
    draw = random.Random(seed)
    edges = [[node, node + 1, draw.randrange(41) / 4] for node in range(nodes - 1) if draw.random() < 0.9]
    for _ in range(nodes):
        source = draw.randrange(nodes)
        target = min(nodes - 1, source + draw.randrange(2, 20)) if draw.random() < 0.8 else draw.randrange(source + 1)
        if source != target and all(edge[:2] != [source, target] for edge in edges):
            edges.append([source, target, draw.randrange(41) / 4])
    return edges


def smallest(nodes, components):
    """For each node, the smallest node in its component."""
    answer = [None] * nodes
    for component in components:
        for node in component:
            answer[node] = min(component)
    return answer


def finite(numbers):
    return [None if math.isinf(number) else number for number in numbers]


def same(one, other):
    assert len(one) == len(other)
    for left, right in zip(one, other):
        assert left == right or abs(left - right) <= 1e-9, (left, right)
    return one


def igraph_answers(graph):
    undirected = graph.copy()
    undirected.to_undirected(mode="each")
    nodes = graph.vcount()
    # igraph returns -1 for the root, and NaN for an unreached node.
    dominators = graph.dominator(0)
    return {
        "distances": finite(graph.distances(source=0)[0]),
        "components": smallest(nodes, graph.connected_components(mode="weak")),
        "strong_components": smallest(nodes, graph.connected_components(mode="strong")),
        "page_rank": graph.pagerank(damping=DAMPING),
        "page_rank_undirected": undirected.pagerank(damping=DAMPING),
        "least_costs": finite(graph.distances(source=0, weights="weight")[0]),
        "dominators": [int(above) if above >= 0 else None for above in dominators],
        "is_dominated": [not math.isnan(above) for above in dominators],
    }


def networkx_answers(nodes, edges):
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from(edges)
    undirected = graph.to_undirected()
    distances = networkx.single_source_shortest_path_length(graph, 0)
    costs = networkx.single_source_dijkstra_path_length(graph, 0)
    above = networkx.immediate_dominators(graph, 0)

    def ranks(graph):
        found = _pagerank_python(graph, alpha=DAMPING, tol=1e-15, max_iter=10000, weight=None)
        return [found[node] for node in range(nodes)]

    return {
        "distances": [distances.get(node) for node in range(nodes)],
        "components": smallest(nodes, networkx.weakly_connected_components(graph)),
        "strong_components": smallest(nodes, networkx.strongly_connected_components(graph)),
        "page_rank": ranks(graph),
        "page_rank_undirected": ranks(undirected),
        "least_costs": [costs.get(node) for node in range(nodes)],
        # The root is left out, because NetworkX's answer for it depends on the version.
        "dominators": [above.get(node) if node != 0 else None for node in range(nodes)],
        "is_dominated": [node == 0 or node in above for node in range(nodes)],
    }


def case(name, nodes, edges, is_simple):
    graph = igraph.Graph(n=nodes, edges=[edge[:2] for edge in edges], directed=True)
    graph.es["weight"] = [edge[2] for edge in edges]
    answers = igraph_answers(graph)
    asked = ["igraph"]
    if is_simple:
        others = networkx_answers(nodes, edges)
        for question, answer in answers.items():
            same(answer, others[question])
        undirected = networkx.Graph([edge[:2] for edge in edges])
        undirected.add_nodes_from(range(nodes))
        clustering = networkx.clustering(undirected)
        answers["clustering"] = [clustering[node] for node in range(nodes)]
        graph.to_undirected()
        same(answers["clustering"], graph.transitivity_local_undirected(mode="zero"))
        asked.append("NetworkX")
    return {"name": name, "asked": asked, "nodes": nodes, "edges": edges, "answers": answers}


CASES = [
    case("sparse", 60, random_edges(60, 60, 1, True), True),
    case("middle", 60, random_edges(60, 150, 2, True), True),
    case("dense", 40, random_edges(40, 400, 3, True), True),
    case("blocks", 80, blocks(80, 4), True),
    case("long blocks", 200, blocks(200, 5), True),
    case("loops and parallels", 50, random_edges(50, 150, 6, False), False),
]

print("[\n" + ",\n".join(json.dumps(case) for case in CASES) + "\n]")
