package varvite.joern;

import flatgraph.GNode;
import flatgraph.misc.InitNodeIterator;

/**
 * An iterator over the nodes of one kind of a file, in the order of their indexes. Steps that search for an
 * exact text may use the text index instead, if the iterator has not been used yet.
 */
final class PlaceIterator extends InitNodeIterator<GNode> {
    private static final int AT_ONCE = 1 << 6;

    private final MappedStorage storage;
    private final int kind;
    private final Kept<GNode> nodes;
    private final int end;
    /** Whether some indexes have no node. */
    private final boolean hasGaps;
    private int next;
    private boolean isVirgin = true;
    /**
     * The ids of the nodes with indexes from {@code idsStart} to below {@code idsEnd}; read from the file on
     * first use.
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

    /** The node with an index, in a file without changes. */
    private GNode ofFile(int place) {
        GNode known = nodes.kept(place);
        if (known == null) {
            known = storage.node(id(place), kind, place);
            nodes.keep(place, known, 0);
        }
        return known;
    }

    /** The id of the node with an index, in a file without changes; -1 if there is none. */
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
