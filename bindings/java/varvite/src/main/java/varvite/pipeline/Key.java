package varvite.pipeline;

import java.util.Arrays;
import java.util.Objects;

/**
 * A value of a row, by which rows are sorted, grouped, deduplicated or kept, or which becomes a column.
 * Immutable.
 *
 * <p>A key may be a function of other keys. Only the outermost key may have a name.
 */
public final class Key {
    /** The row itself: a node's id, an edge, a value. */
    public static final Key ITSELF = word("itself");
    /** The labels of a node, or the label of an edge. */
    public static final Key LABEL = word("label");
    /** The depth of the row in the last {@code repeat}. */
    public static final Key DEPTH = word("depth");

    private final String json;
    /** The key without the name of its column. */
    private final String unnamed;
    /** The key without the name of its column, as the fields of a JSON object. */
    private final String fields;

    private Key(String json, String unnamed, String fields) {
        this.json = json;
        this.unnamed = unnamed;
        this.fields = fields;
    }

    private static Key word(String word) {
        String json = Json.quoted(word);
        return new Key(json, json, "\"key\":" + json);
    }

    private static Key field(String name, String value) {
        return of(Json.object().raw(name, value));
    }

    private static Key of(Json fields) {
        String json = fields.toString();
        return new Key(json, json, json.substring(1, json.length() - 1));
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

    // Constants

    /** This text for every row. */
    public static Key constant(String value) {
        return field("constant", Json.quoted(value));
    }

    /** This whole number for every row. */
    public static Key constant(long value) {
        return field("constant", Long.toString(value));
    }

    /**
     * This number for every row.
     *
     * @throws IllegalArgumentException if the number is infinite or not a number
     */
    public static Key constant(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("constant: expected a finite number, found " + value);
        }
        return field("constant", Double.toString(value));
    }

    /** This truth value for every row. */
    public static Key constant(boolean value) {
        return field("constant", Boolean.toString(value));
    }

    // Arithmetic

    /** The sum of two numbers. */
    public static Key add(Key first, Key second) {
        return function("add", first, second);
    }

    /** The first number less the second. */
    public static Key subtract(Key first, Key second) {
        return function("subtract", first, second);
    }

    /** The product of two numbers. */
    public static Key multiply(Key first, Key second) {
        return function("multiply", first, second);
    }

    /** The first number divided by the second, rounded towards zero if both are whole. */
    public static Key divide(Key first, Key second) {
        return function("divide", first, second);
    }

    /** What remains of the first number after the division, with the sign of the first number. */
    public static Key remainder(Key first, Key second) {
        return function("remainder", first, second);
    }

    // Comparisons

    /** Whether two values are equal. */
    public static Key equal(Key first, Key second) {
        return function("eq", first, second);
    }

    /** Whether two values differ. */
    public static Key unequal(Key first, Key second) {
        return function("ne", first, second);
    }

    /** Whether the first value is less than the second. */
    public static Key less(Key first, Key second) {
        return function("lt", first, second);
    }

    /** Whether the first value is at most the second. */
    public static Key atMost(Key first, Key second) {
        return function("lte", first, second);
    }

    /** Whether the first value is greater than the second. */
    public static Key greater(Key first, Key second) {
        return function("gt", first, second);
    }

    /** Whether the first value is at least the second. */
    public static Key atLeast(Key first, Key second) {
        return function("gte", first, second);
    }

    /** Whether a key passes a predicate. */
    public static Key test(Key key, Predicate is) {
        return of(Json.object().raw("test", key.unnamed).raw("is", is.toJson()));
    }

    // Truth values

    /** Whether the first text contains the second. */
    public static Key contains(Key text, Key part) {
        return function("contains", text, part);
    }

    /** Whether the first text begins with the second. */
    public static Key startsWith(Key text, Key part) {
        return function("prefix", text, part);
    }

    /** Whether the first text ends with the second. */
    public static Key endsWith(Key text, Key part) {
        return function("suffix", text, part);
    }

    /** Whether all keys are true. */
    public static Key and(Key... keys) {
        return function("and", keys);
    }

    /** Whether any key is true. */
    public static Key or(Key... keys) {
        return function("or", keys);
    }

    /** Whether a key is false. */
    public static Key not(Key key) {
        return field("not", key.unnamed);
    }

    /** The first key that has a value. */
    public static Key firstOf(Key... keys) {
        return function("first_of", keys);
    }

    // Texts

    /** The number of characters of a text. */
    public static Key length(Key key) {
        return field("length", key.unnamed);
    }

    /** A text in lower case. */
    public static Key lower(Key key) {
        return field("lower", key.unnamed);
    }

    /** A text in upper case. */
    public static Key upper(Key key) {
        return field("upper", key.unnamed);
    }

    /** A text without white space at both ends. */
    public static Key trim(Key key) {
        return field("trim", key.unnamed);
    }

    /** All keys, one after another, as one text. A number is written in decimal. */
    public static Key concat(Key... keys) {
        return function("concat", keys);
    }

    /**
     * The part with this number, from 0, of a text that is divided at each {@code on}: nothing if there are
     * fewer parts.
     */
    public static Key split(Key key, String on, int part) {
        return of(Json.object().raw("split", key.unnamed).text("on", on).number("part", part));
    }

    /**
     * The text that a group of a regular expression matches at the expression's first match in a text:
     * nothing if there is no match. Group 0 is the whole match.
     */
    public static Key matched(Key key, String regex, int group) {
        return of(Json.object().raw("match", key.unnamed).text("regex", regex).number("group", group));
    }

    private static Key function(String name, Key... keys) {
        return field(name, Json.list(Arrays.stream(keys).map(key -> key.unnamed)));
    }

    /** The same key, whose column has this name. */
    public Key named(String name) {
        return new Key("{" + "\"as\":" + Json.quoted(name) + "," + fields + "}", unnamed, fields);
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
