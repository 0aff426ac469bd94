package varvite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import varvite.format.Changes.EdgeChangeRow;
import varvite.format.Directory.AdjacencyRow;
import varvite.format.IdSet;
import varvite.format.MadeColumns;

/**
 * The changes to one label's edges since its columns were written, as of some point in the replay of a log:
 * the appended edges, in their order, and the removed edges.
 */
final class EdgeEdits {
    private static final int NONE = -1;

    private final EdgeLabel label;
    private final Adjacency out;
    private final Adjacency in;
    /** The parents of nodes, if neighbours are computed from the forest; else null. */
    private final Adjacency parents;
    private final int first;
    private final IntList sources = new IntList();
    private final IntList targets = new IntList();
    /** The numbers of removed edges. In a forest, the number of an edge of the base is its target's id. */
    private final BitSet removed = new BitSet();
    /** The positions of removed edges in the in-lists of the base. */
    private final BitSet removedIn = new BitSet();

    /** Begins without changes to the edges that a label has in the base. */
    EdgeEdits(EdgeLabel label, Adjacency out, Adjacency in, int first) {
        this.label = label;
        this.out = out;
        this.in = in;
        this.first = first;
        parents = out.shape == Adjacency.LISTS ? null : in;
    }

    /** Adds the changes that the file contains. */
    void takeUp(ChangedEdges.Columns columns, IdSet allRemoved, IdSet allRemovedIn) {
        if (columns.appended() != null) {
            takeUpAppended(columns);
        }
        setAll(removed, allRemoved);
        setAll(removedIn, allRemovedIn);
    }

    private static void setAll(BitSet bits, IdSet set) {
        for (int id = set == null ? -1 : set.next(0); id >= 0; id = set.next(id + 1)) {
            bits.set(id);
        }
    }

