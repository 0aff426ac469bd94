package varvite;

import java.lang.foreign.MemorySegment;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import varvite.error.NoSuchNodeException;
import varvite.format.IdSet;
import varvite.format.Ints;
import varvite.format.SmallInts;

/**
 * The neighbours of every node along one edge label and in one direction, in the order that the graph stores.
 *
 * <p>The storage has one of four shapes: stored lists; the children along the forest edge label, computed
 * from subtree sizes; the parents along that label, stored as distances; or one of these three with edges
 * that were appended or removed since the columns were written. Neighbours are node ids; {@code -1} means
 * that there is none.
 *
 * <p>May be used by any number of threads while the graph is open; a {@link NeighborCursor} belongs to one
 * thread. A method allocates only if its comment says so. Methods that take a node throw
 * {@link NoSuchNodeException} for an id that the graph does not have,
 * {@link varvite.error.GraphClosedException} after the graph is closed, and
 * {@link varvite.error.DamagedFileException} for a damaged file.
 */
public final class Adjacency {
    static final int LISTS = 0;
    static final int CHILDREN = 1;
    static final int PARENTS = 2;
    static final int CHANGED = 3;

    final int shape;
    private final long edges;
    /**
     * The limit of neighbours' ids. It is also the limit of the ids of nodes that have neighbours; for stored
     * lists, that limit is {@link Lists#limit}.
     */
    final int nodes;
    final Lists lists;
    final Ints neighbors;
    private final Subtree subtree;
    private final SmallInts distances;
    /**
     * The stored bytes of subtree sizes or distances, which fast paths read directly; {@code base} is the
     * value that the byte 0 stands for. Null if sizes or distances are stored in another way.
     */
    private final MemorySegment bytes;
    private final int base;
    /** The neighbours of all lists, if they are stored as plain ids; else null. */
    final MemorySegment plain;
    /**
     * A bit for each node below {@code ownerLimit}, set if the node has a list; null if the owners of lists
     * are not stored as bits.
     */
    private final MemorySegment ownerBits;

    private final int ownerLimit;
    /** Reads many lists at once; null in shapes without lists. */
    private final Expansion expansion;
    /** The changed edges; null if no edges have changed. */
    final ChangedEdges changed;

    private Adjacency(int shape, long edges, int nodes, Lists lists, Ints neighbors, Subtree subtree, SmallInts above) {
        this.shape = shape;
        this.edges = edges;
        this.nodes = nodes;
        this.lists = lists;
        this.neighbors = neighbors;
        this.subtree = subtree;
        this.distances = above;
        SmallInts small = shape == CHILDREN ? subtree.sizes() : above;
        bytes = small == null ? null : small.bytes();
        base = small == null ? 0 : small.byteBase();
        plain = shape == LISTS ? neighbors.slice() : null;
        ownerBits = shape == LISTS ? lists.owners().bits() : null;
        ownerLimit = shape == LISTS ? lists.limit() : 0;
        expansion = shape == LISTS ? new Expansion(lists, neighbors, nodes) : null;
        changed = null;
    }

    private Adjacency(ChangedEdges changed, long edges, int nodes) {
        shape = CHANGED;
        this.edges = edges;
        this.nodes = nodes;
        lists = null;
        neighbors = null;
        subtree = null;
        distances = null;
        bytes = null;
        base = 0;
        plain = null;
        ownerBits = null;
        ownerLimit = 0;
        expansion = null;
        this.changed = changed;
    }

    static Adjacency ofChanged(ChangedEdges changed, long edges, int nodes) {
        return new Adjacency(changed, edges, nodes);
    }

    static Adjacency ofLists(Lists lists, Ints neighbors, long edges, int nodes) {
        return new Adjacency(LISTS, edges, nodes, lists, neighbors, null, null);
    }

    static Adjacency ofChildren(Subtree subtree, long edges, int nodes) {
        return new Adjacency(CHILDREN, edges, nodes, null, null, subtree, null);
    }

    /**
     * The parents along the forest edge label. {@code distances} has the distance from each node to its
     * parent; 0 for a root.
     */
    static Adjacency ofParents(SmallInts distances, long edges, int nodes) {
        return new Adjacency(PARENTS, edges, nodes, null, null, null, distances);
    }

    /** Whether neighbours are stored as lists, with or without changes, instead of derived from a forest. */
    boolean hasLists() {
        return shape == LISTS || shape == CHANGED && changed.base().shape == LISTS;
    }

