package varvite.pipeline;

/**
 * A column of {@link Pipeline#summarize}: an aggregate of a group's rows, or of their values of a property.
 * Immutable.
 */
public final class Summary {
    /** The number of rows of a group. */
    public static final Summary COUNT = new Summary("\"count\"");

    private final String json;

    private Summary(String json) {
        this.json = json;
    }

    /** The sum of the numbers of a property; 0 if there is no number. */
    public static Summary sum(String property) {
        return of("sum", property);
    }

    /** The least of the numbers of a property; no value if there is no number. */
    public static Summary min(String property) {
        return of("min", property);
    }

    /** The greatest of the numbers of a property; no value if there is no number. */
    public static Summary max(String property) {
        return of("max", property);
    }

    /** The mean of the numbers of a property; no value if there is no number. */
    public static Summary mean(String property) {
        return of("mean", property);
    }

    private static Summary of(String aggregate, String property) {
        return new Summary(Json.object().text(aggregate, property).toString());
    }

    /** The summary as JSON. */
    String toJson() {
        return json;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Summary summary && json.equals(summary.json);
    }

    @Override
    public int hashCode() {
        return json.hashCode();
    }

    @Override
    public String toString() {
        return json;
    }
}
