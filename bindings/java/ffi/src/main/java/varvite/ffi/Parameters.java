package varvite.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Values for the parameters of a plan. Immutable: each method returns a new object.
 *
 * <pre>{@code
 * graph.run(plan, new Parameters().with("callee", "memcpy").with("most", 10));
 * }</pre>
 *
 * <p>The plan declares the type of each value; the engine checks the value against it when it binds the
 * value. The text of a value is never parsed as a step.
 */
public final class Parameters {
    /**
     * The size of the C struct {@code varvite_parameter}, with the fields name, name_length, value and
     * value_length.
     */
    private static final long BYTES = 32;
    private static final long NAME_LENGTH_AT = 8;
    private static final long VALUE_AT = 16;
    private static final long VALUE_LENGTH_AT = 24;

    private record Value(String name, String text) {}

    private final List<Value> values;

    /** Parameters without values. */
    public Parameters() {
        this(List.of());
    }

    private Parameters(List<Value> values) {
        this.values = values;
    }

    /** Returns these parameters with a text added. */
    public Parameters with(String name, String text) {
        return withText(name, text);
    }

    /** Returns these parameters with an integer added. */
    public Parameters with(String name, long number) {
        return withText(name, Long.toString(number));
    }

    /** Returns these parameters with a floating-point number added. */
    public Parameters with(String name, double number) {
        return withText(name, Double.toString(number));
    }

    /** Returns these parameters with a truth value added. */
    public Parameters with(String name, boolean value) {
        return withText(name, Boolean.toString(value));
    }

    /** Returns these parameters with a list of texts or numbers added. */
    public Parameters withList(String name, List<?> list) {
        Parameters all = this;
        for (Object value : list) {
            all = all.withText(name, value.toString());
        }
        return all;
    }

    /**
     * Returns these parameters with a value added. The value is passed in the text form of the command line:
     * digits, true or false, or a text. If the parameter is a list, this adds one item to the list.
     */
    public Parameters withText(String name, String text) {
        List<Value> more = new ArrayList<>(values);
        more.add(new Value(name, text));
        return new Parameters(List.copyOf(more));
    }

    int count() {
        return values.size();
    }

    /** The parameters as an array of C structs. */
    MemorySegment in(Arena arena) {
        MemorySegment all = arena.allocate(BYTES * values.size(), Long.BYTES);
        for (int i = 0; i < values.size(); i++) {
            MemorySegment parameter = all.asSlice(i * BYTES, BYTES);
            MemorySegment name = arena.allocateFrom(JAVA_BYTE, Words.bytes("the name of a parameter", values.get(i).name()));
            MemorySegment text = arena.allocateFrom(JAVA_BYTE, Words.bytes("the value of a parameter", values.get(i).text()));
            parameter.set(ADDRESS, 0, name);
            parameter.set(JAVA_LONG, NAME_LENGTH_AT, name.byteSize());
            parameter.set(ADDRESS, VALUE_AT, text);
            parameter.set(JAVA_LONG, VALUE_LENGTH_AT, text.byteSize());
        }
        return all;
    }
}
