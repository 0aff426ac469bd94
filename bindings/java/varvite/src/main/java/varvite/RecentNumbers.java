package varvite;

import java.util.Arrays;

/**
 * Reads the first number of each owner, in any order of owners, and caches the numbers of some thousand
 * owners. Meant for loops along edges that lead to the same nodes again and again.
 *
 * <pre>{@code
 * RecentNumbers name = graph.texts("FULL_NAME").recentNumbers();
 * for (callees.of(call); callees.next(); ) {
 *     calls[(int) name.get(callees.node(), unnamed)]++;
 * }
 * }</pre>
 *
 * <p>{@link Property#fill} defines the number of a value. A read of a cached owner takes a nanosecond or two,
 * and any other read takes as long as a read of the property itself. No read allocates. Only one thread may
 * use this object. Once the graph is closed, reads throw {@link varvite.error.GraphClosedException}.
 */
public final class RecentNumbers {
    private static final int PLACE_BITS = 13;
    /** A key that belongs to no owner. */
    private static final long NOBODY = Long.MIN_VALUE;

    private final Property property;
    /**
     * Two words for each slot of the cache: the key and the number. The key is twice the owner, plus 1 if the
     * owner has a number.
     */
    private final long[] recent = new long[2 << PLACE_BITS];

    RecentNumbers(Property property) {
        this.property = property;
        Arrays.fill(recent, NOBODY);
    }

    /**
     * The first number of {@code owner}, or {@code absent} if the owner has no value.
     *
     * @throws varvite.error.VarviteException as for the methods of {@link Property}
     */
    public long get(int owner, long absent) {
        property.values.column().file().checkOpen();
        int place = owner * 0x9e37_79b1 >>> Integer.SIZE - PLACE_BITS << 1;
        if (recent[place] >> 1 != owner) {
            read(owner, place);
        }
        return (recent[place] & 1) != 0 ? recent[place + 1] : absent;
    }

    private void read(int owner, int place) {
        long position = property.position(owner);
        long number = position < 0 ? 0 : property.numbers.at(position, owner);
        recent[place] = 2L * owner + (position < 0 ? 0 : 1);
        recent[place + 1] = number;
    }
}
