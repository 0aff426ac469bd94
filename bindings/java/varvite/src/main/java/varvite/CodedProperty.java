package varvite;

import java.lang.foreign.MemorySegment;
import varvite.format.Ints;

/**
 * A property of texts or bytes. Each value is a code in a {@link TextTable}; reads of codes do not read the
 * table.
 */
public abstract sealed class CodedProperty extends Property permits BytesProperty, TextProperty {
    final TextTable table;

    CodedProperty(PropertyInfo info, Lists lists, Ints values, TextTable table) {
        super(info, new Numbers(lists, values, 0, table.count()));
        this.table = table;
    }

    /**
     * The code of the first value of {@code owner}; -1 if the owner has no value, {@link TextTable#count()}
     * for null. Allocates nothing.
     */
    public final int code(int owner) {
        long position = position(owner);
        return position < 0 ? -1 : intNumber(position, owner);
    }

    /**
     * The code of value number {@code index} of {@code owner}, from 0.
     *
     * @throws IndexOutOfBoundsException if the owner has no value with that number
     */
    public final int codeAt(int owner, int index) {
        return intNumber(position(owner, index), owner);
    }

    /**
     * A cursor that reads the bytes of values in place, which one thread may keep and reuse. Allocates the
     * cursor.
     */
    public final BytesCursor cursor() {
        return new BytesCursor(this);
    }

    /**
     * The bytes of the first value of {@code owner} in place, as by {@link TextTable#slice}; null if the
     * owner has no value or its value is null. Copies nothing, but allocates the slice; a {@link #cursor}
     * does not.
     */
    public final MemorySegment slice(int owner) {
        int code = code(owner);
        return isText(code) ? table.slice(code) : null;
    }

    /** Whether a code stands for bytes, and not for an absent value or null. */
    final boolean isText(int code) {
        return code >= 0 && code < table.count();
    }
}
