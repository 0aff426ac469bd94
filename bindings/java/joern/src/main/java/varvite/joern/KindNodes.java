package varvite.joern;

import flatgraph.GNode;

/**
 * A cache of the nodes of one kind by their indexes, which is filled by steps through all nodes of the kind.
 * In {@link NodeTable} the nodes of a kind are scattered, so that each look-up would be a cache miss.
 */
final class KindNodes extends Kept {
    private final MappedStorage storage;
    private final int kind;

    KindNodes(MappedStorage storage, int kind, int places) {
        super(storage.room(), places);
        this.storage = storage;
        this.kind = kind;
    }

    /** The node with an index, or null if it is not cached. */
    GNode at(int place) {
        return (GNode) kept(place);
    }

    /** The node with an id and an index, which is cached from now on. */
    GNode node(int id, int place) {
        GNode node = storage.node(id, kind, place);
        keep(place, node, 0);
        return node;
    }
}
