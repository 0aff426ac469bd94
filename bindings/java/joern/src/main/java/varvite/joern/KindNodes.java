package varvite.joern;

import flatgraph.GNode;

/**
 * The nodes of one kind by their places, as far as steps through all of the kind have visited them. In {@link
 * NodeTable} nodes of a kind lie apart, so that each would be a cache miss of its own.
 */
final class KindNodes extends Kept {
    private final MappedStorage storage;
    private final int kind;

    KindNodes(MappedStorage storage, int kind, int places) {
        super(storage.room(), places);
        this.storage = storage;
        this.kind = kind;
    }

    /** The node at a place, or null if it is not kept. */
    GNode at(int place) {
        return (GNode) kept(place);
    }

    /** The node of an id, which is at a place; kept from now on. */
    GNode node(int id, int place) {
        GNode node = storage.node(id, kind, place);
        keep(place, node, 0);
        return node;
    }
}
