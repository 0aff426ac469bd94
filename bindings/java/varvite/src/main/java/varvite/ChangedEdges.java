package varvite;

import varvite.format.IdSet;
import varvite.format.Ints;

/**
 * The neighbours along an edge label with edges that were appended or removed since the columns were written:
 * the lists of the base without removed entries, and behind them those of the appended edges. A bit for each
 * node is set if any of its edges changed, so that an unchanged node costs one test.
 *
 * <p>Entries of a list are numbers that {@link #first} and {@link #after} give, one after the other; nothing
 * is allocated, and no list is put together. An entry of the base is a position in its lists; where these
 * follow from the forest, it is the neighbour. Appended entries are positions in the lists of the change,
 * with {@link #APPENDED}.
 */
final class ChangedEdges {
    /** Behind the last entry. */
    static final long END = Long.MAX_VALUE;

    private static final long APPENDED = 1L << 62;

    private final Adjacency base;
    private final int nodes;
    private final Columns columns;
    private final long[] touched;

    /**
     * The stored changes of an edge label, in one direction.
     *
     * @param first the number of the first appended edge
     * @param appended the lists of appended edges; null for none
     * @param neighbors their entries
     * @param ranks which of the appended edges each entry is; null: the one at its position
     * @param holes which entries of the base are removed: positions in its lists, or in a forest the targets;
     * null for none
     * @param removed the numbers of removed edges; null if no appended one is among them
     */
    record Columns(long first, Lists appended, Ints neighbors, Ints ranks, IdSet holes, IdSet removed) {
        /** No change. */
        static final Columns NONE = new Columns(0, null, null, null, null, null);

        boolean isHole(long entry) {
            return holes != null && entry <= Integer.MAX_VALUE && holes.memberRank((int) entry) >= 0;
        }

        /** The number of removed entries of the base between two positions. */
        int holes(long start, long end) {
            return holes == null ? 0 : holes.rank(clamp(end)) - holes.rank(clamp(start));
        }

        private static int clamp(long position) {
            return (int) Math.min(position, Integer.MAX_VALUE);
        }

        /** The number of the appended edge at a position of the lists. */
        long rank(long position) {
            long index = ranks == null ? position : ranks.get(position, 0);
            if (Long.compareUnsigned(index, neighbors.count()) >= 0) {
                throw (ranks == null ? neighbors : ranks).column().impossible(position);
            }
            return first + index;
        }

        boolean isRemoved(long position) {
            return removed != null && removed.memberRank(clamp(rank(position))) >= 0;
        }
    }

    /**
     * The edges of a base with changes; which nodes they touch is found out here, in time that goes with
     * their number.
     */
    ChangedEdges(Adjacency base, int nodes, Columns columns, Adjacency parents) {
        this.base = base;
        this.nodes = nodes;
        this.columns = columns;
        touched = new long[Bits.words(nodes)];
        touchAppended();
        touchHoles(parents);
        touchNewNodes();
    }

    private void touchAppended() {
        if (columns.appended != null) {
            IdSet owners = columns.appended.owners();
            for (int node = owners.next(0); node >= 0; node = owners.next(node + 1)) {
                touch(node);
            }
        }
    }

    /**
     * Nodes with removed entries; a removed edge of the forest is given by its target, whose parent is in
     * {@code parents}.
     */
    private void touchHoles(Adjacency parents) {
        IdSet holes = columns.holes;
        // Numbers behind those of the base are appended edges.
        long limit = base.shape == Adjacency.LISTS ? base.lists.entries() : base.nodes;
        int hole = holes == null ? -1 : holes.next(0);
        while (hole >= 0 && hole < limit) {
            int next = hole + 1;
            if (base.shape == Adjacency.LISTS) {
                int rank = base.lists.rankAt(hole);
                long end = rank < 0 ? 0 : Lists.end(base.lists.ofRank(rank));
                if (end <= hole) {
                    throw holes.column().impossible(hole);
                }
                touch(base.lists.owners().select(rank));
                next = (int) Math.min(end, Integer.MAX_VALUE);
            } else if (base.shape == Adjacency.PARENTS) {
                touch(hole);
            } else {
                int parent = parents.first(hole);
                if (parent < 0) {
                    throw holes.column().impossible(hole);
                }
                touch(parent);
            }
            hole = next < 0 ? -1 : holes.next(next);
        }
    }

