package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.BatchedUpdateInterface;
import flatgraph.DNode;
import flatgraph.DNodeOrNode;
import flatgraph.DefaultValue;
import flatgraph.DefaultValue$;
import flatgraph.DiffGraphBuilder;
import flatgraph.Edge;
import flatgraph.FormalQtyType;
import flatgraph.GNode;
import flatgraph.Graph;
import flatgraph.Schema;
import flatgraph.misc.SchemaViolationReporter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scala.Option;
import scala.collection.IterableOnce;
import scala.collection.Iterator;
import scala.collection.mutable.ArrayBuffer;
import varvite.Direction;

/**
 * The operations of a diff, in groups: new nodes with their indexes, removed nodes, changes to the edge lists
 * at both ends of edges, and changes to values. Operations are resolved in the order of the diff against the
 * current graph, in which all nodes that the diff removes are treated as already removed.
 */
public final class ResolvedDiff {
    private final Graph graph;
    private final Storage storage;
    private final Schema schema;
    private final SchemaViolationReporter reporter;
    private final List<ArrayBuffer<DNode>> newNodes = new ArrayList<>();
    private final ArrayDeque<DNode> unvisited = new ArrayDeque<>();
    private final List<GNode> removedNodes = new ArrayList<>();
    private final Map<Integer, EdgeChanges> edges = new LinkedHashMap<>();
    private final Map<Integer, Map<GNode, Object[]>> values = new LinkedHashMap<>();
    private final Map<Integer, Integer> newValueCounts = new LinkedHashMap<>();
    private final HalfEdges halves = new HalfEdges();
    /** The number of the next new edge; negative if edges are not numbered. */
    private int nextEdge;
    private int changes;

    private ResolvedDiff(Graph graph, Storage storage, SchemaViolationReporter reporter) {
        this.graph = graph;
        this.storage = storage;
        this.reporter = reporter;
        schema = graph.schema();
        nextEdge = storage.nextEdge();
        for (int kind = 0; kind < schema.getNumberOfNodeKinds(); kind++) {
            newNodes.add(null);
        }
    }

    /** Resolves and consumes a diff. Marks the nodes that the diff removes as removed. */
    public static ResolvedDiff of(Graph graph, Storage storage, DiffGraphBuilder diff, SchemaViolationReporter reporter) {
        ResolvedDiff resolved = new ResolvedDiff(graph, storage, reporter);
        List<DiffGraphBuilder.RawUpdate> updates = new ArrayList<>(diff.size());
        diff.buffer().iterator().foreach(update -> updates.add(update));
        diff.buffer_$eq(null);
        for (DiffGraphBuilder.RawUpdate update : updates) {
            if (update instanceof DiffGraphBuilder.DelNode removal) {
                resolved.removeNode(removal.node());
            }
        }
        updates.forEach(resolved::resolve);
        resolved.dropEdgesOfRemoved();
        return resolved;
    }

    /** The graph to which the diff will be applied. */
    Graph graph() {
        return graph;
    }

    private void removeNode(GNode node) {
        if (!AccessHelpers.isDeleted(node)) {
            AccessHelpers.markDeleted(node);
            removedNodes.add(node);
            changes++;
        }
    }

    private void resolve(DiffGraphBuilder.RawUpdate update) {
        switch (update) {
            case DNode node -> node(node);
            case DiffGraphBuilder.AddEdgeUnprocessed edge ->
                addEdge(node(edge.src()), node(edge.dst()), edge.edgeKind(), edge.property());
            case DiffGraphBuilder.AddUnsafeHalfEdge edge -> addHalfEdge(node(edge.src()), node(edge.dst()), edge);
            case DiffGraphBuilder.RemoveEdge removal ->
                atBothEnds(removal.edge(), (changes, seq, position) -> changes.remove(seq, position));
            case DiffGraphBuilder.SetEdgeProperty setting -> {
                Object value = ownValue(setting.property());
                atBothEnds(setting.edge(), (changes, seq, position) -> changes.set(seq, position, value));
            }
            case DiffGraphBuilder.SetNodeProperty setting ->
                setValues(setting.node(), setting.propertyKind(), setting.property());
            default -> {
                // A removal was already handled in an earlier pass.
            }
        }
        visit();
    }

    /** The node itself, or the new node for a description. */
    private GNode node(DNodeOrNode either) {
        if (either instanceof GNode node) {
            return node;
        }
        DNode description = (DNode) either;
        Option<GNode> known = description.storedRef();
        return known.isDefined() ? known.get() : newNode(description);
    }

