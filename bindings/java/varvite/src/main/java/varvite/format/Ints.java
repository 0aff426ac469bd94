package varvite.format;

import java.lang.foreign.MemorySegment;

/**
 * A reader of a column of integers in any encoding; each value is read in constant time.
 *
 * <p>A value is {@code base + stored}; in a relative column it is {@code base + stored + key}. The caller
 * passes the key: for a neighbour, the node that has the list; for an offset, its index. Arithmetic wraps
 * around. In a damaged file the result may be a wrong number, so callers check its range.
 *
 * <p>This is one final class with a switch rather than a class for each encoding, because the JIT compiler
 * does not inline a call with three or more receiver classes.
 */
public final class Ints {
    private static final int CONSTANT = 0;
    private static final int SEQUENCE = 1;
    private static final int U8 = 2;
    private static final int U16 = 3;
    private static final int U32 = 4;
    private static final int I8 = 5;
    private static final int I16 = 6;
    private static final int I32 = 7;
    private static final int I64 = 8;
    private static final int BITS = 9;
    private static final int TWO_LEVEL_1 = 10;
    private static final int TWO_LEVEL_2 = 11;
    private static final int PACKED = 12;
    private static final int LOCAL = 13;
    private static final int CAPPED = 14;
    private static final int DICTIONARY = 15;
    private static final int JOINED = 16;

    /** The maximum nesting of dictionaries. */
    private static final int DEPTH_MAX = 2;
    /** The maximum number of values of a column without stored bytes. */
    private static final long UNSTORED_MAX = 1L << 32;
    private static final long COUNT_MAX = Long.MAX_VALUE / 8;

    private final Column column;
    private final int form;
    private final long count;
    private final long base;
    /**
     * A mask that is applied to keys: all ones in a relative column, else zero. This is cheaper than a
     * branch.
     */
    private final long keyMask;
    /** Whether values are the stored numbers, without a base and a key. */
    private final boolean isPure;
    private final boolean isPureTwoLevel;
    private final long step;
    private final MemorySegment bytes;
    /**
     * In the two-level encoding, the offset of the 1- or 2-byte values, which follow the bases of all groups.
     */
    private final long inner;
    private final Packed packed;
    private final Local local;
    private final Capped capped;
    /**
     * In a dictionary, the codes and their values. In a joined reader, the readers of the first and of the
     * second column.
     */
    private final Ints codes;
    private final Ints values;

    private Ints(Column column, int depth) {
        ColumnRow row = column.row();
        this.column = column;
        count = row.count();
        if (count < 0 || count > COUNT_MAX) {
            throw column.damaged("a count that fits memory", Long.toUnsignedString(count));
        }
        form = formOf(column, row);
        base = row.base();
        keyMask = row.isRelative() ? -1 : 0;
        isPure = base == 0 && keyMask == 0;
        isPureTwoLevel = isPure && (form == TWO_LEVEL_1 || form == TWO_LEVEL_2);
        step = row.step();
        boolean unstored = form == CONSTANT || form == SEQUENCE;
        if (unstored && count > UNSTORED_MAX) {
            throw column.damaged("at most " + UNSTORED_MAX + " values", count);
        }
        // Reads of a column without stored bytes read a byte of the file, so that they fail after the graph
        // is closed.
        bytes = unstored || form == DICTIONARY ? column.file().map() : column.segment(0, fixedLength(form, count));
        inner = (count + 63) / 64 * 4;
        packed = form == PACKED ? Packed.of(column, bytes, count, row.isSloped()) : null;
        local = form == LOCAL ? Local.of(column, bytes, count) : null;
        capped = form == CAPPED ? Capped.of(column, bytes, count, step) : null;
        if (form == DICTIONARY && depth == 0) {
            throw column.damaged("an encoding of integers", "a dictionary within dictionaries");
        }
        codes = form == DICTIONARY ? new Ints(column.child(row.child0()), depth - 1) : null;
        values = form == DICTIONARY ? new Ints(column.child(row.child1()), depth - 1) : null;
        if (codes != null && codes.count != count) {
            throw column.damaged(count + " codes", codes.count);
        }
    }

