package varvite;

/**
 * Reads the first text of each owner, in any order of owners, and caches some thousand strings. For a text
 * that was read recently, it returns the same {@link String} without an allocation.
 *
 * <pre>{@code
 * RecentTexts name = graph.texts("FULL_NAME").recentTexts();
 * for (callees.of(call); callees.next(); ) {
 *     visit(name.get(callees.node()));
 * }
 * }</pre>
 *
 * <p>A read of a cached text takes some nanoseconds, and any other read takes as long as
 * {@link TextProperty#get}. Only one thread may use this object. Once the graph is closed, reads throw
 * {@link varvite.error.GraphClosedException}.
 */
public final class RecentTexts {
    private static final int PLACE_BITS = 13;

    private final TextTable table;
    private final RecentNumbers codes;
    private final int[] recentCodes = new int[1 << PLACE_BITS];
    /** The cached strings; null in an empty slot. */
    private final String[] recentTexts = new String[1 << PLACE_BITS];

    RecentTexts(TextProperty property) {
        table = property.texts();
        codes = property.recentNumbers();
    }

    /**
     * The first text of {@code owner}; null if the owner has no value or its value is null.
     *
     * @throws varvite.error.VarviteException as for the methods of {@link Property}
     */
    public String get(int owner) {
        int code = (int) codes.get(owner, table.count());
        return code == table.count() ? null : text(code);
    }

    private String text(int code) {
        int place = code & (1 << PLACE_BITS) - 1;
        String text = recentTexts[place];
        if (text != null && recentCodes[place] == code) {
            return text;
        }
        text = table.get(code);
        recentCodes[place] = code;
        recentTexts[place] = text;
        return text;
    }
}
