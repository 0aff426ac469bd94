package varvite.joern;

import flatgraph.GNode;
import flatgraph.Schema;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.IntConsumer;
import varvite.Adjacency;
import varvite.Direction;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.Ranks;
import varvite.change.Diff;
import varvite.change.EdgeRef;
import varvite.change.NewEdge;

/**
 * Adds the changed edges to a {@link FileDiff}. Finds removed edges, and edges whose value has changed, by
 * comparing out-lists with the file. In-lists then show whether each new edge is in the lists of both of its
 * nodes.
 */
final class EdgeDiff {
    private final FileDiff whole;
    private final Diff diff;
    private final MappedStorage storage;
    private final MappedChanges changes;
    private final Schema schema;
    private final NewEdges added = new NewEdges();

    EdgeDiff(FileDiff whole, MappedStorage storage, MappedChanges changes, Schema schema) {
        this.whole = whole;
        this.diff = whole.diff();
        this.storage = storage;
        this.changes = changes;
        this.schema = schema;
    }

    /** Adds operations for all edges that have changed. */
    void add() {
        BitSet arrived = new BitSet();
        for (int edgeKind = 0; edgeKind < schema.getNumberOfEdgeKinds(); edgeKind++) {
            OutLists lists = new OutLists(edgeKind);
            for (int kind = 0; kind < schema.getNumberOfNodeKinds(); kind++) {
                eachRun(kind, Direction.OUT, edgeKind, lists::compare);
                eachRun(kind, Direction.IN, edgeKind, (node, run) -> eachNew(node, run, at -> arrived.set(run.number(at))));
            }
        }
        if (!arrived.equals(added.numbers())) {
            throw halfEdges();
        }
        added.inOrder(this::addEdge);
    }

    /** A function that is called with a node and the run that has its list. */
    private interface Look {
        void at(GNode node, EdgeRun run);
    }

    /**
     * Calls a function for each existing node in a changed run, which is a group of consecutive nodes with
     * their edges.
     */
    private void eachRun(int kind, Direction direction, int edgeKind, Look look) {
        EdgeRun[] runs = changes.edgeRuns(kind, direction, edgeKind);
        for (int number = 0; runs != null && number < runs.length; number++) {
            EdgeRun run = runs[number];
            int end = run == null ? 0 : run.first() + run.starts().length - 1;
            for (int seq = run == null ? 0 : run.first(); seq < end; seq++) {
                GNode node = storage.node(kind, seq);
                if (node != null) {
                    look.at(node, run);
                }
            }
        }
    }

    /**
     * Calls {@code visit} with the index, in a run, of each new edge of a node. Throws if new edges are not
     * in the order of their numbers.
     */
    private static void eachNew(GNode node, EdgeRun run, IntConsumer visit) {
        int last = -1;
        for (int at = run.start(node.seq()); at < run.end(node.seq()); at++) {
            if (run.number(at) >= 0) {
                if (run.number(at) <= last) {
                    throw halfEdges();
                }
                last = run.number(at);
                visit.accept(at);
            }
        }
    }

    private static PersistException halfEdges() {
        return new PersistException("edges that were added end by end, by unsafeAddHalfEdge.., can only be kept if both ends have them in one"
                + " order; flatgraph.storage.Serialization.writeGraph writes such a graph to a cpg.bin");
    }

    private void addEdge(GNode source, GNode target, int edgeKind, Object value) {
        String label = schema.getEdgeLabel(0, edgeKind);
        whole.names().edgeLabel(label);
        NewEdge edge = diff.addEdge(label, whole.ref(source), whole.ref(target));
        if (value != null) {
            whole.set(edge, property(edgeKind, label, value), value);
        }
    }

    /** The name of an edge label's property. If the file does not have the property, the diff declares it. */
    private String property(int edgeKind, String label, Object value) {
        EdgeLabel ofFile = storage.edgeLabel(edgeKind);
        String known = ofFile == null ? null : storage.edgeValues(edgeKind).name();
        String name = known == null ? schema.getEdgePropertyName(label).get() : known;
        whole.names().edgeProperty(label, name, value);
        return name;
    }

    /** The out-lists of one edge label. */
    private final class OutLists {
        private final int edgeKind;
        private final String label;
        /** The out-lists of the file; null if the file does not have the label. */
        private final Adjacency adjacency;
        private final Ranks ranks;

        OutLists(int edgeKind) {
            this.edgeKind = edgeKind;
            label = schema.getEdgeLabel(0, edgeKind);
            EdgeLabel ofFile = storage.edgeLabel(edgeKind);
            Graph file = storage.file();
            adjacency = ofFile == null ? null : file.adjacency(ofFile, Direction.OUT);
            ranks = ofFile == null ? null : file.ranks(ofFile, Direction.OUT).orElseThrow();
        }

        void compare(GNode node, EdgeRun run) {
            if (adjacency != null && !changes.isNew(node.nodeKind, node.seq())) {
                compareWithFile(node, run);
            }
            eachNew(node, run, at ->
                    added.add(run.number(at), node, run.others()[at], edgeKind, run.value(at)));
        }

        /**
         * Compares a node's list with the file. In a run, edges of the file come first, in the order of the
         * file.
         */
        private void compareWithFile(GNode node, EdgeRun run) {
            int at = run.start(node.seq());
            int id = storage.id(node.nodeKind, node.seq());
            int place = 0;
            for (long rest = adjacency.rest(id); rest != 0; rest = adjacency.after(id, rest), place++) {
                boolean isThere = at < run.end(node.seq()) && run.number(at) == ~place;
                if (isThere) {
                    compareValue(ranks.of(id, rest), run.value(at++));
                } else if (!storage.isRemoved(adjacency.neighbor(id, rest))) {
                    diff.removeEdge(label, ranks.of(id, rest));
                }
            }
        }

        private void compareValue(int rank, Object value) {
            if (Objects.equals(storage.edgeValues(edgeKind).ofRank(rank), value)) {
                return;
            }
            EdgeRef edge = new EdgeRef(label, rank);
            if (value == null) {
                diff.clear(edge, storage.edgeValues(edgeKind).name());
            } else {
                whole.set(edge, property(edgeKind, label, value), value);
            }
        }
    }
}