    /** A reader of the values of one column followed by those of another; neither column may be relative. */
    private Ints(Ints first, Ints second) {
        column = first.column;
        form = JOINED;
        count = first.count + second.count;
        codes = first;
        values = second;
        base = 0;
        keyMask = 0;
        isPure = false;
        isPureTwoLevel = false;
        step = 0;
        bytes = column.file().map();
        inner = 0;
        packed = null;
        local = null;
        capped = null;
    }

    private static int formOf(Column column, ColumnRow row) {
        return switch (row.encoding()) {
            case CONSTANT -> CONSTANT;
            case SEQUENCE -> SEQUENCE;
            case BITS -> BITS;
            case PACKED -> PACKED;
            case LOCAL -> LOCAL;
            case CAPPED -> CAPPED;
            case DICTIONARY -> DICTIONARY;
            case PLAIN -> plainFormOf(column, row);
            case TWO_LEVEL -> {
                if (row.width() != 1 && row.width() != 2) {
                    throw column.damaged("a width of 1 or 2", row.width());
                }
                yield row.width() == 1 ? TWO_LEVEL_1 : TWO_LEVEL_2;
            }
            default -> throw column.damaged("an encoding of integers", row.encoding());
        };
    }

    private static int plainFormOf(Column column, ColumnRow row) {
        return switch (row.width()) {
            case 1 -> row.isSigned() ? I8 : U8;
            case 2 -> row.isSigned() ? I16 : U16;
            case 4 -> row.isSigned() ? I32 : U32;
            case 8 -> {
                if (!row.isSigned()) {
                    throw column.damaged("a width of 1, 2, 4 or 8", "8, unsigned");
                }
                yield I64;
            }
            default -> throw column.damaged("a width of 1, 2, 4 or 8", row.width());
        };
    }

    /** The minimum number of bytes that {@code count} values take in a form. */
    private static long fixedLength(int form, long count) {
        return switch (form) {
            case U8, I8 -> count;
            case U16, I16 -> count * 2;
            case U32, I32 -> count * 4;
            case I64 -> count * 8;
            case BITS -> (count + 7) / 8;
            case TWO_LEVEL_1 -> (count + 63) / 64 * 4 + count;
            case TWO_LEVEL_2 -> (count + 63) / 64 * 4 + count * 2;
            default -> 0;
        };
    }

    /** Opens a column of integers. */
    public static Ints open(Column column) {
        try {
            return new Ints(column, DEPTH_MAX);
        } catch (RuntimeException e) {
            throw column.failure(e, 0);
        }
    }

    /**
     * A reader of the values of this column, followed by the values of another one.
     *
     * @throws varvite.error.DamagedFileException if one of the columns is relative, because a reader of two
     * columns has no keys
     */
    public Ints and(Ints more) {
        if (keyMask != 0 || more.keyMask != 0) {
            throw column.damaged("absolute values", "differences from a key");
        }
        return new Ints(this, more);
    }

    /** Opens a column that must have {@code count} values. */
    public static Ints open(Column column, long count) {
        Ints ints = open(column);
        if (ints.count != count) {
            throw column.damaged(count + " values", ints.count);
        }
        return ints;
    }

    /** The column, for exceptions about its values. */
    public Column column() {
        return column;
    }

    /** The number of values. */
    public long count() {
        return count;
    }

    /**
     * Value number {@code index}; {@code key} is used only in relative columns.
     *
     * @throws varvite.error.VarviteException if the index is not below the count, the column is damaged, or
     * the file is closed
     */
    public long get(long index, long key) {
        try {
            return base + stored(index) + (key & keyMask);
        } catch (RuntimeException e) {
            throw column.failure(e, index);
        }
    }