    private void takeUpAppended(ChangedEdges.Columns columns) {
        int count = Math.toIntExact(columns.neighbors().count());
        int[] from = new int[count];
        int[] to = new int[count];
        Arrays.fill(from, NONE);
        IdSet owners = columns.appended().owners();
        for (int node = owners.next(0); node >= 0; node = owners.next(node + 1)) {
            long ends = columns.appended().of(node);
            for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
                int index = (int) (columns.rank(position) - columns.first());
                if (from[index] != NONE) {
                    throw owners.column().impossible(node);
                }
                from[index] = node;
                to[index] = columns.neighbors().id(position, node, owners.limit());
            }
        }
        for (int i = 0; i < count; i++) {
            if (from[i] == NONE) {
                throw owners.column().impossible(i);
            }
            sources.add(from[i]);
            targets.add(to[i]);
        }
    }

    boolean isForest() {
        return parents != null;
    }

    /** The number of the next edge to be appended, which is above all numbers of edges. */
    int end() {
        return first + sources.size();
    }

    boolean isEmpty() {
        return sources.isEmpty() && removed.isEmpty();
    }

    /** The reason why no edge has this rank; null if an edge has it. */
    String refusal(int rank) {
        boolean isRoot = rank >= 0 && rank < first && isForest() && parents.first(rank) < 0;
        if (Integer.compareUnsigned(rank, end()) >= 0 || isRoot) {
            return "there is no edge " + Integer.toUnsignedString(rank) + " of " + label.name() + ", ranks are below " + end();
        }
        return removed.get(rank) ? "edge " + rank + " of " + label.name() + " was removed" : null;
    }

    /** Appends an edge and returns its rank. */
    int add(int source, int target) {
        sources.add(source);
        targets.add(target);
        return end() - 1;
    }

    /**
     * Removes the edges in {@code named} and all edges whose source or target is in {@code nodes}. Returns
     * the edges that were not removed before.
     */
    BitSet remove(BitSet nodes, BitSet named) {
        BitSet gone = (BitSet) named.clone();
        for (int i = 0; i < sources.size(); i++) {
            if (nodes.get(sources.get(i)) || nodes.get(targets.get(i))) {
                gone.set(first + i);
            }
        }
        if (isForest()) {
            removeFromForest(nodes, gone);
        } else if (out.edgeCount() > 0) {
            removeAt(nodes, gone);
            removeNamed(named);
        }
        gone.andNot(removed);
        removed.or(gone);
        return gone;
    }

    /**
     * Adds the forest edges from and to the removed nodes to {@code gone}. The number of such an edge is its
     * target's id.
     */
    private void removeFromForest(BitSet nodes, BitSet gone) {
        for (int node = nodes.nextSetBit(0); node >= 0 && node < first; node = nodes.nextSetBit(node + 1)) {
            if (parents.first(node) >= 0) {
                gone.set(node);
            }
            out.forEach(node, gone::set);
        }
    }

    /**
     * Adds the edges of the base from and to the removed nodes to {@code gone}. Reads each list with such an
     * edge once.
     */
    private void removeAt(BitSet nodes, BitSet gone) {
        BitSet targetsOf = new BitSet();
        BitSet sourcesOf = new BitSet();
        // The base lacks nodes that the log adds.
        for (int node = nodes.nextSetBit(0); node >= 0 && node < out.nodes; node = nodes.nextSetBit(node + 1)) {
            each(out, node, gone::set, targetsOf::set);
            each(in, node, removedIn::set, sourcesOf::set);
        }
        targetsOf.andNot(nodes);
        sourcesOf.andNot(nodes);
        for (int node = targetsOf.nextSetBit(0); node >= 0; node = targetsOf.nextSetBit(node + 1)) {
            setWhereOtherIs(in, node, nodes, removedIn);
        }
        for (int node = sourcesOf.nextSetBit(0); node >= 0; node = sourcesOf.nextSetBit(node + 1)) {
            setWhereOtherIs(out, node, nodes, gone);
        }
    }

    private static void each(Adjacency base, int node, IntConsumer positions, IntConsumer others) {
        long ends = base.lists.of(node);
        for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
            positions.accept((int) position);
            others.accept(base.neighbors.id(position, node, base.nodes));
        }
    }

    private static void setWhereOtherIs(Adjacency base, int node, BitSet nodes, BitSet positions) {
        long ends = base.lists.of(node);
        for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
            if (nodes.get(base.neighbors.id(position, node, base.nodes))) {
                positions.set((int) position);
            }
        }
    }

    /**
     * The key of one of several parallel edges in a list: the node at the other end, and the number of
     * earlier entries with that node.
     */
    private static long parallel(int other, int before) {
        return (long) other << 32 | before;
    }

    /**
     * Removes the entries of named edges from the in-lists. The k-th of several parallel edges in an out-list
     * is also the k-th of them in the in-list.
     */
    private void removeNamed(BitSet named) {
        Map<Integer, Set<Long>> byTarget = new HashMap<>();
        int rank = named.nextSetBit(0);
        while (rank >= 0 && rank < first) {
            int list = out.lists.rankAt(rank);
            long ends = out.lists.ofRank(list);
            if (rank < Lists.start(ends) || rank >= Lists.end(ends)) {
                throw out.neighbors.column().impossible(rank);
            }
            int source = out.lists.owners().select(list);
            Map<Integer, Integer> before = new HashMap<>();
            for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
                int target = out.neighbors.id(position, source, out.nodes);
                int count = before.merge(target, 1, Integer::sum) - 1;
                if (named.get((int) position)) {
                    byTarget.computeIfAbsent(target, ignored -> new HashSet<>()).add(parallel(source, count));
                }
            }
            rank = named.nextSetBit((int) Lists.end(ends));
        }
        byTarget.forEach(this::removeEntries);
    }

    private void removeEntries(int target, Set<Long> wanted) {
        Map<Integer, Integer> before = new HashMap<>();
        int found = 0;
        long ends = in.lists.of(target);
        for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
            int source = in.neighbors.id(position, target, in.nodes);
            int count = before.merge(source, 1, Integer::sum) - 1;
            if (wanted.contains(parallel(source, count))) {
                removedIn.set((int) position);
                found++;
            }
        }
        if (found != wanted.size()) {
            throw in.neighbors.column().impossible(target);
        }
    }

    /** Makes the columns of these changes, for a graph of {@code nodes} nodes. */
    EdgeChangeRow encode(MadeColumns made, int nodes) {
        int[] outOrder = order(sources);
        int[] inOrder = order(targets);
        return new EdgeChangeRow(
                label.id(),
                sources.size(),
                lists(made, outOrder, sources, targets, nodes),
                made.ints(outOrder),
                lists(made, inOrder, targets, sources, nodes),
                made.ints(inOrder),
                removed.isEmpty() ? NONE : made.set(removed.stream().toArray(), end()),
                removedIn.isEmpty() ? NONE : made.set(removedIn.stream().toArray(), first));
    }

    /** The numbers of edges, sorted by owner in a stable order. */
    private static int[] order(IntList owners) {
        long[] pairs = new long[owners.size()];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = (long) owners.get(i) << 32 | i;
        }
        Arrays.sort(pairs);
        int[] order = new int[pairs.length];
        for (int i = 0; i < pairs.length; i++) {
            order[i] = (int) pairs[i];
        }
        return order;
    }

    private static AdjacencyRow lists(MadeColumns made, int[] order, IntList owners, IntList neighbors, int nodes) {
        IntList members = new IntList();
        IntList starts = new IntList();
        int[] entries = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            int owner = owners.get(order[i]);
            if (members.isEmpty() || members.get(members.size() - 1) != owner) {
                members.add(owner);
                starts.add(i);
            }
            entries[i] = neighbors.get(order[i]);
        }
        starts.add(order.length);
        return new AdjacencyRow(made.set(members.toArray(), nodes), made.ints(starts.toArray()), made.ints(entries));
    }

    /**
     * Makes the columns of all changed edge labels, and returns their rows. {@code all} has null for labels
     * without edits.
     */
    static List<EdgeChangeRow> encode(EdgeEdits[] all, MadeColumns made, int nodes) {
        List<EdgeChangeRow> rows = new ArrayList<>();
        for (EdgeEdits edits : all) {
            if (edits != null && !edits.isEmpty()) {
                rows.add(edits.encode(made, nodes));
            }
        }
        return rows;
    }
}
