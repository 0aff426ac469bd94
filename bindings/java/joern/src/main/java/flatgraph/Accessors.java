package flatgraph;

import flatgraph.misc.ISeq;
import flatgraph.misc.MultiDictIndex;
import java.util.ArrayList;
import java.util.List;
import scala.Option;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.Iterator$;
import scala.collection.IterableOnce;
import scala.collection.immutable.IndexedSeq;
import varvite.Direction;

/**
 * Replaces flatgraph's class of this name, which reads the edges and values of nodes. This class has the same
 * members, but supports any storage. If a mapped file was shortened, Java's error gets the message of
 * {@link varvite.Graph#checkLength}.
 */
public final class Accessors {
    private Accessors() {}

    public static IndexedSeq<Edge> getEdgesOut(GNode node, int edgeKind) {
        return edges(node, Direction.OUT, edgeKind);
    }

    public static IndexedSeq<Edge> getEdgesIn(GNode node, int edgeKind) {
        return edges(node, Direction.IN, edgeKind);
    }

    private static IndexedSeq<Edge> edges(GNode node, Direction direction, int edgeKind) {
        try {
            return node.graph.storage().edges(node, direction, edgeKind);
        } catch (InternalError e) {
            throw node.graph.storage().failure(e);
        }
    }

    public static IndexedSeq<Edge> getEdgesOut(GNode node) {
        return edges(node, Direction.OUT);
    }

    public static IndexedSeq<Edge> getEdgesIn(GNode node) {
        return edges(node, Direction.IN);
    }

    private static IndexedSeq<Edge> edges(GNode node, Direction direction) {
        List<Edge> all = new ArrayList<>();
        for (int edgeKind = 0; edgeKind < node.graph.schema().getNumberOfEdgeKinds(); edgeKind++) {
            IndexedSeq<Edge> edges = edges(node, direction, edgeKind);
            for (int i = 0; i < edges.length(); i++) {
                all.add(edges.apply(i));
            }
        }
        return new ISeq<>(all.toArray(), 0, all.size());
    }

    public static Iterator<GNode> getNeighborsOut(GNode node, int edgeKind) {
        return getNeighborsOut(node.graph, node.nodeKind, node.seq(), edgeKind);
    }

    public static Iterator<GNode> getNeighborsIn(GNode node, int edgeKind) {
        return getNeighborsIn(node.graph, node.nodeKind, node.seq(), edgeKind);
    }

    public static Iterator<GNode> getNeighborsOut(GNode node) {
        return getNeighborsOut(node.graph, node.nodeKind, node.seq());
    }

    public static Iterator<GNode> getNeighborsIn(GNode node) {
        return getNeighborsIn(node.graph, node.nodeKind, node.seq());
    }

    public static Iterator<GNode> getNeighborsOut(Graph graph, int nodeKind, int seq, int edgeKind) {
        return neighbors(graph, nodeKind, seq, Direction.OUT, edgeKind);
    }

    public static Iterator<GNode> getNeighborsIn(Graph graph, short nodeKind, int seq, int edgeKind) {
        return neighbors(graph, nodeKind, seq, Direction.IN, edgeKind);
    }

    private static Iterator<GNode> neighbors(Graph graph, int nodeKind, int seq, Direction direction, int edgeKind) {
        try {
            return graph.storage().neighbors(nodeKind, seq, direction, edgeKind);
        } catch (InternalError e) {
            throw graph.storage().failure(e);
        }
    }

    public static Iterator<GNode> getNeighborsOut(Graph graph, short nodeKind, int seq) {
        return neighbors(graph, nodeKind, seq, Direction.OUT);
    }

    public static Iterator<GNode> getNeighborsIn(Graph graph, short nodeKind, int seq) {
        return neighbors(graph, nodeKind, seq, Direction.IN);
    }

    private static Iterator<GNode> neighbors(Graph graph, short nodeKind, int seq, Direction direction) {
        Iterator<GNode> all = Iterator$.MODULE$.empty();
        for (int edgeKind = 0; edgeKind < graph.schema().getNumberOfEdgeKinds(); edgeKind++) {
            Iterator<GNode> some = graph.storage().neighbors(nodeKind, seq, direction, edgeKind);
            if (some.hasNext()) {
                all = all.concat(() -> some);
            }
        }
        return all;
    }

    public static IndexedSeq<Object> getNodeProperty(GNode node, int propertyKind) {
        return getNodeProperty(node.graph, node.nodeKind, propertyKind, node.seq());
    }

    public static ISeq<Object> getNodeProperty(Graph graph, int nodeKind, int propertyKind, int seq) {
        try {
            return graph.storage().values(nodeKind, propertyKind, seq);
        } catch (InternalError e) {
            throw graph.storage().failure(e);
        }
    }

    @SuppressWarnings("unchecked")
    public static <T> T getNodePropertySingle(Graph graph, int nodeKind, int propertyKind, int seq, T absent) {
        try {
            return (T) graph.storage().first(nodeKind, propertyKind, seq, absent);
        } catch (InternalError e) {
            throw graph.storage().failure(e);
        }
    }

    public static <T> Option<T> getNodePropertyOption(Graph graph, int nodeKind, int propertyKind, int seq) {
        return Option.apply(getNodePropertySingle(graph, nodeKind, propertyKind, seq, null));
    }

    public static Option<Object> getNodePropertyOptionCompat(GNode node, int propertyKind) {
        boolean isList = node.graph.schema().getNodePropertyFormalQuantity(node.nodeKind, propertyKind)
                instanceof FormalQtyType.QtyMulti$;
        IndexedSeq<Object> values = getNodeProperty(node, propertyKind);
        if (isList) {
            return Option.apply(values);
        }
        return values.length() == 0 ? Option.empty() : Option.apply(values.apply(0));
    }

    @SuppressWarnings("unchecked")
    public static <T> ISeq<T> getNodePropertyMulti(Graph graph, int nodeKind, int propertyKind, int seq) {
        return (ISeq<T>) getNodeProperty(graph, nodeKind, propertyKind, seq);
    }

    public static IterableOnce<Tuple2<Object, IndexedSeq<Object>>> _getNodeProperties(GNode node) {
        List<Tuple2<Object, IndexedSeq<Object>>> all = new ArrayList<>();
        for (int propertyKind = 0; propertyKind < node.graph.schema().getNumberOfPropertyKinds(); propertyKind++) {
            IndexedSeq<Object> values = getNodeProperty(node, propertyKind);
            if (values.length() > 0) {
                all.add(new Tuple2<>(propertyKind, values));
            }
        }
        return new ISeq<>(all.toArray(), 0, all.size());
    }

    public static IterableOnce<Tuple2<String, IndexedSeq<Object>>> getNodeProperties(GNode node) {
        return _getNodeProperties(node).iterator().map(named -> {
            int propertyKind = (Integer) named._1();
            return new Tuple2<>(node.graph.schema().getPropertyLabel(node.nodeKind, propertyKind), named._2());
        });
    }

    public static MultiDictIndex<GNode> getInverseIndex(Graph graph, int nodeKind, int propertyKind) {
        try {
            return graph.storage().index(nodeKind, propertyKind);
        } catch (InternalError e) {
            throw graph.storage().failure(e);
        }
    }

    public static Iterator<GNode> getWithInverseIndex(Graph graph, int nodeKind, int propertyKind, String value) {
        try {
            return graph.storage().withText(nodeKind, propertyKind, value);
        } catch (InternalError e) {
            throw graph.storage().failure(e);
        }
    }
}
