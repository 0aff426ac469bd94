package varvite;

import java.util.Arrays;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * A growable list of unboxed ints, for use as a stack or as the result of a traversal. Reuse a list in a
 * loop: once it is large enough, it no longer allocates.
 *
 * <p>Not thread-safe.
 */
public final class IntList {
    private static final int CAPACITY = 16;
    /** The maximum initial capacity if the number of ints is an unverified claim of a file. */
    static final int CLAIMED_MAX = 1 << 16;

    private int[] items;
    private int size;
    /** The buffer of {@link #scratch(int)}, allocated on first use. */
    private long[] scratch;

    /** An empty list. */
    public IntList() {
        this(CAPACITY);
    }

    /** An empty list with room for {@code capacity} ints. */
    public IntList(int capacity) {
        items = new int[Math.max(capacity, 1)];
    }

    /** The number of ints. */
    public int size() {
        return size;
    }

    /** Whether the list is empty. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The int at {@code index}. */
    public int get(int index) {
        return items[Objects.checkIndex(index, size)];
    }

    /** Appends an int. Constant time on average. */
    public void add(int item) {
        if (size == items.length) {
            grow(size, 1);
        }
        items[size++] = item;
    }

    /**
     * Removes the last int and returns it.
     *
     * @throws IndexOutOfBoundsException if the list is empty
     */
    public int pop() {
        int item = items[size - 1];
        size--;
        return item;
    }

    /** Removes all ints but keeps the capacity. */
    public void clear() {
        size = 0;
    }

    /** Calls {@code action} with every int, in order. */
    public void forEach(IntConsumer action) {
        for (int i = 0; i < size; i++) {
            action.accept(items[i]);
        }
    }

    /** All ints as an iterator, in order. */
    public PrimitiveIterator.OfInt iterator() {
        return stream().iterator();
    }

    /** All ints as a spliterator, in order. */
    public Spliterator.OfInt spliterator() {
        return stream().spliterator();
    }

    /** All ints as a stream, in order. */
    public IntStream stream() {
        return Arrays.stream(items, 0, size);
    }

    /** A new array with all ints, in order. */
    public int[] toArray() {
        return Arrays.copyOf(items, size);
    }

    /**
     * The array that holds the list's ints, for bulk operations. It may be longer than the list: entries from
     * {@link #size()} on are undefined. The next {@link #add} may replace the array.
     */
    public int[] array() {
        return items;
    }

    /**
     * Makes room for {@code more} ints. Returns the array in which to store them, from index {@link #size()}
     * on.
     */
    int[] reserve(int more) {
        if (items.length - size < more) {
            grow(size, more);
        }
        return items;
    }

    /** Adds {@code more} to the size, after ints were stored in the reserved room. */
    void advance(int more) {
        size += more;
    }

    /** A buffer to which bulk operations decode numbers before they append them. */
    long[] scratch(int length) {
        if (scratch == null) {
            scratch = new long[length];
        }
        return scratch;
    }

    /**
     * Replaces the array by one with room for {@code more} ints after the first {@code used}, which are
     * copied. Returns the new array.
     */
    int[] grow(int used, int more) {
        int needed = Math.addExact(used, more);
        items = Arrays.copyOf(items, Math.max(needed, items.length + (items.length >> 1) + 1));
        return items;
    }
}
