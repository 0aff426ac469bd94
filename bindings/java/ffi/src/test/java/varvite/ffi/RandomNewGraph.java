package varvite.ffi;

import varvite.Cardinality;
import varvite.ValueType;
import varvite.change.NodeRef;

/**
 * Makes a random graph by the same calls as {@code crates/varvite/tests/conformance/made.rs}. The digests of
 * the graphs that Rust makes are in {@code conformance/files/made.txt}.
 */
final class RandomNewGraph {
    private static final int STEPS = 300;
    private static final String[] LABELS = {"A", "B", "C", "D"};

    private final NewGraph graph;
    private long state;
    private int nodes;
    private int edges;

    RandomNewGraph(NewGraph graph, long seed) {
        this.graph = graph;
        state = seed;
    }

    void make() {
        declare();
        for (int step = 0; step < STEPS; step++) {
            int kind = below(12);
            if (nodes == 0 || kind < 2) {
                addNode();
            } else {
                add(kind, below(nodes));
            }
        }
    }

    private void declare() {
        graph.declareLabel("NOBODY");
        graph.declareEdgeLabel("NEVER");
        graph.declareProperty("RATE", ValueType.F32, Cardinality.OPTIONAL);
        graph.declareProperty("BIG", ValueType.U64, Cardinality.LIST);
        graph.declareProperty("TAGS", ValueType.STRING, Cardinality.LIST);
        graph.declareEdgeProperty("TO", "WEIGHT", ValueType.F64, Cardinality.OPTIONAL);
    }

    private void addNode() {
        int first = below(4);
        String[] labels = new String[below(3)];
        for (int more = 0; more < labels.length; more++) {
            labels[more] = LABELS[(first + more) % 4];
        }
        graph.addNode(labels);
        nodes++;
    }

    private void add(int kind, int node) {
        switch (kind) {
            case 2, 3, 4 -> {
                edges++;
                graph.addEdge("TO", node, below(nodes));
            }
            case 5 -> graph.addEdge("OF", node, below(nodes));
            case 6 -> {
                if (edges > 0) {
                    AddedEdge edge = new AddedEdge("TO", below(edges));
                    graph.set(edge, "WEIGHT", (below(1000) - 500) / 8.0);
                }
            }
            case 7 -> graph.set(node, "SIZE", below(2000) - 1000);
            case 8 -> graph.set(node, "NAME", "n" + below(50));
            case 9 -> addTags(node);
            case 10 -> graph.set(node, "FLAG", below(2) == 1);
            default -> addRare(node);
        }
    }

    private void addTags(int node) {
        String[] tags = new String[below(4)];
        for (int i = 0; i < tags.length; i++) {
            tags[i] = below(5) == 0 ? null : "t" + below(9);
        }
        graph.append(node, "TAGS", tags);
    }

    private void addRare(int node) {
        switch (below(4)) {
            case 0 -> graph.set(node, "NEXT", NodeRef.of(below(nodes)));
            case 1 -> {
                byte[] data = new byte[below(6)];
                for (int at = 0; at < data.length; at++) {
                    data[at] = (byte) (at * 37 + data.length);
                }
                graph.append(node, "DATA", data);
            }
            case 2 -> graph.set(node, "RATE", below(100) / 3.0);
            default -> graph.appendUnsigned(node, "BIG", next());
        }
    }

    /** SplitMix64, the same random number generator as in Rust's test. */
    private long next() {
        state += 0x9e3779b97f4a7c15L;
        long bits = state;
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }

    private int below(int end) {
        return (int) Long.remainderUnsigned(next(), end);
    }
}
