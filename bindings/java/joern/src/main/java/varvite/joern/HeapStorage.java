package varvite.joern;

import flatgraph.AccessHelpers;
import flatgraph.DefaultValue;
import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.Schema;
import flatgraph.misc.ISeq;
import flatgraph.misc.InitNodeIterator;
import flatgraph.misc.InitNodeIteratorArray;
import flatgraph.misc.InitNodeIteratorArrayFiltered;
import flatgraph.misc.MultiDictIndex;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.collection.immutable.IndexedSeq;
import scala.runtime.ScalaRunTime;
import varvite.Direction;

/**
 * A graph in flatgraph's arrays. Each array is in a slot of an outer array; flatgraph's
 * {@code Deserialization} and {@code Serialization}, and {@code DiffGraphApplier}, use these slots.
 *
 * <p>For each node kind, direction and edge label there are three slots. The first has the start of each
 * node's neighbours in the second slot, and the end of the last node's neighbours; it may be shorter if the
 * remaining nodes have no neighbours. The second has the neighbours. The third has the values of the edges:
 * an array, a {@link DefaultValue} that stands for the values of all edges, or null if edges have no values.
 * For each node kind and property there are two slots: the start of each node's values, and the values.
 */
public final class HeapStorage implements Storage {
    /** The number of slots for each kind, direction and edge label. */
    public static final int NEIGHBOR_SLOTS = 3;
    /** The number of slots for each kind and property. */
    public static final int PROPERTY_SLOTS = 2;
    /** The number of directions. */
    public static final int DIRECTIONS = 2;

    static final Edge.Direction IN = Edge.Direction.valueOf("Incoming");
    static final Edge.Direction OUT = Edge.Direction.valueOf("Outgoing");
    /**
     * A handle for the accessor {@code default} of {@link DefaultValue}, which Java code can't call because
     * its name is a keyword in Java.
     */
    private static final MethodHandle DEFAULT;