    private GNode newNode(DNode description) {
        short kind = description.nodeKind();
        ArrayBuffer<DNode> ofKind = newNodes.get(kind);
        if (ofKind == null) {
            ofKind = new ArrayBuffer<>();
            newNodes.set(kind, ofKind);
        }
        GNode node = schema.makeNode(graph, kind, storage.placeCount(kind) + ofKind.length());
        description.storedRef_$eq(Option.apply(node));
        ofKind.addOne(description);
        unvisited.add(description);
        changes++;
        return node;
    }

    /** Reads the values of new nodes, and adds the new nodes that these values contain. */
    private void visit() {
        BatchedUpdateInterface visitor = new BatchedUpdateInterface() {
            @Override
            public void countProperty(DNode node, int propertyKind, int count) {
                countNewValues(node.nodeKind(), propertyKind, count);
            }

            @Override
            public void visitContainedNode(DNodeOrNode contained) {
                if (contained != null) {
                    node(contained);
                }
            }
        };
        while (!unvisited.isEmpty()) {
            unvisited.remove().countAndVisitProperties(visitor);
        }
    }

    private void countNewValues(int kind, int propertyKind, int count) {
        if (hasProperty(kind, propertyKind) && count > 0) {
            newValueCounts.merge(schema.propertyOffsetArrayIndex(kind, propertyKind), count, Integer::sum);
        }
    }

    private boolean hasProperty(int kind, int propertyKind) {
        FormalQtyType.FormalType type = schema.getNodePropertyFormalType(kind, propertyKind);
        if (type == null || type instanceof FormalQtyType.NothingType$) {
            reporter.illegalNodeProperty(kind, propertyKind, schema);
            return false;
        }
        return true;
    }

    private void addEdge(GNode source, GNode target, short edgeKind, Object value) {
        if (AccessHelpers.isDeleted(source) || AccessHelpers.isDeleted(target)) {
            return;
        }
        changes++;
        Object own = ownValue(value);
        int number = newEdge();
        edges(source, Direction.OUT, edgeKind).add(source, target, own, number);
        edges(target, Direction.IN, edgeKind).add(target, source, own, number);
    }

    private int newEdge() {
        int number = nextEdge;
        nextEdge = number < 0 ? number : Math.incrementExact(number);
        return number;
    }

    private void addHalfEdge(GNode source, GNode target, DiffGraphBuilder.AddUnsafeHalfEdge edge) {
        if (AccessHelpers.isDeleted(source) || AccessHelpers.isDeleted(target)) {
            return;
        }
        changes++;
        Object own = ownValue(edge.property());
        boolean isOut = edge.inout() == HeapStorage.OUT.encoding();
        int number = nextEdge < 0 ? nextEdge : halves.number(source, target, edge.edgeKind(), own, isOut, this::newEdge);
        if (isOut) {
            edges(source, Direction.OUT, edge.edgeKind()).add(source, target, own, number);
        } else {
            edges(target, Direction.IN, edge.edgeKind()).add(target, source, own, number);
        }
    }

    /** The value of an edge; null if it is the default value. */
    private static Object ownValue(Object value) {
        return value instanceof DefaultValue || value == DefaultValue$.MODULE$ ? null : value;
    }

    private EdgeChanges edges(GNode node, Direction direction, int edgeKind) {
        int slot = schema.neighborOffsetArrayIndex(node.nodeKind, HeapStorage.theirs(direction), edgeKind);
        return edges.computeIfAbsent(slot, ignored -> new EdgeChanges());
    }

    /** A change to an edge in the list of one of its nodes. */
    private interface AtEnd {
        void change(EdgeChanges changes, int seq, int position);
    }

    /**
     * Changes an edge in the lists of both of its nodes. The k-th of several parallel edges in one list is
     * also the k-th of them in the other list.
     */
    private void atBothEnds(Edge edge, AtEnd change) {
        GNode source = edge.src();
        GNode target = edge.dst();
        if (AccessHelpers.isDeleted(source) || AccessHelpers.isDeleted(target)) {
            return;
        }
        changes++;
        boolean isOut = edge.subSeq() > 0;
        GNode here = isOut ? source : target;
        GNode there = isOut ? target : source;
        Direction direction = isOut ? Direction.OUT : Direction.IN;
        Direction opposite = isOut ? Direction.IN : Direction.OUT;
        int position = Math.abs(edge.subSeq()) - 1;
        change.change(edges(here, direction, edge.edgeKind()), here.seq(), position);
        int pair = pairOf(here, there, direction, opposite, edge.edgeKind(), position);
        if (pair >= 0) {
            change.change(edges(there, opposite, edge.edgeKind()), there.seq(), pair);
        }
    }

