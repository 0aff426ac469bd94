package varvite.joern;

import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.misc.ISeq;
import flatgraph.misc.InitNodeIterator;
import flatgraph.misc.MultiDictIndex;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import varvite.Direction;

/**
 * The storage of the nodes, edges and values of a {@link flatgraph.Graph}: arrays on the heap ({@link
 * HeapStorage}) or a mapped file ({@link MappedStorage}).
 *
 * <p>Nodes are addressed as in flatgraph: by the number of their kind in the schema, and by their index
 * ({@code seq}) among all nodes of this kind, including deleted nodes. A kind, property or edge label that
 * the storage lacks counts as empty. May be read by any number of threads while no thread writes.
 */
public interface Storage extends AutoCloseable {
    /** The number of node indexes of a kind, including those of deleted nodes. */
    int placeCount(int kind);

    /** The number of nodes of a kind, not including deleted nodes. */
    int nodeCount(int kind);

    /** The number of edges. */
    long edgeCount();

    /**
     * The node with an index. Always returns the same object; null for a deleted node and for an index
     * without a node.
     */
    GNode node(int kind, int seq);

    /** The nodes of a kind in the order of their indexes, without deleted nodes. */
    InitNodeIterator<GNode> nodes(int kind);

    /** The neighbours of a node along an edge label, in the order of the graph. */
    Iterator<GNode> neighbors(int kind, int seq, Direction direction, int edgeKind);

    /** The edges of a node with an edge label, in the order of the graph. */
    IndexedSeq<Edge> edges(GNode node, Direction direction, int edgeKind);

    /** The first value of a property, which may be null; {@code absent} if the node has no value. */
    Object first(int kind, int property, int seq, Object absent);

    /** All values of a property. */
    ISeq<Object> values(int kind, int property, int seq);

    /** The nodes of a kind that have a text, in the order of their indexes. */
    Iterator<GNode> withText(int kind, int property, String text);

    /** flatgraph's own index that finds the nodes of a kind by their texts. */
    MultiDictIndex<GNode> index(int kind, int property);

    /** The graph in flatgraph's arrays. If the graph is mapped, this is a copy, which must only be read. */
    HeapStorage heap();

    /** The number that the next new edge gets; negative if edges are not numbered. */
    int nextEdge();

    /**
     * Checks that a diff may be applied. Called before the diff is resolved.
     *
     * @throws PersistException if changes should be kept and can't be
     */
    default void checkChange() {}

    /** Applies a diff; no other thread may read during the call. */
    void apply(ResolvedDiff diff);

    /**
     * The error to throw for a failed read: {@code cause} itself, or an error with the reason if the storage
     * knows it.
     */
    default Error failure(InternalError cause) {
        return cause;
    }

    @Override
    void close();
}
