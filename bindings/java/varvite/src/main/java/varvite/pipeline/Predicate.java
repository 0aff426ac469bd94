package varvite.pipeline;

import java.util.Arrays;

/**
 * A test of one value. Immutable.
 *
 * <p>Texts are compared with texts, numbers with numbers, and truth values with truth values; any other
 * comparison is an error when the pipeline is compiled for a graph.
 */
public final class Predicate {
    private final String json;

    private Predicate(String name, String argument) {
        json = Json.object().raw(name, argument).toString();
    }

    // Equality

    /** Values equal to a text. */
    public static Predicate eq(String value) {
        return new Predicate("eq", Json.quoted(value));
    }

    /** Values equal to a whole number. */
    public static Predicate eq(long value) {
        return new Predicate("eq", Long.toString(value));
    }

    /** Values equal to a number. */
    public static Predicate eq(double value) {
        return new Predicate("eq", number(value));
    }

    /** Values equal to a truth value. */
    public static Predicate eq(boolean value) {
        return new Predicate("eq", Boolean.toString(value));
    }

    /** Values other than a text. */
    public static Predicate ne(String value) {
        return new Predicate("ne", Json.quoted(value));
    }

    /** Values other than a whole number. */
    public static Predicate ne(long value) {
        return new Predicate("ne", Long.toString(value));
    }

    /** Values other than a number. */
    public static Predicate ne(double value) {
        return new Predicate("ne", number(value));
    }

    /** Values other than a truth value. */
    public static Predicate ne(boolean value) {
        return new Predicate("ne", Boolean.toString(value));
    }

    /** Values equal to one of these texts. */
    public static Predicate oneOf(String... values) {
        return new Predicate("one_of", list(values));
    }

    /** Values equal to one of these whole numbers. */
    public static Predicate oneOf(long... values) {
        return new Predicate("one_of", list(values));
    }

    /** Values equal to none of these texts. */
    public static Predicate noneOf(String... values) {
        return new Predicate("none_of", list(values));
    }

    /** Values equal to none of these whole numbers. */
    public static Predicate noneOf(long... values) {
        return new Predicate("none_of", list(values));
    }

    // Order

    /** Numbers less than {@code value}. */
    public static Predicate lt(long value) {
        return new Predicate("lt", Long.toString(value));
    }

    /** Numbers less than {@code value}. */
    public static Predicate lt(double value) {
        return new Predicate("lt", number(value));
    }

    /** Numbers of at most {@code value}. */
    public static Predicate lte(long value) {
        return new Predicate("lte", Long.toString(value));
    }

    /** Numbers of at most {@code value}. */
    public static Predicate lte(double value) {
        return new Predicate("lte", number(value));
    }

    /** Numbers greater than {@code value}. */
    public static Predicate gt(long value) {
        return new Predicate("gt", Long.toString(value));
    }

    /** Numbers greater than {@code value}. */
    public static Predicate gt(double value) {
        return new Predicate("gt", number(value));
    }

    /** Numbers of at least {@code value}. */
    public static Predicate gte(long value) {
        return new Predicate("gte", Long.toString(value));
    }

    /** Numbers of at least {@code value}. */
    public static Predicate gte(double value) {
        return new Predicate("gte", number(value));
    }

    /** Numbers from {@code from}, included, to {@code to}, not included. */
    public static Predicate between(long from, long to) {
        return new Predicate("between", list(from, to));
    }

    /** Numbers from {@code from}, included, to {@code to}, not included. */
    public static Predicate between(double from, double to) {
        return new Predicate("between", list(from, to));
    }

    /** Numbers between {@code low} and {@code high}, neither included. */
    public static Predicate inside(long low, long high) {
        return new Predicate("inside", list(low, high));
    }

    /** Numbers between {@code low} and {@code high}, neither included. */
    public static Predicate inside(double low, double high) {
        return new Predicate("inside", list(low, high));
    }

    /** Numbers less than {@code low} or greater than {@code high}. */
    public static Predicate outside(long low, long high) {
        return new Predicate("outside", list(low, high));
    }

    /** Numbers less than {@code low} or greater than {@code high}. */
    public static Predicate outside(double low, double high) {
        return new Predicate("outside", list(low, high));
    }

    // Texts

    /** Texts that begin with {@code text}. */
    public static Predicate prefix(String text) {
        return new Predicate("prefix", Json.quoted(text));
    }

    /** Texts that end with {@code text}. */
    public static Predicate suffix(String text) {
        return new Predicate("suffix", Json.quoted(text));
    }

    /** Texts that contain {@code text}. */
    public static Predicate contains(String text) {
        return new Predicate("contains", Json.quoted(text));
    }

    /**
     * Texts that a regular expression matches from beginning to end; a dot also matches line breaks. The
     * syntax is that of the Rust crate {@code regex}, which, unlike {@link java.util.regex.Pattern}, has no
     * look-around and no back-references.
     */
    public static Predicate regex(String pattern) {
        return new Predicate("regex", Json.quoted(pattern));
    }

    /** The predicate as JSON. */
    String toJson() {
        return json;
    }

    private static String list(String... values) {
        return Json.list(Arrays.stream(values).map(Json::quoted));
    }

    private static String list(long... values) {
        return Json.list(Arrays.stream(values).mapToObj(Long::toString));
    }

    private static String list(double low, double high) {
        return "[" + number(low) + "," + number(high) + "]";
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("predicate: expected a number with a value, found " + value + "; no stored number equals it");
        }
        return Double.toString(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Predicate predicate && json.equals(predicate.json);
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
