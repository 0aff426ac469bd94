package varvite.joern;

import flatgraph.GNode;
import scala.collection.Iterator;
import scala.collection.Iterator$;

/** The neighbours of the nodes of one kind along one edge label, by the places of the nodes. Lists that were read are kept. */
final class KindHops {
    private final MappedStorage storage;
    private final int kind;
    private final Hops hops;
    private final Kept kept;

    KindHops(MappedStorage storage, int kind, Hops hops, int places) {
        this.storage = storage;
        this.kind = kind;
        this.hops = hops;
        kept = new Kept(places);
    }

    /** The neighbours of the node at a place. */
    Iterator<GNode> neighbors(int seq) {
        Object known = kept.get(seq);
        return known == null ? read(seq) : iterator(known);
    }

    private Iterator<GNode> read(int seq) {
        int id = storage.id(kind, seq);
        if (id < 0) {
            return Iterator$.MODULE$.empty();
        }
        Object all = hops.all(id);
        if (all == null) {
            return hops.neighbors(id);
        }
        kept.put(seq, all);
        return iterator(all);
    }

    private static Iterator<GNode> iterator(Object all) {
        if (all instanceof GNode one) {
            return new NodeIterator.OfOne(one);
        }
        GNode[] nodes = (GNode[]) all;
        return nodes.length == 0 ? Iterator$.MODULE$.empty() : new NodeIterator.OfArray(nodes, 0, nodes.length);
    }
}