    /** The number of edges of the label. */
    public long edgeCount() {
        return edges;
    }

    /** The first neighbour of {@code node}, or -1. Constant time. */
    public int first(int node) {
        if (shape == PARENTS) {
            return parent(node);
        }
        if (shape == CHILDREN) {
            return subtreeEnd(node) > node + 1 ? node + 1 : -1;
        }
        return shape == LISTS ? firstOfList(node) : firstOfChanged(node);
    }

    private int firstOfChanged(int node) {
        if (!changed.isTouched(node)) {
            return changed.base().first(node);
        }
        long entry = changed.first(node);
        return entry == ChangedEdges.END ? -1 : changed.neighbor(node, entry);
    }

    private int firstOfList(int node) {
        long ends = lists.of(node);
        return Lists.length(ends) == 0 ? -1 : neighbors.id(Lists.start(ends), node, nodes);
    }

    /**
     * The number of neighbours of {@code node}. Constant time, except for children along the forest edge
     * label, which this method has to count.
     */
    public int degree(int node) {
        return switch (shape) {
            case PARENTS -> parent(node) < 0 ? 0 : 1;
            case CHILDREN -> countChildren(node);
            case CHANGED -> changed.isTouched(node) ? changed.degree(node) : changed.base().degree(node);
            default -> Lists.length(lists.of(node));
        };
    }

    private int countChildren(int node) {
        int count = 0;
        int end = subtree.end(node);
        for (int child = node + 1; child < end; child = subtree.end(child)) {
            count++;
        }
        return count;
    }

    /**
     * Neighbour number {@code index} of {@code node}, from 0. Constant time, except that children along the
     * forest edge label take linear time.
     *
     * @throws IndexOutOfBoundsException if the node has no neighbour with that number
     */
    public int get(int node, int index) {
        if (shape != LISTS) {
            return getImplied(node, index);
        }
        long ends = lists.of(node);
        return neighbors.id(Lists.start(ends) + java.util.Objects.checkIndex(index, Lists.length(ends)), node, nodes);
    }

    private int getImplied(int node, int index) {
        NeighborCursor cursor = cursor().of(node);
        for (int i = 0; i <= index && cursor.next(); i++) {
            if (i == index) {
                return cursor.node();
            }
        }
        throw new IndexOutOfBoundsException("neighbour " + index + " of " + degree(node));
    }

    /**
     * Whether {@code node} may have neighbours: false for most nodes without neighbours. Costs the test of a
     * bit. If there is no such bit, returns true, even for an id that the graph lacks; a later read of the
     * neighbours then throws. Does not detect that the graph is closed.
     */
    public boolean mayHave(int node) {
        MemorySegment bits = ownerBits;
        if (bits == null || Integer.compareUnsigned(node, ownerLimit) >= 0) {
            return true;
        }
        try {
            return IdSet.bitAt(bits, node);
        } catch (RuntimeException e) {
            return true;
        }
    }

    /**
     * Begins a loop over the neighbours of {@code node}. Returns a number that stands for the remaining
     * neighbours, at first all of them; 0 if the node has no neighbours. A program that loops over the
     * neighbours of many nodes at a time needs only this number for each node, instead of a cursor.
     *
     * <pre>{@code
     * for (long rest = adjacency.rest(node); rest != 0; rest = adjacency.after(node, rest)) {
     *     visit(adjacency.neighbor(node, rest));
     * }
     * }</pre>
     *
     * <p>The number is valid only for this adjacency and this node; with any other number, calls throw or
     * return a wrong neighbour. Constant time.
     */
    public long rest(int node) {
        if (shape != LISTS) {
            return restOfImplied(node);
        }
        long ends = lists.of(node);
        return Lists.length(ends) == 0 ? 0 : ends;
    }

    /**
     * The remaining range of ids as one number, with its end in the high 32 bits and its start in the low 32.
     * The number is not 0, because the end of a range is above 0.
     */
    private long restOfImplied(int node) {
        switch (shape) {
            case CHILDREN -> {
                int end = subtreeEnd(node);
                return end > node + 1 ? (long) end << 32 | node + 1 : 0;
            }
            case PARENTS -> {
                int parent = parent(node);
                return parent < 0 ? 0 : parent + 1L << 32 | parent;
            }
            default -> {
                return changed.isTouched(node) ? restFrom(changed.first(node)) : changed.base().rest(node);
            }
        }
    }

