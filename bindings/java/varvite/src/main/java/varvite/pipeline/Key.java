package varvite.pipeline;

import java.util.Objects;

/**
 * A value of a row, by which rows are sorted, grouped or deduplicated, or which becomes a column. Immutable.
 */
public final class Key {
    /** The row itself: a node's id, an edge, a value. */
    public static final Key ITSELF = word("itself");
    /** The labels of a node, or the label of an edge. */
    public static final Key LABEL = word("label");
    /** The depth of the row in the last {@code repeat}. */
    public static final Key DEPTH = word("depth");

    private final String json;
    /** The key as a field of a JSON object. */
    private final String field;

    private Key(String json, String field) {
        this.json = json;
        this.field = field;
    }

    private static Key word(String word) {
        String json = Json.quoted(word);
        return new Key(json, "\"key\":" + json);
    }

    private static Key field(String name, String value) {
        String field = Json.quoted(name) + ":" + value;
        return new Key("{" + field + "}", field);
    }

    /** The first value of a property. */
    public static Key property(String name) {
        return field("property", Json.quoted(name));
    }

    /** The row's value in the column with this name; if it is a list, the number of its items. */
    public static Key column(String name) {
        return field("column", Json.quoted(name));
    }

    /** The first result of {@code pipeline}, which begins with the row: nothing if it gives none. */
    public static Key first(Pipeline pipeline) {
        return field("first", pipeline.steps());
    }

    /** All results of {@code pipeline}, which begins with the row, as a list. Only for columns. */
    public static Key list(Pipeline pipeline) {
        return field("list", pipeline.steps());
    }

    /** Whether {@code pipeline}, which begins with the row, gives any result. */
    public static Key exists(Pipeline pipeline) {
        return field("exists", pipeline.steps());
    }

    /** The same key, whose column has this name. */
    public Key named(String name) {
        return new Key("{" + "\"as\":" + Json.quoted(name) + "," + field + "}", field);
    }

    /** The key as JSON. */
    String toJson() {
        return json;
    }

    boolean isItself() {
        return equals(ITSELF);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && json.equals(key.json);
    }

    @Override
    public int hashCode() {
        return Objects.hash(json);
    }

    @Override
    public String toString() {
        return json;
    }
}