    /**
     * Value number {@code index} as an id below {@code limit}.
     *
     * @throws varvite.error.VarviteException as for {@link #get}, and if the value is not below the limit
     */
    public int id(long index, int key, int limit) {
        try {
            // The fast path for 4-byte values, which the hottest loops read.
            long id = form == U32 && index < count ? base + Layouts.u32(bytes, 4 * index) : base + stored(index);
            id += key & keyMask;
            if (Long.compareUnsigned(id, limit) >= 0) {
                throw column.impossible(index);
            }
            return (int) id;
        } catch (RuntimeException e) {
            throw column.failure(e, index);
        }
    }

    private long stored(long index) {
        if (Long.compareUnsigned(index, count) >= 0) {
            throw column.impossible(index);
        }
        return switch (form) {
            case CAPPED -> capped.get(index);
            case PACKED -> packed.get(index);
            case LOCAL -> local.get(index);
            case U32 -> Layouts.u32(bytes, 4 * index);
            case U8 -> Layouts.u8(bytes, index);
            default -> storedElsewhere(index);
        };
    }

    /**
     * The stored value in forms that the hottest loops do not read. This is a separate method, because the
     * JIT compiler inlines small methods at greater depth.
     */
    private long storedElsewhere(long index) {
        return switch (form) {
            case TWO_LEVEL_1 -> u32(Layouts.i32(bytes, index >>> 6 << 2) + Layouts.u8(bytes, inner + index));
            case TWO_LEVEL_2 -> u32(Layouts.i32(bytes, index >>> 6 << 2) + Layouts.u16(bytes, inner + 2 * index));
            case U16 -> Layouts.u16(bytes, 2 * index);
            case I8 -> Layouts.i8(bytes, index);
            case I16 -> Layouts.i16(bytes, 2 * index);
            case I32 -> Layouts.i32(bytes, 4 * index);
            case I64 -> Layouts.i64(bytes, 8 * index);
            case BITS -> Layouts.u8(bytes, index >>> 3) >>> (index & 7) & 1;
            case DICTIONARY -> values.get(codes.get(index, 0), 0);
            case JOINED -> index < codes.count ? codes.get(index, 0) : values.get(index - codes.count, 0);
            case SEQUENCE -> step * index + 0 * Layouts.u8(bytes, 0);
            default -> 0 * Layouts.u8(bytes, 0);
        };
    }

    private static long u32(int value) {
        return value & 0xffff_ffffL;
    }

    /**
     * Values number {@code index} and {@code index + 1} of a column whose key is the index: the start of a
     * list in the low 32 bits, and its end in the high 32. This is cheaper than two reads.
     *
     * @throws varvite.error.VarviteException as for {@link #get}, and if a value does not fit in 32 bits
     */
    public long pair(long index) {
        try {
            return pairOf(index);
        } catch (RuntimeException e) {
            throw column.failure(e, index);
        }
    }

    private long pairOf(long index) {
        if (index < 0 || index >= count - 1) {
            throw column.impossible(index);
        }
        return isPureTwoLevel && (index & 63) != 63 ? pairOfGroup(index) : pairElsewhere(index);
    }

    /** The pair of values, which must be in the same group of a two-level column. */
    private long pairOfGroup(long index) {
        int group = Layouts.i32(bytes, index >>> 6 << 2);
        if (form == TWO_LEVEL_1) {
            int both = Layouts.u16(bytes, inner + index);
            return u32(group + (both >>> 8)) << 32 | u32(group + (both & 0xff));
        }
        int both = Layouts.i32(bytes, inner + 2 * index);
        return u32(group + (both >>> 16)) << 32 | u32(group + (both & 0xffff));
    }

