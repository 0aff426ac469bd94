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
 * <p>Nodes are addressed as flatgraph does: by the number of their kind in the schema, and by their place
 * among those of that kind, the places of deleted nodes included. A kind, property or edge label that the
 * storage does not have is empty. May be read by any number of threads while no thread writes.
 */
public interface Storage extends AutoCloseable {
    /** The number of places of a kind, those of deleted nodes included. */
    int placeCount(int kind);

    /** The number of nodes of a kind, without deleted ones. */
    int nodeCount(int kind);

    /** The number of edges. */
    long edgeCount();

    /**
     * The node at a place, always the same object; null for a deleted node, and for a place without a node.
     */
    GNode node(int kind, int seq);

    /** The nodes of a kind by their places, without deleted ones. */
    InitNodeIterator<GNode> nodes(int kind);

    /** The neighbours of a node along an edge label, in the order of the graph. */
    Iterator<GNode> neighbors(int kind, int seq, Direction direction, int edgeKind);

    /** The edges of a node with an edge label, in the order of the graph. */
    IndexedSeq<Edge> edges(GNode node, Direction direction, int edgeKind);

    /** The first value of a property, null among them; or {@code absent} if there is none. */
    Object first(int kind, int property, int seq, Object absent);

    /** All values of a property. */
    ISeq<Object> values(int kind, int property, int seq);

    /** The nodes of a kind that have a text, by their places. */
    Iterator<GNode> withText(int kind, int property, String text);

    /** The same for all texts, as flatgraph keeps it. */
    MultiDictIndex<GNode> index(int kind, int property);

    /** The same in flatgraph's arrays: of a mapped graph a copy, which is only to be read. */
    HeapStorage heap();

    /** The number that the next new edge gets; negative where edges are not numbered. */
    int nextEdge();

    /**
     * Passes if a diff may be applied: before it is resolved.
     *
     * @throws PersistException if its changes were to be kept and can't be
     */
    default void checkChange() {}

    /** Applies a diff; no thread may read meanwhile. */
    void apply(ResolvedDiff diff);

    /** The error to throw for a failed read: the same, or one with the known reason. */
    default Error failure(InternalError cause) {
        return cause;
    }

    @Override
    void close();
}
