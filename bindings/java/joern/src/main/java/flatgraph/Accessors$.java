package flatgraph;

import flatgraph.misc.ISeq;
import flatgraph.misc.MultiDictIndex;
import java.io.Serializable;
import scala.Option;
import scala.Tuple2;
import scala.collection.IterableOnce;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;

/** The members of {@link Accessors}, in the form that compiled Scala needs. */
public final class Accessors$ implements Serializable {
    private static final long serialVersionUID = 1;

    public static final Accessors$ MODULE$ = new Accessors$();

    private Accessors$() {}

    private Object readResolve() {
        return MODULE$;
    }

    public IndexedSeq<Edge> getEdgesOut(GNode node, int edgeKind) {
        return Accessors.getEdgesOut(node, edgeKind);
    }

    public IndexedSeq<Edge> getEdgesIn(GNode node, int edgeKind) {
        return Accessors.getEdgesIn(node, edgeKind);
    }

    public IndexedSeq<Edge> getEdgesOut(GNode node) {
        return Accessors.getEdgesOut(node);
    }

    public IndexedSeq<Edge> getEdgesIn(GNode node) {
        return Accessors.getEdgesIn(node);
    }

    public Iterator<GNode> getNeighborsOut(GNode node, int edgeKind) {
        return Accessors.getNeighborsOut(node, edgeKind);
    }

    public Iterator<GNode> getNeighborsIn(GNode node, int edgeKind) {
        return Accessors.getNeighborsIn(node, edgeKind);
    }

    public Iterator<GNode> getNeighborsOut(GNode node) {
        return Accessors.getNeighborsOut(node);
    }

    public Iterator<GNode> getNeighborsIn(GNode node) {
        return Accessors.getNeighborsIn(node);
    }

    public Iterator<GNode> getNeighborsOut(Graph graph, int nodeKind, int seq, int edgeKind) {
        return Accessors.getNeighborsOut(graph, nodeKind, seq, edgeKind);
    }

    public Iterator<GNode> getNeighborsIn(Graph graph, short nodeKind, int seq, int edgeKind) {
        return Accessors.getNeighborsIn(graph, nodeKind, seq, edgeKind);
    }

    public Iterator<GNode> getNeighborsOut(Graph graph, short nodeKind, int seq) {
        return Accessors.getNeighborsOut(graph, nodeKind, seq);
    }

    public Iterator<GNode> getNeighborsIn(Graph graph, short nodeKind, int seq) {
        return Accessors.getNeighborsIn(graph, nodeKind, seq);
    }

    public IndexedSeq<Object> getNodeProperty(GNode node, int propertyKind) {
        return Accessors.getNodeProperty(node, propertyKind);
    }

    public ISeq<Object> getNodeProperty(Graph graph, int nodeKind, int propertyKind, int seq) {
        return Accessors.getNodeProperty(graph, nodeKind, propertyKind, seq);
    }

    public <T> T getNodePropertySingle(Graph graph, int nodeKind, int propertyKind, int seq, T absent) {
        return Accessors.getNodePropertySingle(graph, nodeKind, propertyKind, seq, absent);
    }

    public <T> Option<T> getNodePropertyOption(Graph graph, int nodeKind, int propertyKind, int seq) {
        return Accessors.getNodePropertyOption(graph, nodeKind, propertyKind, seq);
    }

    public Option<Object> getNodePropertyOptionCompat(GNode node, int propertyKind) {
        return Accessors.getNodePropertyOptionCompat(node, propertyKind);
    }

    public <T> ISeq<T> getNodePropertyMulti(Graph graph, int nodeKind, int propertyKind, int seq) {
        return Accessors.getNodePropertyMulti(graph, nodeKind, propertyKind, seq);
    }

    public IterableOnce<Tuple2<Object, IndexedSeq<Object>>> _getNodeProperties(GNode node) {
        return Accessors._getNodeProperties(node);
    }

    public IterableOnce<Tuple2<String, IndexedSeq<Object>>> getNodeProperties(GNode node) {
        return Accessors.getNodeProperties(node);
    }

    public MultiDictIndex<GNode> getInverseIndex(Graph graph, int nodeKind, int propertyKind) {
        return Accessors.getInverseIndex(graph, nodeKind, propertyKind);
    }

    public Iterator<GNode> getWithInverseIndex(Graph graph, int nodeKind, int propertyKind, String value) {
        return Accessors.getWithInverseIndex(graph, nodeKind, propertyKind, value);
    }
}
