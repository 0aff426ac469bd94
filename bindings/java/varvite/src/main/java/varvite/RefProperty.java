package varvite;

import varvite.format.Ints;

/** A property that refers to nodes of the same graph. */
public final class RefProperty extends Property {
    /** The result for a value that refers to no node: the null reference of a foreign graph. */
    public static final int NULL = -2;

    /** The number that is stored for a null reference. */
    private static final long NULL_NUMBER = 0xffff_ffffL;

    RefProperty(PropertyInfo info, Lists lists, Ints values, int nodes) {
        super(info, new Numbers(lists, values, 0, nodes - 1L, NULL_NUMBER));
    }

    /**
     * The first node that {@code owner} refers to; {@link #NULL} for a null reference, or -1 if the owner has
     * no value.
     */
    public int get(int owner) {
        long position = position(owner);
        return position < 0 ? -1 : node(position, owner);
    }

    /**
     * The node of value number {@code index} of {@code owner}, from 0, or {@link #NULL}.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public int at(int owner, int index) {
        return node(position(owner, index), owner);
    }

    /**
     * Copies the values of {@code owner} to {@code out}, from {@code at} on; {@link #NULL} stands for a null
     * reference.
     *
     * @return the number of copied values. If they do not fit, nothing is copied and the result is
     * {@code ~n}, the complement of their number {@code n}
     * @throws IndexOutOfBoundsException if {@code at} is neither an index of {@code out} nor its length
     */
    public int copyInto(int owner, int[] out, int at) {
        long ends = ends(owner, out.length, at);
        int count = Lists.fitting(ends, out.length - at);
        for (int i = 0; i < count; i++) {
            out[at + i] = node(Lists.start(ends) + i, owner);
        }
        return count;
    }

    private int node(long position, int owner) {
        long number = number(position, owner);
        return number == NULL_NUMBER ? NULL : (int) number;
    }
}
