package varvite.pipeline;

import java.util.Objects;

/** The key of sorting, grouping and deduplication, and the content of a column. Immutable. */
public final class Key {
    /** The row itself: a node's id, an edge, a value. */
    public static final Key ITSELF = new Key("\"itself\"");
    /** The labels of a node, or the label of an edge. */
    public static final Key LABEL = new Key("\"label\"");
    /** The depth that the row has from the last {@code repeat}. */
    public static final Key DEPTH = new Key("\"depth\"");

    private final String json;

    private Key(String json) {
        this.json = json;
    }

    /** The first value of a property. */
    public static Key property(String name) {
        return new Key(Json.object().text("property", name).toString());
    }

    /** A cell of rows of columns, by the name of its column: its value, and of a list how many it holds. */
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
