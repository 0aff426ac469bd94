package varvite;

import varvite.format.IdSet;
import varvite.format.Ints;

/**
 * The neighbours along an edge label, some of whose edges were appended or removed since the columns were
 * written. The list of a node is its list in the base without removed entries, followed by the appended
 * edges. There is a bit for each node, set if any of its edges changed, so that an unchanged node costs only
 * one test.
 *
 * <p>{@link #first} and {@link #after} return the entries of a list as numbers, one after another; nothing is
 * allocated and no combined list is made. The number of an entry of the base is its position in the lists of
 * the base; if the base is computed from the forest, it is the neighbour itself. The number of an appended
 * entry is its position in the lists of the change plus {@link #APPENDED}.
 */
final class ChangedEdges {
    /** The result after the last entry. */
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
     * @param appended the lists of appended edges; null if there are none
     * @param neighbors the entries of {@code appended}
     * @param ranks the index of each entry's edge among the appended edges; null if each entry's position is
     * this index
     * @param holes the removed entries of the base: their positions in its lists or, in a forest, the targets
     * of the removed edges; null if there are none
     * @param removed the numbers of removed edges; null if no appended edge was removed
     */
    record Columns(long first, Lists appended, Ints neighbors, Ints ranks, IdSet holes, IdSet removed) {
        /** Columns without any change. */
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

        /** The rank of the appended edge at a position of the appended lists. */
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
     * The edges of a base with changes. The constructor marks the nodes whose edges changed, in time
     * proportional to the number of changed edges.
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
     * Marks the nodes with removed entries. In a forest, holes are the targets of removed edges;
     * {@code parents} has the sources.
     */
    private void touchHoles(Adjacency parents) {
        IdSet holes = columns.holes;
        // Holes at or above the limit of the base are appended edges.
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

    /**
     * Marks the nodes that a forest of the base does not have. If the base has lists, any node can be looked
     * up there.
     */
    private void touchNewNodes() {
        for (int node = base.shape == Adjacency.LISTS ? nodes : base.nodes; node < nodes; node++) {
            touch(node);
        }
    }

    private void touch(int node) {
        touched[node >>> 6] |= 1L << node;
    }

    /** The neighbours in the base, without the changes. */
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

    /** The first entry of a node's list; {@link #END} if the list is empty. */
    long first(int node) {
        // An empty list is found without a read of the file, so check explicitly that the file is open.
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

    /** The entry of a node's list after {@code entry}; {@link #END} if there is none. */
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
     * The first entry of the base, from {@code start} to below {@code end}, that is not removed. If there is
     * none, the first appended entry of {@code node}, or {@link #END}.
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

    /** The neighbour that an entry of a node's list stands for. */
    int neighbor(int node, long entry) {
        if (entry >= APPENDED) {
            return columns.neighbors.id(entry - APPENDED, node, nodes);
        }
        return base.shape == Adjacency.LISTS ? base.neighbors.id(entry, node, base.nodes) : (int) entry;
    }

    /**
     * The rank of an entry's edge: for an entry of the base, its position; for an appended edge, the number
     * of edges of the base plus its index. -1 if the base is computed from the forest.
     */
    long rank(long entry) {
        if (entry >= APPENDED) {
            return base.shape == Adjacency.LISTS ? columns.rank(entry - APPENDED) : -1;
        }
        return base.shape == Adjacency.LISTS ? entry : -1;
    }

    /** The index of an entry's edge among the appended edges; -1 for an entry of the base. */
    long appendedNumber(long entry) {
        return entry >= APPENDED ? columns.rank(entry - APPENDED) : -1;
    }

    /** The number of neighbours of a node with changes. */
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
     * The position of a node's first edge among the edges of the base; -1 if the base is computed from the
     * forest.
     */
    long firstRank(int node) {
        return base.shape == Adjacency.LISTS || node < base.nodes ? base.firstRank(node) : -1;
    }
}
