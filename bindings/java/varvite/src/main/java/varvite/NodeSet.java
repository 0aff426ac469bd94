package varvite;

import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import varvite.error.DamagedFileException;
import varvite.error.NoSuchNodeException;
import varvite.error.VarviteException;
import varvite.format.IdSet;

/**
 * A set of nodes, or of edges by rank, such as the nodes of a label or the owners of a property. The set is
 * read in place in the file.
 *
 * <p>A loop over its members needs no cursor and allocates nothing:
 *
 * <pre>{@code
 * for (int node = set.next(0); node >= 0; node = set.next(node + 1)) { ... }
 * }</pre>
 *
 * <p>May be used by any number of threads while the graph is open. Every method except {@link #size()} throws
 * {@link varvite.error.GraphClosedException} once the graph is closed, and
 * {@link varvite.error.DamagedFileException} for a damaged file.
 */
public final class NodeSet {
    private final IdSet set;

    NodeSet(IdSet set) {
        this.set = set;
    }

    /** The number of members. Constant time. */
    public int size() {
        return set.count();
    }

    /**
     * Whether {@code node} is a member; false for ids that the graph lacks. Costs one load or, in a sparse
     * set, a search.
     */
    public boolean contains(int node) {
        return rank0(node) >= 0;
    }

    /**
     * The rank of {@code node}: the number of members below it. -1 if it is not a member. Constant time. Data
     * that is stored only for members is stored in the order of their ranks.
     */
    public int memberRank(int node) {
        return rank0(node);
    }

    private int rank0(int node) {
        set.column().file().checkOpen();
        return set.memberRank(node);
    }

    /** The number of members below {@code node}, which need not be a member. Constant time. */
    public int rank(int node) {
        set.column().file().checkOpen();
        return set.rank(node);
    }

    /**
     * The member with a rank; the first member has rank 0. Logarithmic time.
     *
     * @throws IndexOutOfBoundsException if no member has that rank
     */
    public int select(int rank) {
        set.column().file().checkOpen();
        return set.select(rank);
    }

    /**
     * The number of members from {@code start} to below {@code end}. Costs two rank queries, regardless of
     * the length of the range.
     */
    public int countIn(int start, int end) {
        return Math.max(0, rank(end) - rank(start));
    }

    /**
     * The first member from {@code node} up, or -1 if there is none. Takes about a nanosecond if members are
     * dense; in a sparse set, costs a search.
     *
     * @throws IndexOutOfBoundsException if {@code node} is below 0
     * @throws VarviteException if the graph is closed or the file is damaged
     */
    public int next(int node) {
        set.column().file().checkOpen();
        if (node < 0) {
            throw new IndexOutOfBoundsException("a set is searched from 0 up, not from " + node);
        }
        return set.next(node);
    }

    /**
     * The members from {@code start} to below {@code end} as bits: bit {@code i % 64} of {@code out[i / 64]}
     * is 1 if node {@code start + i} is a member. The words of the range are overwritten; other words stay
     * unchanged. Takes a fraction of a nanosecond for 64 nodes or, in a sparse set, a nanosecond or two for
     * each member. Allocates nothing.
     *
     * @throws NoSuchNodeException if a node of the range does not exist
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or {@code out} is too short
     */
    public void bits(int start, int end, long[] out) {
        bits(start, end, out, "node");
    }

    /** The same as {@link #bits(int, int, long[])}; {@code kind} is the word for the members in messages. */
    void bits(int start, int end, long[] out, String kind) {
        set.column().file().checkOpen();
        Bits.checkRange(start, end, out);
        Bits.checkIds(start, end, set, kind);
        try {
            set.bits(start, end, out);
        } catch (RuntimeException e) {
            // The bulk read failed because the file is damaged. Test each node, so that the exception names
            // the fault.
            Bits.fill(out, end - start, i -> contains(start + i));
        }
    }

    /** Calls {@code action} with every member, in rising order. */
    public void forEach(IntConsumer action) {
        for (int node = next(0); node >= 0; node = next(node + 1)) {
            action.accept(node);
        }
    }

    /** The members as an iterator of ints, in rising order. Allocates the iterator. */
    public PrimitiveIterator.OfInt iterator() {
        return new MemberIterator(this);
    }

    /**
     * The members as a stream, in rising order, which can be split for parallel use. Allocates the stream.
     */
    public IntStream stream() {
        return StreamSupport.intStream(spliterator(), false);
    }

    /**
     * The members as a sorted spliterator, whose size is known even after a split. Allocates the spliterator.
     */
    public Spliterator.OfInt spliterator() {
        return new MemberSpliterator(this, 0, limit());
    }

    /**
     * The members in rising order, in a new array with four bytes for each. The array grows as members are
     * read, because the count in the file is unverified.
     */
    public int[] toArray() {
        IntList members = new IntList(Math.min(size(), IntList.CLAIMED_MAX));
        for (int node = next(0); node >= 0; node = next(node + 1)) {
            members.add(node);
        }
        return members.size() == members.array().length ? members.array() : members.toArray();
    }

    /** The exception for a set that has more or fewer members than its count says. */
    DamagedFileException miscounted() {
        return set.column().misfit("as many members as it counts", "more or fewer");
    }

    /** The limit of the set: all members are below this number. */
    int limit() {
        return set.limit();
    }
}
