package varvite.joern;

import flatgraph.GNode;
import flatgraph.misc.InitNodeIterator;

/** The nodes of one kind of a file by their places. As long as none was taken, exact steps may ask the index instead. */
final class PlaceIterator extends InitNodeIterator<GNode> {
    private final MappedStorage storage;
    private final int kind;
    private final int end;
    /** Whether nobody has some of the places. */
    private final boolean hasGaps;
    private int next;
    private boolean isVirgin = true;

    PlaceIterator(MappedStorage storage, int kind, int nodes, int places) {
        this.storage = storage;
        this.kind = kind;
        end = places;
        hasGaps = nodes < places;
        skipGaps();
    }

    private void skipGaps() {
        while (hasGaps && next < end && !storage.hasNode(kind, next)) {
            next++;
        }
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
        if (next >= end) {
            throw NodeIterator.end();
        }
        isVirgin = false;
        GNode node = storage.node(kind, next++);
        skipGaps();
        return node;
    }

    @Override
    public int knownSize() {
        return hasGaps ? -1 : end - next;
    }
}
