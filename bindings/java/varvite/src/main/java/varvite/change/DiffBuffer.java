package varvite.change;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that grow at their end, in pieces: nothing is copied when they grow, and a few bytes take little
 * memory.
 */
final class DiffBuffer {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int PIECE_MIN = 1 << 10;
    private static final int PIECE_MAX = 1 << 20;

    /** A piece that is full, but for a few bytes at its end. */
    private record Piece(byte[] bytes, int length) {}

    private final List<Piece> full = new ArrayList<>();
    private long fullBytes;
    private byte[] last = new byte[PIECE_MIN];
    private int at;

    /** Bytes there are. */
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

    /** The length of bytes, and they. */
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

    /** Copies all to {@code target} from {@code start} on; returns where they end. */
    long copyTo(MemorySegment target, long start) {
        long end = start;
        for (Piece piece : full) {
            MemorySegment.copy(piece.bytes, 0, target, ValueLayout.JAVA_BYTE, end, piece.length);
            end += piece.length;
        }
        MemorySegment.copy(last, 0, target, ValueLayout.JAVA_BYTE, end, at);
        return end + at;
    }

    /** The written numbers, from the beginning. */
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

        /** Goes on to the next piece at the end of one: no number lies in two. */
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