    private int pairOf(GNode here, GNode there, Direction direction, Direction opposite, int edgeKind, int position) {
        Iterator<GNode> before = storage.neighbors(here.nodeKind, here.seq(), direction, edgeKind);
        int rank = 0;
        for (int i = 0; i < position && before.hasNext(); i++) {
            rank += before.next() == there ? 1 : 0;
        }
        Iterator<GNode> others = storage.neighbors(there.nodeKind, there.seq(), opposite, edgeKind);
        for (int i = 0; others.hasNext(); i++) {
            if (others.next() == here && rank-- == 0) {
                return i;
            }
        }
        return -1;
    }

    private void setValues(GNode node, int propertyKind, Object value) {
        if (AccessHelpers.isDeleted(node)) {
            throw new IllegalStateException("the diff sets a value of a node that it removes, or that was removed before");
        }
        changes++;
        if (hasProperty(node.nodeKind, propertyKind)) {
            int slot = schema.propertyOffsetArrayIndex(node.nodeKind, propertyKind);
            values.computeIfAbsent(slot, ignored -> new LinkedHashMap<>()).put(node, valuesOf(value));
        }
    }

    private Object[] valuesOf(Object value) {
        List<Object> all = new ArrayList<>();
        switch (value) {
            case null -> {
                // There is no value, so the property is cleared.
            }
            case IterableOnce<?> many -> many.iterator().foreach(one -> all.add(valueOf(one)));
            default -> all.add(valueOf(value));
        }
        return all.toArray();
    }

    private Object valueOf(Object value) {
        return value instanceof DNodeOrNode either ? node(either) : value;
    }

    /** Removes the edges of removed nodes, including those in the lists of other nodes. */
    private void dropEdgesOfRemoved() {
        for (GNode node : removedNodes) {
            for (int edgeKind = 0; edgeKind < schema.getNumberOfEdgeKinds(); edgeKind++) {
                dropEdges(node, Direction.OUT, Direction.IN, edgeKind);
                dropEdges(node, Direction.IN, Direction.OUT, edgeKind);
            }
        }
    }

    private void dropEdges(GNode node, Direction direction, Direction opposite, int edgeKind) {
        Iterator<GNode> others = storage.neighbors(node.nodeKind, node.seq(), direction, edgeKind);
        if (!others.hasNext()) {
            return;
        }
        EdgeChanges changes = edges(node, direction, edgeKind);
        for (int position = 0; others.hasNext(); position++) {
            GNode other = others.next();
            changes.remove(node.seq(), position);
            edges(other, opposite, edgeKind).touch(other.seq());
        }
    }

    /** The number of the first new edge of the next diff; negative if edges are not numbered. */
    int nextEdge() {
        return nextEdge;
    }

    /**
     * The number of changes, including nodes that other operations added implicitly. As in flatgraph, it does
     * not include changes to removed nodes.
     */
    public int changes() {
        return changes;
    }

    /** The descriptions of new nodes of a kind, in the order of their indexes; null if there are none. */
    ArrayBuffer<DNode> newNodes(int kind) {
        return newNodes.get(kind);
    }

    /** The removed nodes. */
    List<GNode> removedNodes() {
        return removedNodes;
    }

    /** The changes to the edge lists of a kind, direction and edge label; null if there are none. */
    EdgeChanges edges(int kind, Direction direction, int edgeKind) {
        return edges.get(schema.neighborOffsetArrayIndex(kind, HeapStorage.theirs(direction), edgeKind));
    }

    /** The new values that existing nodes of a kind have for a property; null if there are none. */
    Map<GNode, Object[]> values(int kind, int propertyKind) {
        return values.get(schema.propertyOffsetArrayIndex(kind, propertyKind));
    }

    /** The number of values that new nodes of a kind have for a property. */
    int newValueCount(int kind, int propertyKind) {
        return newValueCounts.getOrDefault(schema.propertyOffsetArrayIndex(kind, propertyKind), 0);
    }
}
