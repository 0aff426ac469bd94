package varvite.joern;

import flatgraph.GNode;
import scala.collection.Iterator;
import scala.collection.Iterator$;

/**
 * The neighbours of the nodes of one kind along one edge label, by the nodes' indexes. Caches the lists that
 * were read.
 */
final class KindHops extends Kept<Object> {
    /** The bytes of a list's array without its items, and the bytes of each neighbour. */
    private static final int LIST_BYTES = 16;
    private static final int NEIGHBOR_BYTES = 4;

    private final MappedStorage storage;
    private final int kind;
    /** Reads the neighbours from the file; null if the file does not have the label. */
    private final Hops hops;

    KindHops(MappedStorage storage, int kind, Hops hops, int places) {
        super(storage.room(), places);
        this.storage = storage;
        this.kind = kind;
        this.hops = hops;
    }

    /** The neighbours of the node with an index. */
    Iterator<GNode> neighbors(int seq) {
        Object known = kept(seq);
        return known == null ? read(seq) : new NodeIterator.OfList(known);
    }

    private Iterator<GNode> read(int seq) {
        int id = hops == null ? -1 : storage.id(kind, seq);
        if (id < 0) {
            return Iterator$.MODULE$.empty();
        }
        Object all = hops.all(id);
        if (all == null) {
            return hops.neighbors(id);
        }
        boolean isArray = all instanceof GNode[] nodes && nodes.length > 0;
        keep(seq, all, isArray ? LIST_BYTES + NEIGHBOR_BYTES * ((GNode[]) all).length : 0);
        return new NodeIterator.OfList(all);
    }
}