    /** A forest does not have them; in lists any node is looked up. */
    private void touchNewNodes() {
        for (int node = base.shape == Adjacency.LISTS ? nodes : base.nodes; node < nodes; node++) {
            touch(node);
        }
    }

    private void touch(int node) {
        touched[node >>> 6] |= 1L << node;
    }

    /** The neighbours before anything changed. */
    Adjacency base() {
        return base;
    }

    /** Whether the node has changes, so that the base alone is wrong for it. */
    boolean isTouched(int node) {
        if (Integer.compareUnsigned(node, nodes) >= 0) {
            throw new varvite.error.NoSuchNodeException("node", node, nodes);
        }
        return (touched[node >>> 6] >>> node & 1) != 0;
    }

    /** The first entry of a node, or {@link #END}. */
    long first(int node) {
        // An empty list may need no read of the file, which would fail after closing.
        base.checkOpen();
        if (node < base.nodes) {
            switch (base.shape) {
                case Adjacency.LISTS -> {
                    long ends = base.lists.of(node);
                    return ofBase(node, Lists.start(ends), Lists.end(ends));
                }
                case Adjacency.CHILDREN -> {
                    return ofBase(node, node + 1, base.subtreeEnd(node));
                }
                default -> {
                    int parent = base.parent(node);
                    if (parent >= 0 && !columns.isHole(node)) {
                        return parent;
                    }
                }
            }
        }
        return firstAppended(node);
    }

    /** The entry of a node that comes after another one, or {@link #END}. */
    long after(int node, long entry) {
        if (entry >= APPENDED) {
            return appended(entry - APPENDED + 1, Lists.end(columns.appended.of(node)));
        }
        return switch (base.shape) {
            case Adjacency.LISTS -> ofBase(node, entry + 1, Lists.end(base.lists.of(node)));
            case Adjacency.CHILDREN -> ofBase(node, base.subtreeEnd((int) entry), base.subtreeEnd(node));
            default -> firstAppended(node);
        };
    }

    /**
     * The first entry of the base from {@code start} on that is there, or the position behind those of the
     * base.
     */
    private long ofBase(int node, long start, long end) {
        long entry = start;
        while (entry < end && columns.isHole(entry)) {
            entry = base.shape == Adjacency.LISTS ? entry + 1 : base.subtreeEnd((int) entry);
        }
        return entry < end ? entry : firstAppended(node);
    }

    private long firstAppended(int node) {
        if (columns.appended == null) {
            return END;
        }
        long ends = columns.appended.of(node);
        return appended(Lists.start(ends), Lists.end(ends));
    }

    private long appended(long start, long end) {
        long position = start;
        while (position < end && columns.isRemoved(position)) {
            position++;
        }
        return position < end ? APPENDED + position : END;
    }

    /** The neighbour of a node that an entry of it is. */
    int neighbor(int node, long entry) {
        if (entry >= APPENDED) {
            return columns.neighbors.id(entry - APPENDED, node, nodes);
        }
        return base.shape == Adjacency.LISTS ? base.neighbors.id(entry, node, base.nodes) : (int) entry;
    }

    /**
     * The edge of an entry: for the base its position, and -1 where lists follow from the forest; for
     * appended ones their number behind those of the base.
     */
    long rank(long entry) {
        if (entry >= APPENDED) {
            return base.shape == Adjacency.LISTS ? columns.rank(entry - APPENDED) : -1;
        }
        return base.shape == Adjacency.LISTS ? entry : -1;
    }

    /** The number of the appended edge that an entry is; -1 for one of the base. */
    long appendedNumber(long entry) {
        return entry >= APPENDED ? columns.rank(entry - APPENDED) : -1;
    }

    /** The number of neighbours of a touched node. */
    int degree(int node) {
        if (node < base.nodes && base.shape == Adjacency.LISTS && columns.removed == null) {
            base.checkOpen();
            long ends = base.lists.of(node);
            int appended = columns.appended == null ? 0 : Lists.length(columns.appended.of(node));
            int kept = Math.max(0, Lists.length(ends) - columns.holes(Lists.start(ends), Lists.end(ends)));
            return Math.addExact(kept, appended);
        }
        int count = 0;
        for (long entry = first(node); entry != END; entry = after(node, entry)) {
            count++;
        }
        return count;
    }

    /**
     * The position of the first edge of a node among those of the base; -1 where lists follow from the
     * forest.
     */
    long firstRank(int node) {
        return base.shape == Adjacency.LISTS || node < base.nodes ? base.firstRank(node) : -1;
    }
}
