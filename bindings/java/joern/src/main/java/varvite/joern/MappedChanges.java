package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.DNode;
import flatgraph.FormalQtyType;
import flatgraph.GNode;
import flatgraph.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import scala.collection.mutable.ArrayBuffer;
import scala.runtime.ScalaRunTime;
import varvite.Direction;

/**
 * The changes that diffs have made to a mapped graph: new nodes, whose indexes follow those of the file's
 * nodes, and changed edges and values. They are on the heap. Edges and values are stored in runs of 256 nodes
 * of a kind, so that the cost of a change depends only on the size of one run.
 *
 * <p>May be read by any number of threads, except while a diff is being applied.
 */
final class MappedChanges {
    /** The entry for a node without changed values. */
    static final Object UNCHANGED = new Object();
    /** The entry for a node without a value. */
    private static final Object[] NO_VALUES = {};

    private static final int RUN = 1 << EdgeRun.BITS;
    private static final int IN_RUN = RUN - 1;

    private final MappedStorage storage;
    private final Schema schema;
    private final int edgeKinds;
    private final int propertyKinds;
    /** The number of node indexes of each kind in the file. */
    private final int[] firstNew;
    private final List<List<GNode>> newNodes = new ArrayList<>();
    private final int[] removedCounts;
    /** The runs of edges by kind, direction and edge label; null for combinations without changes. */
    private final EdgeRun[][] edges;
    /**
     * The runs of values by kind and property. The entry for a node is null or {@link #UNCHANGED} if its
     * values are unchanged, else {@link #NO_VALUES}, an array of several values, or the only value.
     */
    private final Object[][][] values;
    private final List<GNode> removedNodes = new ArrayList<>();
    private long edgeCountChange;
    /** The number of the next new edge; negative if edges are not numbered. */
    private int nextEdge;

    /** Begins without changes. New edges must be numbered if the changes are to be written to the file. */
    MappedChanges(MappedStorage storage, Schema schema, boolean areNumbered) {
        this.storage = storage;
        this.schema = schema;
        nextEdge = areNumbered ? 0 : -1;
        edgeKinds = schema.getNumberOfEdgeKinds();
        propertyKinds = schema.getNumberOfPropertyKinds();
        int kinds = schema.getNumberOfNodeKinds();
        firstNew = new int[kinds];
        removedCounts = new int[kinds];
        for (int kind = 0; kind < kinds; kind++) {
            firstNew[kind] = storage.placeCount(kind);
            newNodes.add(new ArrayList<>());
        }
        edges = new EdgeRun[2 * kinds * edgeKinds][];
        values = new Object[kinds * propertyKinds][][];
    }

    private int edgeSlot(int kind, Direction direction, int edgeKind) {
        return 2 * (kind * edgeKinds + edgeKind) + direction.ordinal();
    }

    int placeCount(int kind) {
        return firstNew[kind] + newNodes.get(kind).size();
    }

    /** The number of nodes of a kind minus their number in the file. */
    int nodeCountChange(int kind) {
        return newNodes.get(kind).size() - removedCounts[kind];
    }

    long edgeCountChange() {
        return edgeCountChange;
    }

    int nextEdge() {
        return nextEdge;
    }

    /** The number of node indexes of a kind in the file, which is the index of the first new node. */
    int firstNew(int kind) {
        return firstNew[kind];
    }

    /** The removed nodes, including new nodes that were removed again. */
    List<GNode> removedNodes() {
        return removedNodes;
    }

    /**
     * The runs of edges. An item is null for a run without changes; the array is null if no run has changes.
     */
    EdgeRun[] edgeRuns(int kind, Direction direction, int edgeKind) {
        return edges[edgeSlot(kind, direction, edgeKind)];
    }

    /**
     * The runs of values, whose entries are as for {@link #values(int, int, int)}. Null if no run has
     * changes.
     */
    Object[][] valueRuns(int kind, int property) {
        return values[kind * propertyKinds + property];
    }

    /** All values that an entry other than {@link #UNCHANGED} stands for. */
    static Object[] all(Object value) {
        return value instanceof Object[] all ? all : new Object[] {value};
    }

    /** Whether an index belongs to a new node. */
    boolean isNew(int kind, int seq) {
        return seq >= firstNew[kind];
    }

    /** The new node with an index; null if there is none. */
    GNode newNode(int kind, int seq) {
        List<GNode> ofKind = newNodes.get(kind);
        int index = seq - firstNew[kind];
        return index < ofKind.size() ? ofKind.get(index) : null;
    }

    /** The run with the edges of a node; null if they are as in the file. */
    EdgeRun edges(int kind, int seq, Direction direction, int edgeKind) {
        EdgeRun[] runs = edges[edgeSlot(kind, direction, edgeKind)];
        int run = seq >>> EdgeRun.BITS;
        return runs == null || run >= runs.length ? null : runs[run];
    }

    /** The values of a node's property: {@link #UNCHANGED}, an array of all values, or the only value. */
    Object values(int kind, int property, int seq) {
        Object[][] runs = values[kind * propertyKinds + property];
        int run = seq >>> EdgeRun.BITS;
        if (runs == null || run >= runs.length || runs[run] == null) {
            return UNCHANGED;
        }
        return runs[run][seq & IN_RUN];
    }

    /** Whether any value of a property of a kind differs from the file. */
    boolean hasValues(int kind, int property) {
        return values[kind * propertyKinds + property] != null || removedCounts[kind] > 0;
    }

