package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.DNode;
import flatgraph.DefaultValue;
import flatgraph.FormalQtyType;
import flatgraph.GNode;
import flatgraph.Schema;
import java.util.Arrays;
import java.util.Map;
import scala.collection.mutable.ArrayBuffer;
import scala.runtime.ScalaRunTime;
import varvite.Direction;

/** Applies diffs to flatgraph's arrays. Rewrites each column that has changes. */
final class HeapChanges {
    private final HeapStorage storage;
    private final Schema schema;

    HeapChanges(HeapStorage storage, Schema schema) {
        this.storage = storage;
        this.schema = schema;
    }

    void apply(ResolvedDiff diff) {
        boolean[] hasRemoved = new boolean[schema.getNumberOfNodeKinds()];
        for (GNode node : diff.removedNodes()) {
            hasRemoved[node.nodeKind] = true;
            storage.nodeCounts()[node.nodeKind]--;
        }
        for (int kind = 0; kind < hasRemoved.length; kind++) {
            int before = storage.placeCount(kind);
            addNodes(kind, diff.newNodes(kind));
            for (int edgeKind = 0; edgeKind < schema.getNumberOfEdgeKinds(); edgeKind++) {
                for (Direction direction : Direction.values()) {
                    changeEdges(kind, direction, edgeKind, diff.edges(kind, direction, edgeKind));
                }
            }
            for (int property = 0; property < schema.getNumberOfPropertyKinds(); property++) {
                changeValues(kind, property, before, diff, hasRemoved[kind]);
            }
        }
    }

    private void addNodes(int kind, ArrayBuffer<DNode> added) {
        if (added == null) {
            return;
        }
        GNode[] before = storage.nodes()[kind];
        GNode[] all = Arrays.copyOf(before, before.length + added.length());
        for (int i = 0; i < added.length(); i++) {
            all[before.length + i] = added.apply(i).storedRef().get();
        }
        storage.nodes()[kind] = all;
        storage.nodeCounts()[kind] += added.length();
    }

    private void changeEdges(int kind, Direction direction, int edgeKind, EdgeChanges changes) {
        if (changes == null) {
            return;
        }
        int slot = storage.neighborSlot(kind, direction, edgeKind);
        put(kind, direction, edgeKind, EdgeRun.after(source(slot), changes, 0, storage.placeCount(kind), false));
    }

    /** Sets the edges of all nodes of a kind, for a label and direction. */
    void put(int kind, Direction direction, int edgeKind, EdgeRun edges) {
        int slot = storage.neighborSlot(kind, direction, edgeKind);
        storage.neighbors()[slot] = edges.starts();
        storage.neighbors()[slot + 1] = edges.others();
        storage.neighbors()[slot + 2] = column(kind, direction, edgeKind, edges, storage.neighbors()[slot + 2]);
    }

    private EdgeRun.Source source(int slot) {
        int[] starts = (int[]) storage.neighbors()[slot];
        GNode[] others = (GNode[]) storage.neighbors()[slot + 1];
        Object values = storage.neighbors()[slot + 2];
        boolean areOwn = values != null && !(values instanceof DefaultValue);
        return (seq, sink) -> {
            if (starts == null) {
                return;
            }
            int end = HeapStorage.at(starts, seq + 1);
            for (int i = HeapStorage.at(starts, seq); i < end; i++) {
                sink.edge(others[i], areOwn ? HeapStorage.valueAt(values, i) : null, 0);
            }
        };
    }

    /**
     * The values of edges in flatgraph's form: an array that initially has the default value everywhere, or,
     * if all edges have the default value, an object that stands for it.
     */
    private Object column(int kind, Direction direction, int edgeKind, EdgeRun edges, Object before) {
        boolean hadNone = before == null || before instanceof DefaultValue;
        if (edges.values() == null && hadNone) {
            return before;
        }
        Object column = schema.allocateEdgeProperty(kind, HeapStorage.theirs(direction), edgeKind, edges.others().length);
        if (column == null || column instanceof DefaultValue || edges.values() == null) {
            return column;
        }
        for (int i = 0; i < edges.others().length; i++) {
            if (edges.value(i) != null) {
                ScalaRunTime.array_update(column, i, edges.value(i));
            }
        }
        return column;
    }

    private void changeValues(int kind, int property, int before, ResolvedDiff diff, boolean hasRemoved) {
        Map<GNode, Object[]> set = diff.values(kind, property);
        int added = diff.newValueCount(kind, property);
        int slot = schema.propertyOffsetArrayIndex(kind, property);
        boolean loses = hasRemoved && storage.properties()[slot] != null;
        if (set == null && added == 0 && !loses) {
            return;
        }
        Values values = new Values(schema.getNodePropertyFormalType(kind, property), storage.placeCount(kind));
        values.takeOver(storage, kind, slot, before, set == null ? Map.of() : set, added);
        ArrayBuffer<DNode> newNodes = diff.newNodes(kind);
        if (added > 0) {
            // The inserter of the schema writes the values of new nodes to the column.
            schema.getNewNodePropertyInserter(kind, property).insertNewNodeProperties(newNodes, values.column, values.starts);
        } else {
            Arrays.fill(values.starts, before, values.starts.length, values.starts[before]);
        }
        storage.properties()[slot] = values.starts;
        storage.properties()[slot + 1] = values.column;
        storage.indexes().set(slot, null);
    }

    /** A column that is being built. */
    private static final class Values {
        final int[] starts;
        private final FormalQtyType.FormalType type;
        Object column;

        Values(FormalQtyType.FormalType type, int places) {
            this.type = type;
            starts = new int[places + 1];
        }

        /**
         * Copies the values of existing nodes, with their changes, and leaves room after them for the values
         * of new nodes.
         */
        void takeOver(HeapStorage storage, int kind, int slot, int places, Map<GNode, Object[]> set, int room) {
            GNode[] nodes = storage.nodes()[kind];
            int[] oldStarts = (int[]) storage.properties()[slot];
            Object old = storage.properties()[slot + 1];
            for (int seq = 0; seq < places; seq++) {
                starts[seq + 1] = starts[seq] + count(nodes[seq], oldStarts, seq, set);
            }
            column = type.allocate(starts[places] + room);
            for (int seq = 0; seq < places; seq++) {
                Object[] own = set.isEmpty() ? null : set.get(nodes[seq]);
                int count = starts[seq + 1] - starts[seq];
                if (own == null && count > 0) {
                    System.arraycopy(old, HeapStorage.at(oldStarts, seq), column, starts[seq], count);
                }
                for (int i = 0; own != null && i < count; i++) {
                    ScalaRunTime.array_update(column, starts[seq] + i, own[i]);
                }
            }
        }

        private static int count(GNode node, int[] oldStarts, int seq, Map<GNode, Object[]> set) {
            if (AccessHelpers.isDeleted(node)) {
                return 0;
            }
            Object[] own = set.isEmpty() ? null : set.get(node);
            if (own != null) {
                return own.length;
            }
            return oldStarts == null ? 0 : HeapStorage.at(oldStarts, seq + 1) - HeapStorage.at(oldStarts, seq);
        }
    }
}
