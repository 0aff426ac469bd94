package varvite;

import varvite.error.NoSuchNodeException;
import varvite.format.Ints;

/**
 * A property of nodes, or of the edges of one label: one column for the whole graph, whatever the labels of the nodes that have it.
 *
 * <p>Owners are node ids, or ranks of edges in the out direction. The subclasses read values of one kind each; an owner without a
 * value gives what the caller says. No read allocates, but where it says so.
 *
 * <p>May be used by any number of threads, for as long as the graph is open. Methods that take an owner throw
 * {@link NoSuchNodeException} for one that the graph does not have, {@link varvite.error.GraphClosedException} after the graph was
 * closed, and {@link varvite.error.DamagedFileException} where the file makes no sense.
 */
public abstract sealed class Property
        permits BytesProperty, DoubleProperty, IntProperty, LongProperty, RefProperty, TextProperty {
    private final PropertyInfo info;
    final Lists lists;
    final Ints values;
    private final NodeSet owners;

    Property(PropertyInfo info, Lists lists, Ints values) {
        this.info = info;
        this.lists = lists;
        this.values = values;
        owners = new NodeSet(lists.owners());
    }

    /** What the schema says of it. */
    public final PropertyInfo info() {
        return info;
    }

    /** Everything that has a value. */
    public final NodeSet owners() {
        return owners;
    }

    /** How many values there are, all lists together. */
    public final long valueCount() {
        return values.count();
    }

    /** Whether {@code owner} has a value. Constant time. */
    public final boolean isPresent(int owner) {
        return Lists.length(lists.of(owner)) > 0;
    }

    /** How many values {@code owner} has. Constant time. */
    public final int count(int owner) {
        return Lists.length(lists.of(owner));
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
        return values.get(position, owner);
    }

    /** The same where only an int can be. */
    final int intNumber(long position, int owner) {
        long number = values.get(position, owner);
        if (number != (int) number) {
            throw values.column().impossible(position);
        }
        return (int) number;
    }
}