    void apply(ResolvedDiff diff) {
        for (int kind = 0; kind < firstNew.length; kind++) {
            addNodes(kind, diff.newNodes(kind));
        }
        // Change edges before nodes are removed, because the diff has the positions of edges before the
        // removal.
        for (int kind = 0; kind < firstNew.length; kind++) {
            for (int edgeKind = 0; edgeKind < edgeKinds; edgeKind++) {
                for (Direction direction : Direction.values()) {
                    EdgeChanges changes = diff.edges(kind, direction, edgeKind);
                    if (changes != null) {
                        changeEdges(kind, direction, edgeKind, changes);
                    }
                }
            }
            for (int property = 0; property < propertyKinds; property++) {
                changeValues(kind, property, diff);
            }
        }
        diff.removedNodes().forEach(this::clear);
        nextEdge = diff.nextEdge();
    }

    private void addNodes(int kind, ArrayBuffer<DNode> added) {
        for (int i = 0; added != null && i < added.length(); i++) {
            newNodes.get(kind).add(added.apply(i).storedRef().get());
        }
    }

    private void changeEdges(int kind, Direction direction, int edgeKind, EdgeChanges changes) {
        int slot = edgeSlot(kind, direction, edgeKind);
        int runCount = (placeCount(kind) + IN_RUN) >>> EdgeRun.BITS;
        EdgeRun[] before = edges[slot] == null ? new EdgeRun[0] : edges[slot];
        EdgeRun[] after = Arrays.copyOf(before, Math.max(before.length, runCount));
        EdgeRun.Source source = storage.source(kind, direction, edgeKind);
        BitSet runs = changes.runs();
        for (int run = runs.nextSetBit(0); run >= 0; run = runs.nextSetBit(run + 1)) {
            int first = run << EdgeRun.BITS;
            EdgeRun.Counted counted = new EdgeRun.Counted(source);
            after[run] = EdgeRun.after(counted, changes, first, RUN, nextEdge >= 0);
            if (direction == Direction.OUT) {
                edgeCountChange += after[run].others().length - counted.count();
            }
        }
        edges[slot] = after;
    }

    private void changeValues(int kind, int property, ResolvedDiff diff) {
        Map<GNode, Object[]> set = diff.values(kind, property);
        if (set != null) {
            set.forEach((node, all) -> put(kind, property, node.seq(), all));
        }
        if (diff.newValueCount(kind, property) > 0) {
            addValues(kind, property, diff.newNodes(kind), diff.newValueCount(kind, property));
        }
    }

    private void put(int kind, int property, int seq, Object[] all) {
        int slot = kind * propertyKinds + property;
        int run = seq >>> EdgeRun.BITS;
        Object[][] runs = values[slot] == null ? new Object[run + 1][] : values[slot];
        if (run >= runs.length) {
            runs = Arrays.copyOf(runs, Math.max(run + 1, runs.length + (runs.length >> 1)));
        }
        if (runs[run] == null) {
            runs[run] = new Object[RUN];
            Arrays.fill(runs[run], UNCHANGED);
        }
        runs[run][seq & IN_RUN] = packed(all);
        values[slot] = runs;
    }

    /**
     * The entry for some values. A single value is stored without an array, unless it could be confused with
     * another entry.
     */
    private static Object packed(Object[] all) {
        return switch (all.length) {
            case 0 -> NO_VALUES;
            case 1 -> all[0] == null ? all : all[0];
            default -> all;
        };
    }

    /**
     * Adds the values of new nodes. The inserter of the schema writes them to a column, and also writes the
     * start of each node's values, for all nodes of the kind, not only new ones.
     */
    private void addValues(int kind, int property, ArrayBuffer<DNode> added, int count) {
        FormalQtyType.FormalType type = schema.getNodePropertyFormalType(kind, property);
        Object column = type.allocate(count);
        int first = added.apply(0).storedRef().get().seq();
        int[] starts = new int[first + added.length() + 1];
        schema.getNewNodePropertyInserter(kind, property).insertNewNodeProperties(added, column, starts);
        for (int seq = first; seq < first + added.length(); seq++) {
            Object[] all = new Object[starts[seq + 1] - starts[seq]];
            for (int i = 0; i < all.length; i++) {
                all[i] = ScalaRunTime.array_apply(column, starts[seq] + i);
            }
            if (all.length > 0) {
                put(kind, property, seq, all);
            }
        }
    }

    /** Removes the values of a removed node. */
    private void clear(GNode node) {
        removedCounts[node.nodeKind]++;
        removedNodes.add(node);
        for (int property = 0; property < propertyKinds; property++) {
            if (values[node.nodeKind * propertyKinds + property] != null || storage.hasProperty(node.nodeKind, property)) {
                put(node.nodeKind, property, node.seq(), NO_VALUES);
            }
        }
    }

    /**
     * The indexes of the nodes of a kind whose changed values contain a text, in rising order. An index
     * occurs once for each occurrence of the text.
     */
    List<Integer> withText(int kind, int property, String text) {
        List<Integer> found = new ArrayList<>();
        Object[][] runs = values[kind * propertyKinds + property];
        for (int run = 0; runs != null && run < runs.length; run++) {
            for (int i = 0; runs[run] != null && i < RUN; i++) {
                Object value = runs[run][i];
                int times = text.equals(value) ? 1 : value instanceof Object[] all ? occurrences(all, text) : 0;
                for (; times > 0; times--) {
                    found.add((run << EdgeRun.BITS) + i);
                }
            }
        }
        return found;
    }

    private static int occurrences(Object[] all, String text) {
        return (int) Arrays.stream(all).filter(text::equals).count();
    }
}
