package varvite.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A table of distinct texts, each with a code.
 *
 * <p>A second table may follow, with texts that were added after the columns were written. Its codes are
 * above those of the first table.
 *
 * <p>In the encoding {@code entries}, texts are consecutive in the pool, and one column has their rising
 * offsets. In the encoding {@code slices}, each text has an offset and a length, and texts may overlap. The
 * code that equals the number of texts stands for null. If the pool is compressed, only reads of its bytes
 * need the native library; reads of codes do not.
 */
public final class Strings {
    /** The maximum length of a text: the largest array that every virtual machine supports. */
    private static final int LENGTH_MAX = Integer.MAX_VALUE - 8;

    private final Column column;
    /** The number of texts of this table alone, and that of both tables together. */
    private final int stored;
    private final int count;
    private final boolean sorted;
    private final Ints starts;
    /** The lengths of texts; null in the encoding entries. */
    private final Ints lengths;
    /**
     * If all texts have the same length, this length, else 0; and the start of the first text. With equal
     * lengths, the start of any text can be computed without a look-up.
     */
    private final long stride;
    private final long first;
    private final Pool pool;
    /** The bytes of all texts in place; null if they are compressed. */
    private final MemorySegment plain;
    /** The second table; null if there is none. */
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
     * A table of the texts of this table, followed by the texts of another one.
     *
     * @throws varvite.error.UnsupportedFileException if both tables together have more than 2^31 - 1 texts
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

    /** Opens a table of texts. */
    public static Strings open(Column column) {
        try {
            return new Strings(column);
        } catch (RuntimeException e) {
            throw column.failure(e, 0);
        }
    }

    /** The column of the table, for exceptions about codes. */
    public Column column() {
        return column;
    }

    /** The number of texts, which is also the code of null. */
    public int count() {
        return count;
    }

    /** Whether texts are sorted by their bytes. */
    public boolean isSorted() {
        return sorted;
    }

    /** Whether texts can be read, in place or through the engine. Codes and lengths can always be read. */
    public boolean isReadable() {
        return column.isReadable(0) && (more == null || more.isReadable());
    }

    /**
     * The second table, which has the texts with codes of at least {@link #stored}; subtract {@link #stored}
     * from such a code to get the code in the second table. Null if there is no second table.
     */
    public Strings more() {
        return more;
    }

    /**
     * The number of texts of this table alone. Texts with this code or a greater one are in {@link #more}.
     */
    public int stored() {
        return stored;
    }

    /**
     * Converts a code beyond this table to its code in the second table. Throws if the code does not exist.
     */
    private int codeInMore(int code) {
        if (more == null || Integer.compareUnsigned(code, count) >= 0) {
            throw new IndexOutOfBoundsException("text " + code + " of " + count);
        }
        return code - stored;
    }

    private boolean isElsewhere(int code) {
        return Integer.compareUnsigned(code, stored) >= 0;
    }

    /** The length of a text in bytes. */
    public int length(int code) {
        if (isElsewhere(code)) {
            int inMore = codeInMore(code);
            return more.length(inMore);
        }
        // Read the offset even if it could be computed, because only a read detects that the file is closed.
        long start = starts.get(code, code);
        return (int) (end(code, start) - start);
    }

    /**
     * The start of a text in the pool; the code must be that of a text. This needs no read of the file if
     * texts have equal lengths; the later read of the pool's bytes checks that the file is open.
     */
    public long start(int code) {
        return stride > 0 ? first + stride * code : starts.get(code, code);
    }

    /** The bytes of all texts of this table alone; null if they are compressed. */
    public MemorySegment plain() {
        return plain;
    }

    /** A new window onto compressed texts, which the caller owns; null if texts are uncompressed. */
    public Window window() {
        return plain == null ? pool.window() : null;
    }

    /**
     * Moves a window to the pool's bytes from {@code start} to {@code end}, and returns their offset in the
     * window.
     */
    public long at(Window window, long start, long end) {
        return window.at(start, end);
    }

    /**
     * The byte at an offset in {@link #plain} or in a {@link Window}. {@code code} is the text that it
     * belongs to, for messages.
     */
    public byte byteAt(MemorySegment bytes, long at, int code) {
        try {
            checkWindow();
            return (byte) Layouts.i8(bytes, at);
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
    }

    /** The eight bytes at an offset in {@link #plain} or in a {@link Window}. */
    public long longAt(MemorySegment bytes, long at, int code) {
        try {
            checkWindow();
            return Layouts.i64(bytes, at);
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
    }

    /** Copies bytes from {@link #plain} or from a {@link Window}, beginning at an offset. */
    public int copyAt(MemorySegment bytes, long at, int code, byte[] out, int to, int length) {
        try {
            checkWindow();
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, out, to, length);
            return length;
        } catch (RuntimeException e) {
            throw column.failure(e, code);
        }
    }

    /**
     * Throws if the file is closed. A read from a {@link Window} needs this check: the window has its own
     * memory, which stays valid after the file is closed, so the read itself would not fail.
     */
    private void checkWindow() {
        if (plain == null) {
            pool.checkOpen();
        }
    }

    /**
     * The bytes of a text in place. Allocates the slice, unless the JIT compiler finds that the slice does
     * not escape.
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

    /** Copies at most {@code length} bytes of a text, and returns the number of copied bytes. */
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

    /** The text with a code. Allocates the string. */
    public String text(int code) {
        byte[] bytes = bytesOf(code);
        String text = new String(bytes, StandardCharsets.UTF_8);
        // A text has a replacement character only if it is damaged or contains that character itself.
        if (text.indexOf('\ufffd') >= 0 && !isUtf8(bytes)) {
            throw column.damaged("valid UTF-8 in text " + code, "other bytes");
        }
        return text;
    }

    /** The bytes of a text. For an uncompressed text, each offset is looked up only once. */
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
     * The code of a text; -1 if the table does not have the text. Logarithmic time in a sorted table, else
     * one pass over all texts.
     *
     * @throws varvite.error.CancelledException if the thread is interrupted during the pass
     */
    public int find(byte[] text) {
        // A comparison with an empty text reads nothing, so check explicitly that the file is open.
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

    /** Compares text number {@code code} with {@code text}, as unsigned bytes. */
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

    /**
     * Compares {@code length} bytes at an offset in {@link #plain} or in a window with {@code text}, as
     * unsigned bytes. {@code code} is the text that the bytes belong to, for messages.
     */
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

    /**
     * The number of equal leading bytes, in steps of eight: a multiple of eight that is at most
     * {@code length}.
     */
    private static int equalWords(MemorySegment bytes, long start, byte[] text, int length) {
        int equal = 0;
        while (equal + Long.BYTES <= length && Layouts.i64(bytes, start + equal) == Layouts.i64(text, equal)) {
            equal += Long.BYTES;
        }
        return equal;
    }

    /** The end in the pool of the text that starts at {@code start}; the code must be that of a text. */
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
