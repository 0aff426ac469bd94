package varvite.joern;

import flatgraph.GNode;
import flatgraph.misc.InitNodeIterator;

/**
 * The nodes of one kind of a file by their places. Until the first node is taken, exact steps may use the
 * index instead.
 */
final class PlaceIterator extends InitNodeIterator<GNode> {
    private static final int AT_ONCE = 1 << 6;

    private final MappedStorage storage;
    private final int kind;
    private final KindNodes nodes;
    private final int end;
    /** Whether some of the places have no node. */
    private final boolean hasGaps;
    private int next;
    private boolean isVirgin = true;
    /**
     * Ids of the file, of places below {@code idsEnd}, the first of which is {@code idsStart}; made when they
     * are first needed.
     */
    private int[] ids;
    private int idsStart;
    private int idsEnd;

    PlaceIterator(MappedStorage storage, int kind, int count, int places) {
        this.storage = storage;
        this.kind = kind;
        nodes = storage.nodesOfKind(kind);
        end = places;
        hasGaps = count < places;
        skipGaps();
    }

    private void skipGaps() {
        while (hasGaps && next < end && !hasNode(next)) {
            next++;
        }
    }

    private boolean hasNode(int place) {
        return storage.isChanged() ? storage.hasNode(kind, place) : id(place) >= 0;
    }

    @Override
    public boolean isVirgin() {
        return isVirgin;
    }

    @Override
    public boolean hasNext() {
        return next < end;
    }

    @Override
    public GNode next() {
        int place = next;
        if (place >= end) {
            throw NodeIterator.end();
        }
        isVirgin = false;
        next = place + 1;
        GNode node = storage.isChanged() ? storage.node(kind, place) : ofFile(place);
        skipGaps();
        return node;
    }

    /** The node at a place of a file that has not changed. */
    private GNode ofFile(int place) {
        GNode known = nodes.at(place);
        return known == null ? nodes.node(id(place), place) : known;
    }

    /** The id of the node at a place of a file that has not changed, or -1. */
    private int id(int place) {
        if (place >= idsEnd) {
            read(place);
        }
        return ids[place - idsStart];
    }

    private void read(int place) {
        if (ids == null) {
            ids = new int[Math.min(end - place, AT_ONCE)];
        }
        idsEnd = Math.min(end - place, ids.length) + place;
        storage.fillIds(kind, place, idsEnd, ids);
        idsStart = place;
    }

    @Override
    public int knownSize() {
        return hasGaps ? -1 : end - next;
    }
}