    /** The pair of values, in encodings that the hottest loops do not read. */
    private long pairElsewhere(long index) {
        long first;
        long second;
        if (form == SEQUENCE) {
            // Offsets of lists of equal length. Read a byte, as in all other forms, so that this throws if
            // the file is closed.
            first = step * index + 0 * Layouts.u8(bytes, 0);
            second = first + step;
        } else if (form == TWO_LEVEL_1 && (index & 63) != 63) {
            int group = Layouts.i32(bytes, index >>> 6 << 2);
            int both = Layouts.u16(bytes, inner + index);
            first = u32(group + (both & 0xff));
            second = u32(group + (both >>> 8));
        } else if (form == TWO_LEVEL_2 && (index & 63) != 63) {
            int group = Layouts.i32(bytes, index >>> 6 << 2);
            int both = Layouts.i32(bytes, inner + 2 * index);
            first = u32(group + (both & 0xffff));
            second = u32(group + (both >>> 16));
        } else if (form == U32) {
            long both = Layouts.i64(bytes, 4 * index);
            first = u32((int) both);
            second = both >>> 32;
        } else if (form == PACKED && (index & 127) != 127) {
            return pairOfLane(index);
        } else {
            first = stored(index);
            second = stored(index + 1);
        }
        return joined(first, second, index);
    }

    private long pairOfLane(long index) {
        long both = packed.pair(index);
        return joined(u32((int) both), both >>> 32, index);
    }

    private long joined(long first, long second, long index) {
        long start = base + (index & keyMask) + first;
        long end = base + (index + 1 & keyMask) + second;
        if ((start | end) >>> 32 != 0) {
            throw column.impossible(index);
        }
        return end << 32 | start;
    }

    /**
     * Reads {@code length} values, from number {@code start} on and all with the same {@code key}, into
     * {@code out} at index {@code at}.
     *
     * @throws varvite.error.VarviteException as for {@link #get}, and if a value is not below {@code limit};
     * the content of {@code out} is then undefined
     */
    public void copyInto(long start, int length, long key, int limit, int[] out, int at) {
        long index = start;
        try {
            for (int i = 0; i < length; i++, index++) {
                long value = base + stored(index) + (key & keyMask);
                if (Long.compareUnsigned(value, limit) >= 0) {
                    throw column.impossible(index);
                }
                out[at + i] = (int) value;
            }
        } catch (RuntimeException e) {
            throw column.failure(e, index);
        }
    }

    /**
     * Reads {@code length} values, from number {@code start} on and without keys, into {@code out} at index
     * {@code at}. Runs a loop for the column's encoding, which takes a nanosecond or less for each value.
     *
     * @throws varvite.error.VarviteException if {@link #get} would throw for one of these values; the content
     * of {@code out} is then undefined
     */
    public void fill(long start, int length, long[] out, int at) {
        try {
            java.util.Objects.checkFromIndexSize(start, (long) length, count);
            fillStored(start, length, out, at);
        } catch (RuntimeException e) {
            throw column.failure(e, start);
        }
        for (int i = at; base != 0 && i < at + length; i++) {
            out[i] += base;
        }
    }

    private void fillStored(long start, int length, long[] out, int at) {
        switch (form) {
            case CAPPED -> capped.fill(start, length, out, at);
            case PACKED -> packed.fill(start, length, out, at);
            case LOCAL -> local.fill(start, length, out, at);
            case U8 -> Lanes.u8(bytes, start, length, out, at);
            case I8 -> Lanes.i8(bytes, start, length, out, at);
            case U16 -> Lanes.u16(bytes, start, length, out, at);
            case I16 -> Lanes.i16(bytes, start, length, out, at);
            case U32 -> Lanes.u32(bytes, start, length, out, at);
            case I32 -> Lanes.i32(bytes, start, length, out, at);
            case I64 -> Lanes.i64(bytes, start, length, out, at);
            case BITS -> Lanes.bits(bytes, start, length, out, at);
            case TWO_LEVEL_1 -> Lanes.twoLevel(bytes, inner, 1, start, length, out, at);
            case TWO_LEVEL_2 -> Lanes.twoLevel(bytes, inner, 2, start, length, out, at);
            case DICTIONARY -> fillFromDictionary(start, length, out, at);
            case JOINED -> fillFromBoth(start, length, out, at);
            default -> {
                // There are no stored bytes to read, but this must still throw after the file is closed.
                Layouts.u8(bytes, 0);
                Lanes.sequence(form == SEQUENCE ? step : 0, start, length, out, at);
            }
        }
    }

