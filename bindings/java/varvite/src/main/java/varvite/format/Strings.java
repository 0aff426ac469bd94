package varvite.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A table of texts: each distinct one once, found by code.
 *
 * <p>A second table may follow, with codes behind those of the first: texts that came after the columns were
 * written.
 *
 * <p>{@code entries} are consecutive: one column of rising offsets into the pool. {@code slices} have an
 * offset and a length each and may overlap. The code that equals the count stands for a null text. A pool
 * that is coded has codes all the same: only its bytes need the native library.
 */
public final class Strings {
    /** Longest text that is read: the most that an array holds on every virtual machine. */
    private static final int LENGTH_MAX = Integer.MAX_VALUE - 8;

    private final Column column;
    /** Texts of this table alone, and with those that follow. */
    private final int stored;
    private final int count;
    private final boolean sorted;
    private final Ints starts;
    /** Null for entries. */
    private final Ints lengths;
    /**
     * Entries of one length: the length, else 0, and where the first starts. Where one is needs no look-up
     * then.
     */
    private final long stride;
    private final long first;
    private final Pool pool;
    /** The bytes of all texts where they lie; null where they are coded. */
    private final MemorySegment plain;
    /** Texts that follow; null for none. */
    private final Strings more;

    private Strings(Column column) {
        ColumnRow row = column.row();
        this.column = column;
        boolean isEntries = row.encoding() == Encoding.ENTRIES;
        if (!isEntries && row.encoding() != Encoding.SLICES) {
            throw column.damaged("a string table", row.encoding());
        }
        if (row.count() >>> 32 != 0) {
            throw column.damaged("fewer than 2^32 texts", Long.toUnsignedString(row.count()));
        }
        if (row.count() > Integer.MAX_VALUE) {
            throw column.file().faults().tooLarge(column.name() + " has " + row.count() + " texts, more than 2^31 - 1");
        }
        stored = (int) row.count();
        count = stored;
        sorted = row.isSorted();
        starts = offsets(column, row.child0(), isEntries ? count + 1L : count);
        lengths = isEntries ? null : offsets(column, row.child1(), count);
        stride = isEntries ? starts.stride() : 0;
        first = starts.first();
        pool = new Pool(column);
        plain = pool.plain();
        more = null;
    }

    private Strings(Strings first, Strings more) {
        column = first.column;
        stored = first.stored;
        count = first.stored + more.stored;
        sorted = false;
        starts = first.starts;
        lengths = first.lengths;
        stride = first.stride;
        this.first = first.first;
        pool = first.pool;
        plain = first.plain;
        this.more = more;
    }

    /**
     * The texts of this table, and then those of another one.
     *
     * @throws varvite.error.UnsupportedFileException if there are more than 2^31 - 1
     */
    public Strings and(Strings more) {
        if (stored + (long) more.stored > Integer.MAX_VALUE) {
            throw column.file().faults().tooLarge(column.name() + " and what follows have more than 2^31 - 1 texts");
        }
        return new Strings(this, more);
    }

    private static Ints offsets(Column column, int child, long count) {
        Ints offsets = Ints.open(column.child(child));
        if (offsets.count() != count) {
            throw column.damaged(count + " offsets", offsets.count());
        }
        return offsets;
    }

    /** A reader of a table of texts. */
    public static Strings open(Column column) {
        try {
            return new Strings(column);
        } catch (RuntimeException e) {
            throw column.failure(e, 0);
        }
    }

    /** The column, for codes that do not fit. */
    public Column column() {
        return column;
    }

    /** The number of texts; also the code of null. */
    public int count() {
        return count;
    }

    /** Whether texts rise in the order of their bytes. */
    public boolean isSorted() {
        return sorted;
    }

    /**
     * Whether the texts can be read here, in place or through the engine; their codes and lengths always can.
     */
    public boolean isReadable() {
        return column.isReadable(0) && (more == null || more.isReadable());
    }

    /**
     * The table that has a text of a code below the count, where it is not this one: under a code less {@link
     * #stored}. Null for none.
     */
    public Strings more() {
        return more;
    }

    /** Texts of this table alone: from this code on they are in {@link #more}. */
    public int stored() {
        return stored;
    }

    /** Passes if a code beyond this table is in the table that follows; returns the code there. */
    private int codeInMore(int code) {
        if (more == null || Integer.compareUnsigned(code, count) >= 0) {
            throw new IndexOutOfBoundsException("text " + code + " of " + count);
        }
        return code - stored;
    }

    private boolean isElsewhere(int code) {
        return Integer.compareUnsigned(code, stored) >= 0;
    }

    /** Bytes of a text. */
    public int length(int code) {
        if (isElsewhere(code)) {
            int inMore = codeInMore(code);
            return more.length(inMore);
        }
        // Also where no offset needs to be looked up: the file may be closed.
        long start = starts.get(code, code);
        return (int) (end(code, start) - start);
    }

    /**
     * The start in the pool of the text with a code below the count; reading the pool's bytes then shows
     * whether the file is still open.
     */
    public long start(int code) {
        return stride > 0 ? first + stride * code : starts.get(code, code);
    }

    /** The bytes of all texts of this table alone; null where they are coded. */
    public MemorySegment plain() {
        return plain;
    }

    /** A window of the caller's own onto coded texts; null where they are plain. */
    public Window window() {
        return plain == null ? pool.window() : null;
    }

    /** Moves a window to bytes of the pool: where they are in it. */
    public long at(Window window, long start, long end) {
        return window.at(start, end);
    }

