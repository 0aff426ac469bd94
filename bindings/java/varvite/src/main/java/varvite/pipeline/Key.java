package varvite.pipeline;

import java.util.Objects;

/**
 * A value of a row, by which rows are sorted, grouped or deduplicated, or which becomes a column. Immutable.
 */
public final class Key {
    /** The row itself: a node's id, an edge, a value. */
    public static final Key ITSELF = new Key("\"itself\"");
    /** The labels of a node, or the label of an edge. */
    public static final Key LABEL = new Key("\"label\"");
    /** The depth of the row in the last {@code repeat}. */
    public static final Key DEPTH = new Key("\"depth\"");

    private final String json;

    private Key(String json) {
        this.json = json;
    }

    /** The first value of a property. */
    public static Key property(String name) {
        return new Key(Json.object().text("property", name).toString());
    }

    /** The row's value in the column with this name; if it is a list, the number of its items. */
    public static Key column(String name) {
        return new Key(Json.object().text("column", name).toString());
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