    private void fillFromDictionary(long start, int length, long[] out, int at) {
        codes.fill(start, length, out, at);
        for (int i = at; i < at + length; i++) {
            out[i] = values.get(out[i], 0);
        }
    }

    private void fillFromBoth(long start, int length, long[] out, int at) {
        int ofFirst = Math.clamp(codes.count - start, 0, length);
        if (ofFirst > 0) {
            codes.fill(start, ofFirst, out, at);
        }
        if (ofFirst < length) {
            values.fill(start + ofFirst - codes.count, length - ofFirst, out, at + ofFirst);
        }
    }

    /** Whether values are relative to a key. */
    public boolean isRelative() {
        return keyMask != 0;
    }

    /**
     * Whether value number {@code index} equals {@code index} for every index. Offsets of lists that have one
     * entry each are such a column.
     */
    public boolean isIdentity() {
        return isPure && form == SEQUENCE && step == 1;
    }

    /**
     * The difference between consecutive values of a column whose key is the index, if all these differences
     * are equal; else 0. Equal differences allow a caller to compute values without a read, but only
     * {@link #get} checks that the file is open.
     */
    long stride() {
        boolean isEven = form == SEQUENCE || form == CONSTANT;
        return isEven ? Math.max((form == SEQUENCE ? step : 0) + (keyMask & 1), 0) : 0;
    }

    /** The first value of a column with a {@link #stride}. */
    long first() {
        return base;
    }

    /** All values in place in the file, 4 bytes each; null if they are stored in another way. */
    public MemorySegment slice() {
        return form == U32 && isPure ? bytes.asSlice(0, 4 * count) : null;
    }

    /**
     * Value number {@code index} of a {@link #slice}, as an id below {@code limit}. Meant for loops that hold
     * the slice in a variable.
     *
     * @throws varvite.error.VarviteException as for {@link #id}
     */
    public int idOf(MemorySegment slice, long index, int limit) {
        int id;
        try {
            id = Layouts.i32(slice, 4 * index);
        } catch (RuntimeException e) {
            throw column.failure(e, index);
        }
        if (Integer.compareUnsigned(id, limit) >= 0) {
            throw column.impossible(index);
        }
        return id;
    }

    /**
     * A byte for each value; 255 means that the value is stored elsewhere. Null if the column has another
     * form.
     */
    MemorySegment byteEach() {
        boolean hasBytes = (form == CAPPED || form == U8) && keyMask == 0;
        return hasBytes && smallBase() >= 0 ? bytes.asSlice(0, count) : null;
    }

    /**
     * The value that the byte 0 stands for in {@link #byteEach}; -1 if it does not fit in a non-negative int.
     */
    int smallBase() {
        long start = base + (form == CAPPED ? step : 0);
        return start >= 0 && start <= Integer.MAX_VALUE - 255 ? (int) start : -1;
    }

    /**
     * The index of the first value, from index {@code start} on, that equals {@code wanted}; -1 if there is
     * none. The column must not be relative. Constant time in a sequence; otherwise a linear search.
     *
     * @throws varvite.error.CancelledException if the thread is interrupted
     */
    public long find(long wanted, long start) {
        if (form == SEQUENCE && step != 0) {
            long index = (wanted - base) / step;
            boolean found = index >= start && index < count && base + step * index == wanted;
            return found ? index : -1;
        }
        for (long index = start; index < count; index++) {
            column.checkPass(index);
            if (get(index, 0) == wanted) {
                return index;
            }
        }
        return -1;
    }
}
