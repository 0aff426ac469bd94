package varvite;

import varvite.error.NoSuchNodeException;
import varvite.format.Ints;

/**
 * A property of nodes, or of the edges of one label: one column for the whole graph, for owners of all
 * labels.
 *
 * <p>Owners are node ids, or ranks of edges in the out direction. The subclasses read values of one kind
 * each; an owner without a value gives the caller's default. No read allocates, except where its page says
 * so.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. Methods that take an owner throw
 * {@link NoSuchNodeException} for one that the graph does not have, {@link
 * varvite.error.GraphClosedException} after the graph was closed, and {@link
 * varvite.error.DamagedFileException} for a damaged file.
 */
public abstract sealed class Property
        permits BytesProperty, DoubleProperty, IntProperty, LongProperty, RefProperty, TextProperty {
    private final PropertyInfo info;
    final Lists lists;
    final Ints values;
    final Numbers numbers;
    final Scan scan;
    private final NodeSet owners;

    Property(PropertyInfo info, Numbers numbers) {
        this.info = info;
        this.numbers = numbers;
        scan = new Scan(numbers);
        lists = numbers.lists();
        values = numbers.values();
        owners = new NodeSet(lists.members());
    }

    /** Its row in the schema. */
    public final PropertyInfo info() {
        return info;
    }

    /** Everything that has a value. */
    public final NodeSet owners() {
        return owners;
    }

    /**
     * The upper limit of owners: the number of nodes; or for edges the number of ranks, those of removed
     * edges included.
     */
    public final int ownerLimit() {
        return lists.limit();
    }

    /** The number of values, all lists together. */
    public final long valueCount() {
        return lists.change() == null ? values.count() : lists.change().valueCount();
    }

    /** Whether {@code owner} has a value. Constant time. */
    public final boolean isPresent(int owner) {
        return Lists.length(lists.of(owner)) > 0;
    }

    /** The number of values of {@code owner}. Constant time. */
    public final int count(int owner) {
        return Lists.length(lists.of(owner));
    }

    /**
     * The first values of the owners from {@code start} up and below {@code end} as numbers:
     * {@code numbers[i]} is that of owner {@code start + i}, if bit {@code i % 64} of {@code present[i / 64]}
     * says that it has one, and else 0. These places are filled anew; others stay.
     *
     * <p>Numbers are truth values and integers themselves; the codes of texts and bytes, their count for
     * null; the ids of nodes, {@code 0xffff_ffffL} for a null reference; and the bits of floating-point
     * numbers.
     *
     * <p>Costs about a nanosecond for each owner, and the time of reading memory; values in lists are read
     * one by one. Allocates nothing. Some thousand owners at a time stay in the processor's caches.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or an array too short
     * @throws varvite.error.VarviteException as methods that take an owner, if they do for one of these; what
     *     is in the arrays is undefined then
     */
    public final void fill(int start, int end, long[] numbers, long[] present) {
        this.numbers.fill(start, end, numbers, present);
    }

    /**
     * The owners from {@code start} up and below {@code end} whose first number is from {@code least} to
     * {@code greatest}, both included: bit {@code i % 64} of {@code bits[i / 64]} for owner {@code start +
     * i}. These words are filled anew; others stay. Numbers are those of {@link #fill}.
     *
     * <p>Costs one to three nanoseconds for each value, and the time of reading memory; values in lists are
     * read one by one. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or {@code bits} too short
     * @throws varvite.error.VarviteException as methods that take an owner, if they do for one of these; what
     *     is in the array is undefined then
     */
    public final void select(long least, long greatest, int start, int end, long[] bits) {
        scan.select(least, greatest, start, end, bits);
    }

    /**
     * The owners from {@code start} up and below {@code end} with a value, as bits like those of {@link
     * #select}.
     *
     * <p>Costs a fraction of a nanosecond for 64 owners, in a sparse set a nanosecond or two for each that
     * has one. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or {@code bits} too short
     * @throws varvite.error.VarviteException as methods that take an owner, if they do for one of these
     */
    public final void selectPresent(int start, int end, long[] bits) {
        owners.bits(start, end, bits, lists.kind());
    }

    /**
     * The number of values from {@code least} to {@code greatest}, both included, of the owners from {@code
     * start} up and below {@code end}; values of lists count too. Numbers are those of {@link #fill}.
     *
     * <p>Costs one to three nanoseconds for each value, and the time of reading memory; values in lists are
     * read one by one. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}
     * @throws varvite.error.VarviteException as methods that take an owner, if they do for one of these
     */
    public final long countIn(long least, long greatest, int start, int end) {
        return scan.countIn(least, greatest, start, end);
    }

    /**
     * Whether {@code owner} has a value whose number is from {@code least} to {@code greatest}, both
     * included; of a list one is enough. Numbers are those of {@link #fill}.
     */
    public final boolean isIn(long least, long greatest, int owner) {
        long ends = lists.of(owner);
        for (long position = Lists.start(ends); position < Lists.end(ends); position++) {
            long number = numbers.at(position, owner);
            if (number >= least && number <= greatest) {
                return true;
            }
        }
        return false;
    }

    /**
     * A reader of numbers for owners that come again and again, to be kept and reused by one thread.
     * Allocates 128 KiB.
     */
    public final RecentNumbers recentNumbers() {
        return new RecentNumbers(this);
    }

    /** Position of the first value of {@code owner}, or -1. */
    final long position(int owner) {
        long ends = lists.of(owner);
        return Lists.length(ends) == 0 ? -1 : Lists.start(ends);
    }

    /** Position of value {@code index} of {@code owner}. */
    final long position(int owner, int index) {
        long ends = lists.of(owner);
        return Lists.start(ends) + java.util.Objects.checkIndex(index, Lists.length(ends));
    }

    /** The number at a position, which belongs to {@code owner}. */
    final long number(long position, int owner) {
        return numbers.at(position, owner);
    }

    /** The same where only an int can be. */
    final int intNumber(long position, int owner) {
        return (int) numbers.at(position, owner);
    }
}
