package varvite;

import java.util.Arrays;

/**
 * Reads the numbers of owners that a loop reads repeatedly, in any order, and caches those of some thousand:
 * for loops along edges, where many edges lead to few nodes.
 *
 * <pre>{@code
 * RecentNumbers name = graph.texts("FULL_NAME").recentNumbers();
 * for (callees.of(call); callees.next(); ) {
 *     calls[(int) name.get(callees.node(), unnamed)]++;
 * }
 * }</pre>
 *
 * <p>Numbers are those of {@link Property#fill}. A cached owner costs a nanosecond or two, any other as much
 * as a single read of the property. Nothing is allocated for a read. Belongs to one thread; after the graph
 * was closed, reads throw {@link varvite.error.GraphClosedException}.
 */
public final class RecentNumbers {
    private static final int PLACE_BITS = 13;
    /** A word that belongs to no owner. */
    private static final long NOBODY = Long.MIN_VALUE;

    private final Property property;
    /** Two words for each place: the owner, twice, plus 1 if it has a number; and the number. */
    private final long[] recent = new long[2 << PLACE_BITS];

    RecentNumbers(Property property) {
        this.property = property;
        Arrays.fill(recent, NOBODY);
    }

    /**
     * The first number of {@code owner}, or {@code absent} if it has none.
     *
     * @throws varvite.error.VarviteException as the methods of {@link Property}
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
