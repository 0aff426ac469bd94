package varvite.change;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A byte buffer made of several arrays. It grows by adding an array, without copying bytes; a small buffer
 * takes little memory.
 */
final class DiffBuffer {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int PIECE_MIN = 1 << 10;
    private static final int PIECE_MAX = 1 << 20;

    /** A full array of the buffer, which may have a few unused bytes at its end. */
    private record Piece(byte[] bytes, int length) {}

    private final List<Piece> full = new ArrayList<>();
    private long fullBytes;
    private byte[] last = new byte[PIECE_MIN];
    private int at;

    /** The number of bytes. */
    long size() {
        return fullBytes + at;
    }

    void u8(int number) {
        makeRoom(1);
        last[at++] = (byte) number;
    }

    void u32(int number) {
        makeRoom(Integer.BYTES);
        INT.set(last, at, number);
        at += Integer.BYTES;
    }

    void u64(long number) {
        makeRoom(Long.BYTES);
        LONG.set(last, at, number);
        at += Long.BYTES;
    }

    /** Appends the length of the bytes, and then the bytes. */
    void bytes(byte[] bytes) {
        u32(bytes.length);
        for (int done = 0; done < bytes.length; ) {
            makeRoom(1);
            int part = Math.min(bytes.length - done, last.length - at);
            System.arraycopy(bytes, done, last, at, part);
            at += part;
            done += part;
        }
    }

    /**
     * Copies all bytes to {@code target}, beginning at {@code start}. Returns the end of the copied bytes.
     */
    long copyTo(MemorySegment target, long start) {
        long end = start;
        for (Piece piece : full) {
            MemorySegment.copy(piece.bytes, 0, target, ValueLayout.JAVA_BYTE, end, piece.length);
            end += piece.length;
        }
        MemorySegment.copy(last, 0, target, ValueLayout.JAVA_BYTE, end, at);
        return end + at;
    }

    /** A reader of the written numbers, from the beginning. */
    Reader reader() {
        return new Reader();
    }

    /** Reads numbers and bytes in the order in which they were written. */
    final class Reader {
        private int piece;
        private byte[] current = full.isEmpty() ? last : full.getFirst().bytes;
        private int end = full.isEmpty() ? at : full.getFirst().length;
        private int next;

        int u8() {
            goOn();
            return Byte.toUnsignedInt(current[next++]);
        }

        int u32() {
            goOn();
            next += Integer.BYTES;
            return (int) INT.get(current, next - Integer.BYTES);
        }

        long u64() {
            goOn();
            next += Long.BYTES;
            return (long) LONG.get(current, next - Long.BYTES);
        }

        byte[] bytes() {
            byte[] bytes = new byte[u32()];
            for (int done = 0; done < bytes.length; ) {
                goOn();
                int part = Math.min(bytes.length - done, end - next);
                System.arraycopy(current, next, bytes, done, part);
                next += part;
                done += part;
            }
            return bytes;
        }

        /** Moves to the next piece if the current one has been read. No number spans two pieces. */
        private void goOn() {
            while (next == end) {
                piece++;
                boolean isFull = piece < full.size();
                current = isFull ? full.get(piece).bytes : last;
                end = isFull ? full.get(piece).length : at;
                next = 0;
            }
        }
    }

    private void makeRoom(int count) {
        if (last.length - at < count) {
            byte[] next = new byte[Math.min(2 * last.length, PIECE_MAX)];
            full.add(new Piece(last, at));
            fullBytes += at;
            last = next;
            at = 0;
        }
    }
}
