package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import varvite.error.EngineException;
import varvite.error.GraphClosedException;
import varvite.spi.Lifetime;

/**
 * One value after the other as bytes, copied or lent as {@link NativeProperty#fillOrPin} does, without
 * allocating:
 *
 * <pre>{@code
 * try (ValueCursor value = property.cursor()) {
 *     for (int call = calls.next(0); call >= 0; call = calls.next(call + 1)) {
 *         if (value.fillOrPin(call, buffer) != ValueCursor.Result.ABSENT) {
 *             sum += value.get(0);
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Holds at most one pin, which the next call and {@link #close} give back. Belongs to one thread.
 */
public final class ValueCursor implements AutoCloseable {
    /** The result of reading a value. */
    public enum Result {
        /** Nowhere: there is none, or it is null. */
        ABSENT,
        /** In the caller's buffer, from its start on. */
        FILLED,
        /** In memory of the engine, until the next call. */
        BORROWED,
        /** Nowhere: it should be copied, and does not fit. {@link #length} is the needed size. */
        TOO_SMALL
    }

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final NativeProperty property;
    private final Lifetime lifetime;
    /**
     * Collected with the cursor: unlike an arena that is closed, it does not need each call to hold it open.
     */
    private final Results results = new Results(Arena.ofAuto());
    /** All of memory while this cursor is open: pinned bytes outlive their property. */
    private final MemorySegment memory;
    private MemorySegment place = MemorySegment.NULL;
    private long offset;
    private long length;
    private long readable;
    private final Pin pin = new Pin();

    ValueCursor(NativeProperty property) {
        this.property = property;
        lifetime = new Lifetime(property.lifetime().path());
        memory = Call.memory(lifetime.arena());
        lifetime.afterwards(pin::release);
        lifetime.endWith(this);
    }

    /**
     * The pin that a cursor holds, if any. Knows nothing of the cursor, so that it is given back also where
     * that is forgotten.
     */
    private static final class Pin {
        /** Its address, or 0. */
        private long held;

        void release() {
            long address = held;
            held = 0;
            if (address == 0) {
                return;
            }
            try {
                int status = (int) Call.PIN_RELEASE_AT.invokeExact(address);
                assert status == Call.OK : status;
            } catch (Throwable e) {
                throw Call.wrapped(e);
            }
        }
    }

    /**
     * Goes to the first value of {@code owner}, and releases the value before.
     *
     * @throws EngineException if there is no such owner, or the column is damaged
     * @throws GraphClosedException if the property or the cursor is closed
     */
    public Result fillOrPin(int owner, MemorySegment buffer, long threshold) {
        lifetime.checkOpen();
        pin.release();
        readable = 0;
        int status = property.call(owner, buffer, threshold, results);
        length = results.length();
        return switch (status) {
            case Call.ABSENT -> Result.ABSENT;
            case Call.FILLED -> at(buffer, 0, Result.FILLED);
            case Call.BORROWED -> at(property.memory(), results.address(), Result.BORROWED);
            case Call.PINNED -> {
                pin.held = results.pin();
                yield at(memory, results.address(), Result.BORROWED);
            }
            default -> Result.TOO_SMALL;
        };
    }

    /** The same with the threshold that measurements chose. */
    public Result fillOrPin(int owner, MemorySegment buffer) {
        return fillOrPin(owner, buffer, NativeProperty.THRESHOLD_BYTES);
    }

    private Result at(MemorySegment place, long offset, Result result) {
        this.place = place;
        this.offset = offset;
        readable = length;
        return result;
    }

    /** Bytes of the value; 0 where it is absent. */
    public long length() {
        return length;
    }

    /**
     * Byte number {@code index}.
     *
     * @throws IndexOutOfBoundsException if there is none of that number
     * @throws GraphClosedException if the property or the cursor is closed
     */
    public byte get(long index) {
        long at = offset + Objects.checkIndex(index, readable);
        try {
            return place.get(JAVA_BYTE, at);
        } catch (IllegalStateException e) {
            throw property.lifetime().failure(e);
        }
    }

    /** The eight bytes from {@code index} on as a little-endian number. As {@link #get}. */
    public long getLong(long index) {
        long at = offset + Objects.checkFromIndexSize(index, Long.BYTES, readable);
        try {
            return place.get(LONG, at);
        } catch (IllegalStateException e) {
            throw property.lifetime().failure(e);
        }
    }

    /**
     * Copies the value to {@code out}, from {@code at} on.
     *
     * @return how many bytes were copied; or, if they do not fit, nothing is copied and it is the complement
     *     of their number, at most {@link Integer#MAX_VALUE}
     * @throws IndexOutOfBoundsException if {@code at} is no place in {@code out}
     */
    public int copyInto(byte[] out, int at) {
        Objects.checkFromToIndex(at, out.length, out.length);
        if (readable > out.length - at) {
            return ~(int) Math.min(readable, Integer.MAX_VALUE);
        }
        try {
            MemorySegment.copy(place, JAVA_BYTE, offset, out, at, (int) readable);
        } catch (IllegalStateException e) {
            throw property.lifetime().failure(e);
        }
        return (int) readable;
    }

    /** Releases the cursor's memory. Closing twice is closing once. */
    @Override
    public void close() {
        readable = 0;
        lifetime.close();
    }
}