    /** The number that stands for the neighbours from {@code entry} on, for a node with changed edges. */
    private static long restFrom(long entry) {
        return entry == ChangedEdges.END ? 0 : entry + 1;
    }

    /**
     * The first of the neighbours that {@code rest}, from {@link #rest} or {@link #after}, stands for.
     * {@code rest} must not be 0.
     */
    public int neighbor(int node, long rest) {
        if (plain != null) {
            return neighbors.idOf(plain, Lists.start(rest), nodes);
        }
        if (shape == LISTS) {
            return neighbors.id(Lists.start(rest), node, nodes);
        }
        if (shape == CHANGED) {
            return changed.isTouched(node) ? changed.neighbor(node, rest - 1) : changed.base().neighbor(node, rest);
        }
        return (int) rest;
    }

    /**
     * The number that stands for the neighbours after {@link #neighbor neighbor(node, rest)}; 0 if there are
     * none.
     */
    public long after(int node, long rest) {
        if (shape == LISTS) {
            long next = rest + 1;
            return (int) next == (int) (next >>> 32) ? 0 : next;
        }
        return shape == PARENTS ? 0 : afterImplied(node, rest);
    }

    private long afterImplied(int node, long rest) {
        if (shape == CHANGED) {
            return changed.isTouched(node) ? restFrom(changed.after(node, rest - 1)) : changed.base().after(node, rest);
        }
        int child = subtreeEnd((int) rest);
        int end = (int) (rest >>> 32);
        return child < end ? (long) end << 32 | child : 0;
    }

    /** A cursor over neighbours, which one thread may reuse for many nodes. Allocates the cursor. */
    public NeighborCursor cursor() {
        return new NeighborCursor(this);
    }

    /** Appends the neighbours of {@code node} to {@code out}. Allocates only if the list has to grow. */
    public void append(int node, IntList out) {
        switch (shape) {
            case CHILDREN -> appendChildren(node, out);
            case PARENTS -> appendParent(node, out);
            case CHANGED -> appendChanged(node, out);
            default -> appendList(node, out);
        }
    }

    private void appendList(int node, IntList out) {
        expansion.append(node, lists.of(node), out);
    }

    /**
     * Appends the ids at a range of positions in a column. The list grows only as ids are read, because the
     * length of the range is unverified data of the file.
     */
    static void appendValues(Ints column, long start, long end, int key, int limit, IntList out) {
        for (long next = start; next < end; ) {
            int length = (int) Math.min(end - next, IntList.CLAIMED_MAX);
            column.copyInto(next, length, key, limit, out.reserve(length), out.size());
            out.advance(length);
            next += length;
        }
    }

    private void appendChildren(int node, IntList out) {
        int end = subtreeEnd(node);
        int child = node + 1;
        while (child < end) {
            child = appendSome(child, end, out);
        }
    }

    /**
     * Appends at least one child, from {@code first} on, and further children as long as {@code out} has room
     * and subtree sizes fit in a byte. Returns the next child. Rare cases end the loop and are handled after
     * it, because a loop without calls keeps its data in registers.
     */
    private int appendSome(int first, int end, IntList out) {
        int size = out.size();
        int[] items = out.reserve(1);
        MemorySegment bytes = this.bytes;
        int child = first;
        int next = first;
        boolean isShort = bytes != null;
        try {
            do {
                child = next;
                items[size++] = child;
                int small = isShort ? SmallInts.byteAt(bytes, child) : SmallInts.ELSEWHERE;
                next = child + 1 + base + small;
                isShort = small != SmallInts.ELSEWHERE && Integer.compareUnsigned(next, nodes) <= 0;
            } while (isShort && next < end && size < items.length);
        } catch (RuntimeException e) {
            throw failure(e, child);
        }
        out.advance(size - out.size());
        return isShort ? next : subtree.end(child);
    }

    private void appendChanged(int node, IntList out) {
        if (!changed.isTouched(node)) {
            changed.base().append(node, out);
            return;
        }
        for (long entry = changed.first(node); entry != ChangedEdges.END; entry = changed.after(node, entry)) {
            out.add(changed.neighbor(node, entry));
        }
    }

    private void appendParent(int node, IntList out) {
        int parent = parent(node);
        if (parent >= 0) {
            out.add(parent);
        }
    }

