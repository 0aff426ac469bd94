package varvite;

import java.util.Objects;
import varvite.error.NoSuchNodeException;
import varvite.format.Ints;

/**
 * A property of nodes, or of the edges of one label. All its values are in one column, which nodes of all
 * labels share.
 *
 * <p>Owners are node ids, or ranks of edges in the out direction. Each subclass reads values of one kind. For
 * an owner without a value, it returns the caller's default, null or a negative number. A read allocates only
 * where its comment says so.
 *
 * <p>May be used by any number of threads while the graph is open. Methods that take an owner throw
 * {@link NoSuchNodeException} for an owner that the graph lacks, {@link varvite.error.GraphClosedException}
 * after the graph is closed, and {@link varvite.error.DamagedFileException} for a damaged file.
 */
public abstract sealed class Property
        permits CodedProperty, DoubleProperty, IntProperty, LongProperty, RefProperty {
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

    /** The property's row in the schema. */
    public final PropertyInfo info() {
        return info;
    }

    /** The owners with a value. */
    public final NodeSet owners() {
        return owners;
    }

    /**
     * The limit of owners: the number of nodes or, for a property of edges, the number of ranks, including
     * those of removed edges.
     */
    public final int ownerLimit() {
        return lists.limit();
    }

    /** The number of values, in all lists together. */
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
     * The first values of the owners from {@code start} to below {@code end} as numbers. Bit {@code i % 64}
     * of {@code present[i / 64]} is 1 if owner {@code start + i} has a value; {@code numbers[i]} is that
     * value, or 0. The items for these owners are overwritten; other items stay unchanged.
     *
     * <p>The number of an integer is the integer itself; of a truth value 0 or 1; of a text or bytes their
     * code, which for null is the count of distinct values; of a reference the id of its node, or
     * {@code 0xffff_ffffL} for a null reference; and of a floating-point number its bits.
     *
     * <p>Takes about a nanosecond for each owner, and the time of reading memory; a property of lists is not
     * read in bulk, but value by value. Allocates nothing. For ranges of some thousand owners, the arrays
     * stay in the processor's caches.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or an array is too short
     * @throws varvite.error.VarviteException if a method that takes an owner would throw it for one of these
     * owners; the content of the arrays is then undefined
     */
    public final void fill(int start, int end, long[] numbers, long[] present) {
        scan.fill(start, end, numbers, present);
    }

    /**
     * Selects the owners from {@code start} to below {@code end} whose first number is from {@code least} to
     * {@code greatest}, both included: bit {@code i % 64} of {@code bits[i / 64]} is 1 if owner {@code start
     * + i} is selected. The words for these owners are overwritten; other words stay unchanged. {@link #fill}
     * defines the number of a value.
     *
     * <p>Takes one to three nanoseconds for each value, and the time of reading memory; a property of lists
     * is not read in bulk, but value by value. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or {@code bits} is too short
     * @throws varvite.error.VarviteException if a method that takes an owner would throw it for one of these
     * owners; the content of the array is then undefined
     */
    public final void select(long least, long greatest, int start, int end, long[] bits) {
        scan.select(least, greatest, start, end, bits);
    }

    /**
     * Selects the owners from {@code start} to below {@code end} that have a value, as bits like those of
     * {@link #select}.
     *
     * <p>Takes a fraction of a nanosecond for 64 owners, or in a sparse set a nanosecond or two for each
     * owner with a value. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}, or {@code bits} is too short
     * @throws varvite.error.VarviteException if a method that takes an owner would throw it for one of these
     * owners
     */
    public final void selectPresent(int start, int end, long[] bits) {
        owners.bits(start, end, bits, lists.kind());
    }

    /**
     * The number of values from {@code least} to {@code greatest}, both included, of the owners from {@code
     * start} to below {@code end}; every value of a list counts. {@link #fill} defines the number of a value.
     *
     * <p>Takes one to three nanoseconds for each value, and the time of reading memory; a property of lists
     * is not read in bulk, but value by value. Allocates nothing.
     *
     * @throws IndexOutOfBoundsException if {@code end} is below {@code start}
     * @throws varvite.error.VarviteException if a method that takes an owner would throw it for one of these
     * owners
     */
    public final long countIn(long least, long greatest, int start, int end) {
        return scan.countIn(least, greatest, start, end);
    }

    /**
     * Whether {@code owner} has a value whose number is from {@code least} to {@code greatest}, both
     * included. {@link #fill} defines the number of a value.
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
     * A reader that caches the numbers of owners that are read repeatedly. One thread may reuse it. Allocates
     * 128 KiB.
     */
    public final RecentNumbers recentNumbers() {
        return new RecentNumbers(this);
    }

    /** The position of the first value of {@code owner}, or -1 if the owner has no value. */
    final long position(int owner) {
        long ends = lists.of(owner);
        return Lists.length(ends) == 0 ? -1 : Lists.start(ends);
    }

    /** The position of value number {@code index} of {@code owner}. */
    final long position(int owner, int index) {
        long ends = lists.of(owner);
        return Lists.start(ends) + Objects.checkIndex(index, Lists.length(ends));
    }

    /**
     * The positions of the values of {@code owner}, for a copy to an array of {@code length} items from
     * {@code at} on.
     *
     * @throws IndexOutOfBoundsException if {@code at} is above {@code length} or negative
     */
    final long ends(int owner, int length, int at) {
        Objects.checkFromToIndex(at, length, length);
        return lists.of(owner);
    }

    /** The number at a position, which belongs to {@code owner}. */
    final long number(long position, int owner) {
        return numbers.at(position, owner);
    }

    /** The same as {@link #number}, for types whose values fit in an int. */
    final int intNumber(long position, int owner) {
        return (int) numbers.at(position, owner);
    }
}
