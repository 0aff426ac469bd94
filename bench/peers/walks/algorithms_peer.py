"""Computes distances and PageRank of an undirected graph with igraph or NetworKit.

    algorithms_peer.py igraph|networkit EDGES NODES SAMPLES RANKS SOURCE...

The file EDGES has each edge once, as a pair of little-endian 32-bit numbers. SOURCEs are the nodes from which distances
are computed, SAMPLES is the number of runs, and RANKS the number of greatest ranks to print. The script prints one JSON
line with the library's version and the time of building the graph, and then one line for each question, with a time for
each sample. These times do not include building the graph.
"""

import gc
import json
import sys
import time

import numpy


def timed(ask):
    gc.collect()
    gc.disable()
    begin = time.perf_counter_ns()
    answer = ask()
    took = time.perf_counter_ns() - begin
    gc.enable()
    return took, answer


class Igraph:
    """https://igraph.org. It computes distances on one thread, and PageRank (PRPACK) on all threads."""

    def __init__(self, edges, nodes):
        import igraph

        self.name = f"igraph {igraph.__version__}"
        self.graph = igraph.Graph(n=nodes, edges=edges, directed=False)

    def distances(self, source):
        # Times only the breadth-first search. Converting the distances to a list of Python numbers would take longer.
        return timed(lambda: self.graph.bfs(source))

    def reached(self, answer):
        order, levels, _ = answer
        count = levels[-1]
        return [count, sum(far * (levels[far + 1] - levels[far]) for far in range(len(levels) - 1))]

    def page_rank(self):
        return timed(lambda: self.graph.pagerank(damping=0.85))


class Networkit:
    """https://networkit.github.io: all threads; PageRank by power iteration, with a tolerance of 1e-8."""

    def __init__(self, edges, nodes):
        import networkit

        self.networkit = networkit
        self.name = f"NetworKit {networkit.__version__}"
        ends = (edges[:, 0].astype(numpy.uint64), edges[:, 1].astype(numpy.uint64))
        self.graph = networkit.GraphFromCoo(ends, n=nodes, directed=False)

    def distances(self, source):
        search = self.networkit.distance.BFS(self.graph, source, storePaths=False)
        took, _ = timed(search.run)
        return took, search

    def reached(self, search):
        distances = numpy.array(search.getDistances())
        reached = distances[distances < self.graph.numberOfNodes()]
        return [int(len(reached)), int(reached.sum())]

    def page_rank(self):
        centrality = self.networkit.centrality
        ranks = centrality.PageRank(self.graph, damp=0.85, tol=1e-8)
        ranks.norm = centrality.Norm.l1norm
        took, _ = timed(ranks.run)
        return took, ranks.scores()


def greatest(ranks, count):
    best = sorted(((-rank, node) for node, rank in enumerate(ranks)))[:count]
    return [[node, -rank] for rank, node in best]


def main(engine, path, nodes, samples, ranks, *sources):
    edges = numpy.fromfile(path, dtype="<u4").reshape(-1, 2)
    begin = time.perf_counter()
    peer = {"igraph": Igraph, "networkit": Networkit}[engine](edges, int(nodes))
    print(json.dumps({"note": f"{peer.name}: graph made in {(time.perf_counter() - begin) * 1e3:.0f} ms"}))
    times, reached = [], []
    for sample in range(int(samples)):
        for source in sources:
            took, answer = peer.distances(int(source))
            times.append(took)
            if sample == 0:
                reached.append(peer.reached(answer))
    print(json.dumps({"engine": peer.name, "question": "distances", "ns": times, "answer": reached}))
    times = []
    for _ in range(int(samples)):
        took, answer = peer.page_rank()
        times.append(took)
    answer = greatest(answer, int(ranks))
    print(json.dumps({"engine": peer.name, "question": "page_rank", "ns": times, "answer": answer}))


main(*sys.argv[1:])