    /**
     * Copies the neighbours of {@code node} to {@code out}, from index {@code at} on.
     *
     * @return the number of copied neighbours; if they do not fit, nothing is copied and the result is
     * {@code ~degree(node)}
     */
    public int copyInto(int node, int[] out, int at) {
        java.util.Objects.checkFromToIndex(at, out.length, out.length);
        return shape == LISTS ? copyList(node, out, at) : copyImplied(node, out, at);
    }

    private int copyList(int node, int[] out, int at) {
        long ends = lists.of(node);
        int degree = Lists.length(ends);
        if (degree > out.length - at) {
            return ~degree;
        }
        neighbors.copyInto(Lists.start(ends), degree, node, nodes, out, at);
        return degree;
    }

    private int copyImplied(int node, int[] out, int at) {
        int degree = degree(node);
        if (degree > out.length - at) {
            return ~degree;
        }
        if (shape == CHANGED) {
            return copyChanged(node, out, at);
        }
        int next = shape == PARENTS ? parent(node) : node + 1;
        for (int i = 0; i < degree; i++) {
            out[at + i] = next;
            next = i + 1 < degree ? subtree.end(next) : next;
        }
        return degree;
    }

    private int copyChanged(int node, int[] out, int at) {
        if (!changed.isTouched(node)) {
            return changed.base().copyInto(node, out, at);
        }
        int next = at;
        for (long entry = changed.first(node); entry != ChangedEdges.END; entry = changed.after(node, entry)) {
            out[next++] = changed.neighbor(node, entry);
        }
        return next - at;
    }

    /**
     * Copies the neighbours of the first {@code length} nodes of {@code frontier} to {@code out}, node by
     * node, with repetitions.
     *
     * @return the number of copied neighbours. If they do not fit, the result is {@code ~n}, the complement
     * of their number {@code n}, and the content of {@code out} is undefined
     */
    public int expand(int[] frontier, int length, int[] out) {
        int count = 0;
        for (int i = 0; i < length; i++) {
            int copied = copyInto(frontier[i], out, count);
            if (copied < 0) {
                return ~countFrom(frontier, i, length, count);
            }
            count += copied;
        }
        return count;
    }

    /**
     * Appends the neighbours of the first {@code length} nodes of {@code frontier} to {@code out}, node by
     * node, with repetitions. This is the fastest way to expand a frontier, especially if its nodes are in
     * rising order, because adjacent lists are decoded together. Allocates if {@code out} has to grow, and
     * once for the first use of {@code out}.
     *
     * <p>If this method throws for a node, it has already appended the neighbours of earlier nodes and some
     * neighbours of that node.
     *
     * @throws IndexOutOfBoundsException if {@code length} exceeds the length of {@code frontier}
     */
    public void expand(int[] frontier, int length, IntList out) {
        java.util.Objects.checkFromToIndex(0, length, frontier.length);
        if (shape == LISTS) {
            expansion.append(frontier, length, out, null);
            return;
        }
        for (int i = 0; i < length; i++) {
            append(frontier[i], out);
        }
    }

    /**
     * The same as {@link #expand(int[], int, IntList)}, but also writes the end of each node's neighbours:
     * {@code ends[i]} is the size of {@code out} after the neighbours of {@code frontier[i]}.
     *
     * @throws IndexOutOfBoundsException if {@code length} exceeds the length of {@code frontier} or {@code
     * ends}
     */
    public void expand(int[] frontier, int length, IntList out, int[] ends) {
        java.util.Objects.checkFromToIndex(0, length, Math.min(frontier.length, ends.length));
        if (shape == LISTS) {
            expansion.append(frontier, length, out, ends);
            return;
        }
        for (int i = 0; i < length; i++) {
            append(frontier[i], out);
            ends[i] = out.size();
        }
    }

    private int countFrom(int[] frontier, int start, int length, int before) {
        int count = before;
        for (int i = start; i < length; i++) {
            count = Math.addExact(count, degree(frontier[i]));
        }
        return count;
    }

    /** Calls {@code action} with every neighbour of {@code node}, in the order of the graph. */
    public void forEach(int node, IntConsumer action) {
        if (shape == LISTS) {
            long ends = lists.of(node);
            forEach(node, Lists.start(ends), Lists.end(ends), action);
            return;
        }
        if (shape == CHANGED) {
            forEachChanged(node, action);
            return;
        }
        int next = shape == PARENTS ? parent(node) : node + 1;
        int end = shape == PARENTS ? next + 1 : subtree.end(node);
        while (next >= 0 && next < end) {
            action.accept(next);
            next = shape == PARENTS ? end : subtree.end(next);
        }
    }

