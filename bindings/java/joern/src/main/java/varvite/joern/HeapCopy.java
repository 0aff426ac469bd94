package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.FormalQtyType;
import flatgraph.GNode;
import flatgraph.Graph;
import flatgraph.Schema;
import flatgraph.misc.ISeq;
import scala.runtime.ScalaRunTime;
import varvite.Direction;

/**
 * Copies a mapped graph, with its changes, to flatgraph's arrays, which flatgraph's writers need. The copy
 * refers to the same node objects as the graph, but changes to the arrays do not change the graph. The copy
 * takes as much heap as the graph would take in flatgraph.
 */
final class HeapCopy {
    private final MappedStorage from;
    private final HeapStorage to;
    private final Graph graph;
    private final Schema schema;

    private HeapCopy(MappedStorage from, Graph graph) {
        this.from = from;
        this.graph = graph;
        schema = graph.schema();
        to = new HeapStorage(schema);
    }

    /** Copies a graph. */
    static HeapStorage of(MappedStorage from, Graph graph) {
        HeapCopy copy = new HeapCopy(from, graph);
        for (short kind = 0; kind < copy.schema.getNumberOfNodeKinds(); kind++) {
            copy.nodes(kind);
            for (int edgeKind = 0; edgeKind < copy.schema.getNumberOfEdgeKinds(); edgeKind++) {
                copy.edges(kind, Direction.OUT, edgeKind);
                copy.edges(kind, Direction.IN, edgeKind);
            }
            for (int property = 0; property < copy.schema.getNumberOfPropertyKinds(); property++) {
                copy.values(kind, property);
            }
        }
        return copy.to;
    }

    /**
     * Copies the nodes of a kind. For an index without a node, makes a node that is marked as deleted, as in
     * flatgraph.
     */
    private void nodes(short kind) {
        GNode[] all = new GNode[from.placeCount(kind)];
        for (int seq = 0; seq < all.length; seq++) {
            all[seq] = from.node(kind, seq);
            if (all[seq] == null) {
                all[seq] = schema.makeNode(graph, kind, seq);
                AccessHelpers.markDeleted(all[seq]);
            }
        }
        to.nodes()[kind] = all;
        to.nodeCounts()[kind] = from.nodeCount(kind);
    }

    private void edges(int kind, Direction direction, int edgeKind) {
        EdgeRun.Source source = from.source(kind, direction, edgeKind);
        EdgeRun edges = EdgeRun.after(source, new EdgeChanges(), 0, from.placeCount(kind), false);
        if (edges.others().length > 0) {
            new HeapChanges(to, schema).put(kind, direction, edgeKind, edges);
        }
    }

    private void values(int kind, int property) {
        FormalQtyType.FormalType type = schema.getNodePropertyFormalType(kind, property);
        int[] starts = new int[from.placeCount(kind) + 1];
        for (int seq = 0; seq + 1 < starts.length; seq++) {
            starts[seq + 1] = starts[seq] + from.values(kind, property, seq).length();
        }
        int count = starts[starts.length - 1];
        if (count == 0 || type == null) {
            return;
        }
        Object column = type.allocate(count);
        for (int seq = 0; seq + 1 < starts.length; seq++) {
            ISeq<Object> values = from.values(kind, property, seq);
            for (int i = 0; i < values.length(); i++) {
                ScalaRunTime.array_update(column, starts[seq] + i, values.apply(i));
            }
        }
        int slot = schema.propertyOffsetArrayIndex(kind, property);
        to.properties()[slot] = starts;
        to.properties()[slot + 1] = column;
    }
}