    /** The byte at a place in {@link #plain} or a window, which belongs to text {@code code}. */
    public byte byteAt(MemorySegment bytes, long at, int code) {
        try {
            checkWindow();
            return (byte) Layouts.i8(bytes, at);
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
    }

    /** The eight bytes from such a place on. */
    public long longAt(MemorySegment bytes, long at, int code) {
        try {
            checkWindow();
            return Layouts.i64(bytes, at);
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
    }

    /** Copies bytes from such a place on. */
    public int copyAt(MemorySegment bytes, long at, int code, byte[] out, int to, int length) {
        try {
            checkWindow();
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, out, to, length);
            return length;
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
    }

    /** The memory of a window outlives the file. */
    private void checkWindow() {
        if (plain == null) {
            pool.checkOpen();
        }
    }

    /**
     * The bytes of a text in place. Allocates the slice, unless the compiler sees that it does not escape.
     */
    public MemorySegment slice(int code) {
        if (isElsewhere(code)) {
            int inMore = codeInMore(code);
            return more.slice(inMore);
        }
        long start = starts.get(code, code);
        long end = end(code, start);
        try {
            return pool.slice(start, end);
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
    }

    /** Copies at most {@code length} bytes of a text; returns how many. */
    public int copyInto(int code, byte[] out, int at, int length) {
        if (isElsewhere(code)) {
            int inMore = codeInMore(code);
            return more.copyInto(inMore, out, at, length);
        }
        long start = start(code);
        int size = (int) Math.min(length, end(code, start) - start);
        if (plain != null) {
            return copyAt(plain, start, code, out, at, size);
        }
        return pool.withWindow(window -> {
            long place = window.at(start, start + size);
            return copyAt(window.bytes(), place, code, out, at, size);
        });
    }

    /** A text. Allocates it. */
    public String text(int code) {
        byte[] bytes = bytesOf(code);
        String text = new String(bytes, StandardCharsets.UTF_8);
        // Only a text that was damaged, or that holds the character itself, has a replacement character.
        if (text.indexOf('\ufffd') >= 0 && !isUtf8(bytes)) {
            throw column.damaged("valid UTF-8 in text " + code, "other bytes");
        }
        return text;
    }

    /** Of plain texts, each offset is looked up once. */
    private byte[] bytesOf(int code) {
        if (plain == null || isElsewhere(code)) {
            byte[] bytes = new byte[length(code)];
            copyInto(code, bytes, 0, bytes.length);
            return bytes;
        }
        long start = starts.get(code, code);
        byte[] bytes = new byte[(int) (end(code, start) - start)];
        copyAt(plain, start, code, bytes, 0, bytes.length);
        return bytes;
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /**
     * The code of a text, or -1: logarithmic in a sorted table, else one pass.
     *
     * @throws varvite.error.CancelledException if the thread is interrupted during the pass
     */
    public int find(byte[] text) {
        // A comparison with an empty text reads no byte, which would fail after closing.
        column.file().checkOpen();
        if (more == null) {
            return sorted ? findSorted(text) : findInPass(text);
        }
        int code = column.row().isSorted() ? findSorted(text) : findInPass(text);
        int inMore = code < 0 ? more.find(text) : -1;
        return inMore < 0 ? code : stored + inMore;
    }

    private int findInPass(byte[] text) {
        for (int code = 0; code < stored; code++) {
            column.checkPass(code);
            if (compare(code, text) == 0) {
                return code;
            }
        }
        return -1;
    }

    private int findSorted(byte[] text) {
        int low = 0;
        int high = stored;
        while (low < high) {
            int middle = low + high >>> 1;
            int order = compare(middle, text);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1;
    }

    /** The order of text {@code code} against {@code text}, byte by byte, unsigned. */
    public int compare(int code, byte[] text) {
        if (isElsewhere(code)) {
            int inMore = codeInMore(code);
            return more.compare(inMore, text);
        }
        long start = start(code);
        int length = (int) (end(code, start) - start);
        if (plain != null) {
            return compareAt(plain, start, length, code, text);
        }
        return pool.withWindow(window -> {
            long place = window.at(start, start + length);
            return compareAt(window.bytes(), place, length, code, text);
        });
    }

    /** The order of the bytes at a place in {@link #plain} or a window, which belong to text {@code code}. */
    public int compareAt(MemorySegment bytes, long start, int length, int code, byte[] text) {
        try {
            checkWindow();
            int common = Math.min(length, text.length);
            int equal = equalWords(bytes, start, text, common);
            while (equal < common) {
                int order = Layouts.u8(bytes, start + equal) - (text[equal] & 0xff);
                if (order != 0) {
                    return order;
                }
                equal++;
            }
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
        return length - text.length;
    }

    /** The number of first bytes that are certainly equal: a multiple of eight, at most {@code length}. */
    private static int equalWords(MemorySegment bytes, long start, byte[] text, int length) {
        int equal = 0;
        while (equal + Long.BYTES <= length && Layouts.i64(bytes, start + equal) == Layouts.i64(text, equal)) {
            equal += Long.BYTES;
        }
        return equal;
    }

    /** The end in the pool of the text with a code below the count: the text starts at {@code start}. */
    public long end(int code, long start) {
        long end = stride > 0 ? start + stride : storedEnd(code, start);
        if (start < 0 || end < start || end > pool.length() || end - start > LENGTH_MAX) {
            throw column.impossible(code);
        }
        return end;
    }

    private long storedEnd(int code, long start) {
        return lengths == null ? starts.get(code + 1L, code + 1L) : start + lengths.get(code, 0);
    }
}