    private void forEachChanged(int node, IntConsumer action) {
        if (!changed.isTouched(node)) {
            changed.base().forEach(node, action);
            return;
        }
        for (long entry = changed.first(node); entry != ChangedEdges.END; entry = changed.after(node, entry)) {
            action.accept(changed.neighbor(node, entry));
        }
    }

    /**
     * Calls {@code action} with the neighbours of {@code node} from position {@code start} to {@code end} of
     * the lists.
     */
    void forEach(int node, long start, long end, IntConsumer action) {
        MemorySegment plain = this.plain;
        for (long position = start; position < end; position++) {
            action.accept(plain == null ? neighbors.id(position, node, nodes) : neighbors.idOf(plain, position, nodes));
        }
    }

    /**
     * The neighbours of {@code node} as an iterator of ints, in the order of the graph. Allocates the
     * iterator.
     */
    public PrimitiveIterator.OfInt iterator(int node) {
        return new NeighborIterator(cursor().of(node));
    }

    /**
     * The neighbours of {@code node} as a stream, in the order of the graph. If they are stored as a list,
     * the stream can be split for parallel use. Allocates the stream but copies nothing.
     */
    public IntStream neighbors(int node) {
        return StreamSupport.intStream(spliterator(node), false);
    }

    /** The neighbours of {@code node} as a spliterator. Allocates the spliterator. */
    public Spliterator.OfInt spliterator(int node) {
        if (shape != LISTS) {
            return Spliterators.spliteratorUnknownSize(iterator(node), NeighborSpliterator.TRAITS);
        }
        long ends = lists.of(node);
        return new NeighborSpliterator(this, node, Lists.start(ends), Lists.end(ends));
    }

    /**
     * The neighbours of {@code node} in place in the file, four bytes each, little-endian. Null if they are
     * stored in another way; only the direct profile stores them in this form. The slice is read-only and
     * becomes invalid when the graph is closed. Its ids are not checked: in a damaged file they may be any
     * numbers. Allocates the slice.
     */
    public MemorySegment slice(int node) {
        if (plain == null) {
            return null;
        }
        long ends = lists.of(node);
        return plain.asSlice(4 * Lists.start(ends), 4L * Lists.length(ends));
    }

    /**
     * The position of the first edge of {@code node} among all edges of the label. In the out direction, this
     * is the edge's rank, which identifies its property values. -1 if neighbours are computed from the
     * forest, because such edges have no stored rank. If edges were appended or removed since the columns
     * were written, this is the position in the columns; {@link NeighborCursor#rank} returns the rank of
     * every edge.
     */
    public long firstRank(int node) {
        if (shape == CHANGED) {
            changed.isTouched(node);
            return changed.firstRank(node);
        }
        return shape == LISTS ? Lists.start(lists.of(node)) : -1;
    }

    /** Throws if the file is closed. */
    void checkOpen() {
        Ints column = shape == LISTS ? neighbors : (shape == CHILDREN ? subtree.sizes() : distances).ints();
        column.column().file().checkOpen();
    }

    /** The parent of {@code node} in the parents shape, or -1. */
    int parent(int node) {
        int distance;
        try {
            int small = bytes == null ? SmallInts.ELSEWHERE : SmallInts.byteAt(bytes, node);
            distance = small == SmallInts.ELSEWHERE ? distances.get(node) : base + small;
        } catch (RuntimeException e) {
            throw failure(e, node);
        }
        if (distance > node) {
            throw distances.ints().column().impossible(node);
        }
        return distance == 0 ? -1 : node - distance;
    }

    /**
     * The end of the subtree of {@code node} in the children shape. A fast path reads the size from the
     * node's byte.
     */
    int subtreeEnd(int node) {
        int small;
        try {
            small = bytes == null ? SmallInts.ELSEWHERE : SmallInts.byteAt(bytes, node);
        } catch (RuntimeException e) {
            throw failure(e, node);
        }
        int end = node + 1 + base + small;
        return small == SmallInts.ELSEWHERE || Integer.compareUnsigned(end, nodes) > 0 ? subtree.end(node) : end;
    }

    private RuntimeException failure(RuntimeException cause, int node) {
        if (Integer.compareUnsigned(node, nodes) >= 0) {
            return new NoSuchNodeException("node", node, nodes);
        }
        return (shape == CHILDREN ? subtree.sizes() : distances).ints().column().failure(cause, node);
    }
}