    static {
        try {
            MethodType type = MethodType.methodType(Object.class);
            DEFAULT = MethodHandles.publicLookup().findVirtual(DefaultValue.class, "default", type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this flatgraph-core has no DefaultValue.default()", e);
        }
    }

    private final Schema schema;
    private final int edgeKinds;
    private final int propertyKinds;
    private final GNode[][] nodes;
    private final int[] nodeCounts;
    private final Object[] neighbors;
    private final Object[] properties;
    private final AtomicReferenceArray<Object> indexes;

    /** A graph without nodes. */
    public HeapStorage(Schema schema) {
        this.schema = schema;
        int kinds = schema.getNumberOfNodeKinds();
        edgeKinds = schema.getNumberOfEdgeKinds();
        propertyKinds = schema.getNumberOfPropertyKinds();
        nodes = new GNode[kinds][0];
        nodeCounts = new int[kinds];
        neighbors = new Object[NEIGHBOR_SLOTS * DIRECTIONS * kinds * edgeKinds];
        properties = new Object[PROPERTY_SLOTS * kinds * propertyKinds];
        indexes = new AtomicReferenceArray<>(properties.length);
        for (int kind = 0; kind < kinds; kind++) {
            for (int edgeKind = 0; edgeKind < edgeKinds; edgeKind++) {
                for (Direction direction : Direction.values()) {
                    neighbors[neighborSlot(kind, direction, edgeKind) + 2] = noProperties(schema, kind, direction, edgeKind);
                }
            }
        }
    }

    /** The content of the third slot if all edges have the default value. */
    private static Object noProperties(Schema schema, int kind, Direction direction, int edgeKind) {
        Object absent = defaultOf(schema, kind, direction, edgeKind);
        return absent == null ? null : new DefaultValue(absent);
    }

    /** The default value of an edge: the default in the schema, or null. */
    static Object defaultOf(Schema schema, int kind, Direction direction, int edgeKind) {
        Object one = schema.allocateEdgeProperty(kind, direction == Direction.OUT ? OUT : IN, edgeKind, 1);
        if (one == null) {
            return null;
        }
        return one instanceof DefaultValue value ? defaultOf(value) : ScalaRunTime.array_apply(one, 0);
    }

    private static Object defaultOf(DefaultValue value) {
        try {
            return (Object) DEFAULT.invokeExact(value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("DefaultValue.default() of this flatgraph-core cannot be called", e);
        }
    }

    @Override
    public HeapStorage heap() {
        return this;
    }

    /** The nodes of each kind by their indexes. */
    public GNode[][] nodes() {
        return nodes;
    }

    /** The number of nodes of each kind, not including deleted nodes. */
    public int[] nodeCounts() {
        return nodeCounts;
    }

    /** The slots of edges. */
    public Object[] neighbors() {
        return neighbors;
    }

    /** The slots of properties. */
    public Object[] properties() {
        return properties;
    }

    /**
     * The text indexes by property; null for a property without an index. A write of a property drops its
     * index.
     */
    public AtomicReferenceArray<Object> indexes() {
        return indexes;
    }

    /** A direction as flatgraph's type. */
    static Edge.Direction theirs(Direction direction) {
        return direction == Direction.OUT ? OUT : IN;
    }

    int neighborSlot(int kind, Direction direction, int edgeKind) {
        return schema.neighborOffsetArrayIndex(kind, theirs(direction), edgeKind);
    }

    @Override
    public int placeCount(int kind) {
        return nodes[kind].length;
    }

    @Override
    public int nodeCount(int kind) {
        return nodeCounts[kind];
    }

    @Override
    public long edgeCount() {
        long count = 0;
        for (int kind = 0; kind < nodes.length; kind++) {
            for (int edgeKind = 0; edgeKind < edgeKinds; edgeKind++) {
                int[] starts = (int[]) neighbors[neighborSlot(kind, Direction.OUT, edgeKind)];
                count += starts == null ? 0 : at(starts, Integer.MAX_VALUE);
            }
        }
        return count;
    }

    @Override
    public GNode node(int kind, int seq) {
        GNode[] ofKind = nodes[kind];
        GNode node = seq >= 0 && seq < ofKind.length ? ofKind[seq] : null;
        return node == null || AccessHelpers.isDeleted(node) ? null : node;
    }

    @Override
    public InitNodeIterator<GNode> nodes(int kind) {
        GNode[] ofKind = nodes[kind];
        return nodeCounts[kind] == ofKind.length
                ? new InitNodeIteratorArray<>(ofKind)
                : new InitNodeIteratorArrayFiltered<>(ofKind);
    }

    /** The start of a node's entries. Nodes beyond the end of {@code starts} do not have entries. */
    static int at(int[] starts, int seq) {
        return starts.length == 0 ? 0 : starts[Math.min(seq, starts.length - 1)];
    }

    @Override
    public Iterator<GNode> neighbors(int kind, int seq, Direction direction, int edgeKind) {
        if (edgeKind < 0 || edgeKind >= edgeKinds) {
            return Iterator$.MODULE$.empty();
        }
        int slot = neighborSlot(kind, direction, edgeKind);
        int[] starts = (int[]) neighbors[slot];
        if (starts == null) {
            return Iterator$.MODULE$.empty();
        }
        return new NodeIterator.OfArray((GNode[]) neighbors[slot + 1], at(starts, seq), at(starts, seq + 1));
    }

    @Override
    public IndexedSeq<Edge> edges(GNode node, Direction direction, int edgeKind) {
        if (edgeKind < 0 || edgeKind >= edgeKinds) {
            return ISeqs.empty();
        }
        int slot = neighborSlot(node.nodeKind, direction, edgeKind);
        int[] starts = (int[]) neighbors[slot];
        if (starts == null) {
            return ISeqs.empty();
        }
        int start = at(starts, node.seq());
        GNode[] others = (GNode[]) neighbors[slot + 1];
        Object values = neighbors[slot + 2];
        Edge[] edges = new Edge[at(starts, node.seq() + 1) - start];
        for (int i = 0; i < edges.length; i++) {
            edges[i] = edge(schema, node, others[start + i], direction, edgeKind, i, valueAt(values, start + i));
        }
        return ISeqs.of(edges);
    }

    static Object valueAt(Object values, int index) {
        if (values == null) {
            return null;
        }
        return values instanceof DefaultValue value ? defaultOf(value) : ScalaRunTime.array_apply(values, index);
    }

    /**
     * Edge number {@code index} of a node, from 0. flatgraph itself numbers out-edges upwards from 1 and
     * in-edges downwards from -1.
     */
    static Edge edge(
            Schema schema, GNode node, GNode other, Direction direction, int edgeKind, int index, Object value) {
        return direction == Direction.OUT
                ? schema.makeEdge(node, other, (short) edgeKind, index + 1, value)
                : schema.makeEdge(other, node, (short) edgeKind, -index - 1, value);
    }

    @Override
    public Object first(int kind, int property, int seq, Object absent) {
        Objects.checkIndex(property, propertyKinds);
        int slot = schema.propertyOffsetArrayIndex(kind, property);
        int[] starts = (int[]) properties[slot];
        if (starts == null) {
            return absent;
        }
        int start = at(starts, seq);
        return start == at(starts, seq + 1) ? absent : ScalaRunTime.array_apply(properties[slot + 1], start);
    }

    @Override
    public ISeq<Object> values(int kind, int property, int seq) {
        Objects.checkIndex(property, propertyKinds);
        int slot = schema.propertyOffsetArrayIndex(kind, property);
        int[] starts = (int[]) properties[slot];
        if (starts == null) {
            return ISeqs.empty();
        }
        return ISeqs.of(properties[slot + 1], at(starts, seq), at(starts, seq + 1));
    }

    /** The index of a property, which is made on the first search for a text. */
    @Override
    @SuppressWarnings("unchecked")
    public MultiDictIndex<GNode> index(int kind, int property) {
        int slot = schema.propertyOffsetArrayIndex(kind, property);
        Object index = indexes.get(slot);
        if (!(index instanceof MultiDictIndex)) {
            index = makeIndex(kind, property, slot);
        }
        return (MultiDictIndex<GNode>) index;
    }

    private synchronized Object makeIndex(int kind, int property, int slot) {
        Object known = indexes.get(slot);
        if (known instanceof MultiDictIndex) {
            return known;
        }
        MultiDictIndex<GNode> index = TextIndexes.of(this, kind, property, nodes[kind].length);
        indexes.set(slot, index);
        return index;
    }

    @Override
    public int nextEdge() {
        return -1;
    }

    @Override
    public void apply(ResolvedDiff diff) {
        new HeapChanges(this, schema).apply(diff);
    }

    @Override
    public Iterator<GNode> withText(int kind, int property, String text) {
        return index(kind, property).get(Objects.requireNonNull(text, "null is no text"));
    }

    @Override
    public void close() {
        // A graph on the heap does not have to be closed.
    }
}
